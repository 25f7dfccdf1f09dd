import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PRIORITY, PLACE_OF_RANK, type PlannedRank, rankOf } from './ranks.ts';

test('a schedule of a program is known to be a campaign of headquarters, whatever priority a store gives its own', () => {
  for (const rank of Object.keys(PLACE_OF_RANK) as PlannedRank[]) assert.equal(rankOf(PLACE_OF_RANK[rank]), rank);
  for (const priority of [-MAX_PRIORITY, -1, 0, 1, MAX_PRIORITY]) assert.equal(rankOf({ priority }), null);
});
