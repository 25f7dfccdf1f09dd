/**
 * Whether this machine slept, and for how long. Its monotonic clock stands still meanwhile (on Linux, and in most
 * browsers), and with it everything that is derived from it.
 *
 * Which clock to believe: where the host counts the time since the machine started ({@link Time.sinceBoot}), that one
 * alone, because nobody can set it: all that it gains on the monotonic clock is sleep. The wall clock is not asked
 * there, whatever becomes of it. Elsewhere (a browser) there is only the wall clock, which anybody may set:
 * - back: nobody sleeps backwards, so it was set; the clock in use is the better one.
 * - forward by seconds: an adjustment, as NTP makes them.
 * - forward by more than a week: somebody corrects a wrong year or month. A screen that is late is better than one in
 * another season.
 * - in between: taken for a sleep. A correction of hours looks the same and is much rarer while there is no server; the
 * server's
 *   first answer puts it right.
 */
import type { Time } from './ports.ts';

/** macOS counts whole seconds since its start and corrects the start by up to another. */
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
   * Milliseconds slept since the last look; 0: none, as far as can be told. To be asked every few seconds, before
   * adjustments add up.
   */
  look(): number {
    const before = this.#lead;
    this.#lead = this.#readLead();
    const gained = this.#lead - before;
    const [least, most] = this.#time.sinceBoot
      ? [LEAST_BY_BOOT_MS, Number.POSITIVE_INFINITY]
      : [LEAST_BY_WALL_MS, MOST_BY_WALL_MS];
    return gained >= least && gained <= most ? gained : 0;
  }

  /** How far the clock that goes on is ahead of the monotonic one. */
  #readLead(): number {
    return (this.#time.sinceBoot?.() ?? this.#time.wall()) - this.#time.mono();
  }
}
