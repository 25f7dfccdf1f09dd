/** A server with a minimal protocol over real HTTP and a real WebSocket for tests of the agent. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestContext } from 'node:test';
import type { Asset, Program } from '../../../shared/program/program.ts';
import type { PlayerMessage, ServerMessage } from '../../../shared/protocol/messages.ts';
import { proofText, tlsText } from '../../../shared/protocol/server-proof.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
export const digest = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

export class FakeSite {
  readonly #keys = generateKeyPairSync('ed25519');
  readonly #spki = this.#keys.publicKey.export({ format: 'der', type: 'spki' });
  readonly identity = { id: 'site-1', name: 'Store', fingerprint: digest(this.#spki) };
  readonly files = new Map<string, { bytes: Buffer; mime: string }>();
  readonly received: (PlayerMessage & Record<string, unknown>)[] = [];
  readonly requests: IncomingMessage[] = [];
  /** Whether the server claims every new player at once. */
  claims = true;
  /** Whether the server ignores plays: it neither acknowledges nor stores them. */
  silent = false;
  origin = '';
  onMessage: ((message: PlayerMessage) => void) | undefined;
  #server: Server | undefined;
  #socket: Duplex | undefined;
  #sockets = new Set<Socket>();
  #program: { id: string; placement: object } | undefined;

  /** Starts a server and stops it at the end of the test. */
  static async open(t: TestContext): Promise<FakeSite> {
    const site = new FakeSite();
    await site.start();
    t.after(() => site.stop());
    return site;
  }

  async start(port = 0, host = '127.0.0.1'): Promise<string> {
    const server = createServer((request, response) => {
      this.requests.push(request);
      const nonce = /^\/api\/player\/identity\?nonce=(\w+)$/.exec(request.url ?? '')?.[1];
      if (nonce) return void response.end(JSON.stringify(this.#prove(nonce)));
      const file = this.files.get(request.url ?? '');
      if (!file || !/^Bearer device-1\.[0-9a-f]{64}$/.test(request.headers.authorization ?? ''))
        return void response.writeHead(404).end();
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const { length } = file.bytes;
      response.writeHead(from ? 206 : 200, {
        'Content-Type': file.mime,
        ETag: '"1"',
        ...(from && { 'Content-Range': `bytes ${from}-${length - 1}/${length}` }),
      });
      response.end(file.bytes.subarray(from));
    });
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.on('upgrade', (request, socket) => this.#upgrade(request, socket));
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    this.#server = server;
    this.origin = `http://${host}:${(server.address() as AddressInfo).port}`;
    return this.origin;
  }

  #prove(nonce: string): object {
    const signed = (text: string) => sign(null, Buffer.from(text), this.#keys.privateKey).toString('hex');
    const tls = { port: null, certificate: null, signature: signed(tlsText(nonce, null)) };
    return { ...this.identity, public_key: this.#spki.toString('hex'), signature: signed(proofText(nonce)), tls };
  }

  /** Ends all connections without a close message, as if the network cable was pulled. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(undefined)));
    this.#server = undefined;
  }

  addAsset(bytes: Buffer, mime: string): Asset {
    const sha256 = digest(bytes);
    this.files.set(`/api/player/assets/${sha256}`, { bytes, mime });
    return { sha256, size: bytes.length, mime };
  }

  publish(program: Program): string {
    const bytes = Buffer.from(JSON.stringify(program));
    const id = digest(bytes);
    this.files.set(`/p/${id}`, { bytes, mime: 'application/json' });
    this.#program = { id, placement: { orientation: '0', timezone: 'Europe/Berlin', wall: null } };
    this.#push();
    return id;
  }

  say(message: ServerMessage): void {
    this.#write(1, Buffer.from(JSON.stringify(message)));
  }

  /** Resolves with the first matching message, past or future. */
  async heard(what: string, is: (message: PlayerMessage) => boolean): Promise<PlayerMessage> {
    const before = this.received.find(is);
    if (before) return before;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${what} was not heard in 20 s`)), 20_000);
      const previous = this.onMessage;
      this.onMessage = (message) => {
        previous?.(message);
        if (!is(message)) return;
        clearTimeout(timer);
        this.onMessage = previous;
        resolve(message);
      };
    });
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: vitrine.v1\r\n\r\n`,
    );
    this.#socket = socket;
    let rest = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let frame = frameOf(rest); frame; frame = frameOf(rest)) {
        rest = rest.subarray(frame.length);
        if (frame.opcode === 1)
          this.#message(JSON.parse(frame.payload.toString()) as PlayerMessage & Record<string, unknown>);
        if (frame.opcode === 8) socket.end();
      }
    });
  }

  #message(message: (PlayerMessage & Record<string, unknown>) | { type: 'hello'; device_id?: string }): void {
    const now = Date.now();
    if (message.type === 'hello') return this.#hello(message.device_id !== undefined);
    if (message.type === 'clock') this.say({ type: 'clock', t0: message.t0, t1: now, t2: now });
    if (message.type === 'heartbeat') this.say({ type: 'heartbeat.ack', server_time: now });
    if (message.type === 'plays' && this.silent) return;
    if (message.type === 'plays') this.say({ type: 'plays.ack', through: message.first + message.plays.length - 1 });
    this.received.push(message as PlayerMessage & Record<string, unknown>);
    this.onMessage?.(message as PlayerMessage);
  }

  #hello(claimed: boolean): void {
    if (!claimed)
      this.say({ type: 'pairing', code: 'ABC234', expires_at: Date.now() + 900_000, server: this.identity });
    if (!claimed && !this.claims) return;
    if (!claimed) this.say({ type: 'paired', device_id: 'device-1', name: 'Window', workspace_id: 'ws' });
    this.say({
      type: 'welcome',
      device_id: 'device-1',
      name: 'Window',
      server_time: Date.now(),
      server: { ...this.identity, version: '0' },
    });
    this.#push();
  }

  #push(): void {
    if (this.#program && this.#socket)
      this.say({ type: 'program', url: `/p/${this.#program.id}`, ...this.#program } as ServerMessage);
  }

  #write(opcode: number, payload: Buffer): void {
    const { length } = payload;
    const head =
      length < 126
        ? Buffer.from([0x80 | opcode, length])
        : Buffer.from([0x80 | opcode, 126, length >> 8, length & 255]);
    this.#socket?.write(Buffer.concat([head, payload]));
  }
}

function frameOf(bytes: Buffer): { opcode: number; payload: Buffer; length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 127;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 6 + extended) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const start = 6 + extended;
  if (bytes.length < start + size) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + size).map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
  return { opcode: (bytes[0] ?? 0) & 15, payload, length: start + size };
}
