/**
 * Tests backups whose database contains objects that Vitrine did not make. Such a backup is refused before SQL in these
 * objects can run, and the error names the object.
 */
import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { tempFolder } from '../../../test/harness.ts';
import { examine, newestInstant } from '../../cli/doctor/database.store.ts';
import { connect } from '../../db/connect.ts';
import { findForeignSchema, NEWEST_FILE, newestFile } from '../../db/foreign-schema.ts';
import { DatabaseRefused, openDatabase } from '../../db/open.ts';
import { ensureStoreId } from '../../db/store-id.ts';
import { loadIdentity } from '../../identity.ts';
import { FileTaken } from './bring-in.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore.ts';
import { findDamage, findForeign } from './snapshot.store.ts';
import { writeRecord } from './store-record.ts';
import { tryBackup } from './try-backup.ts';

/**
 * Time limit in milliseconds: far less than the hour that a malicious view can take, and far more than a slow machine
 * needs.
 */
const MOST_MS = 20_000;
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';

/** Writes directly into the schema table. SQL can do this only without SQLite's defensive mode. */
const byHand = (sql: string) => (raw: BetterSqlite3.Database) => {
  raw.unsafeMode(true);
  raw.pragma('writable_schema = ON');
  raw.exec(sql);
};
const rename = (raw: BetterSqlite3.Database, table: string, view: string): void => {
  raw.pragma('legacy_alter_table = ON');
  raw.exec(`DROP VIEW IF EXISTS plays; ALTER TABLE ${table} RENAME TO real_${table}; CREATE VIEW ${table} AS ${view}`);
};

const HOSTILE: Readonly<
  Record<string, readonly [change: string | ((raw: BetterSqlite3.Database) => void), named: RegExp]>
