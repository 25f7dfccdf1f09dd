/** Output of a failed test run, which is often the only information about the failure. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../test/harness.ts';

const REPORTER = new URL('test-reporter.mjs', import.meta.url).href;

/** Runs test files with the reporter. Returns its output, its counts, and the files whose time was measured. */
const reportOn = (folder: string, files: readonly string[]) => {
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, ['--test', `--test-reporter=${REPORTER}`, ...files], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, VITRINE_TEST_COUNTS: join(folder, 'counts.json') },
  });
  const { times, ...counts } = JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'));
  return { stdout, status, counts, times: Object.keys(times) };
};

test('failure is shown with its reason and all output of its test file', (t) => {
  const folder = tempFolder(t);
  const body = (name: string, says: string, fails: boolean) =>
    `test('${name}', (t) => { t.after(() => console.error('${says}, afterwards')); console.error('${says}'); ${fails ? "assert.fail('no such luck');" : ''} });`;
  const head = "import assert from 'node:assert/strict'; import { test } from 'node:test';";
  writeFileSync(
    join(folder, 'bad.test.mjs'),
    [head, body('one that fails', 'bad words', true), "test.skip('one that waits', () => {});"].join('\n'),
  );
  writeFileSync(join(folder, 'good.test.mjs'), [head, body('one that passes', 'good words', false)].join('\n'));
  const { stdout, status, counts, times } = reportOn(folder, ['bad.test.mjs', 'good.test.mjs']);
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
  assert.deepEqual(times.sort(), ['bad.test.mjs', 'good.test.mjs']);
  assert.deepEqual(counts, {
    passed: 1,
    failed: 1,
    skipped: 1,
    failed_files: [join(folder, 'bad.test.mjs')],
  });
});

test('files that share a process are reported as separate files, also a file that cannot be loaded', (t) => {
  const folder = realpathSync(tempFolder(t));
  const head = "import assert from 'node:assert/strict'; import { after, before, test } from 'node:test';";
  const write = (name: string, body: string) => writeFileSync(join(folder, name), `${head}\n${body}`);
  write('good.test.ts', "let ready = false; before(() => { ready = true; }); test('good', () => assert.ok(ready));");
  write('bad.test.ts', "test('bad', () => assert.fail('no such luck'));");
  write('broken.test.ts', "throw new Error('cannot be loaded');");
  const files = ['good', 'bad', 'broken'].map((name) => join(folder, `${name}.test.ts`));
  const options = { limit: 10_000, shared: [], relativeTo: folder };
  write(
    'group.mjs',
    `import { runTogether } from '${new URL('test-group.mjs', import.meta.url).href}';
     await runTogether(${JSON.stringify(files)}, ${JSON.stringify(options)});`,
  );
  const { stdout, counts, times } = reportOn(folder, ['group.mjs']);
  assert.ok(stdout.includes('no such luck') && stdout.includes('cannot be loaded'), stdout);
  assert.deepEqual(counts, { passed: 1, failed: 2, skipped: 0, failed_files: files.slice(1) });
  for (const name of ['good.test.ts', 'bad.test.ts', 'broken.test.ts']) assert.ok(times.includes(name), name);
});
