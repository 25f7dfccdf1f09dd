import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fill } from './slots.ts';

const limits = fc.record({
  max_items: fc.integer({ min: 1, max: 5 }),
  max_seconds: fc.integer({ min: 1, max: 60 }),
  kinds: fc.subarray(['image', 'video', 'pdf', 'widget'] as const, { minLength: 1 }),
});
const items = fc.array(
  fc.record({ kind: fc.constantFrom('image', 'video', 'widget', 'web'), seconds: fc.integer({ min: 1, max: 40 }) }),
  { maxLength: 12 },
);

test('fill respects the limits of a slot and the order of items, and returns each item as playing or left out', () => {
  fc.assert(
    fc.property(limits, items, (limit, list) => {
      const { taken, left } = fill(limit, list);
      assert.ok(taken.length <= limit.max_items);
      assert.ok(taken.reduce((sum, { seconds }) => sum + seconds, 0) <= limit.max_seconds);
      assert.ok(taken.every(({ kind }) => (limit.kinds as readonly string[]).includes(kind)));
      assert.equal(taken.length + left.length, list.length);
      assert.deepEqual(
        taken,
        list.filter((item) => taken.includes(item)),
      );
    }),
  );
});

test('fill gives a reason for each item that it leaves out, and accepts later items that fit', () => {
  const limit = { max_items: 2, max_seconds: 20, kinds: ['image'] as const };
  const image = (seconds: number) => ({ kind: 'image', seconds });
  assert.deepEqual(
    fill({ ...limit, kinds: [...limit.kinds] }, [
      { kind: 'web', seconds: 5 },
      image(15),
      image(10),
      image(5),
      image(0.5),
    ]).left.map(({ because }) => because),
    ['kind', 'seconds', 'items'],
  );
});
