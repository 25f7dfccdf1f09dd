import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundIcons, iconName } from './icon.utils.ts';

test('icon search finds icons by English and German words and by parts of words', () => {
  assert.ok(foundIcons('Kaffee').includes('coffee'));
  assert.ok(foundIcons('ESPR cup').includes('coffee'));
  assert.deepEqual(foundIcons('no such icon'), []);
});

test('icon search without words finds all icons', () => assert.ok(foundIcons('  ').length > 100));

test('icon has a name in the language of the window', () => {
  assert.deepEqual([iconName('coffee', 'de-AT'), iconName('coffee', 'en')], ['Kaffee', 'coffee']);
});
