/**
 * Delay before reconnecting: 1–2, 2–4, 4–8, 8–16, 15–30 s. The delay doubles up to 30 s and is randomized over half its
 * length, so that a thousand screens do not reconnect in the same second after a power cut or a server restart.
 */
export const reconnectDelay = (attempt: number, random: number): number =>
  spread(Math.min(2 ** (attempt + 1), 30) * 1_000, random);

/**
 * Delay before the next download attempt: 1–2, 2–4 … 30–60 s. Longer than a reconnect, because the old program plays
 * on.
 */
export const downloadDelay = (attempt: number, random: number): number =>
  spread(Math.min(2 ** (attempt + 1), 60) * 1_000, random);

const spread = (most: number, random: number): number => most * (0.5 + 0.5 * random);
