/**
 * For tests: creates the parts of headquarters with their own database, and stores whose segments are built play by
 * play.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import {
  encodeColumns,
  firstHead,
  headOf,
  type SegmentBody,
  type SegmentHeader,
  type SegmentPlay,
  segmentText,
} from '../../../shared/chain/segment.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import { TestClock, tempFolder } from '../../../test/harness.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open.ts';
import type { Answer, Task } from '../../features/reports/report-tasks.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import { Bus } from '../../kernel/bus.ts';
import { type Key, newKey } from '../../store-link/testing/journal.ts';
import { ChainPlays, type FoundPlay } from '../plays/chain-plays.ts';
import { ChainSumsStore } from '../plays/chain-sums.store.ts';
import { SegmentFiles } from '../plays/segment-files.ts';
import { type KnownStore, Writer } from '../plays/segment-writer.ts';
import { SqliteWarehouse } from '../plays/sqlite-warehouse.ts';
import { WarehouseStore } from '../plays/warehouse.store.ts';
import type { Warehouse } from '../plays/warehouse.ts';
import { HqIncidents } from '../stores/hq-incidents.ts';
import { Refused } from '../stores/refused.ts';
import { StoreRegistry } from '../stores/store-registry.ts';
import { StoresStore } from '../stores/stores.store.ts';

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
export const silent = { debug() {}, info() {}, warn() {}, error() {} };
export const NOON = Date.UTC(2026, 10, 2, 12);
export const ALWAYS = { start: 0, end: 9e15, content: undefined, campaign: undefined };

/** Returns a play of a screen. @param n determines its id and its time */
export const playOf = (number: number, n: number, more: Partial<SegmentPlay> = {}): SegmentPlay => ({
  number,
  device_id: 'till',
  seq: n,
  play_id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
  item_id: null,
  playlist_id: null,
  content_id: 'sale',
  widget_id: null,
  zone_id: null,
  content_name: 'Sale.jpg',
  boot_id: null,
  started_ms: NOON + n * 1_000,
  ended_ms: NOON + n * 1_000 + 1_000,
  completed: true,
  uncertainty_ms: null,
  claimed: null,
  ...more,
});

export const epochOf = (n: number): string => n.toString(16).padStart(32, '0');

export interface Stretch {
  readonly epoch: string;
  readonly first: number;
  readonly last: number;
  /**
   * All plays of the epoch, in order. Needed because the first hash in a segment covers all plays before the segment.
   */
  readonly plays: readonly SegmentPlay[];
  readonly marks?: SegmentBody['marks'];
}

/** Returns a segment as a store would build it. */
export const segmentOf = (
  key: Key,
  store: string,
  { epoch, first, last, plays, marks = [] }: Stretch,
): { header: SegmentHeader; bytes: Buffer; file: Buffer } => {
  const within = plays.filter(({ number }) => number >= first && number <= last);
  const before = plays.filter(({ number }) => number < first);
  const prev_head = headOf(sha256, firstHead(sha256, epoch), before);
  const devices = [...new Set(within.map(({ device_id }) => device_id))].map((id) => ({ id, name: id, key: null }));
  const bytes = zstdCompressSync(encodeColumns({ devices, plays: within, marks, seals: [] }));
  const facts = {
    vitrine: 'segment',
    version: 1,
    store,
    epoch,
    first,
    last,
    plays: within.length,
    prev_head,
    head: headOf(sha256, prev_head, within),
  } as const;
  const signature = key.sign(segmentText(facts, sha256(bytes)));
  const header: SegmentHeader = { ...facts, bytes: bytes.length, key: key.key, signature };
  return { header, bytes, file: Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes]) };
};

/** Answers queries like the thread for reports, but in the thread of the test. */
const reportsOf = (db: Database) => ({
  runTask: async (task: Task): Promise<Answer> => {
    if (task.do !== 'chain') throw new Error('only the chain’s sums are asked for here');
    const found = new ChainSumsStore(db.raw).answer(task.question);
    const block = Uint8Array.from(Buffer.from(JSON.stringify(found))).buffer;
    return { block, length: block.byteLength };
  },
});

export const warehouseOf = (db: Database) =>
  new SqliteWarehouse({ db, store: new WarehouseStore(db), threads: reportsOf(db) });

export const openHq = (t: TestContext, makeWarehouse: (db: Database) => Warehouse = warehouseOf) => {
  const folder = tempFolder(t);
  const db = openDatabase(join(folder, 'vitrine.db'));
  t.after(() => db.close());
  addWorkspace(db, 'hq');
  return { folder, ...hqOver(db, folder, makeWarehouse) };
};

/** @param db a database with the workspace `hq`; the caller closes it */
export const hqOver = (db: Database, folder: string, makeWarehouse: (db: Database) => Warehouse = warehouseOf) => {
  const clock = new TestClock(NOON);
  const parts = { db, bus: new Bus(() => {}), clock, log: silent, mono: () => clock.mono() };
  const stores = new StoresStore(db);
  const registry = new StoreRegistry({ ...parts, store: stores });
  const incidents = new HqIncidents({ ...parts, store: stores, registry });
  const warehouse = makeWarehouse(db);
  const segmentFiles = new SegmentFiles(join(folder, 'chain'));
  const writer = new Writer({
    ...parts,
    warehouse,
    segmentFiles,
    incidents,
    zone: () => zoneOf('Europe/Berlin'),
    campaign: () => undefined,
  });
  const plays = new ChainPlays({ warehouse, segmentFiles, identity: { publicKey: '', sign: () => '' } });
  const addStore = (ref: string, key: Key = newKey(), workspaceId = 'hq'): KnownStore & { readonly of: Key } => {
    const id = db.write(() => {
      const facts = { ref, name: ref, region: '', tags: [], note: '', latitude: null, longitude: null, created_at: 1 };
      const made = stores.insert({ ...facts, workspace_id: workspaceId });
      stores.enrol(made, { key: key.key, server_name: 'S', workspace_name: 'W', at: 1 });
      registry.refresh(made);
      return made;
    });
    return { id, ref, workspaceId, key: key.key, of: key };
  };
  /** Sends a segment to headquarters. Returns the verdict, or the code of the refusal. */
  const take = (store: KnownStore, file: Buffer): Promise<string> =>
    writer.storeSegment(store, file).then(
      ({ verdict }) => verdict,
      (error: unknown) => {
        if (error instanceof Refused) return error.code;
        throw error;
      },
    );
  const all = async (): Promise<FoundPlay[]> => {
    const found: FoundPlay[] = [];
    for await (const piece of plays.all({ ...ALWAYS, stores: registry.all('hq') })) found.push(...piece);
    return found;
  };
  return { db, clock, parts, stores, registry, warehouse, segmentFiles, writer, plays, addStore, take, all };
};
