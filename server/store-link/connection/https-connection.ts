/** Connection to headquarters over HTTPS only: for a headquarters on one machine, and for networks that block NATS. */
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import { TUNNEL_PATH, TUNNEL_PROTOCOL } from '../../../shared/chain/tunnel.ts';
import {
  type AnswerOf,
  type AskOf,
  BLOB_PATH,
  CHAIN_VERBS,
  type ChainVerb,
  DEAF_MS,
  DownlinkLine,
  type HubOffer,
  LISTEN_VERB,
  MAX_LINE_BYTES,
  Refusal,
  SEGMENT_VERB,
  SegmentAnswer,
  sessionText,
} from '../../../shared/chain/wire.ts';
import { proofText, ServerProof, tlsText } from '../../../shared/protocol/server-proof.ts';
import { fingerprintOf } from '../../kernel/trust/fingerprint.ts';
import { NotPinned, PinnedAgent, type Reply, requestPinned } from '../../net/pinned-agent.ts';
import {
  type Blob,
  type Connection,
  ConnectionDown,
  type FileRequest,
  RequestRefused,
  Unproved,
} from './connection.ts';

const PATIENCE_MS = 30_000;
const MAX_ANSWER_BYTES = 512 * 1024;
const HTTPS_PORT = 8711;

/** Facts about a headquarters that has proved its key. */
export interface Met {
  /** Address of headquarters: `https://host:port`. */
  readonly address: string;
  readonly name: string;
  /** Public key of headquarters as SubjectPublicKeyInfo, hex, and the SHA-256 of this key. */
  readonly key: string;
  readonly fingerprint: string;
  /** The only accepted HTTPS certificate: DER, hex. */
  readonly certificate: string;
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'nothing answers at this address';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'this network does not know the host name';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'this network has no route to the address';
  if (code === 'ECONNRESET') return 'the other side closed the connection';
  return message;
};

/** Returns the HTTPS origin for an address that a person typed; undefined: not a valid address. */
export const httpsAddress = (given: string): string | undefined => {
  const text = given.trim();
  const whole = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) return undefined;
  const { protocol, hostname, port, username, pathname } = new URL(whole);
  if (!/^https?:$/.test(protocol) || hostname === '' || username !== '' || pathname !== '/') return undefined;
  // Uses Vitrine's HTTPS port if no port was typed. `URL` drops the default port of a scheme, so the text is
  // searched, too.
  const hasPort = port !== '' || /:\d+\/?$/.test(text);
  return `https://${hostname}:${hasPort ? port || 443 : HTTPS_PORT}`;
};

/**
 * Connects to headquarters and verifies its key.
 * @param isIt whether a fingerprint is the expected fingerprint
 * @throws ConnectionDown, Unproved
 */
export const meet = async (address: string, isIt: (fingerprint: string) => boolean): Promise<Met> => {
  const nonce = randomBytes(32).toString('hex');
  const { host, hostname } = new URL(address);
  const { proof, isPlain } = await proofFrom(address, nonce).catch((error: unknown) => {
    throw new ConnectionDown(`Headquarters does not answer at ${host}: ${reasonOf(error)}.`);
  });
  const { public_key, tls, name } = proof;
  const fingerprint = fingerprintOf(Buffer.from(public_key, 'hex'));
  const isSigned = (text: string, signature: string) =>
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: Buffer.from(public_key, 'hex'), format: 'der', type: 'spki' }),
      Buffer.from(signature, 'hex'),
    );
  if (!isIt(fingerprint) || !isSigned(proofText(nonce), proof.signature))
    throw new Unproved(`The server at ${host} is not the expected headquarters. Nothing was sent to that server.`);
  const isOn = tls !== undefined && tls.port !== null && tls.certificate !== null;
  const offer = isOn ? { port: tls.port!, fingerprint: fingerprintOf(Buffer.from(tls.certificate!, 'hex')) } : null;
  if (!offer)
    throw new ConnectionDown(`Headquarters at ${host} does not use HTTPS. Turn on HTTPS there, then try again.`);
  if (!isSigned(tlsText(nonce, offer), tls!.signature))
    throw new Unproved(`The server at ${host} is not the expected headquarters. Nothing was sent to that server.`);
  return {
    // If HTTPS answered at the typed address, this address is used from now on, because a router may forward this port
    // to another.
    address: isPlain ? `https://${hostname}:${offer.port}` : address,
    name,
    key: public_key,
    fingerprint,
    certificate: tls!.certificate!,
  };
};

const IDENTITY = '/api/player/identity';

