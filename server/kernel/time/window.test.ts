import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOver, leftOf } from './window.ts';

test('property: remaining time of a lock is never more than its full length, whatever end is recorded', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer({ min: 1, max: 10_000 }), (end, now, length) => {
      const left = leftOf({ end, now, length });
      assert.ok(left >= 0 && left <= length);
      assert.equal(isOver({ end, now, length }), end <= now || end > now + length);
      if (!isOver({ end, now, length })) assert.equal(left, end - now);
    }),
  );
});
