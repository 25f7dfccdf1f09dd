import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { tempFolder } from '../../test/harness.ts';
import { drizzle, loadMigrator } from './drizzle.ts';
import { DatabaseRefused, openDatabase } from './open.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Creates a database of an earlier version: with the first `count` migrations. */
const databaseOf = (t: TestContext, count: number): string => {
  const folder = join(tempFolder(t), 'migrations');
  cpSync(MIGRATIONS, folder, { recursive: true });
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
  writeFileSync(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }),
  );
  const file = join(tempFolder(t), 'vitrine.db');
  const raw = new BetterSqlite3(file);
  loadMigrator().migrate(drizzle(raw), { migrationsFolder: folder });
  raw.close();
  return file;
};
const change = (file: string, sql: string): void => {
  const raw = new BetterSqlite3(file);
  raw.exec(sql);
  raw.close();
};
const read = (file: string, sql: string): unknown => {
  const raw = new BetterSqlite3(file, { readonly: true });
  const rows = raw.prepare(sql).raw().all();
  raw.close();
  return rows;
};
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const SCHEMA = 'SELECT name, sql FROM sqlite_schema ORDER BY name';

test('opening a database of an earlier version upgrades it, and leaves an unchanged copy beside it', (t) => {
  const file = databaseOf(t, 1);
  change(file, "INSERT INTO settings (key, value) VALUES ('old', '1')");
  const before = read(file, SCHEMA);
  const db = openDatabase(file);
  const [row] = db.raw.prepare("SELECT value FROM settings WHERE key = 'old'").raw().all();
  db.close();
  assert.deepEqual(row, ['1']);
  assert.notDeepEqual(read(file, SCHEMA), before);
  assert.deepEqual(read(`${file}.before-upgrade`, SCHEMA), before);
  assert.deepEqual(read(`${file}.before-upgrade`, "SELECT value FROM settings WHERE key = 'old'"), [['1']]);
});

test('SQLite’s file lock on the database is held while the copy before an upgrade is made', {
  skip: process.platform !== 'linux' && 'only Linux lists the locks that are held',
}, (t) => {
  const file = databaseOf(t, 1);
  const db = openDatabase(file);
  t.after(() => db.close());
  const ours = readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `));
  // The lock must last as long as the database is open, so that another process sees that the file is in use.
  assert.match(ours.join('\n'), /POSIX .* READ /);
});

test('opening a new or up-to-date database makes no copy', (t) => {
  const file = join(tempFolder(t), 'vitrine.db');
  for (let start = 0; start < 2; start++) openDatabase(file).close();
  assert.equal(existsSync(`${file}.before-upgrade`), false);
});

for (const mode of ['WAL', 'DELETE'])
  test(`database of a newer version is refused and stays unchanged byte for byte (journal mode ${mode})`, (t) => {
    const file = join(tempFolder(t), 'vitrine.db');
    openDatabase(file).close();
    change(
      file,
      `PRAGMA journal_mode = ${mode}; INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)`,
    );
    const before = hashOf(file);
    assert.throws(
      () => openDatabase(file),
      (error: Error) => error instanceof DatabaseRefused && /newer version of Vitrine/.test(error.message),
    );
    assert.equal(hashOf(file), before);
  });

test('the write-ahead log of a newer version stays unchanged when its database is refused', (t) => {
  const file = join(tempFolder(t), 'vitrine.db');
  openDatabase(file).close();
  const newer = new BetterSqlite3(file);
  newer.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)");
  // Simulates a crash: copies the files while the database is open.
  const crashed = join(tempFolder(t), 'vitrine.db');
  for (const end of ['', '-wal']) cpSync(file + end, crashed + end);
  newer.close();
  const before = [hashOf(crashed), hashOf(`${crashed}-wal`)];
  assert.throws(() => openDatabase(crashed), DatabaseRefused);
  assert.deepEqual([hashOf(crashed), hashOf(`${crashed}-wal`)], before);
});

test('failed upgrade is undone completely, and the error names the cause and the path of the copy', (t) => {
  const file = databaseOf(t, 1);
  // A later migration copies the schedules, and fails because the workspace of this schedule does not exist.
  change(
    file,
    `PRAGMA foreign_keys = OFF;
     INSERT INTO schedules (id, workspace_id, start_time, end_time, timezone, created_at, updated_at)
       VALUES ('s', 'w', '2026-01-01T09:00', '2026-01-01T10:00', 'UTC', 1, 1)`,
  );
  const before = read(file, SCHEMA);
  assert.throws(
    () => openDatabase(file),
    (error: Error) =>
      error instanceof DatabaseRefused &&
      /FOREIGN KEY constraint failed/.test(error.message) &&
      error.message.includes(`${file}.before-upgrade`) &&
      /Nothing was changed/.test(error.message),
  );
  assert.deepEqual(read(file, SCHEMA), before);
});

test('database is refused before its upgrade when a table has an unknown column, and the error names the table', (t) => {
  const file = databaseOf(t, 1);
  change(file, 'ALTER TABLE devices ADD COLUMN opening_hours text');
  const before = hashOf(file);
  assert.throws(() => openDatabase(file), /changed outside of Vitrine: the table “devices” was changed/);
  assert.deepEqual([hashOf(file), existsSync(`${file}.before-upgrade`)], [before, false]);
});
