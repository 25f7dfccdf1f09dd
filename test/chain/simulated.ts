/**
 * A chain in which every process can be killed: headquarters in a process, the hub, and stores as separate processes or
 * as feature code in this process.
 */
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createChainWorks } from '../../server/compose/chain-works.ts';
import type { Database } from '../../server/db/database.ts';
import { beginEpochIn } from '../../server/db/epochs.ts';
import { openDatabase } from '../../server/db/open.ts';
import { addWorkspace } from '../../server/features/reports/testing/plays.ts';
import { ChainPlays } from '../../server/headquarters/plays/chain-plays.ts';
import { SegmentFiles } from '../../server/headquarters/plays/segment-files.ts';
import type { Warehouse } from '../../server/headquarters/plays/warehouse.ts';
import { StoreRegistry } from '../../server/headquarters/stores/store-registry.ts';
import { StoresStore } from '../../server/headquarters/stores/stores.store.ts';
import { warehouseOf } from '../../server/headquarters/testing/rig.ts';
import { loadIdentity } from '../../server/identity.ts';
import { Bus } from '../../server/kernel/bus.ts';
import type { Log } from '../../server/kernel/log.ts';
import type { MachineClock } from '../../server/kernel/time/clock.ts';
import { MediaStore } from '../../server/media/media-store.ts';
import type { ChainLink } from '../../server/store-link/connection/chain-link.ts';
import { ChainStore, type NewLink } from '../../server/store-link/membership/chain.store.ts';
import { Incidents } from '../../server/store-link/membership/incidents.ts';
import { enrolmentAsk, Panels, threadsOf } from '../../server/store-link/testing/store.ts';
import { gone, launch } from '../faults/data-server.ts';
import { callerOf, firstUser, freePort, tempFolder } from '../harness.ts';
import { callAs, must } from '../people.ts';
import { until } from '../until.ts';
import { CutLine } from './cut-line.ts';
import { Hub } from './hub.ts';
import type { Server } from './rig.ts';
import { ServerStore } from './server-store.ts';

const SETTLES_MS = 60_000;
const SCREENS = ['till', 'door'];
const REAL: MachineClock = { now: () => Date.now(), mono: () => performance.now() };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Copies a database together with its WAL file, as a copy of the disk contains it. */
const copyDatabase = (from: string, to: string): void => {
  for (const ending of ['', '-wal', '-shm']) {
    rmSync(to + ending, { force: true });
    if (existsSync(from + ending)) copyFileSync(from + ending, to + ending);
  }
};

/** A store of the chain, in any implementation. */
export interface Member {
  readonly name: string;
  /** The connections of the store to headquarters: HTTPS and, if present, the hub. */
  readonly lines: readonly CutLine[];
  /** Ids of all plays of the store's screens. */
  readonly shown: readonly string[];
  /** Number of kills, and number of returns to an earlier state. */
  readonly kills: number;
  readonly restores: number;
  /** Folder of the store's media. */
  readonly media: string;
  /** Reads the store's database at one moment; undefined while the database is closed. */
  look<T>(at: (raw: Database['raw']) => T): T | undefined;
  /** Makes each screen of the store show this number of further items. */
  show(count: number): Promise<void>;
  /** Sends pending data now. */
  hurry(): void;
  /** Kills the store in the middle of its work, and restarts it. */
  kill(): Promise<void>;
  backUp(): Promise<void>;
  /** Returns to the store's backup, if there is one. @param how by a restore, or by copied files */
  putBack(how: 'restore' | 'copy'): Promise<void>;
  /** Returns whether the store has every play and headquarters has acknowledged every play. */
  isTold(): Promise<boolean>;
  /** Makes the store ask headquarters again which plays headquarters has. */
  askAnew(): Promise<void>;
  end(): Promise<void>;
}

/** Headquarters: the real server, in a process that can be killed. */
export class Headquarters {
  readonly data: string;
  readonly httpsPort: number;
  readonly #env: Readonly<Record<string, string>>;
  origin = '';
  kills = 0;
  restores = 0;
  #child: ReturnType<typeof launch>['child'] | undefined;

