/** How soon what has ended by itself is started again: at once the first time, ever later while it keeps ending. */

const FIRST_MS = 500;
const LAST_MS = 30_000;
/** After running for so long earlier ends are forgotten. */
const FORGOTTEN_AFTER_MS = 5 * 60_000;

export interface Restarts {
  readonly count: number;
  /** When the last one was asked for; milliseconds of the caller's clock. */
  readonly at: number;
}

export const NO_RESTARTS: Restarts = { count: 0, at: Number.NEGATIVE_INFINITY };

/** @returns what to remember, and milliseconds to wait */
export const restartAfter = (
  before: Restarts,
  now: number,
): { readonly restarts: Restarts; readonly delayMs: number } => {
  const count = now - before.at >= FORGOTTEN_AFTER_MS ? 0 : before.count;
  return { restarts: { count: count + 1, at: now }, delayMs: Math.min(LAST_MS, FIRST_MS * 2 ** count) };
};
