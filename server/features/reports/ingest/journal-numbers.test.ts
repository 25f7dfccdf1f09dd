import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalNumbers } from './journal-numbers.ts';

const missingOf = (plays: readonly (readonly [number, number])[]) => {
  const numbers = new JournalNumbers();
  for (const [number, ms] of plays) numbers.add(number, ms);
  return numbers.missing.map(({ from, to }) => [from, to]);
};
const inOrder = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => [from + i, (from + i) * 10] as const);

test('missing numbers are found between plays that arrive in any order', () => {
  const plays = [...inOrder(1, 40), ...inOrder(61, 70), ...inOrder(72, 80)];
  const expected = [
    [41, 60],
    [71, 71],
  ];
  assert.deepEqual(missingOf(plays), expected);
  assert.deepEqual(missingOf(plays.toReversed()), expected);
  assert.deepEqual(missingOf(plays.toSorted(([a], [b]) => (a % 7) - (b % 7) || a - b)), expected);
  assert.deepEqual(missingOf([...plays, ...plays]), expected);
});

test('JournalNumbers finds no gap before the first play, after the last play, and where late plays fill the gap', () => {
  assert.deepEqual(missingOf([]), []);
  assert.deepEqual(missingOf([...inOrder(5, 9), ...inOrder(15, 20), ...inOrder(10, 14)]), []);
});

test('JournalNumbers finds no gap when a screen lost its journal and starts again at 1', () => {
  const anew = Array.from({ length: 20 }, (_, i) => [i + 1, 10_000 + i] as const);
  assert.deepEqual(missingOf([...inOrder(50, 100), ...anew]), []);
});

test('of more than 5,000 gaps the oldest are forgotten', () => {
  const odd = Array.from({ length: 6_000 }, (_, i) => [2 * i + 1, i] as const);
  const found = missingOf(odd);
  assert.deepEqual([found.length, found[0], found.at(-1)], [4_999, [2_002, 2_002], [11_998, 11_998]]);
});
