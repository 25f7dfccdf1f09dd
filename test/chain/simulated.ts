/** A chain of which everything can be killed: headquarters in a process, stores as their own feature code. */
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createChainWorks } from '../../server/compose/chain-works.ts';
import type { Database } from '../../server/db/database.ts';
import { beginEpochIn } from '../../server/db/epochs.ts';
import { openDatabase } from '../../server/db/open.ts';
import { ChainStore, type NewLink } from '../../server/features/chain/chain.store.ts';
import type { ChainLink } from '../../server/features/chain/chain-link.ts';
import { Incidents } from '../../server/features/chain/incidents.ts';
import { enrolmentAsk, Panels, threadsOf } from '../../server/features/chain/testing/store.ts';
import { addWorkspace } from '../../server/features/reports/testing/plays.ts';
import { ChainPlays } from '../../server/headquarters/chain-plays.ts';
import { Packs } from '../../server/headquarters/packs.ts';
import { StoreBook } from '../../server/headquarters/store-book.ts';
import { StoresStore } from '../../server/headquarters/stores.store.ts';
import { warehouseOf } from '../../server/headquarters/testing/rig.ts';
import { loadIdentity } from '../../server/identity.ts';
import { Bus } from '../../server/kernel/bus.ts';
import { MediaStore } from '../../server/media/media-store.ts';
import { gone, launch } from '../faults/data-server.ts';
import { callerOf, firstUser, freePort, tempFolder } from '../harness.ts';
import { callAs, must } from '../people.ts';
import { until } from '../until.ts';
import { CutLine } from './cut-line.ts';

const SETTLES_MS = 60_000;
const SCREENS = ['till', 'door'];
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const copyDatabase = (from: string, to: string): void => {
  for (const ending of ['', '-wal', '-shm']) {
    rmSync(to + ending, { force: true });
    if (existsSync(from + ending)) copyFileSync(from + ending, to + ending);
  }
};

/** The real server, in a process that is killed. */
export class Headquarters {
  readonly data: string;
  readonly httpsPort: number;
  origin = '';
  kills = 0;
  restores = 0;
  #child: ReturnType<typeof launch>['child'] | undefined;

  constructor(data: string, httpsPort: number) {
    this.data = data;
    this.httpsPort = httpsPort;
  }

