import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PRIORITY, PLACE_OF_RANK, type PlannedRank, rankOf } from './ranks.ts';

test("rankOf recognizes a campaign of headquarters, and returns null for any priority of a store's own schedule", () => {
  for (const rank of Object.keys(PLACE_OF_RANK) as PlannedRank[]) assert.equal(rankOf(PLACE_OF_RANK[rank]), rank);
  for (const priority of [-MAX_PRIORITY, -1, 0, 1, MAX_PRIORITY]) assert.equal(rankOf({ priority }), null);
});

test("`safety` precedes `must`, `must` precedes the store's own schedules, and these precede `default`", () => {
  const { safety, must, default: last } = PLACE_OF_RANK;
  assert.deepEqual([safety.target, must.target, last.target], ['device', 'device', 'group']);
  const order = [safety.priority, must.priority, MAX_PRIORITY, -MAX_PRIORITY, last.priority];
  assert.deepEqual(
    order,
    order.toSorted((a, b) => b - a),
  );
  assert.equal(new Set(order).size, order.length);
  // These numbers must not change: stores send them, and programs stored on players contain them.
  assert.deepEqual(order, [3_000_000, 2_000_000, 1_000, -1_000, -2_000_000]);
});
