import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  columnsOf,
  isSortable,
  nextOrder,
  orderOf,
  screenColumns,
  sortOf,
  textOfColumns,
} from './screenTable.utils.ts';

test('click on a column header cycles through ascending, descending and default order', () => {
  for (const by of screenColumns.filter(isSortable)) {
    assert.equal(nextOrder(undefined, by), by);
    assert.equal(nextOrder(orderOf(by), by), `-${by}`);
    assert.equal(nextOrder(orderOf(`-${by}`), by), undefined);
  }
  assert.equal(nextOrder(orderOf('-name'), 'tags'), 'tags');
  assert.deepEqual([orderOf('colour'), orderOf('plan'), orderOf(undefined)], [undefined, undefined, undefined]);
});

test('server sorts by the chosen column, and by problems first without a column', () => {
  assert.deepEqual(sortOf(undefined), { sort: 'status' });
  assert.deepEqual(sortOf(orderOf('name')), { sort: 'name' });
  assert.deepEqual(sortOf(orderOf('-seen')), { sort: 'last_seen', direction: 'desc' });
});

test('columns are shown in their fixed order, always with the name', () => {
  assert.deepEqual(columnsOf('seen.plan.colour'), ['name', 'plan', 'seen']);
  assert.deepEqual(columnsOf(''), ['name']);
  assert.equal(textOfColumns(columnsOf(undefined)), undefined);
  assert.equal(textOfColumns(['plan', 'name']), 'name.plan');
  for (const column of screenColumns) {
    const text = textOfColumns(['name', column]);
    assert.deepEqual(columnsOf(text), column === 'name' ? ['name'] : ['name', column]);
  }
});
