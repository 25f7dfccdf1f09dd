/**
 * The HTTP server. `/api/` goes to the bound endpoints, everything else to express (pages and their files). Upgrades go
 * to the handler of their path.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { TUNNEL_PROTOCOL } from '../../shared/chain/tunnel.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Api } from './api.ts';
import type { KnownHosts } from './hosts/known-hosts.ts';
import { refusedUpgrade, refuseHost } from './hosts/unknown-host.ts';
import { endRaw, endWhenRead } from './limits/drain.ts';

export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Error: the port cannot be opened. The message says why and what to do. */
export class ListenError extends Error {}

/** Handlers that answer requests, shared by all ports. */
export interface Answering {
  readonly hosts: Pick<KnownHosts, 'refusal'>;
  readonly api: Pick<Api, 'handle'>;
  readonly pages: RequestListener;
  readonly upgrades: ReadonlyMap<string, Upgrade>;
  /** Time in milliseconds after which an idle connection is closed. */
  readonly idleMs?: number;
}

/**
 * Timeouts of the server. A whole request has no limit, because uploads of gigabytes over slow Wi-Fi take long; a pause
 * within the request has a limit ({@link answerAll}). TCP keep-alive detects peers that vanish while they are answered.
 */
const PATIENCE = {
  requestTimeout: 0,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
} as const;

const IDLE_MS = 30_000;

/**
 * Maximum pause within a body in milliseconds. A client that sends nothing for longer is gone: a sleeping laptop, a
 * device out of reach.
 */
const SILENCE_MS = 60_000;

/**
 * Returns the options for HTTP and HTTPS servers. An offer of another protocol (HTTP/2, by some clients with every
 * request) is ignored, as HTTP specifies.
 */
export const serverOptions = ({ upgrades, idleMs = IDLE_MS }: Pick<Answering, 'upgrades' | 'idleMs'>) => ({
  ...PATIENCE,
  keepAliveTimeout: idleMs,
  shouldUpgradeCallback: (req: IncomingMessage): boolean =>
    PROTOCOLS.has(req.headers.upgrade?.toLowerCase() ?? '') && upgrades.has(pathOf(req)),
});

/** Values of the header `Upgrade` that our clients send. The handler of each path checks for its own value. */
const PROTOCOLS: ReadonlySet<string> = new Set(['websocket', TUNNEL_PROTOCOL]);

const pathOf = (req: IncomingMessage): string => (req.url ?? '').split('?')[0] ?? '';

/**
 * Attaches the handlers to an HTTP or HTTPS server. A request whose body pauses for more than `silenceMs` milliseconds
 * is cut off.
 */
export const answerAll = (server: Server, { hosts, api, pages, upgrades }: Answering, silenceMs = SILENCE_MS): void => {
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    if (hasBody(req)) {
      const { socket } = req;
      // The timeout event has no listener, so Node destroys the socket. Handlers see this as a disconnected client.
      socket.setTimeout(silenceMs);
      // Once the body has arrived, processing has no time limit. If the request was answered before its end, Node's
      // limit for idle connections applies instead.
      req.once('end', () => {
        if (!res.writableEnded) socket.setTimeout(0);
      });
      endWhenRead(req, res);
    }
    const refusal = hosts.refusal(req);
    if (refusal) return refuseHost(req, res, refusal);
    if (req.url?.startsWith('/api/') && !req.url.startsWith('/api/docs')) void api.handle(req, res);
    else pages(req, res);
  });
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = hosts.refusal(req);
    if (refusal) {
      const { status, body, type } = refusedUpgrade(refusal);
      return endRaw(socket, status, body, type);
    }
    const claim = upgrades.get(pathOf(req));
    if (claim) claim(req, socket, head);
    else endRaw(socket, '404 Not Found');
  });
  server.on('clientError', (error, socket) => {
    const tooLong = (error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW';
    const body = JSON.stringify({
      error: tooLong ? 'The address and the headers are too long' : 'This is not a valid HTTP request',
    });
    // Answers requests that never reach a handler: invalid HTTP, or an address and headers longer than Node's limit (16
    // KiB).
    endRaw(socket, tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request', body, 'application/json');
  });
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Maximum number of connections that wait to be accepted. After a power cut thousands of screens connect at once, and a
 * rejected connection retries only after a second. Operating systems have their own limit; the limit of Linux is 4,096.
 */
const BACKLOG = 4_096;

/** Resolves when the server accepts connections. @throws ListenError */
export const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((listening, failed) => {
    const onError = (error: NodeJS.ErrnoException) => failed(new ListenError(sentence(error, host, port)));
    server.once('error', onError);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', onError);
      listening();
    });
  });

/** Stops accepting connections. Running answers get 1.5 s, then their connections are cut. */
export const closeGently = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), 1500);
  await closed;
  clearTimeout(cut);
};

interface Deps {
  readonly host: string;
  readonly port: number;
}

export class HttpServer implements Lifecycle {
  readonly name = 'http';
  readonly #deps: Deps;
  #server: Server | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get port(): number {
    return (this.#server!.address() as AddressInfo).port;
  }

  /** Sets the handlers. Must be called before `start`. */
  answer(answering: Answering): void {
    this.#server = createServer(serverOptions(answering));
    answerAll(this.#server, answering);
  }

  start(): Promise<void> {
    return listen(this.#server!, this.#deps.host, this.#deps.port);
  }

  stop(): Promise<void> {
    return closeGently(this.#server!);
  }
}

const sentence = (error: NodeJS.ErrnoException, host: string, port: number): string => {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is in use by another program (perhaps another Vitrine). Stop it, or choose another port with --port.`;
  if (error.code === 'EACCES') return `This user may not listen on port ${port}. Choose a port above 1023 with --port.`;
  if (error.code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine. Use --host 0.0.0.0 for all of them.`;
  return `The server cannot listen on ${host}:${port}: ${error.message}`;
};
