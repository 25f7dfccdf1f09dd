/**
 * Accepts the connections of players (player protocol), and closes those that are silent, malformed or too fast. The
 * class SignIn identifies the player, and PlayerTalk then handles its messages.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { firstIssue, SaidOnce } from '../../../shared/protocol/incoming.ts';
import {
  CloseCode,
  MAX_FRAME_BYTES,
  type PlayerMessage,
  parseHello,
  readPlayerMessage,
  SILENCE_MS,
  SUBPROTOCOL,
  type WaitingMessage,
} from '../../../shared/protocol/messages.ts';
import type { ClientAddresses } from '../../http/hosts/client-address.ts';
import type { SameOrigin } from '../../http/hosts/same-origin.ts';
import { endRaw } from '../../http/limits/drain.ts';
import { crowdIn } from '../../kernel/json-shape.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Log } from '../../kernel/log.ts';
import { Tally } from '../state/tally.ts';
import type { Wheel } from '../wheel.ts';
import type { Claims } from './claims.ts';
import { BUSY, FLOOD, PlayerSocket } from './player-socket.ts';
import type { PlayerTalk } from './player-talk.ts';
import type { SignIn } from './sign-in.ts';

/** Time in milliseconds after which a connection without a valid message is closed. */
const HELLO_MS = 10_000;
/**
 * Rate limit: maximum number of messages per second, and number of consecutive seconds above this maximum after which
 * the connection is closed.
 */
const MAX_PER_SECOND = 50;
const MAX_HOT_SECONDS = 5;
/** Number of messages after which reading pauses for the rest of the second. */
const PAUSE_AT = 200;
/**
 * Messages of more than this many bytes are queued and parsed one after the other, with a time limit per turn of the
 * event loop.
 */
const LARGE_BYTES = 8_192;
const TURN_MS = 4;
/**
 * Limits for the JSON of a message: number of values, and depth. A message with the maximum of five hundred plays has
 * eight thousand values.
 */
const MOST_IN_A_MESSAGE = { values: 12_000, depth: 32 };
/**
 * Maximum number of connections that have not sent `hello`. A whole store that reconnects after a power cut stays far
 * below.
 */
const MAX_SILENT = 4_000;
const MAX_SILENT_PER_ADDRESS = 2_500;
/** Time in milliseconds after which a new connection may replace a connection that has not sent `hello`. */
const GRACE_MS = 1_000;
const SWEEP_MS = 1_000;
/** Interval in milliseconds of pings to waiting players, which need not send any message. */
const PROBE_MS = 30_000;
const STOP_MS = 1_200;

interface Deps {
  readonly wheel: Wheel;
  readonly signIn: SignIn;
  readonly talk: PlayerTalk;
  readonly claims: Claims;
  readonly log: Log;
  readonly addresses: ClientAddresses;
  readonly sameOrigin: SameOrigin;
}

