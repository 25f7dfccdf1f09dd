import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadDelay, reconnectDelay } from './backoff.ts';

test('delays double up to 30 s for connecting and 60 s for downloads, each randomized over its upper half', () => {
  const most = (delay: typeof reconnectDelay) => [0, 1, 2, 3, 4, 5, 9].map((attempt) => delay(attempt, 1) / 1_000);
  assert.deepEqual(most(reconnectDelay), [2, 4, 8, 16, 30, 30, 30]);
  assert.deepEqual(most(downloadDelay), [2, 4, 8, 16, 32, 60, 60]);
  for (const delay of [reconnectDelay, downloadDelay]) assert.deepEqual([delay(1, 0), delay(1, 0.5)], [2_000, 3_000]);
});
