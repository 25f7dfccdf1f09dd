/**
 * This window also receives announcements of changes that were made in it. Such an echo must not cause a second fetch.
 * Changes of the same user in another window or program are no echo.
 */
import type { Topic } from '../../../shared/protocol/live.ts';
import { windowId } from '../requests/windowId.ts';

/** The announcement follows the commit, and so arrives about when the answer does. */
const ECHO_MS = 1500;

export class OwnEdits {
  readonly #running = new Map<Topic, number>();
  readonly #quietUntil = new Map<Topic, number>();
  readonly #window: string;
  readonly #now: () => number;

  constructor(window: string, now: () => number) {
    this.#window = window;
    this.#now = now;
  }

  /** Returns the function to call when the edit is answered. */
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

  isEcho({ topic, window }: { readonly topic: Topic; readonly window?: string | undefined }): boolean {
    if (window !== this.#window) return false;
    return (this.#running.get(topic) ?? 0) > 0 || (this.#quietUntil.get(topic) ?? 0) > this.#now();
  }
}

export const ownEdits = new OwnEdits(windowId, () => performance.now());