export class PlayerGateway implements Lifecycle {
  readonly name = 'player sockets';
  readonly #deps: Deps;
  readonly #server: WebSocketServer;
  readonly #sockets = new Set<PlayerSocket>();
  /** Connections that have not sent `hello`, the oldest first. */
  readonly #silent = new Set<PlayerSocket>();
  readonly #silentPerAddress = new Tally();
  readonly #newer = new SaidOnce((what) =>
    this.#deps.log.warn('A player is newer than this server and says what it does not know', { what }),
  );
  readonly #later: { readonly socket: PlayerSocket; readonly data: Buffer; readonly isBinary: boolean }[] = [];
  #stopping = false;
  #probedAt = 0;
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#server = new WebSocketServer({
      noServer: true,
      WebSocket: PlayerSocket,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
      clientTracking: false,
      closeTimeout: 2_000,
      handleProtocols: () => SUBPROTOCOL,
    } as ServerOptions);
  }

  start(): void {
    this.#undo = [this.#deps.wheel.every(SWEEP_MS, () => this.#sweep())];
  }

  /**
   * Closes all connections with 1001, waits a moment for the closing handshakes, and destroys the remaining
   * connections.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const undo of this.#undo.splice(0)) undo();
    for (const socket of this.#sockets) socket.end(CloseCode.serverStops, 'the server stops');
    const until = performance.now() + STOP_MS;
    while (this.#sockets.size > 0 && performance.now() < until) await new Promise((next) => setTimeout(next, 10));
    for (const socket of this.#sockets) socket.terminate();
  }

  /** Handles an upgrade from HTTP. */
  readonly upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const ip = this.#deps.addresses.of(req);
    const offered = (req.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    if (this.#stopping || !this.#makeRoom(ip)) return endRaw(socket, '503 Service Unavailable');
    // Checks the origin, because a web page of another site must not pose as a player.
    if (!this.#deps.sameOrigin.includes(req)) return endRaw(socket, '403 Forbidden');
    if (!offered.includes(SUBPROTOCOL))
      return endRaw(socket, '400 Bad Request', `Sec-WebSocket-Protocol: ${SUBPROTOCOL} is needed here`);
    this.#server.handleUpgrade(req, socket, head, (player: WebSocket) => {
      (player as PlayerSocket).shownAs = this.#deps.addresses.shownOf(req);
      this.#opened(player as PlayerSocket, socket, ip);
    });
  };

  #opened(socket: PlayerSocket, wire: Duplex, ip: string): void {
    socket.wire = wire;
    socket.ip = ip;
    socket.heardAt = socket.secondStart = this.#deps.wheel.now();
    this.#sockets.add(socket);
    this.#silent.add(socket);
    this.#silentPerAddress.add(ip);
    // Listeners that all sockets share. Own listeners per socket would be a tenth of the cost of a connection.
    socket.on('message', this.#onMessage);
    socket.on('close', this.#onClose);
    socket.on('error', ignore);
  }

  readonly #onMessage = onSocket((socket, data: Buffer, isBinary: boolean) => {
    if (socket.phase === 'ended' || this.#tooFast(socket)) return;
    if (socket.phase === 'running' && data.length > LARGE_BYTES) return this.#hearLater(socket, data, isBinary);
    this.#hearSafely(socket, data, isBinary);
  });

  #hearSafely(socket: PlayerSocket, data: Buffer, isBinary: boolean): void {
    try {
      this.#hear(socket, data, isBinary);
    } catch (error) {
      this.#deps.log.error('A message of a player could not be handled', { error, device: socket.deviceId });
      socket.end(1011, 'the server failed; come back');
    }
  }

  /**
   * Queues a large message and pauses reading from its sender: hundreds of players with many stored plays must not
   * delay all other work.
   */
  #hearLater(socket: PlayerSocket, data: Buffer, isBinary: boolean): void {
    socket.pauseReading(BUSY);
    this.#later.push({ socket, data, isBinary });
    if (this.#later.length === 1) setImmediate(() => this.#hearLarge());
  }

  #hearLarge(): void {
    const until = performance.now() + TURN_MS;
    do {
      const { socket, data, isBinary } = this.#later.shift()!;
      if (socket.phase !== 'ended') this.#hearSafely(socket, data, isBinary);
      socket.release(BUSY);
    } while (this.#later.length > 0 && performance.now() < until);
    if (this.#later.length > 0) setImmediate(() => this.#hearLarge());
  }

  readonly #onClose = onSocket((socket) => {
    this.#sockets.delete(socket);
    this.#noLongerSilent(socket);
    this.#deps.claims.left(socket);
    this.#deps.signIn.left(socket);
    socket.phase = 'ended';
  });

  #hear(socket: PlayerSocket, data: Buffer, isBinary: boolean): void {
    const crowd = data.length > LARGE_BYTES ? crowdIn(data, MOST_IN_A_MESSAGE) : undefined;
    if (crowd) return socket.end(CloseCode.malformed, `malformed: the message ${crowd}`);
    const message = isBinary ? undefined : jsonOrUndefined(data);
    if (message === undefined) return socket.end(CloseCode.malformed, isBinary ? 'text frames only' : 'not JSON');
    // Validates the message `clock` only partly: it is the most frequent message, and its answer must not be delayed.
    if (
      message.type === 'clock' &&
      Number.isFinite(message.t0) &&
      (socket.phase === 'running' || socket.phase === 'waiting')
    ) {
      socket.heardAt = this.#deps.wheel.now();
      return this.#deps.talk.clock(socket, message.t0 as number);
    }
    if (message.type === 'hello') return this.#hello(socket, message);
    const read = readPlayerMessage(message);
    if (read.is === 'malformed') return socket.end(CloseCode.malformed, `malformed: ${read.what}`);
    if (socket.phase !== 'silent') socket.heardAt = this.#deps.wheel.now();
    if (read.is !== 'message') return this.#newer.log(read.what);
    this.#heard(socket, read.message);
  }

  #heard(socket: PlayerSocket, message: PlayerMessage | WaitingMessage): void {
    const { phase } = socket;
    if (phase === 'held') return;
    if (phase === 'silent') return socket.end(CloseCode.notPaired, 'say hello first');
    if (phase === 'waiting' && isOfWaiting(message)) return this.#waits(socket, message);
    if (phase !== 'running') return socket.end(CloseCode.notPaired, `${message.type} before it is paired`);
    if (message.type === 'claim.share' || message.type === 'claim.result')
      return socket.end(CloseCode.malformed, `${message.type} after it is paired`);
    this.#deps.talk.receive(socket, message);
  }

  #waits(socket: PlayerSocket, message: WaitingMessage): void {
    if (message.type === 'clock') return this.#deps.talk.clock(socket, message.t0);
    if (message.type === 'heartbeat') return this.#deps.talk.acknowledge(socket);
    this.#deps.claims.receive(socket, message);
  }

  #hello(socket: PlayerSocket, message: object): void {
    const parsed = parseHello(message);
    if (!parsed.success) return socket.end(CloseCode.malformed, `malformed: ${firstIssue(parsed.error)}`);
    if (socket.phase !== 'silent') return socket.end(CloseCode.malformed, 'hello comes once');
    this.#noLongerSilent(socket);
    socket.heardAt = this.#deps.wheel.now();
    this.#deps.signIn.hello(socket, parsed.data);
  }

  /**
   * Returns whether another connection is allowed. To make room, it may close a connection that has not sent `hello`.
   */
  #makeRoom(ip: string): boolean {
    const isFull = this.#silentPerAddress.of(ip) >= MAX_SILENT_PER_ADDRESS;
    if (!isFull && this.#silent.size < MAX_SILENT) return true;
    for (const silent of this.#silent) {
      if (this.#deps.wheel.now() - silent.heardAt < GRACE_MS) return false;
      if (isFull && silent.ip !== ip) continue;
      this.#noLongerSilent(silent);
      silent.terminate();
      return true;
    }
    return false;
  }

  #noLongerSilent(socket: PlayerSocket): void {
    if (this.#silent.delete(socket)) this.#silentPerAddress.remove(socket.ip);
  }

  #tooFast(socket: PlayerSocket): boolean {
    const now = this.#deps.wheel.now();
    const elapsed = now - socket.secondStart;
    if (elapsed >= 1_000) {
      // The second in which messages are counted ends only when the socket is read again, not while reading is paused.
      const hot = socket.inSecond >= PAUSE_AT || (socket.inSecond > MAX_PER_SECOND && elapsed < 2_000);
      socket.hotSeconds = hot ? socket.hotSeconds + 1 : 0;
      socket.secondStart = now;
      socket.inSecond = 0;
      if (socket.hotSeconds >= MAX_HOT_SECONDS) {
        socket.end(CloseCode.tooFast, `more than ${MAX_PER_SECOND} messages a second`);
        return true;
      }
    }
    if (++socket.inSecond >= PAUSE_AT && !socket.isPausedFor(FLOOD)) {
      socket.pauseReading(FLOOD);
      this.#deps.wheel.after(1_000 - (now - socket.secondStart), () => socket.release(FLOOD));
    }
    return false;
  }

  #sweep(): void {
    const now = this.#deps.wheel.now();
    const probe = now - this.#probedAt >= PROBE_MS;
    if (probe) this.#probedAt = now;
    for (const socket of this.#sockets) {
      const quiet = now - socket.heardAt;
      if (socket.phase === 'silent' && quiet >= HELLO_MS) socket.end(CloseCode.saidNothing, 'nothing said for 10 s');
      else if (socket.phase === 'running' && quiet >= SILENCE_MS) this.#silenced(socket);
      else if (socket.phase === 'waiting' && probe) probeOrCut(socket);
    }
    this.#deps.signIn.sweep();
  }

  #silenced(socket: PlayerSocket): void {
    this.#deps.signIn.silent(socket);
    socket.end(CloseCode.saidNothing, 'nothing said for 45 s');
  }
}

const ignore = (): void => {};

/** Returns a listener that gets its socket from `this`, so that one function serves all sockets. */
const onSocket = <A extends unknown[]>(listen: (socket: PlayerSocket, ...args: A) => void) =>
  function (this: WebSocket, ...args: A): void {
    listen(this as PlayerSocket, ...args);
  };

const probeOrCut = (socket: PlayerSocket): void => {
  if (socket.unanswered) return socket.terminate();
  socket.unanswered = true;
  socket.once(
    'pong',
    onSocket((alive) => void (alive.unanswered = false)),
  );
  socket.ping();
};

const jsonOrUndefined = (data: Buffer): { type?: unknown; t0?: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

const isOfWaiting = (message: PlayerMessage | WaitingMessage): message is WaitingMessage =>
  /^(clock|heartbeat|claim\..*)$/.test(message.type);
