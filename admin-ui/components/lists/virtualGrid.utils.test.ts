import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsFor, pagesFor } from './virtualGrid.utils.ts';

test('two columns of 200 px with a gap of 20 px need 420 px, not 419 px', () => {
  assert.equal(columnsFor(420, 200, 20), 2);
  assert.equal(columnsFor(419, 200, 20), 1);
  assert.equal(columnsFor(50, 200, 20), 1);
});

test('range of rows gives the numbers of its pages: rows 119 to 120 are on pages 0 and 1 at 120 rows a page', () => {
  assert.deepEqual(pagesFor(119, 120, 120), [0, 1]);
  assert.deepEqual(pagesFor(0, 0, 120), [0]);
  assert.deepEqual(pagesFor(240, 299, 120), [2]);
});
