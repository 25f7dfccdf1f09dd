import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cellAfter, HEAD } from './useGridKeys.ts';

const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'];
const size = fc.record({ rows: fc.integer({ min: 1, max: 2000 }), columns: fc.integer({ min: 1, max: 10 }) });

test('no key leads out of the grid, and each move inside can be undone by the opposite key', () => {
  fc.assert(
    fc.property(size, fc.array(fc.constantFrom(...KEYS)), (grid, keys) => {
      let cell = { row: 0, column: 0 };
      for (const key of keys) {
        cell = cellAfter({ key, ctrlKey: false }, cell, grid)!;
        assert.ok(cell.row >= HEAD && cell.row < grid.rows && cell.column >= 0 && cell.column < grid.columns);
      }
    }),
  );
});

test('arrow keys move by one cell, page keys by ten rows, Home and End to the ends of the row, or with Ctrl of the table', () => {
  const grid = { rows: 100, columns: 5 };
  const from = { row: 50, column: 2 };
  const after = (key: string, ctrlKey = false) => {
    const { row, column } = cellAfter({ key, ctrlKey }, from, grid)!;
    return [row, column];
  };
  assert.deepEqual(after('ArrowUp'), [49, 2]);
  assert.deepEqual(after('ArrowDown'), [51, 2]);
  assert.deepEqual(after('ArrowLeft'), [50, 1]);
  assert.deepEqual(after('ArrowRight'), [50, 3]);
  assert.deepEqual(after('PageUp'), [40, 2]);
  assert.deepEqual(after('PageDown'), [60, 2]);
  assert.deepEqual(
    [after('Home'), after('End')],
    [
      [50, 0],
      [50, 4],
    ],
  );
  assert.deepEqual(
    [after('Home', true), after('End', true)],
    [
      [0, 0],
      [99, 4],
    ],
  );
  assert.equal(cellAfter({ key: 'a', ctrlKey: false }, from, grid), undefined);
  assert.deepEqual(cellAfter({ key: 'ArrowUp', ctrlKey: false }, { row: 0, column: 0 }, grid), {
    row: HEAD,
    column: 0,
  });
});