const proofFrom = async (address: string, nonce: string): Promise<{ proof: ServerProof; isPlain: boolean }> => {
  const agent = new PinnedAgent(null);
  const path = `${IDENTITY}?nonce=${nonce}`;
  let isPlain = false;
  try {
    const wish = { method: 'GET', most: MAX_ANSWER_BYTES, patience: 10_000 } as const;
    const reply = await requestPinned(`${address}${path}`, agent, wish).catch((error: NodeJS.ErrnoException) => {
      // People often type the HTTP port. The proof is signed, so plain HTTP is safe for it.
      if (!['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ECONNRESET'].includes(error.code ?? '')) throw error;
      isPlain = true;
      return askPlain(`${address.replace('https:', 'http:')}${path}`);
    });
    if (reply.status === 421)
      throw new Error('the server does not accept this host name; use the IP address of the server');
    const parsed = ServerProof.safeParse(jsonOf(reply));
    if (reply.status !== 200 || !parsed.success) throw new Error('the answer is not from a Vitrine server');
    return { proof: parsed.data, isPlain };
  } finally {
    agent.destroy();
  }
};

const askPlain = (url: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asked = get(url, { signal: AbortSignal.timeout(10_000) }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > MAX_ANSWER_BYTES) asked.destroy(new Error('the answer is too long'));
      });
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.from(text) }));
    });
    asked.once('error', reject);
  });

const jsonOf = ({ body }: Reply): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};

/** Sends one request without a session. @throws ConnectionDown, RequestRefused */
export const requestOnce = async <V extends ChainVerb>(met: Met, verb: V, ask: AskOf<V>): Promise<AnswerOf<V>> => {
  const agent = new PinnedAgent(met.certificate);
  try {
    return answerOf(verb, await post(met.address, agent, verb, Buffer.from(JSON.stringify(ask)), {}));
  } finally {
    agent.destroy();
  }
};

const post = async (
  address: string,
  agent: PinnedAgent,
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> => {
  const url = `${address}/chain/${path}`;
  const type = path === SEGMENT_VERB ? 'application/vnd.vitrine.segment' : 'application/json';
  const wish = { method: 'POST', headers: { ...headers, 'Content-Type': type }, body } as const;
  try {
    return await requestPinned(url, agent, { ...wish, most: MAX_ANSWER_BYTES, patience: PATIENCE_MS });
  } catch (error) {
    if (error instanceof NotPinned) throw error;
    throw new ConnectionDown(`Headquarters does not answer: ${reasonOf(error)}.`);
  }
};

/** @throws ConnectionDown, RequestRefused */
const read = <T>(reply: Reply, schema: z.ZodType<T>): T => {
  const value = jsonOf(reply);
  if (reply.status === 200) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ConnectionDown(
      'Headquarters sent an answer that this version of Vitrine does not understand. Update Vitrine on this server.',
    );
  }
  const refusal = Refusal.safeParse(value);
  if (refusal.success) throw new RequestRefused(refusal.data);
  throw new ConnectionDown(`Headquarters answers with the error ${reply.status}.`);
};
const answerOf = <V extends ChainVerb>(verb: V, reply: Reply): AnswerOf<V> =>
  read(reply, CHAIN_VERBS[verb].answer as unknown as z.ZodType<AnswerOf<V>>);

interface Deps {
  readonly met: Met;
  readonly store: string;
  /** Ed25519 signature with the server's key, hex. */
  readonly sign: (text: string) => string;
  /** Called when headquarters has a new certificate (the old one has expired) and has proved its key again. */
  readonly moved: (met: Met) => void;
  /** Signed proof of the code in an enrolment file. Sent to a headquarters that does not know this server yet. */
  readonly proof?: () => AskOf<'enrol'> | undefined;
  /** Called after each sign-in, because headquarters then knows this server. */
  readonly known?: () => void;
  /**
   * Called after each sign-in, with the address and credential of the NATS hub if headquarters uses one.
   * @param host host of headquarters, as in a URL
   */
  readonly offered?: (offer: HubOffer | undefined, host: string) => void;
}

