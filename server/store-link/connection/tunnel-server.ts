/**
 * Answers requests of headquarters through a tunnel with the store's own API and the rules of this API. Each request
 * gets the credential of the visitor that it names; its other credentials are ignored.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { TICKETED, VISITOR_HEADER } from '../../../shared/chain/tunnel.ts';
import { Visitor } from '../../../shared/chain/wire.ts';
import { type Answering, answerAll, serverOptions } from '../../http/server.ts';
import type { Visitors } from '../membership/visitors.ts';
import { DownlinkRefused } from './requests.ts';

/** Path of the WebSocket of the admin window, which is the only socket that headquarters may open. */
const LIVE = '/api/live';

export interface TunnelServer {
  /** Answers requests on a connection until it ends. */
  accept(socket: Duplex): void;
  close(): void;
}

export const createTunnelServer = ({
  workspaceId,
  answering: { api, upgrades },
  visitors,
}: {
  readonly workspaceId: string;
  readonly answering: Pick<Answering, 'api' | 'upgrades'>;
  readonly visitors: Pick<Visitors, 'enter'>;
}): TunnelServer => {
  const live = upgrades.get(LIVE);
  const answering: Answering = {
    hosts: { refusal: () => undefined },
    api: {
      handle: async (req, res) => {
        const refused = admit(req);
        if (refused === undefined) return api.handle(req, res);
        const body = JSON.stringify({ error: refused });
        res.writeHead(403, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
      },
    },
    pages: (_req, res) => void res.writeHead(404).end(),
    upgrades: new Map(
      live && [[LIVE, (req, socket, head) => (admit(req) === undefined ? live(req, socket, head) : socket.destroy())]],
    ),
  };
  /** Returns the reason to refuse a request; undefined: the request is allowed. */
  const admit = (req: IncomingMessage): string | undefined => {
    // Refuses sign-in and account changes, so that a dishonest headquarters cannot guess passwords of this store.
    if (isOwn(req))
      return 'Accounts and passwords of this store are changed in the store itself, not from headquarters.';
    // Allows the request without a visitor: the store itself issued the ticket, which opens only this file.
    if (req.headers[VISITOR_HEADER] === undefined && req.method === 'GET' && TICKETED.test(req.url ?? '')) {
      req.headers.authorization = undefined;
      return undefined;
    }
    const visitor = visitorIn(req);
    if (!visitor) return 'The request from headquarters does not name the person.';
    try {
      req.headers.authorization = `Bearer ${visitors.enter(workspaceId, visitor)}`;
      return undefined;
    } catch (error) {
      if (error instanceof DownlinkRefused) return error.message;
      throw error;
    }
  };
  const server = createServer(serverOptions(answering));
  answerAll(server, answering);
  const sockets = new Set<Duplex>();
  return {
    accept: (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      server.emit('connection', socket);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** Paths that are closed to visitors: sign-in, account changes, and requests of players. */
const isOwn = ({ url = '', method }: IncomingMessage): boolean =>
  /^\/api\/player\//.test(url) || (/^\/api\/auth\//.test(url) && method !== 'GET' && method !== 'HEAD');

const visitorIn = ({ headers }: IncomingMessage): Visitor | undefined => {
  const said = headers[VISITOR_HEADER];
  if (typeof said !== 'string') return undefined;
  try {
    return Visitor.safeParse(JSON.parse(decodeURIComponent(said))).data;
  } catch {
    return undefined;
  }
};
