import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { tempFolder } from '../../test/harness.ts';
import { Checkpoints } from './checkpoints.ts';
import { openDatabase } from './open.ts';

const setUp = (t: TestContext) => {
  const db = openDatabase(join(tempFolder(t), 'vitrine.db'));
  const errors: unknown[] = [];
  const checkpoints = new Checkpoints({ db, onError: (error) => errors.push(error) });
  checkpoints.start();
  t.after(async () => {
    await checkpoints.stop();
    db.close();
    assert.deepEqual(errors, []);
  });
  const insert = db.raw.prepare('INSERT INTO settings (key, value) VALUES (?, ?)');
  let n = 0;
  /** Inserts rows that are larger than a page, each in its own commit. */
  const write = (rows: number) => {
    for (let i = 0; i < rows; i++) insert.run(`row ${n++}`, JSON.stringify('x'.repeat(5000)));
  };
  const emptied = async () => {
    while (db.pagesInLog() > 0) await later(5);
  };
  return { db, checkpoints, write, emptied };
};

test('long WAL is checkpointed on a thread while the writer goes on', { timeout: 30_000 }, async (t) => {
  const { db, checkpoints, write, emptied } = setUp(t);
  write(1000);
  assert.ok(db.pagesInLog() >= 1000, 'no commit did it itself');
  const before = db.raw.pragma('data_version', { simple: true });
  checkpoints.runDue(0);
  write(10);
  await emptied();
  assert.equal(db.raw.pragma('data_version', { simple: true }), before, 'nobody takes it for a foreign write');
  assert.equal(db.raw.prepare('SELECT count(*) AS n FROM settings').pluck().get(), 1010);
});

test('size of the WAL stays below a limit that depends on the amount written between two checks', {
  timeout: 60_000,
}, async (t) => {
  const { db, checkpoints, write, emptied } = setUp(t);
  for (let round = 0; round < 5; round++) {
    write(600);
    checkpoints.runDue(round * 1000);
    await emptied();
  }
  assert.ok(statSync(`${db.file}-wal`).size < 20 * 1024 * 1024, String(statSync(`${db.file}-wal`).size));
});

test('short WAL is not checkpointed', (t) => {
  const { db, checkpoints, write } = setUp(t);
  write(5);
  const waiting = db.pagesInLog();
  checkpoints.runDue(0);
  assert.ok(waiting > 0);
  assert.equal(db.pagesInLog(), waiting);
});

test('checkpoint does not run during an open transaction, in which SQLite refuses checkpoints', (t) => {
  const { db, checkpoints, write } = setUp(t);
  write(5);
  db.raw.exec('BEGIN IMMEDIATE');
  write(1);
  assert.equal(db.pagesInLog(), 0);
  checkpoints.runDue(0);
  db.raw.exec('COMMIT');
  assert.ok(db.pagesInLog() > 0);
});
