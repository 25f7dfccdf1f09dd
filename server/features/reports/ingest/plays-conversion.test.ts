/**
 * Tests that reports stay the same before, during and after plays of an older version are moved to the current table.
 */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tempFolder } from '../../../../test/harness.ts';
import type { Database } from '../../../db/database.ts';
import { openDatabase } from '../../../db/open.ts';
import { ProofStore } from '../proof/proof.store.ts';
import { ProofReader } from '../proof/proof-reader.ts';
import { openReader } from '../testing/open-reader.ts';
import { addDevice, addWorkspace, playAt, takeIn } from '../testing/plays.ts';
import { OldPlaysStore } from './plays-conversion.store.ts';
import { PlaysConversion } from './plays-conversion.ts';
import { PlaysIngestStore } from './plays-ingest.store.ts';

const NOW = Date.UTC(2026, 5, 1, 9, 7);
const MINUTE = 60_000;
const clock = { now: () => NOW };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Opens a store with plays of an older version that have all possible values. The newest plays were saved by the
 * current version.
 */
const store = async (t: TestContext): Promise<Database> => {
  const db = openDatabase(join(tempFolder(t), 'vitrine.db'));
  addWorkspace(db, 'w');
  for (const id of ['till', 'window']) addDevice(db, 'w', id);
  const plays = Array.from({ length: 60 }, (_, i) =>
    playAt(NOW - (70 - i) * MINUTE, {
      id: i % 3 === 0 ? `play ${i}` : `0199abcd-0000-4000-8000-${String(i).padStart(12, '0')}`,
      ...(i % 4 === 0 && { content_id: null, widget_id: 'clock', content_name: 'Clock' }),
      ...(i % 5 === 0 && { content_id: null, widget_id: null, content_name: 'Fallback', zone_id: 'z', item_id: null }),
      ...(i % 7 === 0 && { content_name: 'renamed.jpg', completed: false }),
      ...(i % 2 === 0 && { boot_id: `boot ${i % 8}`, uncertainty_ms: [0.3, 12, 0.123, 9e15, null][i % 5]! }),
      // The clock of the player was ahead by days when it recorded these plays.
      ...(i > 56 && { started_at: NOW + i * 3 * 86_400_000, ended_at: NOW + i * 3 * 86_400_000 + 5_000 }),
    }),
  );
  await takeIn(db, clock, 'till', plays.slice(0, 30));
  await takeIn(db, clock, 'window', plays.slice(30));
  db.write(() =>
    db.raw.exec('INSERT INTO old_plays SELECT * FROM plays; DELETE FROM play_log; DELETE FROM play_turns'),
  );
  await takeIn(db, clock, 'till', [playAt(NOW - 45_500), playAt(NOW - 65 * MINUTE)]);
  t.after(() => db.close());
  return db;
};

const conversionOf = (db: Database): PlaysConversion =>
  new PlaysConversion({ db, clock, store: new PlaysIngestStore(db), old: new OldPlaysStore(db), log: silent });

/** Runs every kind of report. */
const reports = ({ raw }: Database) => {
  const reader = openReader(raw);
  const proof = new ProofReader(new ProofStore(raw));
  const periods = [
    { start: 0, end: NOW + 1 },
    { start: NOW - 41 * MINUTE, end: NOW - 12.5 * MINUTE },
  ];
  return periods.flatMap((period) =>
    [undefined, 'till', 'window'].flatMap((deviceId) => {
      const scope = { workspaceId: 'w', deviceId, ...period };
      return [
        reader.summary({ ...scope, zone: 'UTC' }),
        ...[undefined, 'photo'].flatMap((contentId) =>
          [0, 11, 25].map((offset) => reader.plays({ ...scope, contentId, limit: 20, offset })),
        ),
        reader.csv({ ...scope, limit: 100 }),
        deviceId === undefined ? [] : proof.loose({ ...scope, deviceId }, undefined),
      ];
    }),
  );
};

test('reports stay the same at each step of the move, and so do reports of a copy made at that step', async (t) => {
  const db = await store(t);
  const before = reports(db);
  const conversion = conversionOf(db);
  let steps = 0;
  while (conversion.step(7)) {
    steps++;
    await db.durable();
    assert.deepEqual(reports(db), before);
    if (steps !== 4) continue;
    const copy = join(tempFolder(t), 'copy.db');
    db.raw.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(db.file, copy);
    const restored = openDatabase(copy);
    t.after(() => restored.close());
    assert.deepEqual(reports(restored), before);
    while (conversionOf(restored).step(7));
    assert.deepEqual(reports(restored), before);
  }
  assert.equal(steps, Math.ceil(60 / 7));
  const count = db.raw.prepare('SELECT (SELECT count(*) FROM old_plays), (SELECT count(*) FROM play_log)').raw();
  assert.deepEqual(count.get(), [0, 62]);
});

test('a play that a player sends again is recognized before and after its move', async (t) => {
  const db = await store(t);
  const before = reports(db);
  const again = async () => {
    for (const device of ['till', 'window']) {
      const kept = db.raw.prepare('SELECT * FROM plays WHERE device_id = ? ORDER BY id').all(device) as any[];
      await takeIn(
        db,
        // At this later time, the times of the player's fast clock are no longer in the future.
        { now: () => NOW + 200 * 86_400_000 },
        device,
        kept.map(({ play_id, started_ms, ended_ms, claimed, completed, ...play }) => {
          const [started_at, ended_at] = claimed === null ? [started_ms, ended_ms] : JSON.parse(claimed);
          return { ...play, id: play_id, started_at, ended_at, completed: completed === 1 };
        }),
      );
    }
  };
  await again();
  assert.deepEqual(reports(db), before);
  while (conversionOf(db).step(20)) await again();
  await db.durable();
  assert.deepEqual(reports(db), before);
});
