/**
 * NATS transport: stores send requests by NATS and get the same answers as over HTTPS (store-endpoints.ts). The hub
 * between them only carries messages. The subject of a message names its sender, and the hub lets no other user send
 * to this subject. Headquarters checks for each request that the store exists and that the key belongs to its
 * server. A sender detects a lost message itself.
 *
 * Headquarters works over HTTPS alone while the hub is away. This file is loaded only when a hub is configured.
 */
import { X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import {
  downSubject,
  HQ_ASKED,
  HQ_SEGMENTS,
  HUB_VERBS,
  isInboxOf,
  MAX_MESSAGE_BYTES,
  senderOf,
  type Whose,
} from '../../../shared/chain/subjects.ts';
import {
  CHAIN_VERBS,
  type ChainVerb,
  DEAF_MS,
  type HubOffer,
  LISTEN_VERB,
  SEGMENT_VERB,
} from '../../../shared/chain/wire.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { trustOnly } from '../../net/trust-only.ts';
import type { Shown } from '../../tls/certificates.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { Refused } from '../stores/refused.ts';
import type { RevokedKeys } from '../stores/revoked-keys.ts';
import type { StoreRegistry } from '../stores/store-registry.ts';
import type { Downlink } from './downlink.ts';
import { type HubNeeds, NatsSetup } from './nats-setup.ts';
import { jsonOf, type RequestPipeline } from './request-pipeline.ts';
import { knownOf, notEnrolled } from './sessions.ts';

/** Delay in milliseconds before the first reconnect. It doubles with each further failure. */
const RETRY_MS = { least: 1_000, most: 30_000 };
const CONNECT_MS = 5_000;
/** Interval of pings in milliseconds. After two missed pings the hub counts as disconnected. */
const PING_MS = 10_000;
/** Interval in milliseconds at which stores that no longer listen are detected. */
const LOOK_MS = 5_000;
/**
 * Interval in milliseconds of two tasks: checking for a new certificate, and sending the revocations again. One of
 * several hubs may have been restarted with an older copy of its file.
 */
const CERTIFICATE_MS = 60_000;

const RELOAD = 'nats-server --signal reload';
const TO_DO: Readonly<Record<Exclude<HubNeeds, 'nothing'>, string>> = {
  start: 'The configuration file of the hub is ready. Start nats-server with it',
  restart: 'The configuration file of the hub has changed. Restart nats-server with it',
  reload: 'The hub has a new certificate. Reload nats-server',
};

/** Answer of nats-server to a new account JWT. */
const Updated = z.object({ data: z.object({ code: z.literal(200) }) });

interface Hearing {
  heardAt: number;
  readonly store: KnownStore;
  detach: () => void;
}

interface Deps extends Pick<Parts, 'clock' | 'mono' | 'log'> {
  /** Address of the hub: `tls://host:port`. */
  readonly server: string;
  /** Path of the data folder. */
  readonly data: string;
  readonly pipeline: RequestPipeline;
  readonly registry: Pick<StoreRegistry, 'byRef' | 'onGone'>;
  /** Keys of servers whose credentials are revoked. */
  readonly revoked: () => RevokedKeys;
  readonly downlink: Pick<Downlink, 'attach'>;
  /** Certificate of this server, which is also the certificate of the hub; undefined: there is none yet. */
  readonly shown: () => Shown | undefined;
}

export class NatsHub implements Lifecycle {
  readonly name = 'nats';
  readonly #deps: Deps;
  readonly #setup: NatsSetup;
  readonly #stopping = new AbortController();
  readonly #hearing = new Map<number, Hearing>();
  #connection: NatsConnection | undefined;
  #timers: NodeJS.Timeout[] = [];
  /**
   * One pending update of the hub for all stores that are removed in this turn. The removal of a workspace removes all
   * its stores, and each update takes 19 ms with 1,000 revoked keys.
   */
  #afterGone: NodeJS.Immediate | undefined;
  /** Last logged reason for a missing connection. */
  #told = '';
  /** The account JWT that the hub accepted last; undefined after a new connection. */
  #accepted: string | undefined;
  #isUpdating = false;
  /** Last logged reason why the hub did not accept revocations. */
  #toldBehind = '';

  /** @throws Error when the keys of the hub cannot be read or made */
  constructor(deps: Deps) {
    this.#deps = deps;
    this.#setup = new NatsSetup(deps);
    deps.registry.onGone(() => {
      this.#afterGone ??= setImmediate(() => {
        this.#afterGone = undefined;
        this.#write();
        void this.#update();
      });
    });
  }

  start(): void {
    this.#timers = [
      setInterval(() => this.#look(), LOOK_MS).unref(),
      setInterval(() => this.#renew(), CERTIFICATE_MS).unref(),
    ];
    void this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    clearImmediate(this.#afterGone);
    this.#deafen();
    await this.#connection?.close();
  }

  /** Returns the address of the hub and a credential for a store that has signed in. */
  offer(whose: Whose): HubOffer | undefined {
    const shown = this.#deps.shown();
    return shown && this.#setup.offer(whose, pemOf(shown));
  }

  /** Reason why headquarters is not connected to the hub; undefined: it is connected. */
  get failure(): string | undefined {
    if (this.#connection && !this.#connection.isClosed()) return undefined;
    return `The hub (nats-server) is not connected: ${this.#told || 'it has not answered yet'}. Stores use HTTPS meanwhile.`;
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Connects to the hub and serves stores, again after each failure. */
  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopped; failures++) {
      try {
        const shown = this.#write();
        if (shown) {
          const connection = await this.#connect(shown);
          failures = 0;
          await this.#serve(connection);
        }
      } catch (error) {
        this.#tell((error as Error).message);
      }
      const ms = Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** failures);
      await pause(ms, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => {});
    }
  }

  #renew(): void {
    this.#write();
    this.#accepted = undefined;
    void this.#update();
  }

  /**
   * Sends the account with its revocations to the hub, which then ends the connections of revoked credentials. Called
   * again every {@link LOOK_MS} until the hub has accepted the newest revocations.
   */
  async #update(): Promise<void> {
    const shown = this.#deps.shown();
    if (this.#isUpdating || this.#stopped || !this.#connection || !shown) return;
    this.#isUpdating = true;
    try {
      // Sends again if the message has changed, because a store may be removed while an earlier message is being sent.
      while (this.#accepted !== this.#setup.update.message) await this.#send(shown);
      this.#toldBehind = '';
    } catch (error) {
      const why = (error as Error).message;
      if (this.#toldBehind !== why && !this.#stopped)
        this.#deps.log.warn(
          'The hub does not accept revocations: servers of removed stores stay connected to it until their credentials expire, within 24 hours. Restart nats-server with the newest nats.conf',
          { why, command: this.#command },
        );
      this.#toldBehind = why;
    } finally {
      this.#isUpdating = false;
    }
  }

  /** @throws Error */
  async #send(shown: Shown): Promise<void> {
    const { subject, message } = this.#setup.update;
    const connection = await this.#connect(shown, this.#setup.system);
    try {
      const answer = await connection.request(subject, message, { timeout: CONNECT_MS });
      const said = Updated.safeParse(answer.json());
      if (!said.success) throw new Error(`The hub sent an unexpected answer: ${answer.string().slice(0, 300)}`);
      this.#accepted = message;
    } finally {
      await connection.close();
    }
  }

  #connect(shown: Shown, { jwt, sign } = this.#setup.own): Promise<NatsConnection> {
    return connect({
      servers: [this.#deps.server],
      name: 'headquarters',
      // The client does not reconnect. The caller connects again, with the certificate and keys that are valid at that
      // time.
      reconnect: false,
      ignoreClusterUpdates: true,
      noAsyncTraces: true,
      timeout: CONNECT_MS,
      pingInterval: PING_MS,
      tls: trustOnly(pemOf(shown)),
      authenticator: (nonce) => ({ jwt, nkey: '', sig: sign(nonce ?? '').toString('base64url') }),
    });
  }

  /** Serves stores until the connection ends. */
  async #serve(connection: NatsConnection): Promise<void> {
    const { log, server } = this.#deps;
    if (this.#stopped) return connection.close();
    this.#connection = connection;
    this.#told = '';
    log.info('Stores can come by NATS', { server });
    const callback = (error: Error | null, message: Msg): void => {
      if (!error) void this.#asked(connection, message);
    };
    for (const subject of [HQ_ASKED, HQ_SEGMENTS]) connection.subscribe(subject, { callback });
    // Sends the revocations first, because the hub may have been started before the last revocation was written.
    this.#accepted = undefined;
    void this.#update();
    const why = await connection.closed();
    this.#connection = undefined;
    this.#deafen();
    if (!this.#stopped) this.#tell(why instanceof Error ? why.message : 'the connection ended');
  }

  async #asked(connection: NatsConnection, { subject, reply, data }: Msg): Promise<void> {
    const { pipeline } = this.#deps;
    const asked = senderOf(subject);
    if (!asked || !isInboxOf(asked, reply)) return;
    let said: unknown;
    try {
      pipeline.reserveMemory(data.length);
      const answer = await this.#answer(asked, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
      await pipeline.durable();
      said = { answer };
    } catch (error) {
      const { code, message } = pipeline.refusal(`NATS ${asked.verb}`, error);
      said = { refused: { code, error: message } };
    } finally {
      pipeline.release(data.length);
    }
    if (!connection.isClosed()) connection.publish(reply, JSON.stringify(said));
  }

  async #answer({ store: ref, key, verb }: Whose & { readonly verb: string }, said: Buffer): Promise<unknown> {
    const { pipeline, registry } = this.#deps;
    /**
     * Looks up the store at each call: the store may have been removed, or another PC may have replaced its server.
     */
    const store = (): KnownStore => {
      const known = knownOf(registry.byRef(ref));
      if (!known || known.key !== key) throw notEnrolled();
      return known;
    };
    const { id } = store();
    pipeline.count(`store ${id}`);
    const isSegment = verb === SEGMENT_VERB;
    const known = HUB_VERBS.find((one) => one === verb);
    if (!isSegment && known === undefined)
      throw new Refused(
        'bad_request',
        404,
        'This version of headquarters does not know this request. Update Vitrine at headquarters.',
      );
    const most = isSegment ? MAX_MESSAGE_BYTES : known === LISTEN_VERB ? 1_024 : CHAIN_VERBS[known as ChainVerb].most;
    if (said.length > most) throw new Refused('bad_request', 413, `The request is larger than ${most} bytes.`);
    if (isSegment) return pipeline.sending(id, () => pipeline.segment(store(), said));
    if (known === LISTEN_VERB) return this.#hears(store());
    return pipeline.answer(known as ChainVerb, jsonOf(said), store);
  }

  /** Registers a listening store. The store repeats this request while it listens. */
  #hears(store: KnownStore): Record<string, never> {
    const { downlink, mono } = this.#deps;
    const before = this.#hearing.get(store.id);
    if (before?.store.key === store.key) {
      before.heardAt = mono();
      return {};
    }
    const one: Hearing = { store, heardAt: mono(), detach: () => {} };
    one.detach = downlink.attach(store, {
      send: (text) => this.#say(store, text),
      end: () => {
        if (this.#hearing.get(store.id) === one) this.#hearing.delete(store.id);
      },
    });
    this.#hearing.set(store.id, one);
    return {};
  }

  #say({ ref, key }: KnownStore, text: string): boolean {
    if (!this.#connection || this.#connection.isClosed()) return false;
    // A heartbeat (an empty line) is not sent over NATS. The store repeats its listen request instead, and the answer
    // shows that headquarters is alive.
    if (text !== '\n') this.#connection.publish(downSubject({ store: ref, key }), text);
    return true;
  }

  #look(): void {
    const { mono } = this.#deps;
    // Retries only revocations here. Without any, the certificate timer still sends the account once a minute.
    if (this.#setup.hasRevocations) void this.#update();
    for (const one of [...this.#hearing.values()]) if (mono() - one.heardAt > DEAF_MS) one.detach();
  }

  #deafen(): void {
    for (const one of [...this.#hearing.values()]) one.detach();
  }

  /** Writes the files of the hub. Returns the certificate that the hub uses; undefined: there is none yet. */
  #write(): Shown | undefined {
    const { shown, log } = this.#deps;
    const now = shown();
    try {
      const needs = now ? this.#setup.write(now) : 'nothing';
      if (needs !== 'nothing') log.info(TO_DO[needs], { command: needs === 'reload' ? RELOAD : this.#command });
    } catch (error) {
      this.#tell(`${this.#setup.file} could not be written: ${(error as Error).message}`);
    }
    return now;
  }

  get #command(): string {
    return `nats-server -c ${this.#setup.file}`;
  }

  #tell(why: string): void {
    if (this.#told !== why)
      this.#deps.log.warn('The hub of NATS is not reached; stores come by HTTPS, and it is tried again', { why });
    this.#told = why;
  }
}

const pemOf = ({ anchor }: Shown): string => new X509Certificate(anchor).toString();
