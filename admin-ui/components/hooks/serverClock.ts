/**
 * Clock of the server. Records begin and end by the server's clock, and the clock of the user's machine may be
 * wrong.
 */

/** Milliseconds by which the server's clock is ahead of this machine's clock. */
let ahead = 0;
/**
 * Minimum difference in milliseconds that is corrected. The Date header has whole seconds, and answers take time, so
 * a smaller difference is ignored.
 */
const LEAST_MS = 3000;
/**
 * Maximum duration in milliseconds of a request whose answer is used for the comparison. A slower answer is too
 * inaccurate.
 */
const LONGEST_MS = 10_000;

/**
 * @param date the Date header of an answer
 * @param asked epoch milliseconds of this machine at the request
 * @param answered epoch milliseconds of this machine at the answer
 */
export const recordServerTime = (date: string | null, asked: number, answered: number): void => {
  const at = Date.parse(date ?? '');
  if (Number.isNaN(at) || answered - asked > LONGEST_MS || answered < asked) return;
  const difference = at + 500 - (asked + answered) / 2;
  ahead = Math.abs(difference) < LEAST_MS ? 0 : difference;
};

/** Returns the present time by the server's clock, in epoch milliseconds. */
export const serverNow = (): number => Date.now() + ahead;
