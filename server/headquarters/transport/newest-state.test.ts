/**
 * Tests that a store shows exactly the newest desired state, completely, and never anything else: after any restores
 * and crashes on both sides, and after late, repeated and forged messages. Uses the real code of a store and of
 * headquarters on separate databases, without a network.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { desiredText, type SignedDesired } from '../../../shared/chain/campaign.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { TestClock, tempFolder } from '../../../test/harness.ts';
import { runCount } from '../../../test/run-count.ts';
import type { Database } from '../../db/database.ts';
import { beginEpochIn } from '../../db/epochs.ts';
import { openDatabase } from '../../db/open.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import { Bus } from '../../kernel/bus.ts';
import { SPKI } from '../../kernel/trust/signed-by.ts';
import { CampaignsStore } from '../../store-link/campaigns/campaigns.store.ts';
import { DesiredState } from '../../store-link/campaigns/desired-state.ts';
import { Campaigns } from '../../store-link/campaigns/progress.ts';
import { ChainStore } from '../../store-link/membership/chain.store.ts';
import { Incidents } from '../../store-link/membership/incidents.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import { wholeIn } from '../../store-link/testing/whole.ts';
import {
  ANNA,
  addContent,
  addFile,
  addPlaylist,
  bodyOf,
  campaignsOver,
  EVERYWHERE,
  setItems,
} from '../testing/campaigns.ts';
import { hqOver, NOON, sha256 } from '../testing/rig.ts';

const STORES = ['mill', 'dock'];
const LISTS = ['loop', 'shelf'];
const CONTENTS = ['star', 'tree', 'bell'];
const NAMES = ['Advent', 'Sale', 'Easter'];
const HOUR_MS = 3_600_000;
/** Start time of a campaign: some hours after noon. */
const startOf = (hours: number): string => new Date(NOON + hours * HOUR_MS).toISOString().slice(0, 16);

/** A database that is copied and restored as a file. */
class Filed {
  readonly #folder: string;
  db: Database;

