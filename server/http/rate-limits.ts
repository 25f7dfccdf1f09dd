import { tooMany } from '../../shared/contract/errors.ts';
import type { MachineClock } from '../kernel/clock.ts';

const WINDOW_MS = 60_000;
/** Windows kept at most; beyond that the oldest go, since a flood of addresses must not fill the memory. */
const MAX_WINDOWS = 50_000;

/** Requests a minute, per route and client address (decisions, Credentials), by the clock that nobody can set. */
export class RateLimits {
  readonly #windows = new Map<string, { count: number; resetsAt: number }>();
  readonly #clock: Pick<MachineClock, 'mono'>;

  constructor(clock: Pick<MachineClock, 'mono'>) {
    this.#clock = clock;
  }

  /** @throws ApiError 429 with Retry-After when the window is used up */
  take(route: string, address: string, perMinute: number): void {
    const key = `${route} ${address}`;
    const now = this.#clock.mono();
    let window = this.#windows.get(key);
    if (!window || window.resetsAt <= now) {
      window = { count: 0, resetsAt: now + WINDOW_MS };
      this.#windows.delete(key);
      this.#windows.set(key, window);
      if (this.#windows.size > MAX_WINDOWS) this.#windows.delete(this.#windows.keys().next().value!);
    }
    if (++window.count > perMinute) throw tooMany(Math.ceil((window.resetsAt - now) / 1000));
  }
}
