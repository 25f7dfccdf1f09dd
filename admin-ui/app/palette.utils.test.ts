import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestOf, matchOf } from './palette.utils.ts';

const best = (typed: string, names: string[]) => bestOf(names, (n) => n, typed, 3);

test('what begins as typed comes before what merely contains it', () => {
  assert.deepEqual(best('till', ['Still life', 'Window, till', 'Till 1']), ['Till 1', 'Window, till', 'Still life']);
});

test('every word must be there, in any order and without accents', () => {
  assert.deepEqual(best('counter cafe', ['Café, above the counter', 'Café', 'Counter']), ['Café, above the counter']);
  assert.equal(matchOf('Café', 'x'), null);
});

test('nothing typed finds all in the order they came; odd characters mean themselves', () => {
  assert.deepEqual(best('', ['b', 'a']), ['b', 'a']);
  assert.deepEqual(best('(final', ['Winter (final)', 'Winter']), ['Winter (final)']);
});
