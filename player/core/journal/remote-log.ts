/** Sends faults to the operator: at most one per second, at most 20 waiting. Further faults are only counted. */
import type { PlayerMessage } from '../../../shared/protocol/messages.ts';
import type { Time, Undo } from '../ports.ts';

const GAP_MS = 1_000;
const MOST = 20;

interface Deps {
  readonly time: Time;
  readonly send: (message: PlayerMessage) => boolean;
}

export class RemoteLog {
  readonly #deps: Deps;
  readonly #waiting: {
    readonly message: Extract<PlayerMessage, { type: 'log' }>;
    readonly sent: (() => void) | undefined;
  }[] = [];
  #left = 0;
  #cancel: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param sent called once the message was sent; never if the queue was full */
  send(level: 'info' | 'warn' | 'error', message: string, detail?: unknown, sent?: () => void): void {
    const text = message.slice(0, 2_000);
    if (this.#waiting.at(-1)?.message.message === text) return;
    if (this.#waiting.length >= MOST) this.#left++;
    else
      this.#waiting.push({
        message: { type: 'log', level, message: text, ...(detail !== undefined && { detail }) },
        sent,
      });
    if (!this.#cancel) this.#next();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Sends the next waiting fault. Also called on connect. The queue waits while offline. */
  flush(): void {
    if (!this.#cancel) this.#next();
  }

  #next(): void {
    const first = this.#waiting[0];
    if (!first || !this.#deps.send(first.message)) return;
    this.#waiting.shift();
    first.sent?.();
    this.#cancel = this.#deps.time.after(GAP_MS, () => {
      this.#cancel = undefined;
      const left = this.#left;
      this.#left = 0;
      if (left > 0) this.send('warn', `${left} more messages were left out`);
      else this.#next();
    });
  }
}
