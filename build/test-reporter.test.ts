/** Output of a failed test run, which is often the only information about the failure. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../test/harness.ts';

const REPORTER = new URL('test-reporter.mjs', import.meta.url).href;

test('report shows a failed test with its reason, and all output of its test file', (t) => {
  const folder = tempFolder(t);
  const body = (name: string, says: string, fails: boolean) =>
    `test('${name}', (t) => { t.after(() => console.error('${says}, afterwards')); console.error('${says}'); ${fails ? "assert.fail('no such luck');" : ''} });`;
  const head = "import assert from 'node:assert/strict'; import { test } from 'node:test';";
  writeFileSync(
    join(folder, 'bad.test.mjs'),
    [head, body('one that fails', 'bad words', true), "test.skip('one that waits', () => {});"].join('\n'),
  );
  writeFileSync(join(folder, 'good.test.mjs'), [head, body('one that passes', 'good words', false)].join('\n'));
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${REPORTER}`, 'bad.test.mjs', 'good.test.mjs'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...env, VITRINE_TEST_COUNTS: join(folder, 'counts.json') },
    },
  );
  assert.equal(status, 1);
  for (const each of [
    'FAILED: one that fails  bad.test.mjs:2',
    'no such luck',
    'it said:',
    'bad words',
    'bad words, afterwards',
    'skipped: one that waits',
  ])
    assert.ok(stdout.includes(each), `${each} in\n${stdout}`);
  assert.doesNotMatch(stdout, /good words|one that passes/);
  const { times, ...counts } = JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'));
  assert.deepEqual(Object.keys(times).sort(), ['bad.test.mjs', 'good.test.mjs']);
  assert.deepEqual(counts, {
    passed: 1,
    failed: 1,
    skipped: 1,
    failed_files: [join(folder, 'bad.test.mjs')],
  });
});
