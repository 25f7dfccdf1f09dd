import { setTimeout } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import type { Lifecycle } from '../../../kernel/lifecycle.ts';
import type { Log } from '../../../kernel/log.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments?: { readonly filename: string; readonly content: Buffer }[];
}

/**
 * Mail server, and sender address of e-mails. When this object is replaced by another object, the mailer connects
 * again.
 */
export interface MailTarget {
  /** `smtp://user:password@host:port`, `smtps://…`, or the same as separate fields. */
  readonly server:
    | string
    | {
        readonly host: string;
        readonly port: number;
        readonly secure: boolean;
        readonly requireTLS: boolean;
        readonly ignoreTLS: boolean;
        readonly auth?: { readonly user: string; readonly pass: string };
      };
  readonly from: string;
}

/** Pauses between attempts, so that a restart of the mail server loses no e-mail. */
const PAUSES_MS = [2_000, 30_000];
/** Maximum queue length. A long outage of the mail server must not fill the memory. */
const MAX_WAITING = 500;

interface Deps {
  readonly target: () => MailTarget | undefined;
  readonly log: Pick<Log, 'warn'>;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Sends e-mails by SMTP, one after the other, after the answer that caused them. A failure is logged, never thrown. */
export class Mailer implements Lifecycle {
  readonly name = 'mailer';
  readonly #deps: Required<Deps>;
  #line: { readonly target: MailTarget; readonly transport: Promise<Transporter> } | undefined;
  readonly #queue: Mail[] = [];
  #sending: Promise<void> | undefined;
  #stop = new AbortController();
  #failure: { readonly target: MailTarget; readonly reason: string } | undefined;

  /** @param deps.target called before each e-mail; nothing is sent when it returns undefined */
  constructor(deps: Deps) {
    this.#deps = { pause, ...deps };
  }

  /** Whether a mail server is configured, so that addresses can be verified. */
  get configured(): boolean {
    return this.#deps.target() !== undefined;
  }

  /** Reason why the newest e-mail was dropped; null when it was sent, or the mail server has changed since. */
  get failure(): string | null {
    const failure = this.#failure;
    return failure && failure.target === this.#deps.target() ? failure.reason : null;
  }

  start(): void {
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#queue.length = 0;
    await this.#sending;
    await this.#hangUp();
  }

  /** Sends an e-mail at once, without retries. Returns the answer of the mail server. @throws Error with the reason */
  async try(mail: Mail): Promise<string> {
    const target = this.#deps.target();
    if (!target) throw new Error('No mail server is configured. Enter one in Settings, Server.');
    // Uses a new connection, because the test must not use one that an earlier e-mail left open.
    const transport = await connect(target.server);
    try {
      const { response } = (await transport.sendMail({ from: target.from, ...mail })) as { response?: string };
      this.#failure = undefined;
      return response ?? '';
    } finally {
      transport.close();
    }
  }

  send(mail: Mail): void {
    if (!this.configured) return;
    if (this.#queue.length >= MAX_WAITING)
      return this.#deps.log.warn('A mail was dropped: too many wait', { subject: mail.subject });
    this.#queue.push(mail);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Resolves when all queued e-mails were sent or dropped. */
  async idle(): Promise<void> {
    while (this.#sending) await this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let mail = this.#queue.shift(); mail; mail = this.#queue.shift()) await this.#try(mail);
  }

  async #lineTo(target: MailTarget): Promise<Transporter> {
    if (this.#line?.target !== target) {
      await this.#hangUp();
      this.#line = { target, transport: connect(target.server) };
    }
    return this.#line!.transport;
  }

  async #hangUp(): Promise<void> {
    const line = this.#line;
    this.#line = undefined;
    (await line?.transport)?.close();
  }

  async #try(mail: Mail): Promise<void> {
    for (let attempt = 0; !this.#stop.signal.aborted; attempt++) {
      const target = this.#deps.target();
      // The mail server was removed from the settings while the e-mail waited, so the e-mail is dropped.
      if (!target) return;
      try {
        await (await this.#lineTo(target)).sendMail({ from: target.from, ...mail });
        this.#failure = undefined;
        return;
      } catch (error) {
        const wait = PAUSES_MS[attempt];
        // An unknown recipient does not mean that other e-mails fail, so the error is not shown as a failure of the
        // mail server.
        if (wait === undefined && !isOfAddress(error)) this.#failure = { target, reason: (error as Error).message };
        if (wait === undefined)
          return this.#deps.log.warn('A mail could not be sent', {
            subject: mail.subject,
            reason: (error as Error).message,
          });
        await this.#deps.pause(wait, this.#stop.signal).catch(() => {});
      }
    }
  }
}

const connect = async (server: MailTarget['server']): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer');
  // Denies nodemailer access to files and URLs, so that no text can make it read a file or fetch an address.
  return createTransport({
    ...(typeof server === 'string' ? { url: server } : server),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
};

/** Returns whether the mail server works but refuses this recipient. */
const isOfAddress = (error: unknown): boolean => (error as { command?: unknown }).command === 'RCPT TO';

const pause = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal, ref: false });
