import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf } from './status.utils.ts';

test('screen that came online six hours ago with an hour offline was online for five sixths', () => {
  const now = 1_000_000;
  const hour = 3600;
  const { parts, onlineShare, outages } = dayOf(
    [
      { status: 'online', since: now - 6 * hour, until: now - 3 * hour },
      { status: 'offline', since: now - 3 * hour, until: now - 2 * hour },
      { status: 'online', since: now - 2 * hour, until: null },
    ],
    now,
  );
  assert.equal(parts.length, 3);
  assert.equal(parts[0]?.from, 0.75);
  assert.equal(parts[2]?.to, 1);
  assert.ok(Math.abs(onlineShare - 5 / 6) < 1e-9);
  assert.equal(outages, 1);
});

test('status that ended more than a day ago is left out', () => {
  assert.deepEqual(dayOf([{ status: 'online', since: 0, until: 100 }], 200_000), {
    parts: [],
    onlineShare: 0,
    outages: 0,
  });
});
