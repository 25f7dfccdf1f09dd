/** Delay of restarts after a program ended by itself: short at first, longer while it keeps ending. */

const FIRST_MS = 500;
const LAST_MS = 30_000;
/** Running time after which earlier ends are forgotten. */
const FORGOTTEN_AFTER_MS = 5 * 60_000;

export interface Restarts {
  readonly count: number;
  /** Time of the last restart, in milliseconds of the caller's clock. */
  readonly at: number;
}

export const NO_RESTARTS: Restarts = { count: 0, at: Number.NEGATIVE_INFINITY };

/** Returns the state to remember, and the delay in milliseconds. */
export const restartAfter = (
  before: Restarts,
  now: number,
): { readonly restarts: Restarts; readonly delayMs: number } => {
  const count = now - before.at >= FORGOTTEN_AFTER_MS ? 0 : before.count;
  return { restarts: { count: count + 1, at: now }, delayMs: Math.min(LAST_MS, FIRST_MS * 2 ** count) };
};
