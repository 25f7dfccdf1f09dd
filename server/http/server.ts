/**
 * The HTTP server: `/api/` goes to the bound endpoints, everything else to express (pages and their files). Upgrades go to
 * whoever claims their path.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Api } from './api.ts';

export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The port cannot be had; the sentence says why and what to do. */
export class ListenError extends Error {}

export class HttpServer implements Lifecycle {
  readonly name = 'http';
  readonly #options: { readonly host: string; readonly port: number; readonly api: Api; readonly pages: RequestListener; readonly upgrades: ReadonlyMap<string, Upgrade> };
  readonly #server: Server;

  constructor(options: { host: string; port: number; api: Api; pages: RequestListener; upgrades: ReadonlyMap<string, Upgrade> }) {
    this.#options = options;
    // Uploads of gigabytes over a slow Wi-Fi take their time; a connection that sends nothing is closed by the headers and keep-alive limits.
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 20_000, keepAliveTimeout: 30_000, noDelay: true }, (req, res) => {
      if (req.url?.startsWith('/api/') && !req.url.startsWith('/api/docs')) void options.api.handle(req, res);
      else options.pages(req, res);
    });
    this.#server.on('upgrade', (req, socket, head) => this.#upgrade(req, socket, head));
    this.#server.on('clientError', (error, socket) => {
      if (socket.writable) socket.end(refusal((error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW'));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async start(): Promise<void> {
    const { host, port } = this.#options;
    await new Promise<void>((listening, failed) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => failed(new ListenError(sentence(error, host, port))));
      this.#server.listen(port, host, () => listening());
    });
  }

  /** Stops taking connections; running answers get a moment, then their connections are cut. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => this.#server.closeAllConnections(), 1500);
    await closed;
    clearTimeout(cut);
  }

  #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const path = (req.url ?? '').split('?')[0] ?? '';
    const claim = this.#options.upgrades.get(path);
    if (claim) claim(req, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  }
}

/** What no handler ever sees: a request that is no HTTP, or whose address and headers are beyond what node takes (16 KiB). */
const refusal = (tooLong: boolean): string => {
  const body = JSON.stringify({ error: tooLong ? 'The address and the headers are too long' : 'This is not a valid HTTP request' });
  return `HTTP/1.1 ${tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

const sentence = (error: NodeJS.ErrnoException, host: string, port: number): string => {
  if (error.code === 'EADDRINUSE') return `Port ${port} is in use by another program (perhaps another Vitrine). Stop it, or choose another port with --port.`;
  if (error.code === 'EACCES') return `This user may not listen on port ${port}. Choose a port above 1023 with --port.`;
  if (error.code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine. Use --host 0.0.0.0 for all of them.`;
  return `The server cannot listen on ${host}:${port}: ${error.message}`;
};
