/**
 * Everything at once, at random: headquarters killed and put back to an earlier state, stores restored from backups and
 * put back without one, lines cut in the middle. At the end every play is at headquarters exactly once.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createChainWorks } from '../../server/compose/chain-works.ts';
import type { Database } from '../../server/db/database.ts';
import { beginEpochIn } from '../../server/db/epochs.ts';
import { openDatabase } from '../../server/db/open.ts';
import { ChainStore, type LinkRow } from '../../server/features/chain/chain.store.ts';
import type { ChainLink } from '../../server/features/chain/chain-link.ts';
import { Incidents } from '../../server/features/chain/incidents.ts';
import { enrolmentAsk, Panels, threadsOf } from '../../server/features/chain/testing/store.ts';
import { addWorkspace } from '../../server/features/reports/testing/plays.ts';
import { ChainPlays } from '../../server/headquarters/chain-plays.ts';
import { Packs } from '../../server/headquarters/packs.ts';
import { StoreBook } from '../../server/headquarters/store-book.ts';
import { StoresStore } from '../../server/headquarters/stores.store.ts';
import { WarehouseStore } from '../../server/headquarters/warehouse.store.ts';
import { loadIdentity } from '../../server/identity.ts';
import { Bus } from '../../server/kernel/bus.ts';
import { gone, launch } from '../faults/data-server.ts';
import { callerOf, firstUser, freePort, tempFolder } from '../harness.ts';
import { callAs, must } from '../people.ts';
import { until } from '../until.ts';
import { CutLine } from './cut-line.ts';

const STORES = 6;
const LASTS_MS = Number(process.env['VITRINE_CHAOS_SECONDS'] ?? 25) * 1_000;
const SETTLES_MS = 60_000;
const SCREENS = ['till', 'door'];
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Repeats what happened: the seed is said. */
const dice = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 7), 61 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const copyDatabase = (from: string, to: string): void => {
  for (const ending of ['', '-wal', '-shm']) {
    rmSync(to + ending, { force: true });
    if (existsSync(from + ending)) copyFileSync(from + ending, to + ending);
  }
};

/** The real server, in a process that is killed. */
class Headquarters {
  readonly data: string;
  readonly port: number;
  readonly httpsPort: number;
  origin = '';
  kills = 0;
  restores = 0;
  #child: ReturnType<typeof launch>['child'] | undefined;

  constructor(data: string, port: number, httpsPort: number) {
    this.data = data;
    this.port = port;
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
class Store {
  readonly name: string;
  readonly folder: string;
  readonly panels = new Panels();
  readonly line: CutLine;
  readonly identity;
  db: Database;
  link: ChainLink | undefined;
  restores = 0;

  constructor(name: string, folder: string, line: CutLine) {
    this.name = name;
    this.folder = folder;
    this.line = line;
    this.identity = loadIdentity(folder);
    this.db = openDatabase(this.file);
    addWorkspace(this.db, 'w');
    for (const id of SCREENS) this.panels.add(this.db, 'w', id);
  }

  get file(): string {
    return join(this.folder, 'vitrine.db');
  }

  async enrol(code: string): Promise<void> {
    const { secret, ask } = enrolmentAsk(code, this.identity, this.name);
    assert.ok(secret);
    const met = await this.#works().enrol({ address: `https://127.0.0.1:${this.line.port}`, isIt: () => true, ask });
    const row: LinkRow = { ...met, workspace_id: 'w', enrolled_at: 1, enrolled_by: 'Owner' };
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
    for (const id of SCREENS) {
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
    for (const id of SCREENS) await this.#send(id);
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
    });
  }
}

const open = async (t: TestContext) => {
  const hq = new Headquarters(tempFolder(t), 0, await freePort());
  await hq.start();
  t.after(() => hq.kill());
  const { token } = await firstUser({ call: callerOf(hq.origin) } as never);
  const call = callAs({ origin: hq.origin, call: callerOf(hq.origin) }, token);
  const stores: Store[] = [];
  for (let i = 0; i < STORES; i++) {
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

/** Own ids of the plays of each store, as headquarters has them, and the sum of its sums. */
const counted = async (hq: Headquarters): Promise<Map<string, { ids: string[]; sum: number }>> => {
  const db = openDatabase(join(hq.data, 'vitrine.db'));
  try {
    const identity = loadIdentity(hq.data);
    const plays = new ChainPlays({ store: new WarehouseStore(db), packs: new Packs(join(hq.data, 'chain')), identity });
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

test('whatever is killed, cut and put back, every play is at headquarters exactly once', {
  timeout: LASTS_MS + 120_000,
}, async (t) => {
  const seed = Number(process.env['VITRINE_CHAOS_SEED'] ?? Date.now() % 1_000_000);
  t.diagnostic(`VITRINE_CHAOS_SEED=${seed}`);
  const roll = dice(seed);
  const { hq, stores } = await open(t);
  const any = () => stores[roll(stores.length)]!;
  const acts: readonly [weight: number, act: () => Promise<void> | void][] = [
    [40, () => any().show(1 + roll(20))],
    [10, () => any().link!.hurry()],
    [6, () => any().line.break()],
    [
      4,
      () => {
        const { line } = any();
        line.isCut = !line.isCut;
        line.break();
      },
    ],
    [4, () => any().backUp()],
    [2, () => any().putBack('restore')],
    [2, () => any().putBack('copy')],
    [
      3,
      async () => {
        await hq.kill();
        await hq.start();
      },
    ],
    [
      1,
      async () => {
        await hq.kill();
        hq.keep();
        await hq.start();
      },
    ],
    [
      2,
      async () => {
        await hq.kill();
        hq.putBack();
        await hq.start();
      },
    ],
  ];
  const all = acts.reduce((sum, [weight]) => sum + weight, 0);
  for (const end = performance.now() + LASTS_MS; performance.now() < end; ) {
    let rest = roll(all);
    const [, act] = acts.find(([weight]) => (rest -= weight) < 0)!;
    await act();
    await new Promise((next) => setTimeout(next, roll(60)));
  }
  for (const { line } of stores) line.isCut = false;
  for (const store of stores) await store.show(1);
  await until(
    () => `everything is told: ${stores.map((store) => JSON.stringify(store.link!.view)).join(' ')}`,
    SETTLES_MS,
    () => {
      for (const store of stores) if (!store.isTold) store.link!.hurry();
      return stores.every((store) => store.isTold);
    },
    500,
  );
  // And still, after headquarters has said once more what it has.
  for (const store of stores) store.link!.hurry();
  await until('everything is told again', SETTLES_MS, () => stores.every((store) => store.isTold));
  for (const store of stores) await store.end();
  await hq.kill();
  const found = await counted(hq);
  let plays = 0;
  for (const { name, panels } of stores) {
    const { ids, sum } = found.get(name)!;
    assert.deepEqual(ids.toSorted(), panels.shown.toSorted(), `plays of ${name}`);
    assert.equal(sum, panels.shown.length, `sums of ${name}`);
    plays += sum;
  }
  const restores = stores.reduce((sum, store) => sum + store.restores, 0);
  t.diagnostic(
    `${plays} plays; headquarters killed ${hq.kills} times, put back ${hq.restores} times; stores put back ${restores} times`,
  );
  assert.ok(plays > 500 && hq.kills > 1, 'something happened');
});
