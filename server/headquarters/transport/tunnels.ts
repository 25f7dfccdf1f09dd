/**
 * Tunnels: connections that stores open so that headquarters can send requests to them. Headquarters asks for a tunnel
 * with an id, and the store connects with this id.
 */
import { randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { TUNNEL_PROTOCOL } from '../../../shared/chain/tunnel.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { Refused } from '../stores/refused.ts';
import { type Downlink, NotDone } from './downlink.ts';
import type { Sessions } from './sessions.ts';

/**
 * Maximum number of tunnels per store: as many connections as a browser would open, and some for long requests
 * (files, WebSocket of the admin window).
 */
const MAX_OF_ONE = 24;
/** Maximum number of tunnels over all stores. */
const MAX_TUNNELS = 2_000;
const PATIENCE_MS = 15_000;
/** Time in milliseconds after which an unused connection is closed. */
const IDLE_MS = 30_000;

interface Awaited {
  readonly store: number;
  readonly came: (socket: Duplex) => void;
}

interface Deps {
  readonly downlink: Pick<Downlink, 'request'>;
  readonly sessions: Pick<Sessions, 'of'>;
}

export class Tunnels implements Lifecycle {
  readonly name = 'tunnels';
  readonly #deps: Deps;
  readonly #awaited = new Map<string, Awaited>();
  readonly #agents = new Map<number, TunnelAgent>();
  /** Number of open and requested tunnels, by store. */
  readonly #counts = new Map<number, number>();
  #all = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns an agent that sends HTTP requests to the store. */
  agentOf(store: Pick<KnownStore, 'id'>): Agent {
    const known = this.#agents.get(store.id) ?? new TunnelAgent(() => this.#open(store));
    this.#agents.set(store.id, known);
    return known;
  }

  /** Accepts the connection of a store. @throws Refused */
  claim(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const store = this.#deps.sessions.of(req.headers.authorization);
    const id = new URL(req.url ?? '/', 'http://store').searchParams.get('id') ?? '';
    const awaited = this.#awaited.get(id);
    if (!awaited || awaited.store !== store.id)
      throw new Refused('bad_request', 404, 'Headquarters no longer waits for this connection.');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${TUNNEL_PROTOCOL}\r\n\r\n`);
    if (head.length > 0) socket.unshift(head);
    awaited.came(socket);
  }

  /** Closes the tunnels of a store whose server was removed or replaced. */
  close({ id }: Pick<KnownStore, 'id'>): void {
    this.#agents.get(id)?.destroy();
    this.#agents.delete(id);
  }

  start(): void {}

  stop(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  /** @throws NotDone */
  async #open(store: Pick<KnownStore, 'id'>): Promise<Duplex> {
    const before = this.#counts.get(store.id) ?? 0;
    if (before >= MAX_OF_ONE || this.#all >= MAX_TUNNELS)
      throw new NotDone('busy', 'Too many windows of stores are open at headquarters. Close some, then try again.');
    this.#count(store, 1);
    try {
      const socket = await this.#await(store);
      socket.once('close', () => this.#count(store, -1));
      socket.on('error', () => socket.destroy());
      return socket;
    } catch (error) {
      this.#count(store, -1);
      throw error;
    }
  }

  async #await(store: Pick<KnownStore, 'id'>): Promise<Duplex> {
    const tunnel = randomBytes(16).toString('hex');
    let late: NodeJS.Timeout | undefined;
    const coming = new Promise<Duplex>((came, failed) => {
      this.#awaited.set(tunnel, { store: store.id, came });
      late = setTimeout(
        () => failed(new NotDone('silent', 'The store did not open its window in time. Try again.')),
        PATIENCE_MS,
      ).unref();
    });
    coming.catch(() => {});
    try {
      // Waits for the store's answer. A store that cannot connect answers with an error at once; otherwise, it answers
      // when the connection is open.
      const asked = this.#deps.downlink.request(store, 'open', { tunnel }, PATIENCE_MS);
      return await Promise.race([coming, asked.then(() => coming)]);
    } finally {
      clearTimeout(late);
      this.#awaited.delete(tunnel);
    }
  }

  #count({ id }: Pick<KnownStore, 'id'>, by: 1 | -1): void {
    const now = (this.#counts.get(id) ?? 0) + by;
    if (now > 0) this.#counts.set(id, now);
    else this.#counts.delete(id);
    this.#all += by;
  }
}

type Created = (error: Error | null, socket?: Duplex) => void;

class TunnelAgent extends Agent {
  readonly #open: () => Promise<Duplex>;

  constructor(open: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets: MAX_OF_ONE, maxFreeSockets: 6, timeout: IDLE_MS });
    this.#open = open;
  }

  override createConnection(_options: object, created: unknown): undefined {
    this.#open().then(
      (socket) => (created as Created)(null, socket),
      (error: Error) => (created as Created)(error),
    );
  }
}
