/**
 * The HTTP server: `/api/` goes to the bound endpoints, everything else to express (pages and their files). Upgrades
 * go to whoever claims their path.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { TUNNEL_PROTOCOL } from '../../shared/chain/tunnel.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Api } from './api.ts';
import { endRaw, endWhenRead } from './drain.ts';
import type { KnownHosts } from './known-hosts.ts';
import { refusedUpgrade, refuseHost } from './unknown-host.ts';

export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Says that the port cannot be had; the sentence tells why and what to do. */
export class ListenError extends Error {}

/** What answers, on however many ports. */
export interface Answering {
  readonly hosts: Pick<KnownHosts, 'refusal'>;
  readonly api: Pick<Api, 'handle'>;
  readonly pages: RequestListener;
  readonly upgrades: ReadonlyMap<string, Upgrade>;
  /** So long connections stay on which nothing is asked, in milliseconds. */
  readonly idleMs?: number;
}

/**
 * Sets how patient a server is. Uploads of gigabytes over a slow Wi-Fi take their time, so the whole of a request has
 * no limit; its silence has ({@link answerAll}). The system's probes find peers that vanish while they are answered.
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
 * A client that has announced a body and sends none of it for this long is gone: a laptop that sleeps, a stick out of
 * reach.
 */
const SILENCE_MS = 60_000;

/**
 * Returns what node's servers, of HTTP and HTTPS, are made with. An offer to speak another protocol (HTTP/2, by some
 * clients with every request) is passed over, as HTTP has it.
 */
export const serverOptions = ({ upgrades, idleMs = IDLE_MS }: Pick<Answering, 'upgrades' | 'idleMs'>) => ({
  ...PATIENCE,
  keepAliveTimeout: idleMs,
  shouldUpgradeCallback: (req: IncomingMessage): boolean =>
    PROTOCOLS.has(req.headers.upgrade?.toLowerCase() ?? '') && upgrades.has(pathOf(req)),
});

/** What our own clients ask for; each claim looks whether it is its own. */
const PROTOCOLS: ReadonlySet<string> = new Set(['websocket', TUNNEL_PROTOCOL]);

const pathOf = (req: IncomingMessage): string => (req.url ?? '').split('?')[0] ?? '';

/**
 * Lets a server, of HTTP or HTTPS, give our answers. A request whose body stays away for `silenceMs` milliseconds is
 * cut off.
 */
export const answerAll = (server: Server, { hosts, api, pages, upgrades }: Answering, silenceMs = SILENCE_MS): void => {
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    if (hasBody(req)) {
      const { socket } = req;
      // Nobody listens for the time-out, so node destroys the socket then, as if the client had.
      socket.setTimeout(silenceMs);
      // What has come is worked on for as long as that takes. If it was answered before it was read, node's own limit
      // for idle connections counts by now.
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
    // No handler ever sees these: a request that is no HTTP, or whose address and headers are beyond what node takes
    // (16 KiB).
    endRaw(socket, tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request', body, 'application/json');
  });
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Connections that the system keeps until they are taken. Thousands of screens come at once after a power cut; whoever
 * finds no place tries again only a second later. Systems have a limit of their own, Linux 4,096.
 */
const BACKLOG = 4_096;

/** Resolves when it takes connections. @throws ListenError */
export const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((listening, failed) => {
    const onError = (error: NodeJS.ErrnoException) => failed(new ListenError(sentence(error, host, port)));
    server.once('error', onError);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', onError);
      listening();
    });
  });

/** Stops taking connections. Running answers get a moment, then their connections are cut. */
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

  /** Says who answers. To be called before it starts. */
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
