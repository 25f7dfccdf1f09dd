/** Counts events per key and minute, by the monotonic clock. */
import type { MachineClock } from './clock.ts';
import { recent } from './recent.ts';

const MINUTE_MS = 60_000;
/**
 * Maximum number of keys. Above the maximum, the least recently counted key is removed, so that a flood of addresses
 * cannot fill the memory.
 */
const MAX_KEYS = 50_000;

interface Minute {
  count: number;
  readonly endsAt: number;
}

export class MinuteCounts {
  readonly #minutes = recent<string, Minute>(MAX_KEYS);
  readonly #clock: Pick<MachineClock, 'mono'>;

  constructor(clock: Pick<MachineClock, 'mono'>) {
    this.#clock = clock;
  }

  /** Counts one event. Returns the count of the current minute, and the remaining milliseconds of this minute. */
  add(key: string): { readonly count: number; readonly leftMs: number } {
    const now = this.#clock.mono();
    let minute = this.#minutes.get(key);
    if (!minute || minute.endsAt <= now) {
      minute = { count: 0, endsAt: now + MINUTE_MS };
      this.#minutes.set(key, minute);
    }
    return { count: ++minute.count, leftMs: minute.endsAt - now };
  }
}
