/**
 * The time as the server has it. What begins and ends does so by its clock, and that of the machine at which somebody
 * sits may be wrong.
 */

/** Milliseconds that the server is ahead of this machine. */
let ahead = 0;
/** The header tells whole seconds, and answers take a while: less is no difference. */
const LEAST_MS = 3000;
/** So much slower an answer tells nothing. */
const LONGEST_MS = 10_000;

/**
 * @param date the header of an answer
 * @param asked epoch milliseconds here when the question went
 * @param answered and when the answer came
 */
export const hearServerTime = (date: string | null, asked: number, answered: number): void => {
  const at = Date.parse(date ?? '');
  if (Number.isNaN(at) || answered - asked > LONGEST_MS || answered < asked) return;
  const difference = at + 500 - (asked + answered) / 2;
  ahead = Math.abs(difference) < LEAST_MS ? 0 : difference;
};

/** Epoch milliseconds. */
export const serverNow = (): number => Date.now() + ahead;
