/**
 * The upgrade of a database that meets a power cut, a failing or a full disk at any step. The result is the whole old
 * or the whole new database. The next start finishes the upgrade, and the copy from before the upgrade is whole or does
 * not exist.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { copyBeforeUpgrade, inspectDatabase, newestSchema, openDatabase } from '../../server/db/open.ts';
import { tempFolder } from '../harness.ts';
import { ROOT } from './data-server.ts';
import { createFaults, whyNoFaults } from './hooks/faults.ts';
import { oldDatabase } from './old-database.ts';

const PLAYS = 300;
const OPEN = JSON.stringify(pathToFileURL(join(ROOT, 'server/db/open.ts')).href);

/**
 * Opens the database in a process with simulated faults, and ends at once, like a power cut. Null if the process was
 * killed.
 */
const open = async (file: string, env: Record<string, string>): Promise<{ code: number | null; said: string }> => {
  const code = `const { openDatabase } = await import(${OPEN}); try { openDatabase(${JSON.stringify(file)}); process.exit(0); } catch (error) { console.error(error.constructor.name + ': ' + error.message); process.exit(1); }`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return { code: child.exitCode, said };
};

const assertWhole = (file: string, schemas: readonly number[], what: string): number => {
  const db = new BetterSqlite3(file);
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok', what);
    assert.equal(db.prepare('SELECT count(*) FROM plays').pluck().get(), PLAYS, what);
  } finally {
    db.close();
  }
  const { schema } = inspectDatabase(file);
  assert.ok(schemas.includes(schema), `${what}: ${schema}`);
  return schema;
};

for (const [fault, every] of [
  ['kill', 17],
  ['eio', 97],
  ['enospc', 101],
] as const)
  test(`upgrade with a fault (${fault}) at any step leaves the old or the new database, and the next start continues`, {
    skip: whyNoFaults,
    timeout: 300_000,
  }, async (t) => {
    const template = join(tempFolder(t), 'old.db');
    oldDatabase(template, PLAYS);
    const [old, newest] = [inspectDatabase(template).schema, newestSchema()];
    assert.notEqual(old, newest);
    const faults = createFaults(t);
    const ended = new Set<number>();
    for (let step = 1, tries = 0; ; step += every, tries++) {
      const folder = tempFolder(t);
      const file = join(folder, 'vitrine.db');
      copyFileSync(template, file);
      faults.disk(fault, folder, step);
      const { code, said } = await open(file, faults.env);
      faults.mend();
      const what = `${fault} at step ${step}: ${code} ${said}`;
      if (fault === 'kill') assert.ok(code === null || code === 0, what);
      else if (code !== 0) assert.match(said, /^Database(Refused|Damaged): [^\n]+\n$/, what);
      const copy = copyBeforeUpgrade(file);
      if (existsSync(copy)) assertWhole(copy, [old], `the copy, ${what}`);
      ended.add(assertWhole(file, [old, newest], what));
      const next = openDatabase(file);
      next.close();
      assertWhole(file, [newest], `the next start after ${what}`);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.endsWith('.new') || name.endsWith('-journal')),
        [],
        what,
      );
      if (code === 0) {
        t.diagnostic(`${tries} of some ${step} steps`);
        break;
      }
    }
    assert.ok(ended.has(old) && ended.has(newest));
  });
