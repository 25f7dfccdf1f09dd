/** The connection of a player. */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { ServerMessage } from '../../shared/protocol/messages.ts';
import { textFrame } from './frame.ts';

/**
 * `silent`: nothing valid said yet. `held`: wrong secret, the answer is due. `waiting`: shows a code. `running`: signed
 * in. `ended`: closed by us, whatever still comes is not heard.
 */
type Phase = 'silent' | 'held' | 'waiting' | 'running' | 'ended';

/** Why a connection is not read. */
export const FLOOD = 1;
export const BUSY = 2;
type Reason = typeof FLOOD | typeof BUSY;

/** A player that does not read gets no more than this; it reconnects, and is told everything that matters again. */
const MAX_UNREAD = 2 * 1024 * 1024;
const MAX_REASON = 120;

export class PlayerSocket extends WebSocket {
  phase: Phase = 'silent';
  /** What it speaks through; set when it is opened. */
  wire: Duplex | undefined;
  /** What limits count by, and what people are shown: behind a proxy they may differ. */
  ip = '';
  shownAs = '';
  /** True when it was probed and has not answered. */
  unanswered = false;
  /** When it was last heard, by the wheel's clock. */
  heardAt = 0;
  /** Messages in the second that began then, and seconds in a row that had too many. */
  secondStart = 0;
  inSecond = 0;
  hotSeconds = 0;
  loggedAt = Number.NEGATIVE_INFINITY;
  /** How often it was told the time. */
  clockReplies = 0;
  /** Said with hello. */
  signingKey: string | undefined;
  /** It takes programs from the socket. */
  takesBodies = false;
  /** While running. */
  deviceId = '';
  workspaceId = '';
  #held = 0;

  /** A message, or its text, or the frame (`textFrame`) that many get. False when it cannot be sent. */
  say(message: ServerMessage | string | Buffer): boolean {
    if (this.readyState !== WebSocket.OPEN || this.phase === 'ended') return false;
    if (this.bufferedAmount > MAX_UNREAD) {
      this.terminate();
      return false;
    }
    // Past `ws`, which without compression has no state between frames.
    this.wire!.write(
      Buffer.isBuffer(message) ? message : textFrame(typeof message === 'string' ? message : JSON.stringify(message)),
    );
    return true;
  }

  /** What was said last is still waiting for the player to read. */
  get isBehind(): boolean {
    return this.wire!.writableNeedDrain;
  }

  /** Calls back once, when a player that is behind has caught up; never when it goes before. */
  onceCaughtUp(listener: () => void): void {
    this.wire!.once('drain', listener);
  }

  /** Sends what is said within `speak` as one packet. */
  together(speak: () => void): void {
    this.wire!.cork();
    try {
      speak();
    } finally {
      this.wire!.uncork();
    }
  }

  /** Stops reading until all reasons are released. */
  hold(reason: Reason): void {
    if (this.#held === 0) this.pause();
    this.#held |= reason;
  }

  release(reason: Reason): void {
    const before = this.#held;
    this.#held &= ~reason;
    if (before !== 0 && this.#held === 0) this.resume();
  }

  holds(reason: Reason): boolean {
    return (this.#held & reason) !== 0;
  }

  /** Closes; nothing that arrives after this is heard. */
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
