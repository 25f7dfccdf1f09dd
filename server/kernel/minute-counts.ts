/** Counts per key within a minute, by the clock that nobody can set. */
import type { MachineClock } from './clock.ts';
import { recent } from './recent.ts';

const MINUTE_MS = 60_000;
/**
 * Beyond this many, the keys that were not counted for the longest time go: a flood of addresses must not fill the
 * memory.
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

  /** Counts one more. Returns how many there were in this minute, and the milliseconds that are left of it. */
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
