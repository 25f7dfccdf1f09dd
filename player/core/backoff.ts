/**
 * 1–2, 2–4, 4–8, 8–16, 15–30 s and so on: doubling, at most 30 s, each spread over half its length. After a power cut
 * or a server restart a thousand screens must not come back in the same second.
 */
export const reconnectDelay = (attempt: number, random: number): number =>
  spread(Math.min(2 ** (attempt + 1), 30) * 1_000, random);

/** 1–2, 2–4 … 30–60 s: a failed download holds nothing up (the old program plays on), so it may wait longer. */
export const downloadDelay = (attempt: number, random: number): number =>
  spread(Math.min(2 ** (attempt + 1), 60) * 1_000, random);

const spread = (most: number, random: number): number => most * (0.5 + 0.5 * random);
