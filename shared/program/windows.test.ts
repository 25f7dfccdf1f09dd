import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheWindows } from './windows.ts';

test('cacheWindows computes each time range once while it is among the last eight', () => {
  const computed: number[] = [];
  const windowAt = cacheWindows((instant) => {
    const since = Math.floor(instant / 10) * 10;
    computed.push(since);
    return { since, until: since + 10 };
  });
  const tens = Array.from({ length: 8 }, (_, n) => n * 10);
  for (const ten of [...tens, ...tens])
    for (const instant of [ten, ten + 9]) assert.deepEqual(windowAt(instant), { since: ten, until: ten + 10 });
  assert.deepEqual(computed, tens);
  windowAt(80);
  for (const ten of tens.slice(1)) windowAt(ten);
  assert.deepEqual(computed, [...tens, 80]);
  windowAt(0);
  assert.deepEqual(computed, [...tens, 80, 0]);
});
