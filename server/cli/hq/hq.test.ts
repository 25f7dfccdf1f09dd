/** Tests of `vitrine hq` without PostgreSQL. test/chain/postgres.test.ts has the tests with PostgreSQL. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const MAIN = join(import.meta.dirname, '..', 'main.ts');
const said = (...args: string[]) => {
  const { VITRINE_POSTGRES: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', env });
  return { status, stdout, stderr };
};

test('wrong use of `vitrine hq` is reported with exit code 2', () => {
  const bare = said('hq');
  assert.deepEqual([bare.status, bare.stdout], [2, '']);
  assert.match(bare.stderr, /^Usage: vitrine hq doctor .*\n {2}hq move --postgres URL .*\n$/);
  assert.match(said('hq', 'walk').stderr, /^Say which: vitrine hq doctor, vitrine hq move/);
  assert.equal(said('hq', 'toString').status, 2);
  const { status, stderr } = said('hq', 'move');
  assert.equal(status, 2);
  assert.equal(stderr, 'Say where PostgreSQL is: vitrine hq move --postgres URL\n');
  assert.match(said('hq', '--help').stdout, /--postgres URL/);
});

test('a malformed address is refused without printing its password', () => {
  const { status, stderr, stdout } = said('hq', 'move', '--postgres', 'mysql://me:secret@db/x');
  assert.equal(status, 1);
  assert.match(stderr, /^--postgres must be an address like postgres:/);
  assert.doesNotMatch(stdout + stderr, /secret/);
});
