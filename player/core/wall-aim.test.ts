import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallAim } from './wall-aim.ts';

test('what the wall aims at is kept while its leading panel is away, and for ten minutes without the server', () => {
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

test('a screen that hangs in another wall now, or in none, forgets what the one before aimed at', () => {
  const aim = new WallAim({ mono: () => 0 });
  const refresh = { at: 1_800_000_000_000, period_ms: 16.7 };
  aim.set(refresh, 'stairs');
  assert.deepEqual([aim.get('stairs'), aim.get('entrance'), aim.get(null)], [refresh, null, null]);
  aim.set(refresh, null);
  assert.equal(aim.get(null), null);
});