> = {
  'a trigger': [
    "CREATE TRIGGER promote AFTER INSERT ON sessions BEGIN UPDATE users SET role = 'platform_admin'; END",
    /trigger “promote” is not part of Vitrine/,
  ],
  'a trigger of ours with another body': [
    byHand(
      "UPDATE sqlite_master SET sql = replace(sql, 'BEGIN', 'BEGIN UPDATE users SET role = ''platform_admin'';') WHERE type = 'trigger'",
    ),
    /trigger “.+” was changed/,
  ],
  'a view that runs for ever': [`CREATE VIEW nobody AS ${ENDLESS}`, /view “nobody” is not part of Vitrine/],
  'a view in the place of a table': [
    (raw) => rename(raw, 'users', `SELECT (${ENDLESS}) AS id`),
    /“(users|real_users|plays|\w+)”/,
  ],
  'a view in the place of the table of migrations': [
    (raw) => rename(raw, '__drizzle_migrations', `SELECT (${ENDLESS}) AS created_at`),
    /view “__drizzle_migrations” was changed/,
  ],
  'a view with the name of the schema table': [
    byHand(
      `INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('view', 'sqlite_schema', 'sqlite_schema', 0, 'CREATE VIEW sqlite_schema AS ${ENDLESS}')`,
    ),
    /sqlite_schema/,
  ],
  'a generated column': [
    'ALTER TABLE users ADD COLUMN twice TEXT GENERATED ALWAYS AS (hex(zeroblob(1000000))) VIRTUAL',
    /table “users” was changed/,
  ],
  'a default value': ["ALTER TABLE users ADD COLUMN more TEXT DEFAULT 'x'", /table “users” was changed/],
  'an index on an expression': [
    'CREATE INDEX slow ON users (hex(zeroblob(length(email))))',
    /index “slow” is not part of Vitrine/,
  ],
  'a check': [
    byHand(
      "UPDATE sqlite_master SET sql = replace(sql, '`name` text NOT NULL', '`name` text NOT NULL CHECK (hex(zeroblob(1000000)))') WHERE name = 'folders'",
    ),
    /table “folders” was changed/,
  ],
  'a virtual table': [
    'CREATE VIRTUAL TABLE words USING fts5(text)',
    /(virtual table|table) “words\w*” is not part of Vitrine/,
  ],
  'a table': ['CREATE TABLE extra (x)', /table “extra” is not part of Vitrine/],
  'a table less': ['DROP TABLE kiosk_pages', /“\w*kiosk_pages\w*” is missing/],
  'a version that never was': [
    'UPDATE __drizzle_migrations SET created_at = created_at + 1',
    /no version of Vitrine has its version number|newer version/,
  ],
  'names with control characters': ['CREATE TABLE "a\nb\u001b[2J" (x)', /table “a\?b\?\[2J” is not part of Vitrine/],
  'more objects than can be parsed in time': [
    (raw) =>
      raw.transaction(() => {
        for (let i = 0; i < 3_000; i++) raw.exec(`CREATE TABLE t${i} (x)`);
      })(),
    /more than 2000 objects/,
  ],
  'a definition of megabytes': [
    (raw) => raw.exec(`CREATE VIEW long AS SELECT '${'x'.repeat(2_000_000)}'`),
    /larger than 1048576 bytes/,
  ],
};

const storeIn = (data: string, change: (raw: BetterSqlite3.Database) => void = () => {}): void => {
  mkdirSync(data, { recursive: true });
  loadIdentity(data, { mayCreate: true });
  const db = openDatabase(join(data, 'vitrine.db'));
  writeRecord(data, ensureStoreId(db.raw, undefined));
  db.close();
  const raw = new BetterSqlite3(join(data, 'vitrine.db'));
  raw.pragma('journal_mode = DELETE');
  change(raw);
  raw.close();
};

for (const [what, [change, named]] of Object.entries(HOSTILE))
  test(`database with ${what} is refused with the name of the object, in limited time`, (t: TestContext) => {
    const data = join(tempFolder(t), 'data');
    storeIn(data, (raw) => (typeof change === 'string' ? raw.exec(change) : change(raw)));
    const began = performance.now();
    assert.match(findForeign(join(data, 'vitrine.db')) ?? findDamage(join(data, 'vitrine.db')) ?? 'accepted', named);
    assert.ok(performance.now() - began < MOST_MS);
  });

for (const [what, [change, named]] of Object.entries(HOSTILE))
  test(`server does not open a database with ${what}`, (t: TestContext) => {
    const file = join(tempFolder(t), 'data', 'vitrine.db');
    storeIn(join(file, '..'), (raw) => (typeof change === 'string' ? raw.exec(change) : change(raw)));
    const before = readFileSync(file);
    const began = performance.now();
    assert.throws(
      () => openDatabase(file).close(),
      (error) => error instanceof DatabaseRefused && named.test(error.message),
    );
    assert.ok(performance.now() - began < MOST_MS);
    assert.ok(readFileSync(file).equals(before), 'the file was changed');
  });

test('stored list of schema objects equals the schema after the newest migration', () => {
  assert.deepEqual(
    JSON.parse(readFileSync(NEWEST_FILE, 'utf8')),
    newestFile(),
    'run node test/records/record-store.ts',
  );
});

const LANDED = join(import.meta.dirname, '../../db/testing/landed');
const landed = globSync('*.db.gz', { cwd: LANDED });

test('a database of every released schema version is accepted, also after ANALYZE', (t) => {
  assert.ok(landed.length >= 18);
  for (const name of landed) {
    const file = join(tempFolder(t), 'vitrine.db');
    writeFileSync(file, gunzipSync(readFileSync(join(LANDED, name))));
    assert.equal(findForeignSchema(file), undefined, basename(name));
    const raw = new BetterSqlite3(file);
    raw.exec('ANALYZE');
    raw.close();
    assert.equal(findForeignSchema(file), undefined, `${basename(name)} after ANALYZE`);
  }
});

test('backup with a foreign trigger is not accepted, tested or restored, and leaves no file behind', async (t) => {
  const from = join(tempFolder(t), 'from');
  const target = join(tempFolder(t), 'hostile.vitrine');
  const promote =
    "CREATE TRIGGER promote AFTER INSERT ON play_epochs BEGIN UPDATE users SET role = 'platform_admin'; END";
  storeIn(from, (raw) => raw.exec(promote));
  await makeBackup({ data: from, target, media: 'inside', now: Date.now() });

  const data = join(tempFolder(t), 'here');
  storeIn(data);
  const before = readFileSync(join(data, 'vitrine.db'));
  const folder = join(data, 'backups');
  const sentence = /trigger “promote” is not part of Vitrine\. .*Use an unchanged backup\.$/;
  assert.throws(() => tryBackup(target, data), sentence);
  assert.throws(() => restoreBackup({ file: target, data, now: Date.now() }), sentence);
  const coming = new FileTaken({ folder, chosen: false, data }, 'brought-in.vitrine', 0);
  coming.write(readFileSync(target));
  assert.throws(() => coming.end(), sentence);
  coming.discard();
  assert.deepEqual(globSync('**/*.vitrine*', { cwd: data }), []);
  assert.deepEqual(globSync('.restore-*', { cwd: data }), []);
  assert.deepEqual(readFileSync(join(data, 'vitrine.db')), before);
});

test('doctor names an object that Vitrine did not make before it queries the database', (t) => {
  const data = join(tempFolder(t), 'data');
  storeIn(data, (raw) => rename(raw, 'devices', `SELECT (${ENDLESS}) AS last_heartbeat`));
  const began = performance.now();
  assert.throws(() => examine(join(data, 'vitrine.db')), /changed outside of Vitrine: the .+ “.+”/);
  assert.equal(newestInstant(join(data, 'vitrine.db')), undefined);
  assert.ok(performance.now() - began < MOST_MS);
});

test('no database connection of the server trusts the schema in its file', () => {
  const raw = connect(':memory:');
  assert.equal(raw.pragma('trusted_schema', { simple: true }), 0);
  assert.equal(raw.pragma('cell_size_check', { simple: true }), 1);
  raw.pragma('writable_schema = ON');
  assert.equal(raw.pragma('writable_schema', { simple: true }), 0, 'defensive mode is off');
  raw.close();
  const server = join(import.meta.dirname, '../..');
  const others = globSync('**/*.ts', { cwd: server }).filter(
    (file) =>
      !/\.test\.ts$|testing/.test(file) && /import BetterSqlite3 from/.test(readFileSync(join(server, file), 'utf8')),
  );
  assert.deepEqual(others, ['db/connect.ts']);
});
