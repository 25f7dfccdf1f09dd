/**
 * Connection to headquarters over NATS, for chains with more stores than headquarters can serve directly. When the
 * connection ends, this object ends too, and `connections.ts` switches to another transport. Loaded only if
 * headquarters uses a hub.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Msg, type NatsConnection, RequestError, type Subscription } from '@nats-io/transport-node';
import type { z } from 'zod';
import {
  downSubject,
  HubAnswer,
  type HubVerb,
  inboxOf,
  requestSubject,
  segmentSubject,
  type Whose,
} from '../../../shared/chain/subjects.ts';
import {
  type AnswerOf,
  type AskOf,
  CHAIN_VERBS,
  type ChainVerb,
  DownlinkLine,
  HEARTBEAT_MS,
  type HubOffer,
  LISTEN_VERB,
  MAX_LINE_BYTES,
  SegmentAnswer,
} from '../../../shared/chain/wire.ts';
import { trustOnly } from '../../net/trust-only.ts';
import { ConnectionDown, RequestRefused } from './connection.ts';
import type { Transport } from './connections.ts';

const PATIENCE_MS = 30_000;
const CONNECT_MS = 10_000;
/** Interval of pings in milliseconds. A hub that does not answer two pings in a row counts as gone. */
const PING_MS = 20_000;
const MAX_ANSWER_BYTES = 512 * 1024;
/**
 * Matches a nonce that the server may sign for a hub. The server's key also signs texts of several lines, so a nonce
 * that could be such a text is not signed.
 */
const NONCE = /^[\w-]{1,100}$/;

interface Opening {
  readonly offer: HubOffer;
  /** Host of headquarters, as in a URL. */
  readonly host: string;
  readonly whose: Whose;
  /** Ed25519 signature with the server's key, hex. */
  readonly sign: (text: string) => string;
}

export class HubConnection implements Transport {
  readonly #connection: NatsConnection;
  readonly #whose: Whose;
  /** Resolves when the connection has ended, closed by either side. */
  readonly ended: Promise<void>;

  private constructor(connection: NatsConnection, whose: Whose) {
    this.#connection = connection;
    this.#whose = whose;
    this.ended = connection.closed().then(() => {});
  }

  /** @throws ConnectionDown */
  static async open({ offer, host, whose, sign }: Opening): Promise<HubConnection> {
    const { jwt, ca, servers } = offer;
    try {
      const connection = await connect({
        servers: servers.map((server) => server.replace(LOOPBACK, `tls://${host}`)),
        inboxPrefix: inboxOf(whose),
        // The client does not reconnect. `connections.ts` opens a new connection, with the credential that is valid at
        // that time.
        reconnect: false,
        ignoreClusterUpdates: true,
        noAsyncTraces: true,
        timeout: CONNECT_MS,
        pingInterval: PING_MS,
        tls: trustOnly(ca),
        authenticator: (nonce = '') => ({ jwt, nkey: '', sig: signatureOf(sign, nonce) }),
      });
      return new HubConnection(connection, whose);
    } catch (error) {
      throw new ConnectionDown(`The hub refuses this server: ${(error as Error).message}.`);
    }
  }

  async request<V extends ChainVerb>(verb: V, request: AskOf<V>): Promise<AnswerOf<V>> {
    const answer = await this.#request(requestSubject(this.#whose, verb as HubVerb), JSON.stringify(request));
    return read(answer, CHAIN_VERBS[verb].answer as unknown as z.ZodType<AnswerOf<V>>);
  }

  async send(segment: Buffer): Promise<z.infer<typeof SegmentAnswer>> {
    return read(await this.#request(segmentSubject(this.#whose), segment), SegmentAnswer);
  }

  async listen(told: (line: z.infer<typeof DownlinkLine>) => void, heard: () => void): Promise<never> {
    const callback = (error: Error | null, message: Msg): void => {
      const line = error || message.data.length > MAX_LINE_BYTES ? undefined : lineOf(message);
      if (line) told(line);
    };
    const ended = new AbortController();
    void this.ended.then(() => ended.abort());
    let subscription: Subscription | undefined;
    try {
      subscription = this.#connection.subscribe(downSubject(this.#whose), { callback });
      for (;;) {
        await this.#request(requestSubject(this.#whose, LISTEN_VERB), '{}').then((answer) => read(answer, NOTHING));
        heard();
        await pause(HEARTBEAT_MS, undefined, { ref: false, signal: ended.signal });
      }
    } catch (error) {
      if (error instanceof RequestRefused || error instanceof ConnectionDown) throw error;
      throw new ConnectionDown('The hub closed the connection.');
    } finally {
      subscription?.unsubscribe();
    }
  }

  close(): void {
    void this.#connection.close();
  }

  /** @throws ConnectionDown */
  async #request(subject: string, body: string | Buffer): Promise<Msg> {
    try {
      return await this.#connection.request(subject, body, { timeout: PATIENCE_MS });
    } catch (error) {
      const isAway = error instanceof RequestError && error.isNoResponders();
      throw new ConnectionDown(
        isAway
          ? 'Headquarters is not connected to the hub.'
          : `Headquarters does not answer over the hub: ${(error as Error).message}.`,
      );
    }
  }
}

/** A loopback address of the hub means the host of headquarters, so the host is replaced. */
const LOOPBACK = /^tls:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=:|$)/i;

const NOTHING = CHAIN_VERBS.answer.answer;

/** @throws ConnectionDown for a nonce that no real hub sends */
const signatureOf = (sign: Opening['sign'], nonce: string): string => {
  if (!NONCE.test(nonce)) throw new ConnectionDown('the hub sent an invalid text for the signature');
  return Buffer.from(sign(nonce), 'hex').toString('base64url');
};

/** @throws ConnectionDown, RequestRefused */
const read = <T>(message: Msg, schema: z.ZodType<T>): T => {
  const said = HubAnswer.safeParse(message.data.length > MAX_ANSWER_BYTES ? undefined : jsonOf(message));
  if (said.data?.refused) throw new RequestRefused(said.data.refused);
  const parsed = schema.safeParse(said.data?.answer);
  if (parsed.success) return parsed.data;
  throw new ConnectionDown(
    'Headquarters sent an answer that this version of Vitrine does not understand. Update Vitrine on this server.',
  );
};

const jsonOf = (message: Msg): unknown => {
  try {
    return message.json();
  } catch {
    return undefined;
  }
};

/** Ignores messages that this version does not understand, because headquarters may be newer. */
const lineOf = (message: Msg): z.infer<typeof DownlinkLine> | undefined => DownlinkLine.safeParse(jsonOf(message)).data;
