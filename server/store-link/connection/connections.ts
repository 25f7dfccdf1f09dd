/**
 * Combines the transports to headquarters: NATS if headquarters offers it and a hub accepts this server, otherwise
 * HTTPS. If the hub fails, requests continue over HTTPS at once, and the hub is tried again later. A message may
 * therefore arrive twice; headquarters decides whether the message is a repetition.
 */
import type { Duplex } from 'node:stream';
import type { AnswerOf, AskOf, ChainVerb, HubOffer } from '../../../shared/chain/wire.ts';
import { SESSION_MINUTES } from '../../../shared/chain/wire.ts';
import type { Parts } from '../../kernel/parts.ts';
import { type Connection, ConnectionDown } from './connection.ts';

/**
 * Pause in milliseconds after a failure. Doubled with each further failure, and random so that thousands of stores do
 * not retry at once.
 */
const RETRY_MS = { least: 2_000, most: 300_000 };
/**
 * Maximum age in milliseconds of the hub's address and credential. The next sign-in, which is due by then, returns new
 * ones.
 */
const OFFER_MS = SESSION_MINUTES * 60_000;

/** A transport for all requests except tunnels and files. */
export interface Transport extends Omit<Connection, 'tunnel' | 'blob'> {
  /** Resolves when the connection has ended, closed by either side. */
  readonly ended: Promise<void>;
}

interface Deps extends Pick<Parts, 'mono' | 'log'> {
  /** @param offered called with each sign-in; `host` is the host of headquarters, as in a URL */
  readonly https: (offered: (offer: HubOffer | undefined, host: string) => void) => Connection;
  /** @throws ConnectionDown */
  readonly open: (offer: HubOffer, host: string) => Promise<Transport>;
}

interface Offered {
  readonly offer: HubOffer;
  readonly host: string;
  readonly at: number;
}

export class Connections implements Connection {
  readonly #deps: Deps;
  readonly #https: Connection;
  #offered: Offered | undefined;
  #hub: Transport | undefined;
  /** Whether a connection to the hub is being opened, or will be retried after a pause. */
  #isComing = false;
  #pause: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;
  /** Ends `#listenByHttps`. Called when the hub is connected. */
  #came = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#https = deps.https((offer, host) => this.#offer(offer, host));
  }

  request<V extends ChainVerb>(verb: V, request: AskOf<V>): Promise<AnswerOf<V>> {
    return this.#by((connection) => connection.request(verb, request));
  }

  send(segment: Buffer): ReturnType<Connection['send']> {
    return this.#by((connection) => connection.send(segment));
  }

  async listen(...[told, heard]: Parameters<Connection['listen']>): Promise<never> {
    while (!this.#isClosed) {
      const hub = this.#hub;
      if (!hub) await this.#listenByHttps(told, heard);
      else
        await hub.listen(told, heard).catch((error: unknown) => {
          if (!(error instanceof ConnectionDown)) throw error;
          this.#drop(hub, error.message);
        });
    }
    throw new ConnectionDown('The connection is closed.');
  }

  /**
   * Listens over HTTPS until the hub is connected. Headquarters sends only to the newest listener and ends the earlier
   * one, so the HTTPS listener must have started before the hub listener starts.
   */
  async #listenByHttps(...[told, heard]: Parameters<Connection['listen']>): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const came = new Promise<void>((resolve) => {
      this.#came = resolve;
    });
    const ended = this.#https.listen(told, () => {
      heard();
      begun.resolve();
    });
    ended.catch(() => begun.resolve());
    await Promise.race([ended, came.then(() => begun.promise)]);
  }

  tunnel(id: string): Promise<Duplex> {
    return this.#https.tunnel(id);
  }

  blob(...wish: Parameters<Connection['blob']>): ReturnType<Connection['blob']> {
    return this.#https.blob(...wish);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#https.close();
    this.#hub?.close();
  }

  async #by<T>(work: (connection: Pick<Connection, 'request' | 'send'>) => Promise<T>): Promise<T> {
    const hub = this.#hub;
    if (hub) {
      try {
        const answer = await work(hub);
        this.#failures = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof ConnectionDown) || this.#isClosed) throw error;
        this.#drop(hub, error.message);
      }
    }
    return work(this.#https);
  }

  #offer(offer: HubOffer | undefined, host: string): void {
    this.#offered = offer && { offer, host, at: this.#deps.mono() };
    if (offer && !this.#hub && !this.#isComing) void this.#open();
  }

  async #open(): Promise<void> {
    const { mono, open, log } = this.#deps;
    this.#isComing = false;
    const offered = this.#offered;
    if (!offered || this.#isClosed || mono() - offered.at > OFFER_MS) return;
    this.#isComing = true;
    try {
      const hub = await open(offered.offer, offered.host);
      if (this.#isClosed) return hub.close();
      this.#isComing = false;
      this.#hub = hub;
      void hub.ended.then(() => this.#drop(hub, 'the connection ended'));
      this.#came();
    } catch (error) {
      log.debug('The hub cannot be reached', { reason: (error as Error).message });
      this.#later();
    }
  }

  #drop(hub: Transport, reason: string): void {
    if (this.#hub !== hub) return;
    this.#hub = undefined;
    hub.close();
    if (this.#isClosed) return;
    this.#deps.log.debug('The hub is left', { reason });
    this.#later();
  }

  #later(): void {
    this.#isComing = true;
    const ms = Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** this.#failures++) * (0.5 + Math.random() / 2);
    this.#pause = setTimeout(() => void this.#open(), ms).unref();
  }
}
