/**
 * Test clock: a pause up to `most` ms ends in the next turn of the event loop and moves the time forward; `advance`
 * ends longer pauses.
 */
import type { Pause } from '../connection/pause.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class FakeTime {
  #now = 1_000_000;
  readonly #most: number;
  #sleepers: Sleeper[] = [];

  constructor({ most = 29_999 }: { most?: number } = {}) {
    this.#most = most;
  }

  readonly mono = (): number => this.#now;
  readonly now = (): number => this.#now;

  readonly pause: Pause = (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const sleeper: Sleeper = {
        at: this.#now + ms,
        wake: () => {
          signal.removeEventListener('abort', abort);
          resolve();
        },
      };
      const abort = () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#sleepers.push(sleeper);
      if (ms <= this.#most) setImmediate(() => this.#until(sleeper));
    });

  /** Moves the time forward, and ends the pauses that are due by then, in order. */
  advance(ms: number): void {
    const to = this.#now + ms;
    const due = this.#sleepers.filter(({ at }) => at <= to).sort((a, b) => a.at - b.at);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > to);
    for (const { at, wake } of due) {
      this.#now = Math.max(this.#now, at);
      wake();
    }
    this.#now = to;
  }

  #until(sleeper: Sleeper): void {
    if (!this.#sleepers.includes(sleeper)) return;
    this.advance(Math.max(0, sleeper.at - this.#now));
  }
}
