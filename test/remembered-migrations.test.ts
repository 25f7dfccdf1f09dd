import './remembered-migrations.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../server/db/open.ts';
import { tempFolder } from './harness.ts';

const contentsOf = (file: string) => {
  const { raw } = openDatabase(file);
  const all = (sql: string) => raw.prepare(sql).all() as Record<string, unknown>[];
  const contents = {
    schema: all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name'),
    migrations: all('SELECT * FROM __drizzle_migrations'),
    epochs: all('SELECT * FROM play_epochs'),
  };
  raw.close();
  return contents;
};

test('copy of the migrated schema equals the result of the migrations, with a different epoch', (t) => {
  const folder = tempFolder(t);
  const migrated = contentsOf(join(folder, 'a.db'));
  const copied = contentsOf(join(folder, 'b.db'));
  assert.deepEqual(copied.schema, migrated.schema);
  assert.deepEqual(copied.migrations, migrated.migrations);
  const [before, after] = [migrated.epochs[0]!, copied.epochs[0]!];
  assert.notEqual(after['epoch'], before['epoch']);
  assert.deepEqual({ ...after, epoch: 0, since: 0 }, { ...before, epoch: 0, since: 0 });
  assert.equal(copied.epochs.length, 1);
});
