/**
 * Enrolment connects to an address that a workspace administrator types. The answer and its timing must not reveal to
 * this person which hosts and ports exist in the network of the server: every failure looks alike.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { badRequest } from '../../../shared/contract/errors.ts';
import type { Parts } from '../../kernel/parts.ts';

/**
 * Returns the result of `attempt`. Every failure throws the same error after the same time; only the log has the
 * reason.
 * @param ms a failure is answered after this time, and an attempt that takes longer fails
 * @throws ApiError 400
 */
export const discreetly = async <T>(
  attempt: Promise<T>,
  { ms, address, log }: { readonly ms: number; readonly address: string } & Pick<Parts, 'log'>,
): Promise<T> => {
  const over = new AbortController();
  const end = pause(ms, undefined, { signal: over.signal });
  end.catch(() => {}); // The timer was cancelled.
  const outcome = await Promise.race([
    attempt.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    ),
    end.then(() => ({ error: new Error(`no answer within ${ms} ms`) })),
  ]);
  if ('value' in outcome) {
    // Cancels the timer, which would keep the process alive.
    over.abort();
    return outcome.value;
  }
  log.warn('A workspace could not be enrolled', { address, reason: (outcome.error as Error).message });
  await end;
  throw badRequest(
    'address: The headquarters that created this code does not answer at this address. Check the address and the code, or ask the administrator of the server. The log of the server contains the reason.',
  );
};
