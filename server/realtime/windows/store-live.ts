/**
 * WebSocket of a store's admin window that is opened at headquarters. Forwards the store's messages to the window. The
 * window's credential is not sent to the store.
 */
import type { Agent, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { visitorHeader } from '../../../shared/chain/tunnel.ts';
import type { Visitor } from '../../../shared/chain/wire.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { LiveClientMessage } from '../../../shared/protocol/live.ts';
import { CloseCode } from '../../../shared/protocol/messages.ts';
import type { SameOrigin } from '../../http/hosts/same-origin.ts';
import { endRaw } from '../../http/limits/drain.ts';
import type { Bus } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { windowSockets } from './window-sockets.ts';

/** Maximum number of open admin windows of stores. */
const MAX_WINDOWS = 500;
/** Time in milliseconds after which a window without the message `auth` is closed. */
const AUTH_MS = 5_000;
/**
 * Maximum number of bytes that a window has not read: a window with more is disconnected. No message of a store is
 * larger.
 */
const MAX_UNREAD = 1024 * 1024;
/**
 * Interval in milliseconds at which the sessions of windows are checked, because a session may expire or be revoked.
 */
const RECHECK_MS = 300_000;

interface Window {
  readonly socket: WebSocket;
  readonly ip: string;
  readonly ref: string;
  token: string;
  store: WebSocket | undefined;
}

interface StoreRef {
  readonly id: number;
}

interface Deps {
  readonly bus: Bus;
  /** @param ref id of a store @throws ApiError 401, 403, 404, 503 */
  readonly admit: (actor: Actor, ref: string) => { readonly store: StoreRef; readonly visitor: Visitor };
  readonly agentOf: (store: StoreRef) => Agent;
  /** @throws ApiError 401 */
  readonly actor: (credential: string, ip: string) => Actor;
  readonly addressOf: (req: IncomingMessage) => string;
  readonly sameOrigin: SameOrigin;
}

export class StoreLive implements Lifecycle {
  readonly name = 'live sockets of stores';
  readonly #deps: Deps;
  readonly #server = windowSockets();
  readonly #windows = new Set<Window>();
  #undo = (): void => {};
  #every: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#undo = this.#deps.bus.on('accountsChanged', () => this.recheck());
    this.#every = setInterval(() => this.recheck(), RECHECK_MS).unref();
  }

  stop(): void {
    this.#undo();
    clearInterval(this.#every);
    for (const { socket } of this.#windows) socket.close(CloseCode.serverStops, 'the server stops');
    for (const { socket } of this.#windows) socket.terminate();
  }

  readonly upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (this.#windows.size >= MAX_WINDOWS) return endRaw(socket, '503 Service Unavailable');
    // Checks the origin, because a page of another site must not use the credential of this browser.
    if (!this.#deps.sameOrigin.includes(req)) return endRaw(socket, '403 Forbidden');
    const ref = new URL(req.url ?? '/', 'http://headquarters').searchParams.get('store') ?? '';
    const ip = this.#deps.addressOf(req);
    this.#server.handleUpgrade(req, socket, head, (ws) =>
      this.#opened({ socket: ws, ip, ref, token: '', store: undefined }),
    );
  };

  /** Closes connections of windows whose users have lost access. */
  recheck(): void {
    for (const window of [...this.#windows]) {
      if (window.token === '') continue;
      try {
        this.#admit(window);
      } catch (error) {
        end(window, ...farewellFor(error));
      }
    }
  }

  #opened(window: Window): void {
    const { socket } = window;
    this.#windows.add(window);
    const late = setTimeout(() => end(window, CloseCode.saidNothing, 'no auth for 5 s'), AUTH_MS).unref();
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(late);
      this.#windows.delete(window);
      window.store?.terminate();
    });
    socket.on('message', (data: Buffer) => {
      const message = said(data);
      if (!message) return end(window, CloseCode.malformed, 'malformed message');
      if (message.type !== 'auth') {
        if (window.store?.readyState === WebSocket.OPEN) window.store.send(JSON.stringify(message));
        return;
      }
      clearTimeout(late);
      if (window.token !== '') return end(window, CloseCode.malformed, 'auth is said once');
      window.token = message.token;
      this.#join(window);
    });
  }

  /** @throws ApiError */
  #admit({ token, ip, ref }: Window): ReturnType<Deps['admit']> {
    const { actor, admit } = this.#deps;
    return admit(actor(token, ip), ref);
  }

  #join(window: Window): void {
    const { socket } = window;
    let admitted: ReturnType<Deps['admit']>;
    try {
      admitted = this.#admit(window);
    } catch (error) {
      return end(window, ...farewellFor(error));
    }
    const { store, visitor } = admitted;
    const far = new WebSocket('ws://store/api/live', {
      agent: this.#deps.agentOf(store),
      headers: visitorHeader(visitor),
      maxPayload: MAX_UNREAD,
      perMessageDeflate: false,
      handshakeTimeout: 20_000,
    });
    window.store = far;
    far.once('open', () => far.send(JSON.stringify({ type: 'auth', token: 'headquarters' })));
    far.on('message', (data: Buffer) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > MAX_UNREAD) return socket.terminate();
      socket.send(data.toString());
    });
    far.on('error', () => {});
    far.once('close', () => end(window, CloseCode.serverStops, 'the store is away'));
  }
}

const end = ({ socket, store }: Window, code: number, reason: string): void => {
  store?.terminate();
  socket.close(code, reason);
};

/**
 * Returns the close code and reason. Only a 401 is reported as "not signed in". An unreachable store will be reachable
 * again, so the window retries.
 */
const farewellFor = (error: unknown): [code: number, reason: string] =>
  error instanceof ApiError && error.status === 401
    ? [CloseCode.notPaired, 'not signed in']
    : [CloseCode.serverStops, 'the store is away'];

const said = (data: Buffer): LiveClientMessage | undefined => {
  try {
    return LiveClientMessage.safeParse(JSON.parse(data.toString())).data;
  } catch {
    return undefined;
  }
};
