import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ICON_WORDS } from '../shared/design/drawings/icon-words.ts';
import { iconOf } from '../shared/design/drawings/icons.ts';
import { templateDesign } from '../shared/design/templates/all.ts';
import { TEMPLATE_TASKS } from '../shared/design/templates/tasks.ts';
import { TEMPLATE_STYLES } from '../shared/design/templates/template.ts';
import { iconsFile } from './icons.ts';

test('table of icons equals the output of npm run icons', async () => {
  const file = join(import.meta.dirname, '../shared/design/drawings/icons.ts');
  assert.ok(readFileSync(file, 'utf8') === (await iconsFile()), 'run npm run icons');
});

test('every icon has a drawing, and words in English and German', () => {
  for (const [name, { en, de }] of Object.entries(ICON_WORDS)) {
    assert.ok(en !== '' && de !== '', name);
    assert.match(iconOf(name)?.[0]?.[1]['d'] ?? '', /^M[\d\s.,a-zA-Z-]+$/, name);
  }
});

test('every icon of a template has a drawing', () => {
  const options = { language: 'en', currency: 'EUR', until: '2030-01-01T00:00' };
  const names = TEMPLATE_TASKS.flatMap(({ id }) =>
    TEMPLATE_STYLES.flatMap((style) => templateDesign(id, style, options)!.pages.flatMap(({ elements }) => elements)),
  ).flatMap((element) => (element.type === 'icon' ? [element.icon] : []));
  assert.ok(names.length > 0);
  for (const name of names) assert.ok(iconOf(name), name);
});
