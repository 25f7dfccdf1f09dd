/**
 * Codes that people read from a screen or a terminal and enter elsewhere, for example the code of a player that waits
 * to be claimed.
 */

/**
 * Alphabet without characters that look alike from a distance: 0 O, 1 I L, 2 Z, 5 S, 8 B. 25⁶ are 244 million codes.
 */
export const LETTERS = '34679ACDEFGHJKMNPQRTUVWXY';
const LENGTH = 6;
/** Lifetime of a code in milliseconds. */
export const CODE_MS = 15 * 60_000;

/** @param random returns a whole number from 0 to below its argument, uniformly distributed */
export const newCode = (random: (below: number) => number, length = LENGTH): string =>
  Array.from({ length }, () => LETTERS[random(LETTERS.length)]).join('');

/** Normalizes an entered code. Ignores case, spaces and dashes. */
export const plainCode = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '');
