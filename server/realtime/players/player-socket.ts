/** The WebSocket connection of a player, with its state. */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { ServerMessage } from '../../../shared/protocol/messages.ts';
import { textFrame } from './frame.ts';

/**
 * State of a connection. `silent`: no valid message yet. `held`: wrong secret, the answer is delayed. `waiting`: shows
 * a code. `running`: signed in. `ended`: closed by the server; further messages are ignored.
 */
type Phase = 'silent' | 'held' | 'waiting' | 'running' | 'ended';

/**
 * Reasons for pausing the reading: too many messages (`FLOOD`), or a large message that waits to be parsed (`BUSY`).
 */
export const FLOOD = 1;
export const BUSY = 2;
type Reason = typeof FLOOD | typeof BUSY;

/**
 * Maximum number of unread bytes. A player that does not read is disconnected. When it reconnects, it gets all
 * important state again.
 */
const MAX_UNREAD = 2 * 1024 * 1024;
const MAX_REASON = 120;

export class PlayerSocket extends WebSocket {
  phase: Phase = 'silent';
  /** Underlying stream; set when the connection is opened. */
  wire: Duplex | undefined;
  /** Two addresses: the address for limits, and the address shown to people. They may differ behind a proxy. */
  ip = '';
  shownAs = '';
  /** Whether the last ping has not been answered with a pong yet. */
  unanswered = false;
  /** Time of the last message, in milliseconds of the timer wheel's clock. */
  heardAt = 0;
  /** Number of messages in the second that began at `secondStart`, and number of consecutive seconds with too many. */
  secondStart = 0;
  inSecond = 0;
  hotSeconds = 0;
  loggedAt = Number.NEGATIVE_INFINITY;
  /** Number of clock answers sent. */
  clockReplies = 0;
  /** Public key of the player, sent with `hello`. */
  signingKey: string | undefined;
  /** Whether the player accepts whole programs through the socket. */
  takesBodies = false;
  /** Id of the device; set while the state is `running`. */
  deviceId = '';
  workspaceId = '';
  #held = 0;

  /** Sends a message, its text, or a shared frame (`textFrame`). Returns false when it cannot be sent. */
  sendMessage(message: ServerMessage | string | Buffer): boolean {
    if (this.readyState !== WebSocket.OPEN || this.phase === 'ended') return false;
    if (this.bufferedAmount > MAX_UNREAD) {
      this.terminate();
      return false;
    }
    // Writes directly to the stream. Without compression, `ws` has no state between frames.
    this.wire!.write(
      Buffer.isBuffer(message) ? message : textFrame(typeof message === 'string' ? message : JSON.stringify(message)),
    );
    return true;
  }

  /** Whether the player has not read all data that was sent. */
  get isBehind(): boolean {
    return this.wire!.writableNeedDrain;
  }

  /**
   * Calls the listener once, when a player that reads slowly has read everything. Never calls it if the player
   * disconnects first.
   */
  onceCaughtUp(listener: () => void): void {
    this.wire!.once('drain', listener);
  }

  /** Calls `speak` and sends all messages that it writes as one packet. */
  together(speak: () => void): void {
    this.wire!.cork();
    try {
      speak();
    } finally {
      this.wire!.uncork();
    }
  }

  /** Pauses reading for a reason. Reading continues when every reason for a pause has been released. */
  pauseReading(reason: Reason): void {
    if (this.#held === 0) this.pause();
    this.#held |= reason;
  }

  release(reason: Reason): void {
    const before = this.#held;
    this.#held &= ~reason;
    if (before !== 0 && this.#held === 0) this.resume();
  }

  isPausedFor(reason: Reason): boolean {
    return (this.#held & reason) !== 0;
  }

  /** Closes the connection with a code and a reason. Messages that arrive later are ignored. */
  end(code: number, reason: string): void {
    this.phase = 'ended';
    this.close(
      code,
      Buffer.from(reason)
        .subarray(0, MAX_REASON)
        .toString()
        .replace(/\ufffd+$/, ''),
    );
  }
}
