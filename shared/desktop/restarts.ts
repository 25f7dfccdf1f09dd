/**
 * Computes the delay before a program that ended by itself is restarted. The delay is short at first, and longer while
 * the program ends repeatedly.
 */

const FIRST_MS = 500;
const LAST_MS = 30_000;
/** Running time in milliseconds after which earlier ends no longer count. */
const FORGOTTEN_AFTER_MS = 5 * 60_000;

export interface Restarts {
  readonly count: number;
  /** Time of the last restart in milliseconds, on the caller's clock. */
  readonly at: number;
}

export const NO_RESTARTS: Restarts = { count: 0, at: Number.NEGATIVE_INFINITY };

/** Returns the new state, and the delay before the restart in milliseconds. */
export const restartAfter = (
  before: Restarts,
  now: number,
): { readonly restarts: Restarts; readonly delayMs: number } => {
  const count = now - before.at >= FORGOTTEN_AFTER_MS ? 0 : before.count;
  return { restarts: { count: count + 1, at: now }, delayMs: Math.min(LAST_MS, FIRST_MS * 2 ** count) };
};
