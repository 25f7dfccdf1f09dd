import { pause } from '../host/backoff.ts';
import type { ScreenHost } from '../host/host.ts';

const ANSWER_WITHIN_MS = 8_000;

/**
 * Rejects with a sentence for the operator when a page cannot be shown in a frame. The agent can read the headers of
 * the page and decides. In a bare browser, the screen page sends a request itself and learns only whether the address
 * answers.
 */
export async function probe(
  host: Pick<ScreenHost, 'pageProblem'>,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  if (!/^https?:/i.test(address)) throw new Error('the address does not begin with http:// or https://');
  if (!host.pageProblem) return answers(address, signal);
  const problem = await host.pageProblem(address, signal);
  if (problem !== null) throw new Error(problem);
}

async function answers(address: string, signal: AbortSignal): Promise<void> {
  let blockedByPolicy = false;
  const onBlocked = (event: SecurityPolicyViolationEvent): void => {
    if (event.effectiveDirective === 'connect-src') blockedByPolicy = true;
  };
  document.addEventListener('securitypolicyviolation', onBlocked);
  const ask = (mode: RequestMode): Promise<Response> =>
    fetch(address, {
      method: 'HEAD',
      mode,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
  let status = 0;
  try {
    // If CORS allows it, the response status is readable. Some servers reject HEAD.
    ({ status } = await ask('cors').catch(() => ask('no-cors')));
  } catch {
    // The event arrives in a separate task, after the rejection.
    await pause(0);
    if (!blockedByPolicy && !signal.aborted) throw new Error('the address does not answer');
  } finally {
    document.removeEventListener('securitypolicyviolation', onBlocked);
  }
  if (status >= 400 && status !== 405 && status !== 501)
    throw new Error(`the address answers with the error ${status}`);
}
