/** `vitrine hq`, as far as it needs no database; what it does with one is in test/chain/postgres.test.ts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const MAIN = join(import.meta.dirname, 'main.ts');
const said = (...args: string[]) => {
  const { VITRINE_POSTGRES: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', env });
  return { status, stdout, stderr };
};

test('what is asked of headquarters wrongly is said, with exit code 2', () => {
  assert.deepEqual(said('hq'), { status: 2, stdout: '', stderr: `${/Usage: .*/.exec(said('hq').stderr)![0]}\n` });
  assert.equal(said('hq', 'walk').stderr, 'There is no "hq walk". See vitrine hq --help.\n');
  assert.equal(said('hq', 'toString').status, 2);
  const { status, stderr } = said('hq', 'move');
  assert.equal(status, 2);
  assert.equal(stderr, 'Say where PostgreSQL is: vitrine hq move --postgres URL\n');
  assert.match(said('hq', '--help').stdout, /--postgres URL/);
});

test('a malformed address is refused without its password', () => {
  const { status, stderr, stdout } = said('hq', 'move', '--postgres', 'mysql://me:secret@db/x');
  assert.equal(status, 1);
  assert.match(stderr, /^--postgres must be an address like postgres:/);
  assert.doesNotMatch(stdout + stderr, /secret/);
});
