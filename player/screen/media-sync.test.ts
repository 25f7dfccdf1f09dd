import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipError, clipPosition, correction, loopsOn, planClip } from './media-sync.ts';
import { percentile, SyncStats } from './sync-stats.ts';

test('a clip of 9.7 s in a turn of 10 s plays once and holds its last frame', () => {
  const plan = planClip(10_000, 9_700);
  assert.equal(plan.holdFrom, 9_700);
  assert.equal(clipPosition(plan, 9_900), 9_700);
  assert.equal(loopsOn(plan, 100), false);
});

test('a clip of 4 s in a turn of 10 s loops to the end of the turn', () => {
  const plan = planClip(10_000, 4_000);
  assert.equal(plan.holdFrom, Infinity);
  assert.equal(clipPosition(plan, 9_000), 1_000);
  assert.equal(loopsOn(plan, 9_000), true);
});

test('a clip of 4 s in a turn of 8.9 s plays twice, then holds its last frame', () => {
  const plan = planClip(8_900, 4_000);
  assert.equal(clipPosition(plan, 7_999), 3_999);
  assert.equal(clipPosition(plan, 8_500), 4_000);
  assert.deepEqual(
    [100, 3_900, 4_100].map((elapsed) => loopsOn(plan, elapsed)),
    [true, true, false],
  );
});

test('a clip as long as its turn, give or take a frame, runs through into the next turn', () => {
  for (const length of [3_990, 4_000, 4_010]) assert.equal(loopsOn(planClip(8_000, length), 4_500), true);
});

test('before its turn a clip stands on its first frame', () => assert.equal(clipPosition(planClip(10_000, 4_000), -500), 0));

test('a looping clip is compared by the shorter way round', () => {
  const plan = planClip(12_000, 4_000);
  assert.equal(clipError(plan, 4_010, 3_990), 20);
  assert.equal(clipError(plan, 3_990, 10), -20);
});

test('nudges stay within 3 %, within 0.5 % where they would be heard, and vanish near the mark', () => {
  assert.deepEqual(correction(500, { audible: false }), { rate: 1.03 });
  assert.deepEqual(correction(-500, { audible: false }), { rate: 0.97 });
  assert.deepEqual(correction(500, { audible: true }), { rate: 1.005 });
  assert.deepEqual(correction(2, { audible: false }), { rate: 1 });
  assert.equal(correction(5_000, { audible: true }), 'seek');
});

test('a clip that starts 60 ms late is within a frame after three seconds', () => {
  let error = 60;
  for (let elapsed = 0; elapsed < 3_000; elapsed += 320) {
    const remedy = correction(error, { audible: false });
    assert.notEqual(remedy, 'seek');
    if (remedy !== 'seek') error -= (remedy.rate - 1) * 320;
  }
  assert.ok(Math.abs(error) < 16.7, `${error} ms`);
});

test('percentiles are by nearest rank, of magnitudes, and said only when something was measured', () => {
  const stats = new SyncStats();
  assert.equal(stats.take(), null);
  for (let n = 1; n <= 100; n++) stats.add(n % 2 ? n : -n);
  assert.deepEqual(stats.take(), { p50: 50, p99: 99 });
  assert.equal(stats.take(), null);
  assert.equal(percentile([7], 0.99), 7);
});
