/**
 * Codes that people read off a screen or a terminal and type elsewhere: that of a player that waits to be claimed, and
 * others like it.
 */

/** Without what looks alike on a screen across the room: 0 O, 1 I L, 2 Z, 5 S, 8 B. 25⁶ are 244 million. */
export const LETTERS = '34679ACDEFGHJKMNPQRTUVWXY';
const LENGTH = 6;
/** How long a code is good. */
export const CODE_MS = 15 * 60_000;

/** @param random a whole number from 0 to below its argument, every one as likely as the others */
export const newCode = (random: (below: number) => number, length = LENGTH): string =>
  Array.from({ length }, () => LETTERS[random(LETTERS.length)]).join('');

/** Case, spaces and dashes don't matter. */
export const plainCode = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '');
