/** Compares the generated pages of docs with the declarations from which they are generated. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedPages } from '../build/docs.ts';
import { HELP as PLAYER_HELP, PLAYER_SETTINGS } from '../player/agent/config.ts';
import { describeSettings, HELP } from '../server/config.ts';

const ROOT = join(import.meta.dirname, '..');
const variablesIn = (text: string): string[] => [...new Set(text.match(/VITRINE_[A-Z_]+/g))].sort();

for (const [page, text] of Object.entries(generatedPages()))
  test(`${page} is up to date with the output of npm run docs`, () => {
    const file = join(ROOT, page);
    assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : '', text, 'Run npm run docs');
  });

test('the help of the server names every environment variable that a person can set', () => {
  const settings = describeSettings().filter(({ variable }) => !/_(SERVICE_NOTE|CHECK_ANSWERS)$/.test(variable));
  assert.deepEqual(variablesIn(HELP), settings.map(({ variable }) => variable).sort());
});

test('the help of the player names every variable and option of its table', () => {
  assert.deepEqual(variablesIn(PLAYER_HELP), PLAYER_SETTINGS.map(({ variable }) => variable).sort());
  const options = PLAYER_SETTINGS.flatMap(({ option }) => option ?? []);
  assert.deepEqual(
    (PLAYER_HELP.match(/--[a-z-]+/g) ?? []).filter((option) => !['--help', '--version'].includes(option)).sort(),
    [...options].sort(),
  );
});
