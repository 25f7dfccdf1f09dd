import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf } from './instant.ts';
import { ClipTimeline, nudge, Pattern, startAfterRefresh, sway, swaySlope } from './media-sync.ts';
import { percentile, SyncStats } from './sync-stats.ts';

const T = 1_700_000_000_000;
/** Returns the starts of the runs of a clip, in milliseconds from the start of its play. */
const starts = (mediaMs: number, turnMs: number, then: number | null = null): number[] => {
  const turn = { since: T, until: T + turnMs };
  const timeline = new ClipTimeline(
    mediaMs,
    turn,
    then === null ? null : { since: turn.until, until: turn.until + then },
  );
  const found = [];
  for (let at = timeline.startOf(T); at !== Infinity; at = timeline.nextStart(at)) found.push(at - T);
  return found;
};

test('clip of 9.7 s in a play of 10 s runs once and holds its last frame', () =>
  assert.deepEqual(starts(9_700, 10_000), [0]));
test('clip of 4 s in a play of 10 s loops to the end of the play', () =>
  assert.deepEqual(starts(4_000, 10_000), [0, 4_000, 8_000]));
test('clip of 4 s in a play of 8.9 s runs twice, then holds its last frame', () =>
  assert.deepEqual(starts(4_000, 8_900), [0, 4_000]));
test('clip longer than its play runs once and is cut at the end of the play', () =>
  assert.deepEqual(starts(60_000, 10_000), [0]));

test('clip that is about as long as its play starts again with the next play', () => {
  for (const length of [3_990, 4_000, 4_010]) assert.deepEqual(starts(length, 4_000, 4_000), [0, 4_000]);
});

test('startOf returns the first run for times before the play, and the last run while its last frame stays', () => {
  const timeline = new ClipTimeline(4_000, { since: T, until: T + 8_900 }, { since: T + 8_900, until: T + 17_800 });
  assert.deepEqual(
    [-500, 0, 3_999, 4_000, 8_899, 8_900, 12_900].map((at) => timeline.startOf(T + at) - T),
    [0, 0, 0, 4_000, 4_000, 8_900, 12_900],
  );
});

test('nudge changes the speed by at most 3 %, or 0.5 % with sound, and not at all for small errors', () => {
  assert.equal(nudge(500, { audible: false }), 1.03);
  assert.equal(nudge(-500, { audible: false }), 0.97);
  assert.equal(nudge(500, { audible: true }), 1.005);
  assert.equal(nudge(0.4, { audible: false }), 1);
  assert.equal(nudge(-1.2, { audible: true }), 1);
  assert.equal(nudge(-1.2, { audible: true, nudged: true }), 0.995);
});

test('clip that has just begun may be much faster, and a clip with sound changes by 0.5 % at most', () => {
  assert.equal(nudge(60, { audible: false, fresh: true }), 1.5);
  assert.equal(nudge(0, { audible: true, slope: 0.004 }), 1.004);
  for (const error of [-500, -2, 0, 2, 500])
    for (const slope of [-0.004, 0.004]) assert.ok(Math.abs(nudge(error, { audible: true, slope }) - 1) < 0.00501);
});

test('intended lead of a wall’s clips stays within 24 ms, always changes, and is 0 at the start', () => {
  assert.equal(sway(0), 0);
  for (let at = 10; at < 100_000; at += 10) {
    assert.ok(Math.abs(sway(at)) <= 24.001);
    assert.ok(Math.abs(sway(at + 1) - sway(at) - swaySlope(at)) < 1e-6, `at ${at}`);
  }
});

test('instantOf reads two clocks at one moment although other work ran in between', (t) => {
  let mono = 5_000;
  const stops = [0, 0, 9, 0, 0, 0];
  t.mock.method(performance, 'now', () => mono);
  const host = {
    now: () => {
      const read = mono + 1_000_000;
      mono += stops.shift() ?? 0;
      return read;
    },
  };
  stops.splice(0, 2);
  assert.equal(instantOf(host, 5_000), 1_005_000);
});

test('clip that starts 60 ms late is within 2 ms of its time after four seconds, and never ahead', () => {
  let error = 60;
  for (let elapsed = 0; elapsed < 4_000; elapsed += 200) {
    error -= (nudge(error, { audible: false }) - 1) * 200;
    assert.ok(error > -1);
  }
  assert.ok(error < 2, `${error} ms`);
});

const REFRESH = 1000 / 60;
/** Returns the delay of each frame against its nearest refresh, when the clip begins `wait` ms after a refresh. */
const places = (frameMs: number, wait = 0): number[] =>
  Array.from({ length: 20 }, (_, n) => {
    const due = wait + n * frameMs;
    return Math.round(due / REFRESH) * REFRESH - due;
  });

test('Pattern accepts 25 fps on 60 Hz, and detects frames that are shown a refresh late or early', () => {
  const pattern = new Pattern();
  assert.equal(pattern.off(REFRESH), 0);
  for (const late of places(40)) pattern.add(late + 0.8);
  assert.equal(pattern.off(REFRESH), 0);
  for (const [n, late] of places(40).entries()) pattern.add(n % 5 === 2 ? late + REFRESH : late);
  assert.equal(pattern.off(REFRESH), 1);
  for (const [n, late] of places(40).entries()) pattern.add(n % 5 === 3 ? late - REFRESH : late);
  assert.equal(pattern.off(REFRESH), -1);
  pattern.reset();
  assert.equal(pattern.off(REFRESH), 0);
});

test('Pattern ignores a single late frame', () => {
  const pattern = new Pattern();
  for (const [n, late] of places(40).entries()) pattern.add(n === 17 ? late + REFRESH : late);
  assert.equal(pattern.off(REFRESH), 0);
});

test('startAfterRefresh starts a clip so that no frame falls between two refreshes', () => {
  for (const [fps, margin] of [
    [25, 1.6],
    [50, 1.6],
    [24, 4.1],
    [30, 8.3],
    [60, 8.3],
    [15, 8.3],
  ] as const) {
    const wait = startAfterRefresh(1000 / fps, REFRESH);
    assert.ok(Math.abs(wait) < 0.56 * REFRESH, `${fps}: ${wait}`);
    for (const late of places(1000 / fps, wait))
      assert.ok(REFRESH / 2 - Math.abs(late) >= margin, `${fps} frames a second: ${late} ms`);
  }
  // Panels with slightly different measurements get nearly the same result.
  for (const fps of [24, 25, 30, 50, 60])
    assert.ok(Math.abs(startAfterRefresh(999.5 / fps, REFRESH) - startAfterRefresh(1000.5 / fps, REFRESH)) < 1.2);
});

test('SyncStats returns nearest-rank percentiles of absolute values, and null without measurements', () => {
  const stats = new SyncStats();
  assert.equal(stats.collect(), null);
  for (let n = 1; n <= 100; n++) stats.add(n % 2 ? n : -n);
  assert.deepEqual(stats.collect(), { p50: 50, p99: 99 });
  assert.equal(stats.collect(), null);
  assert.equal(percentile([7], 0.99), 7);
});
