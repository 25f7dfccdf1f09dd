/** Where time enters the server. Tests pass their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Epoch seconds. */
export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);
