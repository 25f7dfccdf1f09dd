/** Every rule of the contract's two documents and of the decisions names the test that proves it; the test must exist. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ACCOUNT_RULES } from './rules-accounts.ts';
import { DECISION_RULES } from './rules-decisions.ts';
import { RESOURCE_RULES } from './rules-resources.ts';

const root = join(import.meta.dirname, '..', '..');
const FOLDERS = ['shared', 'server', 'player', 'admin-ui', 'test'];

const testFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'));

const NAME = /^\s*(?:test|it)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.)*)`)/gm;
const namesIn = (text: string): string[] => [...text.matchAll(NAME)].map((m) => (m[1] ?? m[2] ?? m[3] ?? '').replaceAll(/\\(.)/g, '$1'));

const tests = new Set(FOLDERS.flatMap(testFiles).flatMap((file) => namesIn(readFileSync(file, 'utf8'))));

test('the reader of test names sees what it should', () => {
  assert.deepEqual(namesIn("test('one', () => {});\ntest('it\\'s two', async (t) => {});\n  test(\"three\", f);\n// test('four')\ntest(`five`, f);"), [
    'one',
    "it's two",
    'three',
    'five',
  ]);
  assert.ok(tests.size > 300, `only ${tests.size} tests were found`);
});

for (const [document, sections, least] of [
  ['the resource API', RESOURCE_RULES, 150],
  ['the accounts API', ACCOUNT_RULES, 80],
  ['the decisions', DECISION_RULES, 170],
] as const) {
  test(`every rule of ${document} has a test that exists`, () => {
    const rules = Object.entries(sections).flatMap(([section, list]) => list.map(([rule, proof]) => ({ section, rule, proof })));
    const without = rules.filter(({ proof }) => !tests.has(proof)).map(({ section, rule, proof }) => `${section}: ${rule} → no test “${proof}”`);
    assert.deepEqual(without, []);
    const said = rules.map(({ section, rule }) => `${section}: ${rule}`);
    assert.deepEqual(
      said.filter((one, i) => said.indexOf(one) !== i),
      [],
      'said twice',
    );
    assert.ok(rules.length >= least, `only ${rules.length} rules`);
  });
}
