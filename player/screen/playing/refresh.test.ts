import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Refresh } from '../../../shared/protocol/messages.ts';
import { Aim, nearestRefresh, RefreshWatch } from './refresh.ts';

const T = 1_800_000_000_000;
const PERIOD = 1000 / 59.94;
/** Simulates the times of frames in a browser, which are exact to a tenth of a millisecond and have a similar error. */
const told = (instant: number, n: number): number => Math.round(instant * 10) / 10 + (((n * 7919) % 5) - 2) * 0.05;
const watched = (seconds: number, frameAt: (n: number) => number): RefreshWatch => {
  const watch = new RefreshWatch();
  for (let second = 0; second < seconds; second++) {
    const n = second * 60;
    watch.add(told(T + frameAt(n), n), 16.7);
  }
  return watch;
};

test('RefreshWatch predicts refreshes to a tenth of a millisecond after a minute of frames', () => {
  const { refresh } = watched(60, (n) => n * PERIOD);
  assert.ok(refresh && Math.abs(refresh.period_ms - PERIOD) < 0.0001, `${refresh?.period_ms}`);
  const inAMinute = T + 7_200 * PERIOD;
  assert.ok(Math.abs(nearestRefresh(refresh, inAMinute + 5) - inAMinute) < 0.1);
});

test('RefreshWatch returns null after only a few frames', () =>
  assert.equal(watched(5, (n) => n * PERIOD).refresh, null));

test('RefreshWatch starts again after the clock was set', () => {
  const watch = watched(20, (n) => n * PERIOD);
  watch.add(T + 20_000 + 3_600_000 + 8, 16.7);
  assert.equal(watch.refresh, null);
  watch.add(T + 10_000, 16.7);
  assert.equal(watch.refresh, null);
});

test('RefreshWatch ignores single late frames and starts again when the refreshes move', () => {
  const watch = watched(20, (n) => n * PERIOD);
  const before = watch.refresh;
  for (let second = 20; second < 22; second++) watch.add(T + second * 60 * PERIOD + 7, 16.7);
  assert.deepEqual(watch.refresh, before);
  watch.add(T + 22 * 60 * PERIOD, 16.7);
  assert.ok(watch.refresh && Math.abs(watch.refresh.period_ms - PERIOD) < 0.001);
  for (let second = 23; second < 26; second++) watch.add(T + second * 60 * PERIOD + 7, 16.7);
  assert.equal(watch.refresh, null);
});

test('RefreshWatch returns null for a panel with unsteady refreshes', () => {
  const watch = watched(60, (n) => n * PERIOD + ((n / 60) % 2) * 3.5);
  assert.equal(watch.refresh, null);
});

// The page's clock stands still. A busy machine takes time between two readings.
mock.method(performance, 'now', () => 1_000);
const frame = { time: 1_000, interval: 16, index: 0, unseenSince: null };
const aimOf = (wall: { at: number; period_ms: number } | null, error = 0): Aim =>
  new Aim({ now: () => T + error + (performance.now() - frame.time), wallRefresh: () => wall });

test('measured refresh is a valid value of the protocol, or null, at any frame rate of the page', () => {
  for (const period of [1000 / 24, 1000 / 19, 100]) {
    const watch = new RefreshWatch();
    for (let at = T; at < T + 60_000; at += Math.ceil(1_000 / period) * period) watch.add(at, Math.min(period, 60));
    const { refresh } = watch;
    assert.equal(refresh === null, period > 50, `${period}`);
    if (refresh) assert.deepEqual(Refresh.parse(refresh), refresh);
  }
});

test("frame counts half a refresh after its paint, in a wall after the leading panel's nearest refresh", () => {
  assert.ok(Math.abs(aimOf(null).seenAt(frame) - (T + 24)) < 0.01);
  const wall = { at: T - 16_000 + 3, period_ms: 16 };
  // Two panels whose clocks differ by a millisecond return the same instant.
  assert.equal(aimOf(wall, 2).seenAt(frame), T + 19 + 8);
  assert.equal(aimOf(wall, 3).seenAt(frame), T + 19 + 8);
});

test("clip starts at the panel's own refresh that is nearest to the refresh of the wall", () => {
  const wall = { at: T + 3, period_ms: 16 };
  assert.equal(aimOf(null).startOf(T + 1_605), T + 1_605);
  assert.equal(aimOf(wall).startOf(T + 1_605), T + 1_603);
  let now = T + 0.5;
  const aim = new Aim({ now: () => now + (performance.now() - frame.time), wallRefresh: () => wall });
  for (; now < T + 60_000; now += 1_008) aim.watch(frame);
  const start = aim.startOf(T + 1_605);
  assert.ok(aim.own && Math.abs(start - (T + 1_600.5)) < 0.05, `${start - T}`);
});
