/**
 * `/api/live` for admin windows (shared/protocol/live.ts): a WebSocket that notifies admin windows of changed records
 * and sends patches of fast-changing state. Each window gets only data of its own workspace, as long as its credential
 * is valid. A window that does not read is disconnected.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import {
  type DevicePatch,
  LiveClientMessage,
  type LiveServerMessage,
  type Topic,
} from '../../../shared/protocol/live.ts';
import { CloseCode } from '../../../shared/protocol/messages.ts';
import { bearer } from '../../http/credentials.ts';
import type { ClientAddresses } from '../../http/hosts/client-address.ts';
import type { SameOrigin } from '../../http/hosts/same-origin.ts';
import { endRaw } from '../../http/limits/drain.ts';
import type { Bus, Change } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { LiveRegistry } from '../state/live-registry.ts';
import { Tally } from '../state/tally.ts';
import type { Wheel } from '../wheel.ts';
import { windowSockets } from './window-sockets.ts';

/** Maximum number of connections of signed-in admin windows. */
const MAX_WINDOWS = 1_000;
/** Maximum number of windows per account, including forgotten tabs on several computers. */
const MAX_PER_USER = 50;
/**
 * Maximum number of connections per address, including connections that have not signed in. Enough for an office behind
 * one address, and far below the total, so that no client can shut out all others.
 */
const MAX_PER_ADDRESS = 250;
/**
 * Maximum number of sockets that have not signed in. They have a separate limit. An admin window signs in within
 * milliseconds.
 */
const MAX_STRANGERS = 200;
const MAX_STRANGERS_PER_ADDRESS = 20;
/** Time in milliseconds after which a new socket may replace a socket that has not signed in. */
const GRACE_MS = 1_000;
/** Maximum number of bytes that a window has not read. A window with more is disconnected. */
const MAX_UNREAD = 1024 * 1024;
/** Time in milliseconds after which a socket that has not signed in is closed. */
const AUTH_MS = 5_000;
const PROBE_MS = 30_000;
/**
 * Interval in milliseconds at which the sessions of windows are checked, because a session may expire or be revoked.
 */
const RECHECK_MS = 300_000;
/** Minimum interval in milliseconds between two patches for a device. */
const PATCH_MS = 250;
/** Maximum number of patches per frame: about 60 kB, which a window parses without a noticeable pause. */
const PATCHES_A_FRAME = 500;
/** Topics of records that change all the time. Their changes are announced at most once per second. */
const BUSY: ReadonlySet<Topic> = new Set(['plays', 'activity']);
const BUSY_MS = 1_000;
const MAX_PER_SECOND = 20;
const STOP_MS = 800;

interface LiveActor {
  readonly userId: string;
  readonly workspaceId: string;
  /** Whether the user is an editor. Editors may claim players, so they get the list of waiting players. */
  readonly editor: boolean;
}

/** Returns the user of a token; undefined for a token that is unknown, expired, revoked, or not of a workspace. */
export type LiveAuthenticate = (token: string, ip: string) => LiveActor | undefined;

interface Client {
  readonly socket: WebSocket;
  readonly ip: string;
  readonly openedAt: number;
  /**
   * Credential of the HTTP request, if any. With such a credential, the message `auth` needs no token, and a token in
   * the message is ignored.
   */
  readonly credential: string | undefined;
  token: string;
  /** Whether the window accepts patches of several devices in one frame. */
  takesMany: boolean;
  actor: LiveActor | undefined;
  alive: boolean;
  messages: number;
}

interface Deps {
  readonly bus: Bus;
  readonly registry: LiveRegistry;
  readonly wheel: Wheel;
  readonly authenticate: LiveAuthenticate;
  readonly addresses: ClientAddresses;
  readonly sameOrigin: SameOrigin;
}

