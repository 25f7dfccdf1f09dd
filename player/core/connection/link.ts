/**
 * The socket to the server: connects, sends hello, detects silence, and reconnects with jitter. Other parts handle the
 * messages.
 */
import { type Incoming, SaidOnce } from '../../../shared/protocol/incoming.ts';
import {
  CloseCode,
  type Hello,
  MAX_FRAME_BYTES,
  type PlayerMessage,
  readServerMessage,
  type ServerMessage,
  SUBPROTOCOL,
  type WaitingMessage,
} from '../../../shared/protocol/messages.ts';
import { messageOf, Stranger } from '../errors.ts';
import { jsonOrUndefined } from '../files/documents.ts';
import { type ConnectSocket, type Host, type LinkSocket, type ServerAddress, UNTRUSTED, type Undo } from '../ports.ts';
import { reconnectDelay } from './backoff.ts';

const CONNECT_MS = 10_000;
/**
 * The server answers clock exchanges every 8 to 12 s. After two missed answers the connection counts as lost, for
 * example after a pulled cable or an address change.
 */
const SILENT_MS = 25_000;
/**
 * Wait after two close codes: "replaced" (another copy of this device is connected) and "too fast" (the server limits
 * the rate). An immediate reconnect would only cause the same close.
 */
const LONG_WAIT_MS = 30_000;
/** Close code that this side sends for its own reasons. A client may use 1000 or 3000–4999 (WebSocket API). */
const CLOSE_LOCAL = 4000;

/** A message of a server that is newer than this player. */
export type NewerMessage = Extract<Incoming<ServerMessage>, { is: 'newer' }>;

interface Deps extends Pick<Host, 'crypto' | 'log' | 'time'> {
  readonly connect: ConnectSocket;
  /**
   * Returns the address for this attempt; null: no address yet (call {@link Link.addressChanged} when there is one).
   */
  readonly address: (attempt: number) => ServerAddress | null;
  /**
   * Checks the server. Resolves with the way to connect once the server may receive the hello. Rejects with Stranger
   * for a wrong server.
   */
  readonly check: (address: ServerAddress) => Promise<ServerAddress>;
  /** Called when a connection failed although the server had answered the check. */
  readonly unreached: (address: ServerAddress) => void;
  readonly hello: () => Hello;
  readonly opened: () => void;
  /** Called for each message. `at`: monotonic time at which the message arrived. */
  readonly message: (message: ServerMessage, at: number) => void;
  /** Called for a message with values that this player does not know. @default the message is only logged */
  readonly newer?: (message: NewerMessage) => void;
  readonly closed: () => void;
}

