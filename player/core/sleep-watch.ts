/**
 * Detects whether the machine slept, and for how long. The monotonic clock stops during sleep (on Linux and in most
 * browsers), and so do all values derived from it.
 *
 * Choice of the clock: if the host counts the time since the machine started ({@link Time.sinceBoot}), only that clock
 * is used. Nobody can set it, so each gain over the monotonic clock is sleep. Otherwise (a browser) only the wall clock
 * is available, which can be set:
 * - back: the clock was set. The clock in use stays.
 * - forward by seconds: an adjustment, for example by NTP.
 * - forward by more than a week: a correction of a wrong year or month. A late screen is better than a screen in
 *   another season.
 * - in between: treated as sleep. A correction of hours looks the same but is much rarer without a server, and the
 *   server's first answer corrects it.
 */
import type { Time } from './ports.ts';

/**
 * Shortest sleep that is detected. macOS counts whole seconds since its start, and corrects the start by up to one more
 * second.
 */
const LEAST_BY_BOOT_MS = 3_000;
const LEAST_BY_WALL_MS = 30_000;
const MOST_BY_WALL_MS = 7 * 24 * 3_600_000;

export class SleepWatch {
  readonly #time: Pick<Time, 'mono' | 'wall' | 'sinceBoot'>;
  #lead: number;

  constructor(time: Pick<Time, 'mono' | 'wall' | 'sinceBoot'>) {
    this.#time = time;
    this.#lead = this.#readLead();
  }

  /**
   * Returns the milliseconds slept since the last call; 0: no sleep detected. Must be called every few seconds, before
   * adjustments add up.
   */
  check(): number {
    const before = this.#lead;
    this.#lead = this.#readLead();
    const gained = this.#lead - before;
    const [least, most] = this.#time.sinceBoot
      ? [LEAST_BY_BOOT_MS, Number.POSITIVE_INFINITY]
      : [LEAST_BY_WALL_MS, MOST_BY_WALL_MS];
    return gained >= least && gained <= most ? gained : 0;
  }

  /** Lead of the reference clock over the monotonic clock. */
  #readLead(): number {
    return (this.#time.sinceBoot?.() ?? this.#time.wall()) - this.#time.mono();
  }
}