  /** @param env additional environment variables */
  constructor(data: string, httpsPort: number, env: Readonly<Record<string, string>> = {}) {
    this.data = data;
    this.httpsPort = httpsPort;
    this.#env = env;
  }

  async start(): Promise<void> {
    const { child, up } = launch(this.data, {
      ...this.#env,
      VITRINE_CHAIN_ROLE: 'hq',
      VITRINE_HTTPS_PORT: String(this.httpsPort),
    });
    this.#child = child;
    this.origin = await up;
  }

  async kill(): Promise<void> {
    this.kills++;
    const child = this.#child!;
    child.kill('SIGKILL');
    await gone(child);
  }

  /** Copies the database file. The caller kills the process before, and starts it afterwards. */
  keep(): void {
    copyDatabase(join(this.data, 'vitrine.db'), join(this.data, 'yesterday.db'));
  }

  get isKept(): boolean {
    return existsSync(join(this.data, 'yesterday.db'));
  }

  putBack(): void {
    if (!this.isKept) return;
    this.restores++;
    copyDatabase(join(this.data, 'yesterday.db'), join(this.data, 'vitrine.db'));
  }
}

/**
 * A store in this process: the feature code with its own database. Its screens continue when code or database are
 * replaced.
 */
export class Store implements Member {
  readonly name: string;
  readonly screens: readonly string[];
  readonly folder: string;
  readonly panels = new Panels();
  readonly lines: readonly CutLine[];
  readonly identity;
  db: Database;
  link: ChainLink | undefined;
  kills = 0;
  restores = 0;

  readonly #clock: MachineClock;
  readonly #log: Log;

  constructor(
    name: string,
    folder: string,
    lines: readonly CutLine[],
    { screens = SCREENS, clock = REAL, log = silent }: { screens?: string[]; clock?: MachineClock; log?: Log } = {},
  ) {
    this.screens = screens;
    this.#clock = clock;
    this.#log = log;
    this.name = name;
    this.folder = folder;
    this.lines = lines;
    this.identity = loadIdentity(folder);
    this.db = openDatabase(this.file);
    if (this.db.raw.prepare('SELECT 1 FROM workspaces').get() === undefined) addWorkspace(this.db, 'w');
    for (const id of screens) this.panels.add(this.db, 'w', id);
  }

  get file(): string {
    return join(this.folder, 'vitrine.db');
  }

  get shown(): readonly string[] {
    return this.panels.shown;
  }

  get media(): string {
    return join(this.folder, 'media');
  }

  look<T>(at: (raw: Database['raw']) => T): T | undefined {
    return this.db.raw.open ? at(this.db.raw) : undefined;
  }

  async enrol(address: string, code: string): Promise<void> {
    const { secret, ask } = enrolmentAsk(code, this.identity, this.name);
    assert.ok(secret);
    const met = await this.#works().enrol({ address, isIt: () => true, mayKnow: true, ask });
    const row: NewLink = { ...met, may: null, lets_update: 0, workspace_id: 'w', enrolled_at: 1, enrolled_by: 'Owner' };
    this.db.write(() => new ChainStore(this.db).insert(row));
    await this.db.durable();
    this.begin();
  }

  begin(): void {
    const row = new ChainStore(this.db).find('w');
    if (!row) throw new Error('it is not enrolled');
    this.link = this.#works().link(row).link;
    this.link.start();
  }

  async end(): Promise<void> {
    await this.link?.stop();
    this.link = undefined;
    await this.db.durable()?.catch(() => {});
    this.db.close();
  }

  async show(count: number): Promise<void> {
    for (const id of this.screens) {
      this.panels.show(id, count);
      await this.#send(id);
    }
  }

