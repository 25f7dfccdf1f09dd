import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallAim } from './wall-aim.ts';

test('last known refresh is kept while the leading panel is away, and for ten minutes without a server', () => {
  let now = 30 * 60_000;
  const aim = new WallAim({ mono: () => now });
  assert.equal(aim.get('w'), null);
  const refresh = { at: 1_800_000_000_000, period_ms: 16.7 };
  aim.set(refresh, 'w');
  now += 10 * 60_000 - 1;
  aim.set(undefined, 'w');
  assert.equal(aim.get('w'), refresh);
  now++;
  assert.equal(aim.get('w'), null);
});

test('screen that moves to another wall or to no wall drops the refresh of its previous wall', () => {
  const aim = new WallAim({ mono: () => 0 });
  const refresh = { at: 1_800_000_000_000, period_ms: 16.7 };
  aim.set(refresh, 'stairs');
  assert.deepEqual([aim.get('stairs'), aim.get('entrance'), aim.get(null)], [refresh, null, null]);
  aim.set(refresh, null);
  assert.equal(aim.get(null), null);
});
