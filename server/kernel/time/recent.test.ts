import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recent } from './recent.ts';

test('cache drops the least recently used value when it is full', () => {
  const kept = recent<string, number>(2);
  kept.set('a', 1).set('b', 2);
  kept.get('a');
  kept.set('c', 3);
  assert.deepEqual([kept.get('a'), kept.get('b'), kept.get('c')], [1, undefined, 3]);
});

test('cache drops a value when its lifetime is over, measured by the given clock', () => {
  let now = 1;
  const kept = recent<string, number>(2, { ttl: 10, perf: { now: () => now } });
  kept.set('a', 1);
  now += 10;
  assert.ok(kept.has('a'));
  now += 1;
  assert.ok(!kept.has('a'));
});
