import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallAim } from './wall-aim.ts';

test('what the wall aims at is kept while its leading panel is away, and for ten minutes without the server', () => {
  let now = 0;
  const aim = new WallAim({ mono: () => now });
  assert.equal(aim.get(), null);
  const refresh = { at: 1_800_000_000_000, period_ms: 16.7 };
  aim.set(refresh);
  now = 9 * 60_000;
  aim.set(undefined);
  assert.equal(aim.get(), refresh);
  now = 11 * 60_000;
  assert.equal(aim.get(), null);
});
