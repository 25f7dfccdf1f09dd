/** Handles messages of the server one after the other. */
import type { ServerMessage } from '../../../shared/protocol/messages.ts';
import { Serial } from '../serial.ts';

/**
 * Limit of unhandled messages. Beyond it the connection is dropped, and the server sends its state again after the
 * reconnect.
 */
const MOST_UNHANDLED = 1_000;

/** A handler for each message of the server. `at` is the time of arrival, in monotonic milliseconds. */
export type MessageHandlers = {
  [K in ServerMessage['type']]: (message: Extract<ServerMessage, { type: K }>, at: number) => Promise<void> | void;
};

export class Inbox {
  readonly #serial = new Serial();
  readonly #overflow: () => void;
  #unhandled = 0;

  /** @param overflow called with each message beyond the limit */
  constructor(overflow: () => void) {
    this.#overflow = overflow;
  }

  /** Calls `handle` after all earlier messages are handled. */
  run(handle: () => Promise<void>): Promise<void> {
    if (++this.#unhandled > MOST_UNHANDLED) this.#overflow();
    return this.#serial.run(async () => {
      this.#unhandled--;
      await handle();
    });
  }
}
