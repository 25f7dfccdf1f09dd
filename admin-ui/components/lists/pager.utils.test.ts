import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from './pager.utils.ts';

test('page number in the address starts at 1', () => {
  assert.deepEqual(
    [undefined, '1', '3', '0', '-2', '1.5', 'x'].map((page) => pageOf({ page })),
    [0, 0, 2, 0, 0, 0, 0],
  );
});
