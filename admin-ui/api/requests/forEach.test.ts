import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEach } from './forEach.ts';

test('actions run a few at a time, and a failed action does not stop the others', async () => {
  let running = 0;
  let most = 0;
  const { done, failed } = await forEach(
    [1, 2, 3, 4, 5],
    async (n) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      if (n === 2) throw new Error('no');
    },
    2,
  );
  assert.deepEqual([done.toSorted(), failed.map((f) => f.item), most], [[1, 3, 4, 5], [2], 2]);
  assert.deepEqual(await forEach([], async () => undefined), { done: [], failed: [] });
});