export class Link {
  readonly #deps: Deps;
  readonly #newer = new SaidOnce((what) =>
    this.#deps.log.warn('the server is newer than this player and says what it does not know', what),
  );
  #running = false;
  #attempt = 0;
  #socket: LinkSocket | undefined;
  /** The check before a connection; undefined when no check is running. */
  #check: Promise<ServerAddress> | undefined;
  #address: ServerAddress | null = null;
  #open = false;
  #cancelRetry: Undo | undefined;
  #cancelWatch: Undo | undefined;
  #minDelay = 0;
  /** The origin that could not be reached, so that each origin is logged once. */
  #unreachable: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = true;
    this.#connect();
  }

  stop(): void {
    this.#running = false;
    this.#check = undefined;
    this.#cancelRetry?.();
    this.drop('player stops', { code: 1000 });
  }

  /** The connected server, once the socket is open. */
  get address(): ServerAddress | null {
    return this.#open ? this.#address : null;
  }

  /** Returns false if there is no open socket. */
  send(message: PlayerMessage | WaitingMessage): boolean {
    if (!this.#open) return false;
    const text = JSON.stringify(message);
    // The UTF-8 length is between one and three times the number of UTF-16 units. Only a text near the limit is encoded
    // to be measured.
    if (text.length * 3 > MAX_FRAME_BYTES && new TextEncoder().encode(text).length > MAX_FRAME_BYTES) {
      this.#deps.log.error(`a ${message.type} message was too large to send`);
      return true;
    }
    this.#socket?.send(text);
    return true;
  }

  /**
   * Called when the address book has changed. An idle link connects at once; a connected link keeps its connection.
   */
  addressChanged(): void {
    if (!this.#running || this.#socket || this.#check) return;
    this.#cancelRetry?.();
    this.#connect();
  }

  /** The server accepted this player: the next interruption starts the backoff from the beginning. */
  settled(): void {
    this.#attempt = 0;
  }

  /** Closes the connection and reconnects after `minDelay` or later. */
  drop(reason: string, { code = CLOSE_LOCAL, minDelay = 0 }: { code?: number; minDelay?: number } = {}): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#minDelay = minDelay;
    // A lost peer does not answer a close frame for minutes, so the connection is ended here.
    this.#ended(code, reason);
    socket.close(code, reason);
  }

  #connect(): void {
    const address = this.#deps.address(this.#attempt);
    if (!address) return; // poke is called when there is an address
    this.#address = address;
    const check = this.#deps.check(address);
    this.#check = check;
    const current = () => {
      if (check !== this.#check) return false;
      this.#check = undefined;
      return true;
    };
    check.then(
      (checked) => current() && this.#dial(checked),
      (error: unknown) => current() && this.#refused(address, error),
    );
  }

  /** Handles a failed check: no server answered, or a wrong server. */
  #refused({ origin }: ServerAddress, error: unknown): void {
    if (error instanceof Stranger) {
      this.#deps.log.error(`the server at ${origin} is not talked to: ${messageOf(error)}`);
      this.#minDelay = LONG_WAIT_MS;
    } else {
      this.#sayUnreachable();
    }
    this.#retry();
  }

  #dial(address: ServerAddress): void {
    this.#address = address;
    const { origin, secure } = address;
    const url = `${(secure?.origin ?? origin).replace(/^http/, 'ws')}/api/player`;
    const own = () => socket === this.#socket;
    const events = {
      opened: () => own() && this.#opened(),
      text: (text: string) => own() && this.#text(text),
      closed: (code: number, reason: string) => own() && this.#ended(code, reason),
    };
    const socket = this.#deps.connect(url, SUBPROTOCOL, events, secure && { certificate: secure.certificate });
    this.#socket = socket;
    this.#watch(CONNECT_MS, 'no connection in 10 s');
  }

  #opened(): void {
    this.#open = true;
    this.#unreachable = undefined;
    this.#watch(SILENT_MS, 'server silent for 25 s');
    this.#socket?.send(JSON.stringify(this.#deps.hello()));
    this.#deps.opened();
  }

  #text(text: string): void {
    const at = this.#deps.time.mono();
    this.#watch(SILENT_MS, 'server silent for 25 s');
    const read = readServerMessage(jsonOrUndefined(text));
    if (read.is === 'message') return this.#deps.message(read.message, at);
    if (read.is !== 'malformed') {
      this.#newer.log(read.what);
      return read.is === 'newer' ? this.#deps.newer?.(read) : undefined;
    }
    this.#deps.log.error('malformed message from the server', read.what);
    this.drop('malformed message', { code: CloseCode.malformed });
  }

  #ended(code: number, reason: string): void {
    this.#socket = undefined;
    this.#cancelWatch?.();
    const wasOpen = this.#open;
    this.#open = false;
    if (code === CloseCode.replaced || code === CloseCode.tooFast) this.#minDelay = LONG_WAIT_MS;
    if (code === UNTRUSTED) {
      this.#deps.log.error(
        `who answers at ${this.#address?.secure?.origin} is not the server this screen belongs to: ${reason}`,
      );
      this.#minDelay = LONG_WAIT_MS;
    } else if (!wasOpen) {
      this.#sayUnreachable();
      if (this.#address) this.#deps.unreached(this.#address);
    }
    if (wasOpen) {
      this.#deps.log.info(`connection closed: ${code} ${reason}`.trim());
      this.#deps.closed();
    }
    this.#retry();
  }

  #sayUnreachable(): void {
    const origin = this.#address?.origin;
    if (origin !== this.#unreachable) this.#deps.log.info(`no answer from ${origin}; trying again`);
    this.#unreachable = origin;
  }

  #retry(): void {
    if (!this.#running) return;
    const delay = Math.max(
      reconnectDelay(this.#attempt, this.#deps.crypto.random()),
      this.#minDelay * (1 + this.#deps.crypto.random()),
    );
    this.#minDelay = 0;
    this.#attempt++;
    this.#cancelRetry = this.#deps.time.after(delay, () => this.#connect());
  }

  #watch(ms: number, reason: string): void {
    this.#cancelWatch?.();
    this.#cancelWatch = this.#deps.time.after(ms, () => this.drop(reason));
  }
}
