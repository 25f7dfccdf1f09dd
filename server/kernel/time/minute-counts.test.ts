import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MinuteCounts } from './minute-counts.ts';

test('each key is counted for one minute from its first event, independently of other keys', () => {
  let now = 5_000;
  const counts = new MinuteCounts({ mono: () => now });
  assert.deepEqual(counts.add('a'), { count: 1, leftMs: 60_000 });
  now += 59_999;
  assert.deepEqual([counts.add('a'), counts.add('b').count], [{ count: 2, leftMs: 1 }, 1]);
  now += 1;
  assert.deepEqual(counts.add('a'), { count: 1, leftMs: 60_000 });
  assert.equal(counts.add('b').count, 2);
});

test('keys that were counted least recently lose their counts when there are too many keys', () => {
  const counts = new MinuteCounts({ mono: () => 0 });
  counts.add('first');
  counts.add('second');
  for (let i = 0; i < 49_999; i++) counts.add(`flood ${i}`);
  assert.deepEqual([counts.add('second').count, counts.add('first').count], [2, 1]);
});
