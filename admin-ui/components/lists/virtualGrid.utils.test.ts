import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsFor, pagesFor } from './virtualGrid.utils.ts';

test('two columns of 200 with a gap of 20 need 420, not 419', () => {
  assert.equal(columnsFor(420, 200, 20), 2);
  assert.equal(columnsFor(419, 200, 20), 1);
  assert.equal(columnsFor(50, 200, 20), 1);
});

test('rows 119 to 120 of pages of 120 need pages 0 and 1', () => {
  assert.deepEqual(pagesFor(119, 120, 120), [0, 1]);
  assert.deepEqual(pagesFor(0, 0, 120), [0]);
  assert.deepEqual(pagesFor(240, 299, 120), [2]);
});
