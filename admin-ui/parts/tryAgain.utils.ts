/** Milliseconds before the next retry, ±30 %: forty windows must not retry in one instant. From 2 s to 30 s. */
export const pauseBefore = (tries: number, random = Math.random): number =>
  Math.min(2000 * 2 ** tries, 30_000) * (0.7 + random() * 0.6);
