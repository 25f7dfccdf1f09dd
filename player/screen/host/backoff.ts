/**
 * Returns the milliseconds before the next attempt: base, 2·base, 4·base … up to the ceiling. `attempt` starts at 0.
 */
export const backoff = (attempt: number, baseMs: number, ceilingMs: number): number =>
  Math.min(baseMs * 2 ** attempt, ceilingMs);

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls `run` after `ms` milliseconds, unless `signal` aborts or the returned function is called before. */
export function after(ms: number, run: () => void, signal: AbortSignal): () => void {
  const timer = setTimeout(run, ms);
  const cancel = (): void => clearTimeout(timer);
  signal.addEventListener('abort', cancel, { once: true });
  return cancel;
}
