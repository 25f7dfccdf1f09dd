import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after so many milliseconds, or rejects when the signal says so. Tests pass their own. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** What is longer is waited for in pieces: more milliseconds than this a timer cannot count. */
const MOST_MS = 2_147_483_647;

export const pause: Pause = (ms, signal) => sleep(Math.min(ms, MOST_MS), undefined, { signal, ref: false });

/** A pause that somebody may end before its time. */
export class Nap {
  readonly #pause: Pause;
  #awake = new AbortController();

  constructor(by: Pause) {
    this.#pause = by;
  }

  /** Ended at once where it was woken since the last. */
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
