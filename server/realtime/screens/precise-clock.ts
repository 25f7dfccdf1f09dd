import type { Clock } from '../../kernel/time/clock.ts';

/**
 * The server's clock with fractions of a millisecond, for players that synchronize with it. The time of day ticks in
 * whole milliseconds, so a monotonic reading interpolates between ticks, limited to the present tick. The result
 * differs from the time of day by less than a millisecond, and follows when the time of day is set. After about a
 * hundred readings, the result is close to the true edge of the tick.
 */
export class PreciseClock {
  readonly #clock: Clock;
  readonly #mono: () => number;
  #offset = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, mono: () => number) {
    this.#clock = clock;
    this.#mono = mono;
  }

  /** Epoch milliseconds with fractions. */
  now(): number {
    const tick = this.#clock.now();
    const mono = this.#mono();
    const guess = mono + this.#offset;
    const held = guess < tick ? tick : guess >= tick + 1 ? tick + 0.999 : guess;
    if (held !== guess) this.#offset = held - mono;
    return held;
  }
}
