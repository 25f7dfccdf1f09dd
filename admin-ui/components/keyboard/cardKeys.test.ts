import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cardAfter } from './cardKeys.ts';

const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'];
const cards = fc.record({
  count: fc.integer({ min: 1, max: 2000 }),
  columns: fc.integer({ min: 1, max: 10 }),
  page: fc.integer({ min: 1, max: 8 }),
});

test('each key moves the focus to an existing card, and arrow keys reach every card', () => {
  fc.assert(
    fc.property(cards, fc.array(fc.constantFrom(...KEYS)), (grid, keys) => {
      let at = 0;
      for (const key of keys) {
        at = cardAfter(key, at, grid) ?? at;
        assert.ok(at >= 0 && at < grid.count);
      }
    }),
  );
  const reached = new Set([0]);
  for (const at of reached)
    for (const key of KEYS) reached.add(cardAfter(key, at, { count: 23, columns: 4, page: 2 }) ?? at);
  assert.equal(reached.size, 23);
});

test('arrow keys move by a card or a row, page keys by a screenful, Home and End to the ends', () => {
  const after = (key: string, at: number, columns = 4) => cardAfter(key, at, { count: 10, columns, page: 2 });
  assert.deepEqual(
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].map((key) => after(key, 5)),
    [4, 6, 1, 9, 0, 9],
  );
  assert.equal(after('ArrowDown', 7), 9, 'the last row is shorter');
  assert.equal(after('ArrowDown', 9), 9);
  assert.deepEqual([after('PageDown', 1), after('PageUp', 9)], [9, 1]);
  assert.deepEqual(
    [after('ArrowLeft', 5, 1), after('ArrowRight', 5, 1), after('ArrowDown', 5, 1)],
    [undefined, undefined, 6],
  );
  assert.equal(after('a', 5), undefined);
});
