/** The choice of test files: suites, test files that a change affects, and second attempts of failed files. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../test/harness.ts';

/** Modules in plain JavaScript without types, because they run on any Node before anything is installed. */
const load = (name: string) => import(new URL(name, import.meta.url).href);
const { namedIn, reachedFrom, testsReaching } = await load('test-changed.mjs');
const { groupsOf, LANES, needsOwnProcess, ONE_BY_ONE, suiteOf, suites } = await load('test-suites.mjs');
const { addRun, tooUnsteady } = await load('test-unsteady.mjs');

test('the suite of a file follows from its folder, its imports or its declaration', () => {
  const cases = [
    ['shared/a.test.ts', '', 'unit'],
    ['server/a.test.ts', "import { startSite } from '../test/harness.ts';", 'server'],
    ['player/a.browser.test.ts', '', 'browser'],
    ['player/a.browser.test.ts', '/** Frames. */\n// Suite: frames\n', 'frames'],
    ['test/a.test.ts', '', 'boundaries'],
    ['test/api/a.test.ts', '', 'api'],
    ['test/e2e/a.test.ts', '// Suite: window\n', 'window'],
  ] as const;
  for (const [file, text, suite] of cases) assert.equal(suiteOf(file, text), suite, file);
});

test('an unknown or missing suite declaration is an error that names the file', () => {
  assert.throws(() => suiteOf('test/e2e/a.test.ts', '// Suite: windows\n'), /test\/e2e\/a\.test\.ts.*"windows"/);
  assert.throws(() => suiteOf('test/faults/a.test.ts', ''), /test\/faults\/a\.test\.ts.*Suite/);
});

test('every suite has files, and no file is in two suites', () => {
  const all = Object.values<{ files: string[] }>(suites).flatMap(({ files }) => files);
  assert.equal(new Set(all).size, all.length);
  for (const [name, { files }] of Object.entries<{ files: string[] }>(suites)) assert.ok(files.length > 0, name);
});

test('npm test runs every suite once, except the suite `long`', () => {
  assert.deepEqual(['boundaries', ...LANES.flat(), ...ONE_BY_ONE, 'long'].sort(), Object.keys(suites).sort());
});

test('groups contain every file once, and files that need their own process are alone', () => {
  const files = ['slow', 'alone', 'a', 'b', 'c', 'd'];
  const groups = groupsOf(files, 2, (file: string) => file === 'alone');
  assert.deepEqual(groups, [['slow', 'c'], ['alone'], ['a', 'd'], ['b']]);
});

test('file that changes or measures its process needs its own process', () => {
  for (const text of [
    "process.env['A'] = 'b';",
    'process.chdir(folder);',
    't.mock.timers.enable();',
    'longestTurn(work)',
  ])
    assert.ok(needsOwnProcess(text), text);
  assert.ok(!needsOwnProcess("if (process.env['A'] === 'b') t.mock.method(a, 'b');"));
});

test('the references of a file are its imports, started programs and opened pages', () => {
  const text = [
    "import { a } from './a.ts';",
    "const b = await import('../b.ts');",
    "new Worker(new URL('./c.ts', import.meta.url));",
    "spawn(node, ['server/main.ts']);",
    "join(ROOT, 'dist/screen');",
    "import { gone } from './gone.ts';",
  ].join('\n');
  const isFile = (path: string) => !path.includes('gone');
  assert.deepEqual(namedIn('test/x/y.test.ts', text, { isFile }), [
    'test/x/a.ts',
    'test/b.ts',
    'test/x/c.ts',
    'server/main.ts',
    'player/screen/main.ts',
  ]);
});

test('dependencies of a file include the imports of its imports, even in cycles', () => {
  const graph: Record<string, string[]> = { a: ['b'], b: ['c', 'a'], c: [] };
  assert.deepEqual([...reachedFrom('a', (file: string) => graph[file])].sort(), ['a', 'b', 'c']);
});

test('base commit that git does not know is refused with its name', () => {
  assert.throws(() => testsReaching('no-such-commit'), /no-such-commit/);
});

test('file is reported when it needed a second attempt in the last run and in three of the last thirty runs', (t) => {
  const path = join(tempFolder(t), 'unsteady.json');
  addRun(path, ['old.test.ts']);
  for (let i = 0; i < 28; i++) addRun(path, i < 2 ? ['a.test.ts', 'b.test.ts', 'old.test.ts'] : []);
  const runs = addRun(path, ['a.test.ts', 'c.test.ts']);
  assert.equal(runs.length, 30);
  assert.deepEqual(tooUnsteady(runs), [{ file: 'a.test.ts', times: 3, of: 30 }]);
  assert.deepEqual(tooUnsteady(addRun(path, ['old.test.ts'])), [{ file: 'old.test.ts', times: 3, of: 30 }]);
});

test('file that passes at the first attempt in the last run is not reported', (t) => {
  const path = join(tempFolder(t), 'unsteady.json');
  for (let i = 0; i < 3; i++) addRun(path, ['repaired.test.ts']);
  assert.deepEqual(tooUnsteady(addRun(path, [])), []);
});
