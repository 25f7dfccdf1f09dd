/**
 * Serves HTTPS in addition to HTTP, with the same handlers. Starts after HTTP, because creating keys would delay the
 * start. A problem never stops the server; it is reported and retried.
 */
import type { Server } from 'node:https';
import { type Answering, answerAll, closeGently, ListenError, listen, serverOptions } from '../http/server.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Log } from '../kernel/log.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { Certificates, Shown } from './certificates.ts';
import { KeysUnusable } from './key-files.ts';

/**
 * Interval in milliseconds at which the server checks for changed addresses, a replaced certificate, or a port that has
 * become free.
 */
const LOOK_EVERY_MS = 30_000;

/** Handshake timeout in milliseconds. A busy signage computer on poor Wi-Fi needs a tenth of this. */
const HANDSHAKE_MS = 20_000;

export type HttpsState =
  | { readonly state: 'off' }
  | { readonly state: 'starting' }
  | { readonly state: 'on'; readonly port: number; readonly shown: Shown }
  | { readonly state: 'failing'; readonly error: string };

interface Deps {
  readonly host: string;
  /** Port of HTTPS; null without HTTPS. */
  readonly port: number | null;
  readonly certificates: Certificates;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

export class HttpsServer implements Lifecycle {
  readonly name = 'https';
  readonly #deps: Deps;
  #state: HttpsState;
  #server: Server | undefined;
  #every: NodeJS.Timeout | undefined;
  #first: Promise<void> = Promise.resolve();
  #stopped = false;
  #told: string | undefined;
  #answering: Answering | undefined;
  #onChange = (): void => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#state = { state: deps.port === null ? 'off' : 'starting' };
  }

  get state(): HttpsState {
    return this.#state;
  }

  /** Resolves when the server knows whether HTTPS works. */
  get settled(): Promise<void> {
    return this.#first;
  }

  /** Sets the handlers. Must be called before `start`. */
  answer(answering: Answering): void {
    this.#answering = answering;
  }

  /** Sets the only listener, which is called when HTTPS becomes available or unavailable. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Starts HTTPS in the background, without delaying the start of the server. */
  start(): void {
    if (this.#deps.port === null) return;
    this.#first = new Promise<void>((next) => setImmediate(next)).then(() => this.update());
    this.#every = setInterval(() => void this.update(), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#every);
    await this.#first;
    if (this.#server) await closeGently(this.#server);
  }

  /** Updates certificate and listener. New connections get a new certificate; existing connections stay. */
  async update(): Promise<void> {
    const { certificates, log } = this.#deps;
    if (this.#stopped) return;
    try {
      const isNew = certificates.refresh();
      const shown = certificates.shown!;
      if (!this.#server) await this.#open(shown);
      else if (isNew) this.#server.setSecureContext(contextOf(shown));
      if (shown.warning) this.#tell(shown.warning);
      else this.#told = undefined;
      this.#enter({ state: 'on', port: portOf(this.#server!), shown });
    } catch (error) {
      const sentence = sentenceOf(error);
      // After an error, HTTPS keeps running with its present certificate.
      if (this.#state.state === 'on') return this.#tell(sentence);
      this.#tell(sentence);
      if (!(error instanceof KeysUnusable) && !(error instanceof ListenError)) log.error('HTTPS failed', { error });
      this.#enter({ state: 'failing', error: sentence });
    }
  }

  async #open(shown: Shown): Promise<void> {
    const { host, port } = this.#deps;
    const answering = this.#answering!;
    // Node's HTTPS module is loaded on demand, because a server without HTTPS saves these 6 MB.
    const { createServer } = await import('node:https');
    const server = createServer({
      ...serverOptions(answering),
      ...contextOf(shown),
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_MS,
    });
    answerAll(server, answering);
    // Ignores this error: a browser that does not trust the certificate yet aborts the handshake.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    await listen(server, host, port ?? 0);
    if (this.#stopped) return void server.close();
    this.#server = server;
  }

  #enter(state: HttpsState): void {
    const before = this.#state.state;
    this.#state = state;
    if (before !== state.state && !this.#stopped) this.#onChange();
  }

  #tell(sentence: string): void {
    if (this.#told !== sentence) this.#deps.log.warn(sentence);
    this.#told = sentence;
  }
}

const contextOf = ({ certificate, private_key }: Shown) => ({ cert: certificate, key: private_key });
const portOf = (server: Server): number => (server.address() as { port: number }).port;

const sentenceOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof ListenError) return `HTTPS: ${message.replace('--port', '--https-port')}`;
  if (error instanceof KeysUnusable) return `HTTPS: ${message}`;
  return code === 'ENOSPC' || code === 'EACCES' || code === 'EROFS'
    ? `HTTPS: the certificate could not be saved (${code}). It is tried again.`
    : `HTTPS does not work: ${message}`;
};