  /**
   * Sends the plays that the database does not have. A real player also keeps plays until the server acknowledges them.
   */
  async #send(id: string): Promise<void> {
    const through = this.db.raw.prepare('SELECT plays_through FROM devices WHERE id = ?').pluck().get(id) as number;
    await this.panels.send(this.db, id, { from: through + 1 });
  }

  async backUp(): Promise<void> {
    await this.db.durable();
    this.db.raw.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(this.file, join(this.folder, 'backup.db'));
  }

  /** Kills the store: it continues with the data that are on its disk at this moment. */
  async kill(): Promise<void> {
    this.kills++;
    const isStopped = this.link!.stop();
    const crashed = join(this.folder, 'crashed.db');
    copyDatabase(this.file, crashed);
    await isStopped;
    await this.end();
    copyDatabase(crashed, this.file);
    await this.#goOn();
  }

  async putBack(how: 'restore' | 'copy'): Promise<void> {
    const backup = join(this.folder, 'backup.db');
    if (!existsSync(backup)) return;
    this.restores++;
    await this.end();
    copyDatabase(backup, this.file);
    if (how === 'restore') beginEpochIn(this.file, 1);
    await this.#goOn();
  }

  async #goOn(): Promise<void> {
    this.db = openDatabase(this.file);
    this.begin();
    for (const id of this.screens) await this.#send(id);
  }

  /** Starts a second PC beside the first, with a copy of the first PC's disk and with a screen. */
  async clone(folder: string): Promise<Store> {
    await this.backUp();
    cpSync(join(this.folder, 'keys'), join(folder, 'keys'), { recursive: true });
    copyFileSync(join(this.folder, 'backup.db'), join(folder, 'vitrine.db'));
    const copy = new Store(this.name, folder, this.lines, { screens: ['copied'] });
    copy.begin();
    return copy;
  }

  async isTold(): Promise<boolean> {
    const { line, waiting } = this.link!.view;
    return line === 'up' && waiting === 0;
  }

  hurry(): void {
    this.link!.hurry();
  }

  async askAnew(): Promise<void> {
    this.hurry();
  }

  #started(media: MediaStore): MediaStore {
    media.start();
    return media;
  }

  #works() {
    const { db } = this;
    const clock = this.#clock;
    const store = new ChainStore(db);
    const parts = { db, bus: new Bus(() => {}), clock, activity: { add() {} } };
    return createChainWorks({
      ...parts,
      mono: () => clock.mono(),
      log: this.#log,
      store,
      incidents: new Incidents({ ...parts, store }),
      threads: threadsOf(db),
      identity: this.identity,
      presence: async () => ({
        version: '1',
        screens: { total: 2, online: 2, dark: 0, behind: 0 },
        dark_names: [],
        disk: null,
      }),
      changed: () => {},
      // No visitors come from headquarters in these tests, so every request of a visitor gets 503.
      answering: () => ({ api: { handle: async (_req, res) => void res.writeHead(503).end() }, upgrades: new Map() }),
      people: {} as never,
      data: this.folder,
      media: this.#started(new MediaStore(this.media)),
      programs: { program: () => undefined, planned: () => undefined },
      registry: { get: () => undefined },
      // No releases come from headquarters in these tests.
      ownServer: {} as never,
    });
  }
}

/**
 * Returns the play ids of each store at headquarters, and the total of the play counts.
 * @param there database with the plays, if not headquarters' own
 */
export const counted = async (
  hq: Headquarters,
  there?: Warehouse,
): Promise<Map<string, { ids: string[]; sum: number }>> => {
  const db = openDatabase(join(hq.data, 'vitrine.db'));
  try {
    const identity = loadIdentity(hq.data);
    const warehouse = there ?? warehouseOf(db);
    const plays = new ChainPlays({
      warehouse,
      segmentFiles: new SegmentFiles(join(hq.data, 'chain')),
      identity,
    });
    const parts = { db, bus: new Bus(() => {}), clock: { now: () => Date.now() }, log: silent };
    const book = new StoreRegistry({ ...parts, store: new StoresStore(db) });
    const [workspaceId] = db.raw.prepare('SELECT DISTINCT workspace_id FROM hq_stores').pluck().all() as string[];
    const found = new Map<string, { ids: string[]; sum: number }>();
    for (const store of book.all(workspaceId!)) {
      const ids: string[] = [];
      const selection = {
        stores: [store],
        start: 0,
        end: Number.MAX_SAFE_INTEGER,
        content: undefined,
        campaign: undefined,
      };
      for await (const piece of plays.all(selection)) ids.push(...piece.map(({ play_id }) => play_id));
      const { plays: sum } = await warehouse.totals({
        stores: [store],
        from: 0,
        to: 100_000,
        content: undefined,
        campaign: undefined,
      });
      found.set(store.name, { ids, sum });
    }
    return found;
  } finally {
    db.close();
  }
};

