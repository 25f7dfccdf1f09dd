/** The server's time. Records begin and end by the server's clock, and the clock of the user's machine may be wrong. */

/** Milliseconds that the server's clock is ahead of this machine. */
let ahead = 0;
/** The header has whole seconds, and answers take time: a smaller difference is ignored. */
const LEAST_MS = 3000;
/** A slower answer is useless for the comparison. */
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

/** Epoch milliseconds. */
export const serverNow = (): number => Date.now() + ahead;
