/** Counts per key within a minute, by the clock that nobody can set. */
import type { MachineClock } from './clock.ts';

const MINUTE_MS = 60_000;
/** Beyond so many, those that began first go: a flood of addresses must not fill the memory. */
const MAX_KEYS = 50_000;

interface Minute {
  count: number;
  readonly endsAt: number;
}

export class MinuteCounts {
  /** In the order in which they began. An LRUCache would take a megabyte for so many before there is one. */
  readonly #minutes = new Map<string, Minute>();
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
      this.#minutes.delete(key);
      this.#minutes.set(key, minute);
      if (this.#minutes.size > MAX_KEYS) this.#minutes.delete(this.#minutes.keys().next().value!);
    }
    return { count: ++minute.count, leftMs: minute.endsAt - now };
  }
}
