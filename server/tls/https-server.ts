/**
 * Serves HTTPS beside HTTP, with the same answers. It begins when HTTP answers already, since making keys takes time
 * that a start does not have. It never keeps the server from running: what is wrong is told, and tried again.
 */
import type { Server } from 'node:https';
import { type Answering, answerAll, closeGently, ListenError, listen, serverOptions } from '../http/server.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Log } from '../kernel/log.ts';
import type { Certificates, Shown } from './certificates.ts';
import { KeysUnusable } from './key-files.ts';

/**
 * Notices within this time that addresses changed, that a certificate was put in place of another, that a port is free
 * again.
 */
const LOOK_EVERY_MS = 30_000;

/** A busy stick on bad Wi-Fi takes a tenth of this. */
const HANDSHAKE_MS = 20_000;

export type HttpsState =
  | { readonly state: 'off' }
  | { readonly state: 'starting' }
  | { readonly state: 'on'; readonly port: number; readonly shown: Shown }
  | { readonly state: 'failing'; readonly error: string };

interface Deps {
  readonly host: string;
  /** Null without HTTPS. */
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

  /** Resolves when it is known whether it works. */
  get settled(): Promise<void> {
    return this.#first;
  }

  /** Says who answers. To be called before it starts. */
  answer(answering: Answering): void {
    this.#answering = answering;
  }

  /** Calls the one listener when it is on, and when it is not any more. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Starts without making anybody wait. */
  start(): void {
    if (this.#deps.port === null) return;
    this.#first = new Promise<void>((next) => setImmediate(next)).then(() => this.look());
    this.#every = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#every);
    await this.#first;
    if (this.#server) await closeGently(this.#server);
  }

  /** Brings certificate and listener up to date. Whoever comes next is shown a new certificate; connections stay. */
  async look(): Promise<void> {
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
      // Running with what it has is better than not running.
      if (this.#state.state === 'on') return this.#tell(sentence);
      this.#tell(sentence);
      if (!(error instanceof KeysUnusable) && !(error instanceof ListenError)) log.error('HTTPS failed', { error });
      this.#enter({ state: 'failing', error: sentence });
    }
  }

  async #open(shown: Shown): Promise<void> {
    const { host, port } = this.#deps;
    const answering = this.#answering!;
    // A server without HTTPS need not hold these 6 MB.
    const { createServer } = await import('node:https');
    const server = createServer({
      ...serverOptions(answering),
      ...contextOf(shown),
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_MS,
    });
    answerAll(server, answering);
    // A browser that does not trust the certificate yet breaks the handshake off; that is no failure of ours.
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
