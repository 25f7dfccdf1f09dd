import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseBefore } from './tryAgain.utils.ts';

test('delays between retries grow from 2 s to 30 s, and differ between browser windows', () => {
  const middle = [0, 1, 2, 3, 4, 50].map((tries) => Math.round(pauseBefore(tries, () => 0.5)));
  assert.deepEqual(middle, [2000, 4000, 8000, 16_000, 30_000, 30_000]);
  assert.deepEqual([Math.round(pauseBefore(0, () => 0)), Math.round(pauseBefore(0, () => 1))], [1400, 2600]);
});