export class HttpsConnection implements Connection {
  readonly #deps: Deps;
  #met: Met;
  #agent: PinnedAgent;
  /** Separate agent for files, so that other requests never wait behind a file. */
  #files: PinnedAgent;
  #token: string | undefined;
  #meeting: Promise<void> | undefined;
  /** Aborts all running requests when the connection is closed. */
  readonly #closing = new AbortController();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#met = deps.met;
    this.#agent = new PinnedAgent(deps.met.certificate);
    this.#files = new PinnedAgent(deps.met.certificate);
  }

  request<V extends ChainVerb>(verb: V, request: AskOf<V>): Promise<AnswerOf<V>> {
    return this.#inSession(verb, Buffer.from(JSON.stringify(request)), (reply) => answerOf(verb, reply));
  }

  send(segment: Buffer): Promise<z.infer<typeof SegmentAnswer>> {
    return this.#inSession(SEGMENT_VERB, segment, (reply) => read(reply, SegmentAnswer));
  }

  listen(told: (line: z.infer<typeof DownlinkLine>) => void, heard: () => void): Promise<never> {
    return this.#signedIn((token) =>
      this.#held(async () => {
        // Separate agent for the request that stays open, so that it does not occupy a socket of the other requests.
        const agent = new PinnedAgent(this.#met.certificate);
        const { signal } = this.#closing;
        try {
          return await listen(`${this.#met.address}/chain/${LISTEN_VERB}`, { agent, token, signal, told, heard });
        } finally {
          agent.destroy();
        }
      }),
    );
  }

  tunnel(id: string): Promise<Duplex> {
    return this.#signedIn((token) =>
      this.#held(() =>
        tunnel(`${this.#met.address}${TUNNEL_PATH}?id=${id}`, {
          agent: new PinnedAgent(this.#met.certificate),
          token,
          signal: this.#closing.signal,
        }),
      ),
    );
  }

  blob(sha256: string, wish: FileRequest): Promise<Blob | undefined> {
    const signal = AbortSignal.any([wish.signal, this.#closing.signal]);
    return this.#signedIn((token) =>
      this.#held(() =>
        blob(`${this.#met.address}${BLOB_PATH}${sha256}`, { ...wish, agent: this.#files, token, signal }),
      ),
    );
  }

  close(): void {
    this.#closing.abort();
    this.#agent.destroy();
    this.#files.destroy();
  }

  #inSession<T>(path: string, body: Buffer, answer: (reply: Reply) => T): Promise<T> {
    return this.#signedIn(async (token) => answer(await this.#post(path, body, { Authorization: `Bearer ${token}` })));
  }

  async #signedIn<T>(work: (token: string) => Promise<T>): Promise<T> {
    for (let isSecond = false; ; isSecond = true) {
      this.#token ??= await this.#signIn();
      if (this.#closing.signal.aborted) throw new ConnectionDown('This server is stopping.');
      try {
        return await work(this.#token);
      } catch (error) {
        const isEnded = error instanceof RequestRefused && error.code === 'session_ended';
        if (!isEnded || isSecond) throw error;
        this.#token = undefined;
      }
    }
  }

  async #signIn(): Promise<string> {
    const { token, nats } = await this.#open().catch(async (error: unknown) => {
      const isUnknown = error instanceof RequestRefused && error.code === 'not_enrolled';
      const proof = isUnknown ? this.#deps.proof?.() : undefined;
      if (!proof) throw error;
      // The enrolment is refused if a transfer file has already delivered the proof to headquarters. The session opens
      // nevertheless.
      await this.#plain('enrol', proof).catch((refused: unknown) => {
        if (!(refused instanceof RequestRefused)) throw refused;
      });
      return this.#open();
    });
    this.#deps.known?.();
    this.#deps.offered?.(nats, new URL(this.#met.address).hostname);
    return token;
  }

  async #open(): Promise<AnswerOf<'session'>> {
    const { store, sign } = this.#deps;
    const { nonce } = await this.#plain('challenge', { store });
    const signature = sign(sessionText(store, nonce, this.#met.fingerprint));
    return this.#plain('session', { store, nonce, signature });
  }

  /** Sends a request without a session. */
  async #plain<V extends ChainVerb>(verb: V, request: AskOf<V>): Promise<AnswerOf<V>> {
    return answerOf(verb, await this.#post(verb, Buffer.from(JSON.stringify(request)), {}));
  }

  #post(path: string, body: Buffer, headers: Readonly<Record<string, string>>): Promise<Reply> {
    return this.#held(() => post(this.#met.address, this.#agent, path, body, headers));
  }

  /** Sends a request, and retries once if headquarters has a new certificate and proves its key. */
  async #held<T>(work: () => Promise<T>): Promise<T> {
    const { certificate } = this.#met;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotPinned)) throw error;
      // Several requests fail at the same time, but only the first one verifies headquarters. Further verifications
      // would destroy the agents that other requests already use again.
      if (this.#met.certificate === certificate)
        await (this.#meeting ??= this.#meetAnew().finally(() => (this.#meeting = undefined)));
      return await work().catch((again: unknown) => {
        throw again instanceof NotPinned
          ? new Unproved(
              'The connection between this server and headquarters is intercepted. Ask the administrator of your network.',
            )
          : again;
      });
    }
  }

  async #meetAnew(): Promise<void> {
    const { fingerprint, address } = this.#met;
    this.#met = await meet(address, (other) => other === fingerprint);
    this.#agent.destroy();
    this.#agent = new PinnedAgent(this.#met.certificate);
    this.#files.destroy();
    this.#files = new PinnedAgent(this.#met.certificate);
    this.#deps.moved(this.#met);
  }
}

