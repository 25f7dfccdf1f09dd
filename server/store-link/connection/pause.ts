import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after a number of milliseconds, or rejects when the signal aborts. Tests pass their own implementation. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** Longest timeout of a timer in milliseconds. A longer pause ends early, and its caller pauses again. */
const MOST_MS = 2_147_483_647;

export const pause: Pause = (ms, signal) => sleep(Math.min(ms, MOST_MS), undefined, { signal, ref: false });

/** A pause that another call can end early. */
export class Nap {
  readonly #pause: Pause;
  #awake = new AbortController();

  constructor(by: Pause) {
    this.#pause = by;
  }

  /** Waits. Returns at once if `wake` was called since the last pause. */
  async rest(ms: number): Promise<void> {
    await this.#pause(ms, this.#awake.signal).catch((error: unknown) => {
      if (!this.#awake.signal.aborted) throw error;
    });
    if (this.#awake.signal.aborted) this.#awake = new AbortController();
  }

  wake(): void {
    this.#awake.abort();
  }
}
