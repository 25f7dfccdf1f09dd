/**
 * Databases of all released schema versions, as files in the repository. Each file was filled by the server of that
 * version and has the number of its migrations as its name.
 */
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { tempFolder } from '../../test/harness.ts';
import { fold } from './fold.ts';
import { openDatabase } from './open.ts';

const LANDED = join(import.meta.dirname, 'testing', 'landed');
const versions = readdirSync(LANDED).map((file) => Number.parseInt(basename(file), 10));

const landed = (t: TestContext, version: number): string => {
  const file = join(tempFolder(t), 'vitrine.db');
  writeFileSync(file, gunzipSync(readFileSync(join(LANDED, `${version}.db.gz`))));
  return file;
};
const SCHEMA = `SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_\\_drizzle%' ESCAPE '\\' ORDER BY name`;
const COLUMNS =
  'SELECT m.name AS "table", c.name, c.type, c."notnull", c.pk FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = \'table\' ORDER BY 1, 2';
const namesOf = (raw: BetterSqlite3.Database) =>
  (raw.prepare(SCHEMA).all() as { name: string }[]).map(({ name }) => name);

/** Tables that a migration removed. Other tables replace them, with sums computed from the plays. */
const GONE = new Set(['play_hours']);

for (const version of versions)
  test(`upgrade of a database with ${version} migrations to the present version loses no data`, (t) => {
    const file = landed(t, version);
    const before = new BetterSqlite3(file, { readonly: true });
    const tables = before
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'",
      )
      .pluck()
      .all() as string[];
    const kept = tables
      .filter((name) => !GONE.has(name))
      .map((name) => [name, before.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[]] as const);
    before.close();
    const db = openDatabase(file);
    const fresh = openDatabase(join(tempFolder(t), 'fresh.db'));
    t.after(() => {
      db.close();
      fresh.close();
    });
    assert.deepEqual(namesOf(db.raw), namesOf(fresh.raw));
    assert.deepEqual(db.raw.prepare(COLUMNS).all(), fresh.raw.prepare(COLUMNS).all());
    assert.deepEqual(db.raw.pragma('foreign_key_check'), []);
    for (const [name, rows] of kept) {
      const now = db.raw.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[];
      assert.equal(now.length, rows.length, name);
      const old = new Set(Object.keys(rows[0] ?? {}).filter((column) => column in (now[0] ?? {})));
      const ofOld = (row: Record<string, unknown>) =>
        JSON.stringify(Object.entries(row).filter(([column]) => old.has(column)));
      assert.deepEqual(now.map(ofOld).sort(), rows.map(ofOld).sort(), name);
    }
    const names = db.raw.prepare('SELECT filename, search_name FROM content').all() as Record<string, string>[];
    for (const { filename, search_name } of names) assert.equal(search_name, fold(filename));
    assert.equal(db.raw.prepare('SELECT email FROM users').pluck().get(), 'owner@store.test');
  });

test('a recorded database of the present version exists (if not, run node test/records/record-store.ts)', () => {
  assert.equal(Math.max(...versions), globSync('*.sql', { cwd: join(import.meta.dirname, 'migrations') }).length);
});