const away = (error: unknown): Error =>
  error instanceof NotPinned ? error : new ConnectionDown(`Headquarters does not answer: ${reasonOf(error)}.`);

interface Held {
  readonly agent: PinnedAgent;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Reads an unexpected answer and throws its reason. @throws ConnectionDown, RequestRefused */
const refusedBy = async (reply: IncomingMessage): Promise<never> => {
  let text = '';
  for await (const part of reply.setEncoding('utf8')) {
    text += part as string;
    if (text.length > MAX_ANSWER_BYTES) break;
  }
  const { statusCode: status = 0 } = reply;
  return read({ status: status === 200 ? 0 : status, body: Buffer.from(text) }, Refusal) as never;
};

/**
 * Never resolves; rejects when the connection ends.
 * @throws NotPinned, ConnectionDown, RequestRefused
 */
const listen = (
  url: string,
  {
    agent,
    token,
    signal,
    told,
    heard,
  }: Held & { readonly told: (line: z.infer<typeof DownlinkLine>) => void; readonly heard: () => void },
): Promise<never> =>
  new Promise((_, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Length': 0 };
    const asked = request(url, { agent, method: 'POST', headers, signal }, (reply) => {
      if (reply.statusCode !== 200) return void refusedBy(reply).catch(reject);
      heard();
      let begun = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        const lines = (begun + part).split('\n');
        begun = lines.pop()!;
        if (begun.length > MAX_LINE_BYTES)
          return void asked.destroy(new Error('a message from headquarters is too long'));
        for (const text of lines) {
          const said = text === '' ? undefined : lineOf(text);
          if (said) told(said);
        }
      });
      reply.once('end', () => reject(new ConnectionDown('Headquarters closed the connection.')));
      reply.once('error', (error) => reject(away(error)));
    });
    asked.setTimeout(DEAF_MS, () => asked.destroy(new Error('no data arrived for too long')));
    asked.once('error', (error) => reject(away(error)));
    asked.end();
  });

/** Ignores messages that this version does not understand, because headquarters may be newer. */
const lineOf = (text: string): z.infer<typeof DownlinkLine> | undefined =>
  DownlinkLine.safeParse(jsonOf({ status: 200, body: Buffer.from(text) })).data;

/** @throws NotPinned, ConnectionDown, RequestRefused */
const tunnel = (url: string, { agent, token, signal }: Held): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, Connection: 'Upgrade', Upgrade: TUNNEL_PROTOCOL };
    const asked = request(url, { agent, headers, signal }, (reply) => void refusedBy(reply).catch(reject));
    asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error('there was no answer in time')));
    asked.once('error', (error) => reject(away(error)));
    asked.once('upgrade', (_reply, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      (socket as Duplex & { setTimeout?: (ms: number) => void }).setTimeout?.(0);
      resolve(socket);
    });
    asked.end();
  });

/** @throws NotPinned, ConnectionDown, RequestRefused */
const blob = (url: string, { agent, token, signal, from, to }: Held & FileRequest): Promise<Blob | undefined> =>
  new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      Range: `bytes=${from}-${to ?? ''}`,
      // Refuses compression, because ranges must count the bytes of the file itself.
      'Accept-Encoding': 'identity',
    };
    const asked = request(url, { agent, headers, signal }, (reply) => {
      const { statusCode: status } = reply;
      if (status === 200 || status === 206) {
        const found = partOf(reply);
        if (found) return resolve(found);
        reply.destroy();
        return reject(
          new ConnectionDown(
            'Headquarters sent an answer that this version of Vitrine does not understand. Update Vitrine on this server.',
          ),
        );
      }
      if (status === 416) {
        reply.resume();
        return resolve(undefined);
      }
      void refusedBy(reply).catch((error: unknown) =>
        reject(
          status === 404
            ? new RequestRefused({ code: 'bad_request', error: 'Headquarters does not have the file.' })
            : error,
        ),
      );
    });
    asked.once('error', (error) => reject(away(error)));
    asked.end();
  });

const partOf = (reply: IncomingMessage): Blob | undefined => {
  if (reply.headers['content-encoding'] !== undefined) return undefined;
  if (reply.statusCode === 200) {
    const length = Number(reply.headers['content-length']);
    return { start: 0, total: Number.isSafeInteger(length) ? length : null, bytes: reply };
  }
  const [, start, total] =
    /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(reply.headers['content-range'] ?? '') ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), total: total === '*' ? null : Number(total), bytes: reply };
};
