/**
 * Answers that wait for a connection. Bounded: beyond 200 the oldest goes; the server asks again for what it still
 * wants to know.
 */
import type { PlayerMessage } from '../../shared/protocol/messages.ts';

const MOST = 200;

export class Outbox {
  readonly #waiting = new Map<string, PlayerMessage>();

  /** A later answer to the same question (`key`) replaces the earlier one. */
  put(key: string, message: PlayerMessage): void {
    this.#waiting.delete(key);
    this.#waiting.set(key, message);
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= MOST) break;
      this.#waiting.delete(oldest);
    }
  }

  /** Hands over in order until `send` says that it could not. */
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
