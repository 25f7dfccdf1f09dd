/**
 * A small headquarters for tests: an HTTPS server that accepts every sign-in, and whose file downloads fail in the way
 * that a test wants.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { z } from 'zod';
import { type CampaignDoc, desiredText, type SignedDesired } from '../../../shared/chain/campaign.ts';
import { BLOB_PATH, Presence } from '../../../shared/chain/wire.ts';
import { proofText, type ServerProof, tlsText } from '../../../shared/protocol/server-proof.ts';
import { fingerprintOf } from '../../kernel/trust/fingerprint.ts';
import { issueServer, makeAuthority } from '../../tls/certificate.ts';
import type { Met } from '../connection/https-connection.ts';
import { newKey } from './journal.ts';

const SPKI = '302a300506032b6570032100';

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Answers a file request. @param whole the complete file */
export type Serving = (ask: {
  from: number;
  to: number;
  whole: Buffer;
  reply: ServerResponse;
  times: number;
}) => void | Promise<void>;

/** Answers a file request as a working headquarters does. */
export const serveWell: Serving = ({ from, to, whole, reply }) => {
  if (from >= whole.length) return void reply.writeHead(416, { 'Content-Range': `bytes */${whole.length}` }).end();
  const part = whole.subarray(from, to + 1);
  reply.writeHead(206, {
    'Content-Range': `bytes ${from}-${from + part.length - 1}/${whole.length}`,
    'Content-Length': part.length,
  });
  reply.end(part);
};

/** Returns a new HTTPS certificate and its key. */
const newCertificate = () => {
  const facts = { serverId: '0123456789abcdef', names: ['127.0.0.1'], now: Date.now() };
  const { certificate: cert, private_key: key } = issueServer({
    ...facts,
    authority: makeAuthority({ ...facts, names: [] }),
  });
  return { cert, key, der: new X509Certificate(cert).raw };
};

export class FileServer {
  readonly files = new Map<string, Buffer>();
  readonly asked: { path: string; range: string }[] = [];
  serving: Serving = serveWell;
  connections = 0;
  /** Presence messages received, in order. */
  readonly presences: z.infer<typeof Presence>[] = [];
  desired: { readonly rev: number; readonly signed: SignedDesired } | undefined;
  readonly met: Met;
  readonly #key = newKey();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #certificate = newCertificate();
  /** Number of bytes that were sent on connections that are closed now. */
  #sent = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    const key = `${SPKI}${this.#key.key}`;
    this.met = {
      address: `https://127.0.0.1:${port}`,
      name: 'HQ',
      key,
      fingerprint: fingerprintOf(Buffer.from(key, 'hex')),
      certificate: this.#certificate.der.toString('hex'),
    };
    server.setSecureContext(this.#certificate);
    server.on('request', (req, reply) => this.#answer(req, reply));
    server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sent += socket.bytesWritten;
        this.#sockets.delete(socket);
      });
    });
  }

  static async open(t: TestContext): Promise<FileServer> {
    const server = createServer({});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = new FileServer(server, (server.address() as AddressInfo).port);
    t.after(() => {
      own.cut();
      server.close();
    });
    return own;
  }

  /** Number of bytes sent over the network, including TLS. */
  get wire(): number {
    return [...this.#sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, this.#sent);
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Replaces the server's certificate, as headquarters does when it has expired. */
  renew(): void {
    this.#certificate = newCertificate();
    this.#server.setSecureContext(this.#certificate);
    this.cut();
  }

  put(bytes: Buffer): string {
    const name = sha256(bytes);
    this.files.set(name, bytes);
    return name;
  }

  #answer(req: IncomingMessage, reply: ServerResponse): void {
    const { url = '', headers } = req;
    reply.on('error', () => {});
    const said = (value: object) => void reply.end(JSON.stringify(value));
    if (url.startsWith('/api/player/identity')) return said(this.#proof(url.split('nonce=')[1]!));
    if (req.method === 'POST') return void this.#say(url.slice('/chain/'.length), req, reply);
    const range = headers.range ?? '';
    this.asked.push({ path: url, range });
    const whole = this.files.get(url.slice(BLOB_PATH.length));
    if (!url.startsWith(BLOB_PATH) || !whole) return void reply.writeHead(404).end();
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
    const times = this.asked.filter(({ path }) => path === url).length;
    void this.serving({ from: Number(from), to: to ? Number(to) : whole.length - 1, whole, reply, times });
  }

  async #say(verb: string, req: IncomingMessage, reply: ServerResponse): Promise<void> {
    if (verb === 'listen') return void reply.writeHead(200).write('\n');
    const ask = JSON.parse((await text(req)) || '{}');
    const { desired } = this;
    const answers: Record<string, () => unknown> = {
      enrol: () => ({ store: 'store-1', name: 'Mill' }),
      challenge: () => ({ nonce: '0'.repeat(64) }),
      session: () => ({ token: 't' }),
      through: () => ({ cursors: [] }),
      presence: () => {
        this.presences.push(Presence.parse(ask));
        return { name: 'Mill', headquarters: 'HQ', clock_ms: Date.now(), desired_rev: desired?.rev ?? 0 };
      },
      desired: () => ({ desired: desired && desired.rev > ask.rev ? desired.signed : null }),
      leave: () => ({}),
    };
    reply.end(JSON.stringify(answers[verb]?.()));
  }

  /** Sets the campaigns that the store should have. @param key signs the state */
  want(docs: readonly CampaignDoc[], key = this.#key): void {
    const campaigns = docs.map((doc) => {
      const bytes = Buffer.from(JSON.stringify(doc));
      return { id: doc.id, edition: doc.edition, sha256: this.put(bytes), bytes: bytes.length };
    });
    const rev = (this.desired?.rev ?? 0) + 1;
    const said = JSON.stringify({ vitrine: 'desired', version: 1, store: 'store-1', rev, issued_ms: 1, campaigns });
    this.desired = { rev, signed: { text: said, signature: key.sign(desiredText(said)) } };
  }

  #proof(nonce: string): z.infer<typeof ServerProof> {
    const { der } = this.#certificate;
    const { port } = this.#server.address() as AddressInfo;
    const sign = (text: string) => this.#key.sign(text);
    return {
      id: 'hq',
      name: 'HQ',
      public_key: this.met.key,
      fingerprint: this.met.fingerprint,
      signature: sign(proofText(nonce)),
      tls: {
        port,
        certificate: der.toString('hex'),
        signature: sign(tlsText(nonce, { port, fingerprint: fingerprintOf(der) })),
      },
    };
  }
}
