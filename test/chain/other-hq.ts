/**
 * Headquarters of another version, as a store sees it: replays recorded answers of that version
 * (test/records/record-chain.ts), except for values that depend on the moment. Requests without a recording are
 * refused, as that version did.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { partsOf } from '../../server/headquarters/plays/segment-writer.ts';
import { type Identity, loadIdentity } from '../../server/identity.ts';
import type { Clock } from '../../server/kernel/time/clock.ts';
import { fingerprintOf } from '../../server/kernel/trust/fingerprint.ts';
import { issueServer, makeAuthority } from '../../server/tls/certificate.ts';
import { firstHead } from '../../shared/chain/segment.ts';
import { type AskOf, LISTEN_VERB, SEGMENT_VERB } from '../../shared/chain/wire.ts';
import { proofText, type ServerProof, tlsText } from '../../shared/protocol/server-proof.ts';
import { tempFolder } from '../harness.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Said {
  readonly verb: string;
  /** Body as it was sent: JSON text, or a segment (batch of plays) in base64. */
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}
export interface Exchange {
  /** Time of the recording, epoch milliseconds. */
  readonly at: number;
  readonly store: string;
  /** Private key in the format of the key files in the data folder. */
  readonly headquarters: object;
  readonly server: object;
  readonly exchange: readonly Said[];
}

export const readExchange = (file: string): Exchange => JSON.parse(readFileSync(file, 'utf8'));

/** Writes a key into the data folder as the key of the server. */
export const giveKey = (data: string, key: object): Identity => {
  mkdirSync(join(data, 'keys'), { recursive: true });
  writeFileSync(join(data, 'keys', 'server.json'), JSON.stringify(key));
  return loadIdentity(data);
};

interface Made {
  /** Returns additional JSON fields of the answer to a verb. */
  readonly more?: (verb: string) => object;
  /** True: stores can wait for messages of this headquarters. False: it refuses the verb `listen` as unknown. */
  readonly speaks?: boolean;
}

export class OtherHq {
  port = 0;
  /** Number of requests, by verb. */
  readonly asked = new Map<string, number>();
  /** Answers of stores to the messages of this headquarters. */
  readonly answers: AskOf<'answer'>[] = [];
  /** Number of received plays, which is also the sequence number of the last play. */
  plays = 0;
  /** Number of requests and connections in progress. */
  busy = 0;
  readonly identity: Identity;
  #cursor: { epoch: string; through: number; head: string } | undefined;
  #ear: ServerResponse | undefined;
  readonly #exchange: Exchange;
  readonly #clock: Clock;
  readonly #made: Made;
  readonly #anchor: string;

  private constructor(identity: Identity, anchor: string, exchange: Exchange, clock: Clock, made: Made) {
    this.identity = identity;
    this.#anchor = anchor;
    this.#exchange = exchange;
    this.#clock = clock;
    this.#made = made;
  }

  static async open(t: TestContext, exchange: Exchange, clock: Clock, made: Made = {}): Promise<OtherHq> {
    const identity = giveKey(tempFolder(t), exchange.headquarters);
    const facts = { serverId: identity.id, names: [], now: Date.now() };
    const authority = makeAuthority(facts);
    const { certificate: cert, private_key: key } = issueServer({ ...facts, authority, names: ['127.0.0.1'] });
    const anchor = new X509Certificate(authority.certificate).raw.toString('hex');
    const hq = new OtherHq(identity, anchor, exchange, clock, made);
    const server = createServer({ cert, key }, (req, res) => void hq.#answer(req, res));
    server
      .on('connection', () => hq.busy++)
      .on('secureConnection', () => hq.busy--)
      .on('tlsClientError', () => hq.busy--);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    hq.port = (server.address() as AddressInfo).port;
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return hq;
  }

  /** Sends any line of text to the store that waits for messages. */
  tell(line: string): void {
    this.#ear!.write(`${line}\n`);
  }

  get isHeard(): boolean {
    return this.#ear !== undefined && !this.#ear.destroyed;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url!, 'https://hq.test');
    if (pathname === '/api/player/identity')
      return void res.end(JSON.stringify(this.#proof(searchParams.get('nonce')!)));
    this.busy++;
    res.once('close', () => this.busy--);
    const verb = pathname.slice('/chain/'.length);
    this.asked.set(verb, (this.asked.get(verb) ?? 0) + 1);
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part as Buffer);
    if (verb === LISTEN_VERB && this.#made.speaks) {
      this.busy--;
      res.once('close', () => this.busy++);
      this.#ear = res.writeHead(200);
      return res.flushHeaders();
    }
    const { status, body } = this.#reply(verb, Buffer.concat(parts));
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }

  #reply(verb: string, body: Buffer): { status: number; body: object } {
    const { exchange } = this.#exchange;
    const recorded = exchange.findLast((said) => said.verb === verb && said.status === 200);
    if (verb === 'answer' && this.#made.speaks) {
      this.answers.push(JSON.parse(body.toString()));
      return { status: 200, body: { ...this.#made.more?.(verb) } };
    }
    if (!recorded) {
      const { status, answer } = exchange.find((said) => said.status === 404)!;
      return { status, body: JSON.parse(answer) };
    }
    return {
      status: 200,
      body: { ...JSON.parse(recorded.answer), ...this.#now(verb, body), ...this.#made.more?.(verb) },
    };
  }

  /** Returns the values of an answer that depend on the present time and on the store. */
  #now(verb: string, body: Buffer): object {
    if (verb === 'presence') return { clock_ms: this.#clock.now() };
    if (verb === 'through') {
      const { epochs } = JSON.parse(body.toString()) as AskOf<'through'>;
      const { epoch } = epochs.at(-1)!;
      this.#cursor ??= { epoch, through: 0, head: firstHead(sha256, epoch) };
      return { cursors: [this.#cursor] };
    }
    if (verb !== SEGMENT_VERB) return {};
    const { epoch, first, last, head, plays } = partsOf(body).header;
    if (first !== this.#cursor!.through + 1) throw new Error('the store goes on elsewhere than its cursor says');
    this.#cursor = { epoch, through: last, head };
    this.plays += plays;
    return { verdict: 'taken', through: last, head };
  }

  #proof(nonce: string): ServerProof {
    const { id, publicKey: public_key, fingerprint, sign } = this.identity;
    const { port } = this;
    const offer = { port, fingerprint: fingerprintOf(Buffer.from(this.#anchor, 'hex')) };
    return {
      id,
      name: 'Vitrine',
      public_key,
      fingerprint,
      signature: sign(proofText(nonce)),
      tls: { port, certificate: this.#anchor, signature: sign(tlsText(nonce, offer)) },
    };
  }
}
