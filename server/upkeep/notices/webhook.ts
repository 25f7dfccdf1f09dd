/**
 * Posts notices to a web address, in order, and retries each a few times. After the last retry a notice is dropped.
 * Other receivers are not affected. Notices are signed with a timestamp, so that the receiver can verify sender and
 * time.
 */
import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Log } from '../../kernel/log.ts';
import type { Notice, Outlet } from './events.ts';

/** Pauses between the attempts for a notice, in milliseconds: after about twenty minutes the notice is dropped. */
const PAUSES_MS = [1_000, 5_000, 30_000, 180_000, 900_000];
const MAX_WAITING = 1_000;
const TIME_LIMIT_MS = 10_000;

interface WebhookTarget {
  /** Address of the webhook; '' when the webhook is not used. */
  readonly url: string;
  readonly secret: string;
}

/** Returns `t=<epoch seconds>,v1=<hex HMAC-SHA256 of "t.body">`. */
export const signature = (secret: string, body: string, epochSeconds: number): string =>
  `t=${epochSeconds},v1=${createHmac('sha256', secret).update(`${epochSeconds}.${body}`).digest('hex')}`;

interface Deps {
  readonly target: () => WebhookTarget;
  readonly log: Log;
  readonly now: () => number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export class Webhook implements Lifecycle, Outlet {
  readonly name = 'webhook';
  readonly #deps: Required<Deps>;
  readonly #queue: Notice[] = [];
  #sending: Promise<void> | undefined;
  #stop = new AbortController();
  #dropped = 0;
  #failure: string | null = null;

  constructor(deps: Deps) {
    this.#deps = { pause: sleep, ...deps };
  }

  start(): void {
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#queue.length = 0;
    await this.#sending;
  }

  /** Reason why the newest notice could not be delivered; null when it was delivered, or when there was no notice. */
  get failure(): string | null {
    return this.#failure;
  }

  send(notice: Notice): void {
    if (!this.#deps.target().url || this.#stop.signal.aborted) return;
    if (this.#queue.length >= MAX_WAITING) {
      this.#queue.shift();
      this.#dropped++;
    }
    this.#queue.push(notice);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Sends a notice once. Resolves with the result as text. */
  async try(notice: Notice): Promise<string> {
    const target = this.#deps.target();
    if (!target.url) return 'No address is set';
    return (await this.#post(target, notice)) ?? 'Delivered';
  }

  /** Resolves when all notices have been sent or dropped. */
  async idle(): Promise<void> {
    while (this.#sending) await this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let notice = this.#queue.shift(); notice; notice = this.#queue.shift()) await this.#deliver(notice);
    if (this.#dropped > 0) this.#deps.log.warn(`${this.#dropped} notices to the webhook were dropped: too many waited`);
    this.#dropped = 0;
  }

  async #deliver(notice: Notice): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const target = this.#deps.target();
      if (!target.url || this.#stop.signal.aborted) return;
      this.#failure = await this.#post(target, notice);
      if (this.#failure === null) return;
      const wait = PAUSES_MS[attempt];
      if (wait === undefined)
        return this.#deps.log.warn('A notice to the webhook was given up', {
          type: notice.type,
          reason: this.#failure,
        });
      await this.#deps.pause(wait, this.#stop.signal).catch(() => {});
    }
  }

  /** Posts a notice once. Resolves with an error message; null when it was delivered. */
  async #post({ url, secret }: WebhookTarget, notice: Notice): Promise<string | null> {
    const body = JSON.stringify(notice);
    const headers: Record<string, string | number> = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'Vitrine',
      'X-Vitrine-Event': notice.type,
    };
    if (secret) headers['X-Vitrine-Signature'] = signature(secret, body, Math.floor(this.#deps.now() / 1000));
    const request = url.startsWith('https:') ? (await import('node:https')).request : plainRequest;
    return new Promise((done) => {
      // Does not follow redirects, because only the owner may choose the address.
      const req = request(
        url,
        { method: 'POST', headers, signal: this.#stop.signal, timeout: TIME_LIMIT_MS },
        (res) => {
          res.resume();
          const { statusCode = 0 } = res;
          done(statusCode >= 200 && statusCode < 300 ? null : `It answered ${statusCode}`);
        },
      );
      req.on('timeout', () => req.destroy(new Error(`no answer in ${TIME_LIMIT_MS / 1000} s`)));
      req.on('error', (error) => done(error.message));
      req.end(body);
    });
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal, ref: false });