interface Wanted {
  /** Number of stores in this process. `servers`: number of stores in separate processes. */
  readonly stores: number;
  readonly servers?: number;
  /** True: the chain has a hub, and every second store uses it. */
  readonly byNats?: boolean;
  /** Additional environment variables of headquarters. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts headquarters and the wanted number of stores, all enrolled and running. */
export const openChain = async (t: TestContext, { stores: own, servers = 0, byNats = false, env = {} }: Wanted) => {
  const hubPort = await freePort();
  const hq = new Headquarters(tempFolder(t), await freePort(), {
    ...env,
    ...(byNats && { VITRINE_NATS: `tls://127.0.0.1:${hubPort}` }),
  });
  const onward = await freePort();
  const hub = new Hub({ file: join(hq.data, 'nats', 'nats.conf'), monitor: await freePort(), port: onward });
  // Proxy of the connection from headquarters to the hub: headquarters gets the address of this proxy.
  const hubLine = byNats ? await opened(t, onward, { port: hubPort }) : undefined;
  await hq.start();
  t.after(() => hq.kill());
  if (byNats) {
    t.after(() => hub.kill());
    await hub.start();
  }
  const { token } = await firstUser({ call: callerOf(hq.origin) } as never);
  const call = callAs({ origin: hq.origin, call: callerOf(hq.origin) }, token);
  const add = async (i: number): Promise<Store | ServerStore> => {
    // A store expects the hub at the host of headquarters. So each store gets its own address of this host, with its
    // own proxies.
    const host = byNats ? `127.0.1.${i + 1}` : '127.0.0.1';
    const https = await opened(t, hq.httpsPort, { host });
    const lines = byNats && i % 2 === 0 ? [https, await opened(t, onward, { host, port: hubPort })] : [https];
    const [name, folder] = [`Store ${i}`, tempFolder(t)];
    const store = i < servers ? new ServerStore(t, name, folder, lines) : new Store(name, folder, lines);
    const { id } = must(await call('POST', '/api/stores', { name }), 201);
    const { code } = must(await call('POST', `/api/stores/${id}/code`), 201);
    await store.enrol(`https://${host}:${https.port}`, code);
    return store;
  };
  const stores = await Promise.all(Array.from({ length: servers + own }, (_, i) => add(i)));
  /** Returns the owner's access to headquarters, at the present address of headquarters. */
  const owner = () => {
    const site = { origin: hq.origin, call: callerOf(hq.origin) };
    return { site, owner: { token }, call: callAs(site, token) } as unknown as Server;
  };
  return { hq, hub, hubLine, stores, owner };
};

const opened = async (t: TestContext, ...[target, at]: Parameters<typeof CutLine.open>): Promise<CutLine> => {
  const line = await CutLine.open(target, at);
  t.after(() => line.close());
  return line;
};

/**
 * Waits until every store has sent everything, and again after each store has asked headquarters which plays it has.
 */
export const allTold = async (stores: readonly Member[]): Promise<void> => {
  const late = async () => {
    const told = await Promise.all(stores.map((store) => store.isTold()));
    return stores.filter((_, i) => !told[i]);
  };
  let waiting: readonly Member[] = [];
  const isAll = async () => {
    waiting = await late();
    for (const store of waiting) store.hurry();
    return waiting.length === 0;
  };
  const what = () => `everything is told, by ${waiting.map(({ name }) => name).join(', ')} too`;
  await until(what, SETTLES_MS, isAll, 500);
  // Each store asks headquarters again which plays it has, and the function waits again until everything has arrived.
  await Promise.all(stores.map((store) => store.askAnew()));
  await until(what, SETTLES_MS, isAll, 500);
};