  async start(): Promise<void> {
    const { child, up } = launch(this.data, {
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

  /** What is on the disk at this moment, as a copy of it would have it. Killed, and not started. */
  keep(): void {
    copyDatabase(join(this.data, 'vitrine.db'), join(this.data, 'yesterday.db'));
  }

  putBack(): void {
    if (!existsSync(join(this.data, 'yesterday.db'))) return;
    this.restores++;
    copyDatabase(join(this.data, 'yesterday.db'), join(this.data, 'vitrine.db'));
  }
}

/** The store's own feature code over its own database; screens outlive both. */
export class Store {
  readonly name: string;
  readonly screens: readonly string[];
  readonly folder: string;
  readonly panels = new Panels();
  readonly line: CutLine;
  readonly identity;
  db: Database;
  link: ChainLink | undefined;
  restores = 0;

  constructor(name: string, folder: string, line: CutLine, screens = SCREENS) {
    this.screens = screens;
    this.name = name;
    this.folder = folder;
    this.line = line;
    this.identity = loadIdentity(folder);
    this.db = openDatabase(this.file);
    if (this.db.raw.prepare('SELECT 1 FROM workspaces').get() === undefined) addWorkspace(this.db, 'w');
    for (const id of screens) this.panels.add(this.db, 'w', id);
  }

  get file(): string {
    return join(this.folder, 'vitrine.db');
  }

  async enrol(code: string): Promise<void> {
    const { secret, ask } = enrolmentAsk(code, this.identity, this.name);
    assert.ok(secret);
    const met = await this.#works().enrol({ address: `https://127.0.0.1:${this.line.port}`, isIt: () => true, ask });
    const row: NewLink = { ...met, may: null, lets_update: 0, workspace_id: 'w', enrolled_at: 1, enrolled_by: 'Owner' };
    this.db.write(() => new ChainStore(this.db).insert(row));
    await this.db.durable();
  }

  begin(): void {
    const row = new ChainStore(this.db).find('w');
    if (!row) throw new Error('it is not enrolled');
    this.link = this.#works().link(row);
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

  /** What the database does not have any more, or never had. A real player keeps what was not acknowledged. */
  async #send(id: string): Promise<void> {
    const through = this.db.raw.prepare('SELECT plays_through FROM devices WHERE id = ?').pluck().get(id) as number;
    await this.panels.send(this.db, id, { from: through + 1 });
  }

  async backUp(): Promise<void> {
    await this.db.durable();
    this.db.raw.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(this.file, join(this.folder, 'backup.db'));
  }

  /** @param how by a restore, or by somebody who copies files */
  async putBack(how: 'restore' | 'copy'): Promise<void> {
    const backup = join(this.folder, 'backup.db');
    if (!existsSync(backup)) return;
    this.restores++;
    await this.end();
    for (const ending of ['-wal', '-shm']) rmSync(this.file + ending, { force: true });
    copyFileSync(backup, this.file);
    if (how === 'restore') beginEpochIn(this.file, 1);
    this.db = openDatabase(this.file);
    this.begin();
    for (const id of this.screens) await this.#send(id);
  }

  /** Another PC with a copy of its disk, and a screen of its own, that runs beside it. */
  async clone(folder: string): Promise<Store> {
    await this.backUp();
    cpSync(join(this.folder, 'keys'), join(folder, 'keys'), { recursive: true });
    copyFileSync(join(this.folder, 'backup.db'), join(folder, 'vitrine.db'));
    const copy = new Store(this.name, folder, this.line, ['copied']);
    copy.begin();
    return copy;
  }

  get isTold(): boolean {
    const { line, waiting } = this.link!.view;
    return line === 'up' && waiting === 0;
  }

  #works() {
    const { db } = this;
    const clock = { now: () => Date.now() };
    const store = new ChainStore(db);
    const parts = { db, bus: new Bus(() => {}), clock, activity: { add() {} } };
    return createChainWorks({
      ...parts,
      mono: () => performance.now(),
      log: silent,
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
      // Nobody of headquarters looks in.
      answering: () => ({ api: { handle: async (_req, res) => void res.writeHead(503).end() }, upgrades: new Map() }),
      people: {} as never,
      data: this.folder,
      media: new MediaStore(join(this.folder, 'media')),
      programs: { program: () => undefined },
      book: { get: () => undefined },
      // Nor brings it versions.
      ownServer: {} as never,
    });
  }
}

/** Own ids of the plays of each store, as headquarters has them, and the sum of its sums. */
export const counted = async (hq: Headquarters): Promise<Map<string, { ids: string[]; sum: number }>> => {
  const db = openDatabase(join(hq.data, 'vitrine.db'));
  try {
    const identity = loadIdentity(hq.data);
    const plays = new ChainPlays({
      warehouse: warehouseOf(db),
      packs: new Packs(join(hq.data, 'chain')),
      identity,
    });
    const parts = { db, bus: new Bus(() => {}), clock: { now: () => Date.now() }, log: silent };
    const book = new StoreBook({ ...parts, store: new StoresStore(db) });
    const [workspaceId] = db.raw.prepare('SELECT DISTINCT workspace_id FROM hq_stores').pluck().all() as string[];
    const found = new Map<string, { ids: string[]; sum: number }>();
    for (const store of book.all(workspaceId!)) {
      const ids: string[] = [];
      const selection = { stores: [store], start: 0, end: Number.MAX_SAFE_INTEGER, content: undefined };
      for await (const piece of plays.all(selection)) ids.push(...piece.map(({ play_id }) => play_id));
      const sum = db.raw
        .prepare('SELECT coalesce(sum(plays), 0) FROM hq_sums WHERE scope = 0 AND store = ?')
        .pluck()
        .get(store.id) as number;
      found.set(store.name, { ids, sum });
    }
    return found;
  } finally {
    db.close();
  }
};

/** Headquarters, and so many stores that are enrolled and run. */
export const openChain = async (t: TestContext, count: number) => {
  const hq = new Headquarters(tempFolder(t), await freePort());
  await hq.start();
  t.after(() => hq.kill());
  const { token } = await firstUser({ call: callerOf(hq.origin) } as never);
  const call = callAs({ origin: hq.origin, call: callerOf(hq.origin) }, token);
  const stores: Store[] = [];
  for (let i = 0; i < count; i++) {
    const line = await CutLine.open(hq.httpsPort);
    t.after(() => line.close());
    const store = new Store(`Store ${i}`, tempFolder(t), line);
    const { id } = must(await call('POST', '/api/stores', { name: store.name }), 201);
    await store.enrol(must(await call('POST', `/api/stores/${id}/code`), 201).code);
    store.begin();
    stores.push(store);
  }
  return { hq, stores };
};

/** Until every store has told everything, twice. */
export const allTold = async (stores: readonly Store[]): Promise<void> => {
  const isTold = () => stores.every((store) => store.isTold);
  await until(
    () => `everything is told: ${stores.map((store) => JSON.stringify(store.link!.view)).join(' ')}`,
    SETTLES_MS,
    () => {
      for (const store of stores) if (!store.isTold) store.link!.hurry();
      return isTold();
    },
    500,
  );
  // And still, after headquarters has said once more what it has.
  for (const store of stores) store.link!.hurry();
  await until('everything is told again', SETTLES_MS, isTold);
};
