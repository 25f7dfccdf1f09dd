const ANSWER_WITHIN_MS = 8_000;

/** Rejects when nobody answers at an address of another origin. What the answer is cannot be known, only that there is one. */
export async function probe(address: string, signal: AbortSignal): Promise<void> {
  if (!/^https?:/i.test(address)) throw new Error('not a web address');
  let blockedByPolicy = false;
  const onBlocked = (event: SecurityPolicyViolationEvent): void => {
    if (event.effectiveDirective === 'connect-src') blockedByPolicy = true;
  };
  document.addEventListener('securitypolicyviolation', onBlocked);
  try {
    await fetch(address, {
      method: 'HEAD',
      mode: 'no-cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
  } catch {
    // The event comes in a task of its own, after the rejection.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (!blockedByPolicy && !signal.aborted) throw new Error('the address does not answer');
  } finally {
    document.removeEventListener('securitypolicyviolation', onBlocked);
  }
}
