import type { Transporter } from 'nodemailer';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailLog {
  warn(message: string, facts: Record<string, unknown>): void;
}

/** Tries of one mail, with these pauses between them: a mail server that restarts costs no mail. */
const PAUSES_MS = [2_000, 30_000];
/** A mail server that is down for long must not fill the memory. */
const MAX_WAITING = 500;

/** Sends mails by SMTP, one after the other, after the answer that caused them; a failure is logged, never thrown. */
export class Mailer implements Lifecycle {
  readonly name = 'mailer';
  readonly #url: string | undefined;
  readonly #from: string;
  readonly #log: MailLog;
  readonly #pause: (ms: number, signal: AbortSignal) => Promise<void>;
  #transport: Promise<Transporter> | undefined;
  readonly #queue: Mail[] = [];
  #sending: Promise<void> | undefined;
  #stop = new AbortController();

  /** @param deps.url `smtp://user:password@host:port` or `smtps://…`; absent: nothing is ever sent */
  constructor(deps: { url: string | undefined; from: string | undefined; log: MailLog; pause?: (ms: number, signal: AbortSignal) => Promise<void> }) {
    this.#url = deps.url;
    this.#from = deps.from ?? 'Vitrine <vitrine@localhost>';
    this.#log = deps.log;
    this.#pause = deps.pause ?? pause;
  }

  /** A transport is configured: addresses can be verified. */
  get configured(): boolean {
    return this.#url !== undefined;
  }

  start(): void {
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#queue.length = 0;
    await this.#sending;
    (await this.#transport)?.close();
    this.#transport = undefined;
  }

  send(mail: Mail): void {
    if (!this.configured) return;
    if (this.#queue.length >= MAX_WAITING) return this.#log.warn('A mail was dropped: too many wait', { subject: mail.subject });
    this.#queue.push(mail);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** When all that was handed in has been sent or given up. */
  async idle(): Promise<void> {
    while (this.#sending) await this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let mail = this.#queue.shift(); mail; mail = this.#queue.shift()) await this.#try(mail);
  }

  async #try(mail: Mail): Promise<void> {
    for (let attempt = 0; !this.#stop.signal.aborted; attempt++) {
      try {
        this.#transport ??= connect(this.#url!);
        await (await this.#transport).sendMail({ from: this.#from, ...mail });
        return;
      } catch (error) {
        const wait = PAUSES_MS[attempt];
        if (wait === undefined) return this.#log.warn('A mail could not be sent', { subject: mail.subject, reason: (error as Error).message });
        await this.#pause(wait, this.#stop.signal).catch(() => {});
      }
    }
  }
}

const connect = async (url: string): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer');
  // Users' text can never make nodemailer read a file or fetch an address.
  return createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, disableFileAccess: true, disableUrlAccess: true } as object);
};

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(ms, undefined, { signal, ref: false });
};