export class LiveGateway implements Lifecycle {
  readonly name = 'live sockets';
  readonly #deps: Deps;
  readonly #server = windowSockets();
  readonly #clients = new Set<Client>();
  /** Sockets that have not signed in, the oldest first. */
  readonly #strangers = new Set<Client>();
  readonly #perAddress = new Tally();
  readonly #strangersPerAddress = new Tally();
  readonly #perUser = new Tally();
  #windows = 0;
  readonly #rooms = new Map<string, Set<Client>>();
  readonly #patches = new Map<string, Map<string, DevicePatch>>();
  readonly #busy = new Map<string, Set<Topic>>();
  #pending = false;
  #stopping = false;
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus, registry, wheel } = this.#deps;
    this.#undo = [
      bus.on('changed', (change) => this.#changed(change)),
      bus.on('accountsChanged', () => this.#recheck()),
      bus.on('workspaceGone', (workspaceId) => {
        for (const client of [...(this.#rooms.get(workspaceId) ?? [])])
          this.#end(client, CloseCode.notPaired, 'the workspace is gone');
      }),
      registry.onChange((workspaceId, deviceId, patch) => this.#patch(workspaceId, deviceId, patch)),
      wheel.every(PATCH_MS, () => this.#flushPatches()),
      wheel.every(BUSY_MS, () => this.#everySecond()),
      wheel.every(PROBE_MS, () => this.#probe()),
      wheel.every(RECHECK_MS, () => this.#recheck()),
    ];
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const undo of this.#undo.splice(0)) undo();
    for (const client of this.#clients) client.socket.close(CloseCode.serverStops, 'the server stops');
    const until = performance.now() + STOP_MS;
    while (this.#clients.size > 0 && performance.now() < until) await new Promise((next) => setTimeout(next, 10));
    for (const client of this.#clients) client.socket.terminate();
  }

  readonly upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const ip = this.#deps.addresses.of(req);
    if (this.#stopping || this.#perAddress.of(ip) >= MAX_PER_ADDRESS || !this.#makeRoom(ip))
      return endRaw(socket, '503 Service Unavailable');
    // Checks the origin, because a page of another site must not use the credential of this browser.
    if (!this.#deps.sameOrigin.includes(req)) return endRaw(socket, '403 Forbidden');
    this.#server.handleUpgrade(req, socket, head, (ws) => this.#opened(ws, ip, bearer(req.headers.authorization)));
  };

  /** Called when the list of waiting players has changed. */
  pendingChanged(): void {
    this.#pending = true;
  }

  #opened(socket: WebSocket, ip: string, credential: string | undefined): void {
    const client: Client = {
      socket,
      ip,
      openedAt: this.#deps.wheel.now(),
      credential,
      token: '',
      takesMany: false,
      actor: undefined,
      alive: true,
      messages: 0,
    };
    this.#clients.add(client);
    this.#strangers.add(client);
    this.#perAddress.add(ip);
    this.#strangersPerAddress.add(ip);
    socket.on('message', (data: Buffer) => this.#hear(client, data));
    socket.on('pong', () => void (client.alive = true));
    socket.on('close', () => this.#left(client));
    socket.on('error', () => {});
  }

  #hear(client: Client, data: Buffer): void {
    if (client.socket.readyState !== WebSocket.OPEN) return;
    if (++client.messages > MAX_PER_SECOND) return this.#end(client, CloseCode.tooFast, 'too many messages');
    const message = parse(data);
    if (!message) return this.#end(client, CloseCode.malformed, 'malformed message');
    if (message.type === 'auth') {
      client.takesMany = message.takes?.includes('devices') ?? false;
      return this.#admit(client, client.credential ?? message.token);
    }
    if (!client.actor) return this.#end(client, CloseCode.notPaired, 'say auth first');
    say(client, { type: 'pong' });
  }

  #admit(client: Client, token: string): void {
    const actor = this.#deps.authenticate(token, client.ip);
    if (!actor) return this.#end(client, CloseCode.notPaired, 'not signed in');
    this.#leaveRoom(client);
    if (this.#windows >= MAX_WINDOWS || this.#perUser.of(actor.userId) >= MAX_PER_USER)
      return this.#end(client, CloseCode.tooFast, 'too many windows');
    this.#noStranger(client);
    client.token = token;
    client.actor = actor;
    this.#windows++;
    this.#perUser.add(actor.userId);
    let room = this.#rooms.get(actor.workspaceId);
    if (!room) this.#rooms.set(actor.workspaceId, (room = new Set()));
    room.add(client);
    say(client, { type: 'ready', workspace_id: actor.workspaceId });
  }

  /** Closes connections of windows whose session, role or membership has ended. */
  #recheck(): void {
    for (const client of [...this.#clients]) {
      if (!client.actor) continue;
      const actor = this.#deps.authenticate(client.token, client.ip);
      if (!actor || actor.workspaceId !== client.actor.workspaceId)
        this.#end(client, CloseCode.notPaired, 'not signed in any more');
      else client.actor = actor;
    }
  }

  #changed({ workspaceId, topic, ids, by, window }: Change): void {
    if (!this.#rooms.has(workspaceId)) return;
    if (BUSY.has(topic)) {
      const topics = this.#busy.get(workspaceId) ?? new Set();
      this.#busy.set(workspaceId, topics.add(topic));
    } else
      this.#toRoom(workspaceId, {
        type: 'stale',
        topic,
        ...(ids && { ids: [...ids] }),
        by: by ?? null,
        ...(window && { window }),
      });
  }

  #patch(workspaceId: string, deviceId: string, patch: DevicePatch): void {
    if (!this.#rooms.has(workspaceId)) return;
    let devices = this.#patches.get(workspaceId);
    if (!devices) this.#patches.set(workspaceId, (devices = new Map()));
    const before = devices.get(deviceId);
    devices.set(
      deviceId,
      before
        ? { ...before, ...patch, ...(before.telemetry && { telemetry: { ...before.telemetry, ...patch.telemetry } }) }
        : patch,
    );
  }

  #flushPatches(): void {
    for (const [workspaceId, devices] of this.#patches) {
      const patches = [...devices].map(([device_id, patch]) => ({ device_id, ...patch }));
      const room = [...(this.#rooms.get(workspaceId) ?? [])];
      const [many, single] = [room.filter(({ takesMany }) => takesMany), room.filter(({ takesMany }) => !takesMany)];
      for (let from = 0; from < patches.length && many.length > 0; from += PATCHES_A_FRAME)
        toAll(many, { type: 'devices', patches: patches.slice(from, from + PATCHES_A_FRAME) });
      for (const patch of single.length > 0 ? patches : []) toAll(single, { type: 'device', ...patch });
    }
    this.#patches.clear();
  }

  #everySecond(): void {
    const now = this.#deps.wheel.now();
    for (const client of this.#clients) {
      client.messages = 0;
      if (!client.actor && now - client.openedAt >= AUTH_MS)
        this.#end(client, CloseCode.saidNothing, 'no auth for 5 s');
    }
    for (const [workspaceId, topics] of this.#busy)
      for (const topic of topics) this.#toRoom(workspaceId, { type: 'stale', topic, by: null });
    this.#busy.clear();
    if (!this.#pending) return;
    this.#pending = false;
    for (const client of this.#clients) if (client.actor?.editor) say(client, { type: 'pending' });
  }

  #probe(): void {
    for (const client of this.#clients) {
      if (!client.alive) client.socket.terminate();
      client.alive = false;
      if (client.socket.readyState === WebSocket.OPEN) client.socket.ping();
    }
  }

  #toRoom(workspaceId: string, message: LiveServerMessage): void {
    const room = this.#rooms.get(workspaceId);
    if (room) toAll(room, message);
  }

  /** Returns whether another socket is allowed. To make room, it may close a socket that has not signed in. */
  #makeRoom(ip: string): boolean {
    const isFull = this.#strangersPerAddress.of(ip) >= MAX_STRANGERS_PER_ADDRESS;
    if (!isFull && this.#strangers.size < MAX_STRANGERS) return true;
    for (const stranger of this.#strangers) {
      if (this.#deps.wheel.now() - stranger.openedAt < GRACE_MS) return false;
      if (isFull && stranger.ip !== ip) continue;
      this.#noStranger(stranger);
      stranger.socket.terminate();
      return true;
    }
    return false;
  }

  #noStranger(client: Client): void {
    if (this.#strangers.delete(client)) this.#strangersPerAddress.remove(client.ip);
  }

  #end(client: Client, code: number, reason: string): void {
    this.#leaveRoom(client);
    client.socket.close(code, reason);
  }

  #left(client: Client): void {
    this.#leaveRoom(client);
    this.#noStranger(client);
    if (this.#clients.delete(client)) this.#perAddress.remove(client.ip);
  }

  #leaveRoom(client: Client): void {
    if (!client.actor) return;
    const { workspaceId, userId } = client.actor;
    client.actor = undefined;
    this.#windows--;
    this.#perUser.remove(userId);
    const room = this.#rooms.get(workspaceId);
    room?.delete(client);
    if (room?.size === 0) this.#rooms.delete(workspaceId);
  }
}

const toAll = (clients: Iterable<Client>, message: LiveServerMessage): void => {
  const frame = Buffer.from(JSON.stringify(message));
  for (const client of clients) say(client, frame);
};

const say = ({ socket }: Client, message: LiveServerMessage | Buffer): void => {
  if (socket.readyState !== WebSocket.OPEN) return;
  if (socket.bufferedAmount > MAX_UNREAD) return socket.terminate();
  socket.send(Buffer.isBuffer(message) ? message : JSON.stringify(message), { binary: false });
};

const parse = (data: Buffer): LiveClientMessage | undefined => {
  try {
    return LiveClientMessage.safeParse(JSON.parse(data.toString())).data;
  } catch {
    return undefined;
  }
};
