import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recent } from './recent.ts';

test('what was not used the longest goes when there is too much', () => {
  const kept = recent<string, number>(2);
  kept.set('a', 1).set('b', 2);
  kept.get('a');
  kept.set('c', 3);
  assert.deepEqual([kept.get('a'), kept.get('b'), kept.get('c')], [1, undefined, 3]);
});

test('a value goes when its time is over, by the clock that is given', () => {
  let now = 1;
  const kept = recent<string, number>(2, { ttl: 10, perf: { now: () => now } });
  kept.set('a', 1);
  now += 10;
  assert.ok(kept.has('a'));
  now += 1;
  assert.ok(!kept.has('a'));
});
