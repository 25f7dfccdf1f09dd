/**
 * What this window changes comes back to it as a hint that it is stale. It knows that already: such an echo must not
 * cause a second fetch. A hint names who did it, not which window, so an edit of mine counts as the cause only around
 * the time I made it.
 */
import type { Topic } from '../../shared/protocol/live.ts';

/** The announcement follows the commit, and so arrives about when the answer does. */
const ECHO_MS = 1500;

export class OwnEdits {
  readonly #running = new Map<Topic, number>();
  readonly #quietUntil = new Map<Topic, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the function to call when the edit has been answered. */
  begin(topics: readonly Topic[]): () => void {
    for (const topic of topics) this.#running.set(topic, (this.#running.get(topic) ?? 0) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      for (const topic of topics) {
        this.#running.set(topic, (this.#running.get(topic) ?? 1) - 1);
        this.#quietUntil.set(topic, this.#now() + ECHO_MS);
      }
    };
  }

  isEcho(topic: Topic): boolean {
    return (this.#running.get(topic) ?? 0) > 0 || (this.#quietUntil.get(topic) ?? 0) > this.#now();
  }
}

export const ownEdits = new OwnEdits(() => performance.now());
