/**
 * Answers that wait for a connection. Beyond 200 the oldest is dropped; the server requests again what it still needs.
 */
import type { PlayerMessage } from '../../../shared/protocol/messages.ts';

const MOST = 200;

export class Outbox {
  readonly #waiting = new Map<string, PlayerMessage>();

  /** Adds an answer. A later answer with the same `key` replaces the earlier answer. */
  put(key: string, message: PlayerMessage): void {
    this.#waiting.delete(key);
    this.#waiting.set(key, message);
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= MOST) break;
      this.#waiting.delete(oldest);
    }
  }

  /** Sends the answers in order until `send` fails. */
  flush(send: (message: PlayerMessage) => boolean): void {
    for (const [key, message] of this.#waiting) {
      if (!send(message)) return;
      this.#waiting.delete(key);
    }
  }

  clear(): void {
    this.#waiting.clear();
  }
}
