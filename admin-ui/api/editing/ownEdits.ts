/**
 * Recognizes announcements of changes that this window itself has made (echoes). An echo must not cause a second
 * fetch. A change by the same user in another window or program is not an echo.
 */
import type { Topic } from '../../../shared/protocol/live.ts';
import { windowId } from '../requests/windowId.ts';

/**
 * Milliseconds after the answer to an edit during which announcements count as echoes. The server announces a change
 * after the commit, at about the same time as it answers.
 */
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

  /** Marks an edit of these topics as running. Returns the function to call when the server has answered. */
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
