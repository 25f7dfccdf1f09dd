import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestOf, matchOf } from './palette.utils.ts';

const best = (typed: string, names: string[]) => bestOf(names, (n) => n, typed, 3);

test('name that begins with the text ranks higher than a name that contains the text', () => {
  assert.deepEqual(best('till', ['Still life', 'Window, till', 'Till 1']), ['Till 1', 'Window, till', 'Still life']);
});

test('every word must match, in any order and without accents', () => {
  assert.deepEqual(best('counter cafe', ['Café, above the counter', 'Café', 'Counter']), ['Café, above the counter']);
  assert.equal(matchOf('Café', 'x'), null);
});

test('empty text finds all names in their order, and special characters in the text have no special meaning', () => {
  assert.deepEqual(best('', ['b', 'a']), ['b', 'a']);
  assert.deepEqual(best('(final', ['Winter (final)', 'Winter']), ['Winter (final)']);
});
