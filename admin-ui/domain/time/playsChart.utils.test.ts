import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../../shared/program/civil.ts';
import { bucketsOf, everyKth, scaleOf, unitOf } from './playsChart.utils.ts';

const today = parseDate('2026-03-10');
const of = (plays: number, planned_plays: number) => ({
  plays,
  total_seconds: plays * 10,
  planned_plays,
  planned_seconds: planned_plays * 10,
  delivered_pct: planned_plays === 0 ? null : (100 * plays) / planned_plays,
});

test('chart has a bar for each day, also for a day without plays', () => {
  const rows = [{ day: '2026-03-09', plays: 3, total_seconds: 30 }];
  const buckets = bucketsOf(rows, { start: today - 2, end: today });
  assert.deepEqual(
    buckets.map((b) => b.plays),
    [0, 3, 0],
  );
});

test('chart of a year has twelve bars, each with the sum of its days', () => {
  const rows = [
    { day: '2025-01-01', plays: 1, total_seconds: 10 },
    { day: '2025-01-31', plays: 2, total_seconds: 20 },
    { day: '2025-12-31', plays: 4, total_seconds: 40 },
  ];
  const buckets = bucketsOf(rows, { start: parseDate('2025-01-01'), end: parseDate('2025-12-31') });
  assert.equal(buckets.length, 12);
  assert.deepEqual([buckets[0]!.plays, buckets[0]!.seconds, buckets[11]!.plays], [3, 30, 4]);
});

test('each bar has its planned value, also on a day without plays', () => {
  const range = { start: parseDate('2025-01-01'), end: parseDate('2025-12-31') };
  const plans = [
    { day: '2025-01-01', ...of(0, 5) },
    { day: '2025-01-09', ...of(0, 2) },
  ];
  assert.deepEqual(bucketsOf([], range, plans)[0], {
    start: range.start,
    end: range.start + 30,
    plays: 0,
    seconds: 0,
    planned: { plays: 7, seconds: 70 },
  });
  assert.equal(bucketsOf([], range)[0]!.planned, undefined);
});

test('scale has few grid lines at round numbers and includes the largest value', () => {
  assert.deepEqual(scaleOf(97), [0, 50, 100]);
  assert.deepEqual(scaleOf(3), [0, 1, 2, 3]);
  assert.deepEqual(scaleOf(0.25), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(scaleOf(0), [0, 1]);
});

test('every second of 24 bars has a label when 12 labels fit, and durations below two hours are in minutes', () => {
  assert.equal(everyKth(24, 12), 2);
  assert.equal(everyKth(7, 12), 1);
  assert.equal(unitOf(7199).unit, 'minute');
  assert.equal(unitOf(7200).unit, 'hour');
});