  /** @param empty a database with empty tables; creating the tables would take longer than the rest of the test */
  constructor(folder: string, empty: string) {
    this.#folder = folder;
    this.#copy(empty, this.#file);
    this.db = openDatabase(this.#file);
  }

  async keep(): Promise<void> {
    await this.db.durable();
    this.#copy(this.#file, join(this.#folder, 'kept.db'));
  }

  get isKept(): boolean {
    return existsSync(join(this.#folder, 'kept.db'));
  }

  putBack(change: (file: string) => void = () => {}): void {
    this.db.close();
    this.#copy(join(this.#folder, 'kept.db'), this.#file);
    change(this.#file);
    this.db = openDatabase(this.#file);
  }

  /**
   * Simulates a crash: keeps only the data that is on the disk at this moment, even if `ending` (the shutdown) writes
   * more.
   */
  async kill(ending: () => Promise<void> = async () => {}): Promise<void> {
    const crashed = join(this.#folder, 'crashed.db');
    this.#copy(this.#file, crashed);
    await ending();
    await this.db.durable()?.catch(() => {});
    this.db.close();
    this.#copy(crashed, this.#file);
    this.db = openDatabase(this.#file);
  }

  get #file(): string {
    return join(this.#folder, 'vitrine.db');
  }

  #copy(from: string, to: string): void {
    for (const ending of ['', '-wal', '-shm']) {
      rmSync(to + ending, { force: true });
      if (existsSync(from + ending)) copyFileSync(from + ending, to + ending);
    }
  }
}

/** A store of the test. Its state is checked after every action. */
class Store {
  readonly #file: Filed;
  readonly #ref: string;
  readonly #key: string;
  readonly #clock: TestClock;
  #desired!: DesiredState;
  #campaigns!: Campaigns;

  constructor(file: Filed, { ref, key, clock }: { ref: string; key: string; clock: TestClock }) {
    this.#file = file;
    this.#ref = ref;
    this.#key = key;
    this.#clock = clock;
    addWorkspace(this.#db, 'w');
    const link = { name: ref, address: 'https://hq.test:1', headquarters: 'HQ', certificate: '', may: null };
    this.#db.write(() =>
      new ChainStore(this.#db).insert({
        ...{ ...link, workspace_id: 'w', store: ref, key: SPKI + key, lets_update: 0 },
        ...{ seal_key: null, stick_in: 0, stick_out: 0 },
        ...{ enrolled_at: 1, enrolled_by: 'Olga' },
      }),
    );
    this.#open();
  }

  get desired(): DesiredState {
    return this.#desired;
  }

  get readiness() {
    return this.#campaigns.readiness;
  }

  keep(): Promise<void> {
    return this.#file.keep();
  }

  async kill(): Promise<void> {
    await this.#file.kill();
    this.#open();
  }

  putBack(change?: (file: string) => void): void {
    if (!this.#file.isKept) return;
    this.#file.putBack(change);
    this.#open();
  }

  close(): void {
    this.#db.close();
  }

  /** Text of the applied edition, by campaign. */
  get applied(): Map<string, string> {
    return new Map(
      this.#rows(
        'SELECT campaign, applied_doc FROM chain_campaigns WHERE applied_doc IS NOT NULL ORDER BY campaign',
      ).map(({ campaign, applied_doc }) => [String(campaign), String(applied_doc)]),
    );
  }

  get incidents(): unknown[] {
    return this.#rows("SELECT details FROM chain_incidents WHERE kind <> 'desired_refused'");
  }

  /** @param made hashes of all editions that headquarters has made */
  expectWhole(made: ReadonlySet<string>): void {
    for (const { text } of wholeIn(this.#db.raw)) assert.ok(made.has(sha256(text)), 'headquarters made it');
    // Checks that the store never reports an edition that it does not have.
    const wanted = new Map(
      this.#rows('SELECT campaign, sha256 FROM chain_campaigns WHERE wanted IS NOT NULL').map((row) => [
        row['campaign'],
        row['sha256'],
      ]),
    );
    for (const { id, phase, bytes_left } of this.readiness)
      if (phase === 'armed' && bytes_left === 0)
        assert.equal(sha256(this.applied.get(id) ?? ''), wanted.get(id), `${id} is armed`);
    assert.deepEqual(this.incidents, []);
  }

  get #db(): Database {
    return this.#file.db;
  }

  #rows(sql: string): Record<string, unknown>[] {
    return this.#db.raw.prepare(sql).all() as Record<string, unknown>[];
  }

  #open(): void {
    const db = this.#db;
    const clock = this.#clock;
    const parts = { db, bus: new Bus((_, error) => assert.fail(String(error))), clock, activity: { add() {} } };
    const incidents = new Incidents({ ...parts, store: new ChainStore(db) });
    const desired = new DesiredState({
      ...{ ...parts, incidents, store: new CampaignsStore(db), workspaceId: 'w', storeRef: this.#ref },
      ...{ key: SPKI + this.#key, timezone: () => 'UTC' },
    });
    desired.carryOut();
    this.#desired = desired;
    this.#campaigns = new Campaigns({
      ...{ clock, desired, fetcher: { has: () => 0, rate: null, troubleWith: () => undefined }, screens: () => [] },
      ...{ programOf: () => undefined, live: () => undefined, pause: async () => {}, changed() {} },
      failed: (error) => assert.fail(String(error)),
    });
  }
}

const emptyIn = (folder: string): string => {
  const file = join(folder, 'empty.db');
  openDatabase(file).close();
  return file;
};

class Chain {
  readonly #folder: string;
  readonly #file: Filed;
  readonly #key = newKey();
  readonly #clock = new TestClock(NOON);
  readonly #endings: (() => unknown)[] = [];
  readonly #stores: readonly Store[];
  /** Hashes of all editions ever made, and desired states that are delivered later. */
  readonly #made = new Set<string>();
  readonly #late: SignedDesired[] = [];
  #hq!: ReturnType<typeof campaignsOver> & { readonly known: readonly { id: number; ref: string }[] };
  #version = 0;

  constructor(t: TestContext, empty: string) {
    this.#folder = tempFolder(t);
    this.#file = new Filed(this.#folder, empty);
    const { db } = this.#file;
    addWorkspace(db, 'hq');
    const { addStore } = hqOver(db, this.#folder);
    for (const ref of STORES) addStore(ref);
    db.write(() => {
      for (const id of CONTENTS) addContent(db, id);
      for (const id of LISTS) addPlaylist(db, id, CONTENTS.slice(0, 2));
    });
    const facts = { key: this.#key.key, clock: this.#clock };
    this.#stores = STORES.map((ref) => new Store(new Filed(tempFolder(t), empty), { ref, ...facts }));
    this.#open();
  }

  /** Makes a first copy of each database, so that no restore goes back to an empty database. */
  async begin(): Promise<void> {
    await this.hqKeep();
    for (const store of this.#stores) await store.keep();
  }

  /** Runs an action and advances the time. */
  async act(name: Act, n: number): Promise<void> {
    await this[name](n);
    this.#clock.advance(60_000);
    this.#hqClock.set(this.#clock.now());
    for (const store of this.#stores) store.expectWhole(this.#made);
  }

  async start(n: number): Promise<void> {
    const { campaigns } = this.#hq;
    const name = NAMES[n % NAMES.length]!;
    const row = campaigns.list(ANNA, { state: undefined, q: name, limit: 1, offset: 0 });
    const [known] = (await row).rows;
    const id = known?.id ?? campaigns.create(ANNA, bodyOf({ name, playlist_id: LISTS[0]! })).record.id;
    campaigns.update(
      ANNA,
      id,
      {
        playlist_id: LISTS[(n >> 2) % LISTS.length]!,
        begins: n % 5 === 0 ? 'parts' : 'whole',
        start_time: startOf((n >> 1) % 4),
        where: n % 3 === 0 ? { ...EVERYWHERE, store_ids: [STORES[(n >> 3) % STORES.length]!] } : EVERYWHERE,
      },
      undefined,
    );
    await this.#decide(() => campaigns.start(ANNA, id, undefined));
  }

  async stop(n: number): Promise<void> {
    const id = await this.#running(n);
    if (id !== undefined) await this.#decide(() => this.#hq.campaigns.stop(ANNA, id, undefined));
  }

  async rollBack(n: number): Promise<void> {
    const id = await this.#running(n);
    if (id !== undefined) await this.#decide(() => this.#hq.campaigns.rollBack(ANNA, id, 1 + (n % 3), undefined));
  }

  /** Publishes a playlist with other content. */
  async edit(n: number): Promise<void> {
    const some = CONTENTS.filter((_, i) => ((n + 1) >> i) % 2 === 1);
    await this.#hq.changeLibrary(() =>
      setItems(this.#file.db, LISTS[n % LISTS.length]!, some.length ? some : ['star']),
    );
  }

  /** Replaces the file of a content item by another file. */
  async replace(n: number): Promise<void> {
    const { db } = this.#file;
    const id = CONTENTS[n % CONTENTS.length]!;
    await this.#hq.changeLibrary(() => {
      const file = addFile(db, `${id} ${++this.#version}`);
      db.raw.prepare('UPDATE content SET sha256 = ? WHERE id = ?').run(file, id);
    });
  }

  /** Sends the presence of a store, and fetches a newer desired state. */
  async present(n: number): Promise<void> {
    const i = n % STORES.length;
    const { desiredStates, known } = this.#hq;
    const { desired, readiness } = this.#stores[i]!;
    desiredStates.record(known[i] as never, { desired_rev: desired.rev, campaigns: readiness });
    if (desiredStates.rev(known[i]!) <= desired.rev) return;
    const newer = desiredStates.newer(known[i]!, desired.rev);
    if (newer) desired.accept(newer);
  }

  async delay(n: number): Promise<void> {
    const newest = this.#hq.desiredStates.newer(this.#hq.known[n % STORES.length]!, 0);
    if (newest) this.#late.push(newest);
  }

  /** Delivers a delayed desired state, sometimes to the wrong store. */
  async arrive(n: number): Promise<void> {
    const said = this.#late[n % Math.max(1, this.#late.length)];
    if (!said) return;
    const { desired } = this.#stores[n % STORES.length]!;
    const before = desired.rev;
    desired.accept(said);
    assert.ok(desired.rev >= before, 'an older one changes nothing');
  }

  async forge(n: number): Promise<void> {
    const store = STORES[n % STORES.length]!;
    const text = JSON.stringify({
      ...{ vitrine: 'desired', version: 1, store, rev: 2 ** 49, issued_ms: 1, campaigns: [] },
    });
    const { desired } = this.#stores[n % STORES.length]!;
    assert.equal(desired.accept({ text, signature: newKey().sign(desiredText(text)) }), false);
  }

  /**
   * Fetches a missing file or document. Returns false when nothing is missing, or when headquarters no longer offers
   * the file.
   */
  async fetch(n: number): Promise<boolean> {
    const i = n % STORES.length;
    const { desired } = this.#stores[i]!;
    const missing = desired.missing();
    const one = missing[(n >> 1) % Math.max(1, missing.length)];
    if (!one) return false;
    const { desiredStates, desiredStatesStore, known } = this.#hq;
    if (!desiredStates.needs(known[i]!, one.what === 'file' ? one.file.sha256 : one.sha256)) return false;
    if (one.what === 'file') desired.fileCame(one.file);
    else desired.documentCame(one.campaign, Buffer.from(desiredStatesStore.document(one.sha256)!));
    return true;
  }

  /** Acts like a store with a good connection: fetches only its documents, or its documents and files. */
  async read(n: number): Promise<void> {
    await this.present(n);
    for (const [i, { what }] of this.#stores[n % STORES.length]!.desired.missing().entries())
      if (what === 'document') await this.fetch((n % STORES.length) + i * 2);
    if (n % 3 > 0) while (await this.fetch(n % STORES.length));
  }

  /** Delivers bytes that do not match the hash of the requested file. */
  async garble(n: number): Promise<void> {
    const { desired } = this.#stores[n % STORES.length]!;
    for (const one of desired.missing())
      if (one.what === 'document') desired.documentCame(one.campaign, Buffer.from('{}'));
  }

  async later(n: number): Promise<void> {
    this.#clock.advance((1 + (n % 2)) * HOUR_MS);
    for (const { desired } of this.#stores) desired.carryOut();
  }

  backUp(n: number): Promise<void> {
    return this.#stores[n % STORES.length]!.keep();
  }

  async putBack(n: number): Promise<void> {
    this.#stores[n % STORES.length]!.putBack(n % 4 < 2 ? (file) => beginEpochIn(file, 1) : undefined);
  }

  kill(n: number): Promise<void> {
    return this.#stores[n % STORES.length]!.kill();
  }

  hqKeep(): Promise<void> {
    return this.#file.keep();
  }

  async hqPutBack(): Promise<void> {
    if (!this.#file.isKept) return;
    await this.#end();
    this.#file.putBack();
    this.#open();
  }

  async hqKill(): Promise<void> {
    await this.#file.kill(() => this.#end());
    this.#open();
  }

  /** Every store reports, and fetches everything that is missing. */
  async settle(): Promise<void> {
    await this.#hq.settled();
    for (let round = 0; round < 3; round++)
      for (const [i] of this.#stores.entries()) {
        await this.act('present', i);
        await this.#hq.settled();
        for (let left = 50; await this.fetch(i); left--) assert.ok(left > 0, 'it comes to an end');
      }
  }

  async expectNewest(): Promise<void> {
    const { desiredStates, known, desiredOf, campaigns } = this.#hq;
    desiredStates.flush();
    for (const [i, store] of this.#stores.entries()) {
      const newest = desiredOf(known[i]!);
      assert.equal(store.desired.rev, newest?.rev ?? 0, `${STORES[i]} has the newest`);
      assert.deepEqual(
        [...store.applied].map(([id, text]) => [id, sha256(text)]),
        newest?.campaigns.map(({ id, sha256: hash }) => [id, hash]) ?? [],
      );
      store.expectWhole(this.#made);
    }
    const { rows } = await campaigns.list(ANNA, { state: undefined, q: undefined, limit: 100, offset: 0 });
    for (const { phases, stores, edition } of rows)
      if (phases) assert.equal(phases.armed, stores, `all have told of edition ${edition}: ${JSON.stringify(phases)}`);
  }

  async close(): Promise<void> {
    await this.#end();
    this.#file.db.close();
    for (const store of this.#stores) store.close();
  }

  #hqClock = this.#clock;

  #open(): void {
    const { db } = this.#file;
    const hq = hqOver(db, this.#folder);
    hq.clock.set(this.#clock.now());
    this.#hqClock = hq.clock;
    const known = STORES.map((ref) => ({ ...hq.registry.byRef(ref)!, workspaceId: 'hq' }));
    this.#hq = { ...campaignsOver({ after: (work) => this.#endings.push(work) }, hq, this.#key), known };
  }

  async #end(): Promise<void> {
    for (const end of this.#endings.splice(0)) await end();
    await this.#file.db.durable();
  }

  async #running(n: number): Promise<string | undefined> {
    const { rows } = await this.#hq.campaigns.list(ANNA, { state: 'running', q: undefined, limit: 10, offset: 0 });
    return rows[n % Math.max(1, rows.length)]?.id;
  }

  /** Runs an action of a person. A refused action changes nothing. */
  async #decide(work: () => unknown): Promise<void> {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    await this.#hq.settled();
    for (const hash of this.#file.db.raw.prepare('SELECT sha256 FROM hq_editions').pluck().all())
      this.#made.add(String(hash));
  }
}

const ACTS = [
  'start',
  'stop',
  'rollBack',
  'edit',
  'replace',
  'present',
  'delay',
  'arrive',
  'forge',
  'fetch',
  'read',
  'garble',
  'later',
  'backUp',
  'putBack',
  'kill',
  'hqKeep',
  'hqPutBack',
  'hqKill',
] as const;
type Act = (typeof ACTS)[number];

const run = async (
  t: TestContext,
  acts: readonly (readonly [name: Act, n: number])[],
  empty = emptyIn(tempFolder(t)),
) => {
  const chain = new Chain(t, empty);
  try {
    await chain.begin();
    for (const [name, n] of acts) await chain.act(name, n);
    await chain.settle();
    await chain.expectNewest();
  } finally {
    await chain.close();
  }
};

test('restored headquarters never reuses a revision number that the store already had for another state', (t) =>
  run(t, [
    ['start', 1],
    ['present', 0],
    ['hqPutBack', 0],
    ['start', 1],
  ]));

test('older desired state that arrives late changes nothing in the store', (t) =>
  run(t, [
    ['start', 1],
    ['delay', 0],
    ['start', 4],
    ['read', 0],
    ['arrive', 0],
  ]));

test('incomplete campaign does not remove content of a campaign that the store has completely', (t) =>
  run(t, [
    ['start', 1],
    ['read', 2],
    ['replace', 0],
    ['start', 0],
    ['read', 0],
  ]));

test('store has the newest desired state completely, after any restores, crashes, delays and forgeries', async (t) => {
  const often = { weight: 2, arbitrary: fc.constantFrom<Act>('start', 'read', 'present', 'fetch', 'edit', 'replace') };
  const empty = emptyIn(tempFolder(t));
  const act = fc.oneof(often, { weight: 1, arbitrary: fc.constantFrom(...ACTS) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(act, fc.nat(40)), { minLength: 5, maxLength: 60 }), (acts) =>
      run(t, acts, empty),
    ),
    { numRuns: runCount(30, 100) },
  );
});
