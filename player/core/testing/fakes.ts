/** Fakes for tests of the core: controllable time, state in memory, and a server in the same process. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { PLAIN_ITEM } from '../../../shared/program/plain-item.ts';
import type { Asset, Placement, Program, ProgramItem } from '../../../shared/program/program.ts';
import { COMMAND_NAMES } from '../../../shared/protocol/commands.ts';
import type { JournalRow } from '../../../shared/protocol/journal-chain.ts';
import type { PlayerMessage, ServerMessage } from '../../../shared/protocol/messages.ts';
import { proofText, tlsText } from '../../../shared/protocol/server-proof.ts';
import type { AssetStore } from '../files/asset-store.ts';
import type { JournalStore, OpenPlay } from '../journal/journal.ts';
import type {
  AddressBook,
  ConnectSocket,
  Crypto,
  Documents,
  Get,
  Log,
  Machine,
  Outcome,
  SocketEvents,
  Time,
} from '../ports.ts';

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Lets all pending work run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

export class FakeTime implements Time {
  #mono = 1_000;
  /** Milliseconds by which the wall clock is ahead of `mono`. A test sets the machine's clock by this value. */
  wallOffset = 1_700_000_000_000;
  #timers: { at: number; run: () => void }[] = [];
  #slept = 0;

  /** Number of pending timers. */
  get waits(): number {
    return this.#timers.length;
  }
  mono(): number {
    return this.#mono;
  }
  sinceBoot(): number {
    return this.#mono + this.#slept;
  }
  /** Simulates a sleep as on Linux: neither `mono` nor timers advance. */
  sleep(ms: number): void {
    this.#slept += ms;
    this.wallOffset += ms;
  }
  wall(): number {
    return this.#mono + this.wallOffset;
  }
  after(ms: number, run: () => void) {
    // A delay of NaN counts as 0, as with real timers.
    const timer = { at: this.#mono + (ms || 0), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
  async advance(ms: number): Promise<void> {
    const end = this.#mono + ms;
    for (;;) {
      await settle();
      const [next] = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#mono = Math.max(this.#mono, next.at);
      next.run();
    }
    this.#mono = end;
    await settle();
  }
}

/** Stand-ins for an Ed25519 key and its signature. */
export const SERVER_KEY = 'ab'.repeat(44);
export const signatureOf = (text: string): string => sha256(text).repeat(2);

export class FakeCrypto implements Crypto {
  next = 0.5;
  sha256 = sha256;
  sha256OfHex = (hex: string) => sha256(Buffer.from(hex, 'hex'));
  randomHex = (bytes: number) => randomBytes(bytes).toString('hex');
  uuid = () => randomUUID();
  random = () => this.next;
  newSigningKey = () => 'key';
  publicKey = () => 'public';
  sign = (_key: string, text: string) => `signed ${text}`;
  verify = (_key: string, text: string, signature: string) => signature === signatureOf(text);
}

export class MemoryLog implements Log {
  readonly lines: string[] = [];
  info = (message: string) => void this.lines.push(message);
  warn = (message: string) => void this.lines.push(message);
  error = (message: string, detail?: unknown) => void this.lines.push(`${message} ${detail ?? ''}`);
}

export class MemoryDocuments implements Documents {
  readonly all = new Map<string, string>();
  async read(name: string) {
    return this.all.get(name);
  }
  async write(name: string, text: string) {
    this.all.set(name, text);
  }
  async remove(name: string) {
    this.all.delete(name);
  }
  async list() {
    return [...this.all.keys()];
  }
  async setAside(name: string) {
    this.all.set(`${name}.damaged`, this.all.get(name) ?? '');
    this.all.delete(name);
  }
}

export class MemoryAssets implements AssetStore {
  readonly whole = new Map<string, Buffer>();
  readonly parts = new Map<string, { bytes: Buffer; etag: string | null }>();
  /** Number of bytes that the disk still accepts before it is full. */
  room = Number.POSITIVE_INFINITY;
  async list() {
    return [...this.whole].map(([name, bytes], i) => ({ sha256: name, size: bytes.length, used_at: i }));
  }
  async partial(name: string) {
    const part = this.parts.get(name);
    return part && { bytes: part.bytes.length, etag: part.etag };
  }
  async open(name: string, { at, etag }: { at: number; etag: string | null }) {
    const part = { bytes: (this.parts.get(name)?.bytes ?? Buffer.alloc(0)).subarray(0, at), etag };
    this.parts.set(name, part);
    return {
      write: async (chunk: Uint8Array) => {
        this.room -= chunk.length;
        if (this.room < 0) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
        part.bytes = Buffer.concat([part.bytes, chunk]);
      },
      suspend: async () => {},
      finish: async () => {
        this.parts.delete(name);
        if (sha256(part.bytes) !== name) return false;
        this.whole.set(name, part.bytes);
        return true;
      },
    };
  }
  async verify(name: string) {
    return sha256(this.whole.get(name) ?? '') === name;
  }
  async remove(name: string) {
    this.room += this.whole.get(name)?.length ?? 0;
    this.whole.delete(name);
    this.parts.delete(name);
  }
  async touch() {}
  async space() {
    return null;
  }
  async dropPartials(keep: ReadonlySet<string>) {
    for (const name of [...this.parts.keys()]) if (!keep.has(name)) this.parts.delete(name);
  }
}

export class MemoryJournal implements JournalStore {
  rows: JournalRow[] = [];
  open: OpenPlay[] = [];
  #head: JournalRow | undefined;
  async head() {
    return this.#head;
  }
  async openPlays() {
    return [...this.open];
  }
  async saveOpen(play: OpenPlay) {
    this.open = [...this.open.filter((other) => other.id !== play.id), play];
  }
  async beat(alive_at: number) {
    this.open = this.open.map((play) => ({ ...play, alive_at }));
  }
  async append(row: JournalRow) {
    this.rows.push(row);
    this.#head = row;
    this.open = this.open.filter((play) => play.id !== row.id);
  }
  async page(limit: number) {
    return this.rows.slice(0, limit);
  }
  async ofBoot(boot: string) {
    return this.rows.filter((row) => row.boot_id === boot);
  }
  async rewrite(rows: readonly JournalRow[]) {
    this.rows = this.rows.map((row) => rows.find((other) => other.seq === row.seq) ?? row);
    if (rows.at(-1)?.seq === this.#head?.seq) this.#head = rows.at(-1);
  }
  async forget(through: number) {
    this.rows = this.rows.filter((row) => row.seq > through);
  }
  async trim() {
    return 0;
  }
  async clear() {
    this.rows = [];
    this.open = [];
    this.#head = undefined;
  }
}

export class FakeMachine implements Machine {
  readonly done: string[] = [];
  outcome: Outcome = { status: 'done' };
  capabilities = () => ['screen' as const];
  #do = async (what: string) => {
    this.done.push(what);
    return this.outcome;
  };
  screen = (on: boolean) => this.#do(on ? 'on' : 'off');
  launched = (url: string | null) => this.#do(`launch ${url}`);
  /** Commands that the core carries out itself are in this list too, but are never called here. */
  commands = Object.fromEntries(
    COMMAND_NAMES.map((name) => [name, () => this.#do(name)]),
  ) as unknown as Machine['commands'];
  screenshot = async () => ({ mime: 'image/jpeg' as const, data: 'AAAA' });
  telemetry = async () => ({ uptime_seconds: 5, battery_level: null });
}

/**
 * A fake server for sockets and HTTP. It answers clock requests and heartbeats by itself; the test sends everything
 * else.
 */
export class FakeServer {
  readonly #time: FakeTime;
  readonly server: { readonly id: string; readonly name: string; fingerprint: string };
  /** Returns the server's proof of identity for a nonce. */
  prove: (nonce: string) => object;
  offset = 1_700_000_000_000;
  reachable = true;
  sockets: {
    events: SocketEvents;
    received: (PlayerMessage | { type: 'hello'; [key: string]: unknown })[];
    closed: number | undefined;
  }[] = [];
  readonly files = new Map<string, Uint8Array>();
  readonly requests: { path: string; headers: Readonly<Record<string, string>> }[] = [];
  /** If set, changes the body of each answer, for example to truncate it. */
  cut: ((path: string, bytes: Uint8Array) => Uint8Array) | undefined;

  constructor(time: FakeTime, { id = 'server-1', key = SERVER_KEY }: { id?: string; key?: string } = {}) {
    this.#time = time;
    this.server = { id, name: 'Store', fingerprint: sha256(Buffer.from(key, 'hex')) };
    const tls = (nonce: string) => ({ port: null, certificate: null, signature: signatureOf(tlsText(nonce, null)) });
    this.prove = (nonce) => ({
      ...this.server,
      public_key: key,
      signature: signatureOf(proofText(nonce)),
      tls: tls(nonce),
    });
  }

  get now(): number {
    return this.#time.mono() + this.offset;
  }
  get socket() {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('no player has connected');
    return socket;
  }

  connect: ConnectSocket = (_url, _protocol, events) => {
    const socket: FakeServer['sockets'][number] = { events, received: [], closed: undefined };
    if (!this.reachable) {
      queueMicrotask(() => events.closed(1006, ''));
      return { send: () => {}, close: () => {} };
    }
    this.sockets.push(socket);
    queueMicrotask(() => events.opened());
    return {
      send: (text) => {
        const message = JSON.parse(text) as PlayerMessage;
        socket.received.push(message);
        if (message.type === 'clock') this.say({ type: 'clock', t0: message.t0, t1: this.now, t2: this.now });
        if (message.type === 'heartbeat') this.say({ type: 'heartbeat.ack', server_time: this.now });
      },
      close: (code) => {
        socket.closed = code;
      },
    };
  };

  say(message: ServerMessage): void {
    this.socket.events.text(JSON.stringify(message));
  }
  close(code: number): void {
    this.socket.events.closed(code, '');
  }
  received<K extends PlayerMessage['type'] | 'hello'>(type: K) {
    type Said = K extends 'hello' ? Record<string, unknown> : Extract<PlayerMessage, { type: K }>;
    return this.socket.received.filter((message) => message.type === type) as Said[];
  }

  claim(): void {
    this.say({ type: 'pairing', code: 'ABC234', expires_at: this.now + 900_000, server: this.server });
    this.say({ type: 'paired', device_id: 'device-1', name: 'Window', workspace_id: 'ws' });
    this.welcome();
  }
  get greeting() {
    const server = { ...this.server, version: '0.1.0' };
    return { type: 'welcome' as const, device_id: 'device-1', name: 'Window', server_time: this.now, server };
  }
  welcome(): void {
    this.say(this.greeting);
  }
  push({ id, bytes }: { id: string; bytes: Uint8Array }, place: Partial<Placement> = {}, placement_id?: string): void {
    this.files.set(`/p/${id}`, bytes);
    this.say({
      type: 'program',
      id,
      url: `/p/${id}`,
      placement: { ...placement, ...place },
      ...(placement_id && { placement_id }),
    });
  }
  addAsset(bytes: string | Uint8Array, name?: string): Asset {
    const content = Buffer.from(bytes);
    const digest = name ?? sha256(content);
    this.files.set(`/api/player/assets/${digest}`, content);
    return { sha256: digest, size: content.length, mime: 'image/png' };
  }

  get: Get = async (url, headers, signal) => {
    const { pathname: path, searchParams } = new URL(url);
    this.requests.push({ path, headers });
    const file = this.files.get(path);
    if (!this.reachable) throw new Error('unreachable');
    if (path === '/api/player/identity')
      return reply(200, {}, Buffer.from(JSON.stringify(this.prove(searchParams.get('nonce') ?? ''))));
    if (!file) return reply(404, {}, new Uint8Array());
    const from = Number(/^bytes=(\d+)-/.exec(headers.Range ?? '')?.[1] ?? 0);
    const body = file.subarray(from);
    const sent = this.cut?.(path, body) ?? body;
    signal.throwIfAborted();
    return reply(
      from ? 206 : 200,
      { etag: '"e"', ...(from && { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }) },
      sent,
    );
  };
}

function reply(status: number, headers: Record<string, string>, bytes: Uint8Array) {
  return {
    status,
    header: (name: string) => headers[name] ?? null,
    body: (async function* () {
      for (let at = 0; at < bytes.length; at += 4) yield bytes.subarray(at, at + 4);
    })(),
  };
}

export const placement: Placement = { orientation: '0', timezone: 'Europe/Berlin', wall: null };

export const item = (asset: Asset | null, more: Partial<ProgramItem> = {}): ProgramItem => ({
  ...PLAIN_ITEM,
  item_id: 1,
  content_id: 'content-1',
  name: 'photo.jpg',
  asset: asset?.sha256 ?? null,
  width: 1920,
  height: 1080,
  ...more,
});

export function programOf(
  assets: readonly Asset[],
  items: ProgramItem[] = assets.map((asset, i) => item(asset, { item_id: i + 1 })),
): { id: string; bytes: Uint8Array; program: Program } {
  const program: Program = {
    format: 1,
    base: { layout_id: null, playlist_id: 'playlist-1', item: null, source: 'device' },
    fallback: null,
    layouts: [],
    playlists: [{ id: 'playlist-1', name: 'Main', anchor_ms: 1_700_000_000_000, items }],
    schedules: [],
    assets: [...assets],
  };
  const bytes = new TextEncoder().encode(JSON.stringify(program));
  return { id: sha256(bytes), bytes, program };
}

export class FakeAddresses implements AddressBook {
  #listener: (() => void) | undefined;
  given = true;
  origin: string | null = 'http://10.0.0.1:8710';
  pick: AddressBook['pick'] = () => (this.origin ? { origin: this.origin, server: null } : null);
  seen: AddressBook['seen'] = () =>
    this.origin
      ? [
          {
            origin: this.origin,
            server: { id: 'server-1', fingerprint: sha256(Buffer.from(SERVER_KEY, 'hex')) },
            name: 'Store',
            setup: false,
          },
        ]
      : [];
  onChange(listener: () => void) {
    this.#listener = listener;
    return () => {};
  }
  change(origin: string | null): void {
    this.origin = origin;
    this.#listener?.();
  }
}
