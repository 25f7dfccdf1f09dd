/** One player's connection: what is known of it, and the two things one does with it: say something, end it. */
import { WebSocket } from 'ws';
import type { ServerMessage } from '../../shared/protocol/messages.ts';

/**
 * `silent`: nothing valid said yet. `held`: wrong secret, the answer is due. `waiting`: shows a code. `running`: signed in.
 * `ended`: closed by us, whatever still comes is not heard.
 */
export type Phase = 'silent' | 'held' | 'waiting' | 'running' | 'ended';

/** A player that does not read gets no more than this; it reconnects, and is told everything that matters again. */
const MAX_UNREAD = 2 * 1024 * 1024;
const MAX_REASON = 120;
const AS_TEXT = { binary: false };

export class PlayerSocket extends WebSocket {
  phase: Phase = 'silent';
  ip = '';
  /** It counts among those that have not said hello. */
  silentCounted = true;
  /** It was probed and has not answered. */
  unanswered = false;
  /** By the wheel's clock. */
  heardAt = 0;
  /** Messages in the second that began then, and seconds in a row that had too many. */
  secondStart = 0;
  inSecond = 0;
  hotSeconds = 0;
  loggedAt = Number.NEGATIVE_INFINITY;
  /** While running. */
  deviceId = '';
  workspaceId = '';

  /** Serialized already, or to be. False when it cannot be sent. */
  say(message: ServerMessage | string | Buffer): boolean {
    if (this.readyState !== WebSocket.OPEN || this.phase === 'ended') return false;
    if (this.bufferedAmount > MAX_UNREAD) {
      this.terminate();
      return false;
    }
    this.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message), AS_TEXT);
    return true;
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
