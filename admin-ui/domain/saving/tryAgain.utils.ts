/**
 * Returns the milliseconds before the next retry, from 2 s to 30 s, ±30 %: forty browser windows must not retry at the
 * same time.
 */
export const pauseBefore = (tries: number, random = Math.random): number =>
  Math.min(2000 * 2 ** tries, 30_000) * (0.7 + random() * 0.6);
