import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../../shared/program/civil.ts';
import {
  bucketsOf,
  everyKth,
  isKnownFrom,
  isoDays,
  plannedBy,
  rangeFrom,
  scaleOf,
  todayAt,
  unitOf,
  uptimeTone,
} from './reports.utils.ts';

const today = parseDate('2026-03-10');
const iso = (search: Parameters<typeof rangeFrom>[0]) => isoDays(rangeFrom(search, today));

test('the last seven days include today, and are what an address without sense means', () => {
  assert.deepEqual(iso({}), { start: '2026-03-04', end: '2026-03-10' });
  assert.deepEqual(iso({ range: 'nonsense' }), { start: '2026-03-04', end: '2026-03-10' });
  assert.deepEqual(iso({ from: '2026-03-09', to: '2026-03-01' }), { start: '2026-03-04', end: '2026-03-10' });
  assert.deepEqual(iso({ from: '2026-02-30', to: '2026-03-01' }), { start: '2026-03-04', end: '2026-03-10' });
});

test('months begin on the 1st; the last month of a January is in the year before', () => {
  assert.deepEqual(iso({ range: 'lastMonth' }), { start: '2026-02-01', end: '2026-02-28' });
  assert.deepEqual(iso({ range: 'thisMonth' }), { start: '2026-03-01', end: '2026-03-10' });
  assert.deepEqual(isoDays(rangeFrom({ range: 'lastMonth' }, parseDate('2026-01-15'))), {
    start: '2025-12-01',
    end: '2025-12-31',
  });
});

test('days chosen by hand win over a named range', () => {
  assert.deepEqual(rangeFrom({ range: 'today', from: '2026-01-01', to: '2026-01-02' }, today), {
    name: 'custom',
    start: parseDate('2026-01-01'),
    end: parseDate('2026-01-02'),
  });
});

test('a day without plays has a bar of nothing, and none is left out', () => {
  const rows = [{ day: '2026-03-09', plays: 3, total_seconds: 30 }];
  const buckets = bucketsOf(rows, { start: today - 2, end: today });
  assert.deepEqual(
    buckets.map((b) => b.plays),
    [0, 3, 0],
  );
});

test('a year has twelve bars, whose sum is what the days have', () => {
  const rows = [
    { day: '2025-01-01', plays: 1, total_seconds: 10 },
    { day: '2025-01-31', plays: 2, total_seconds: 20 },
    { day: '2025-12-31', plays: 4, total_seconds: 40 },
  ];
  const buckets = bucketsOf(rows, { start: parseDate('2025-01-01'), end: parseDate('2025-12-31') });
  assert.equal(buckets.length, 12);
  assert.deepEqual([buckets[0]!.plays, buckets[0]!.seconds, buckets[11]!.plays], [3, 30, 4]);
});

const of = (plays: number, planned_plays: number) => ({
  plays,
  total_seconds: plays * 10,
  planned_plays,
  planned_seconds: planned_plays * 10,
  delivered_pct: planned_plays === 0 ? null : (100 * plays) / planned_plays,
});

test('each bar has what was planned beside it, also where nothing played; none has where it is not known', () => {
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

test('rows have what was planned, and those that never played follow; in part of a period there is only the share', () => {
  const played = [
    { id: 'a', plays: 3, total_seconds: 30 },
    { id: 'b', plays: 1, total_seconds: 10 },
  ];
  const planned = [
    { id: 'a', ...of(3, 4) },
    { id: 'c', ...of(0, 2) },
  ];
  const rows = (isWhole: boolean, known: typeof planned | undefined = planned) =>
    plannedBy(played, known, ({ id }) => id, isWhole).map(({ key, planned: plan, delivered }) => [
      key,
      plan?.plays,
      delivered,
    ]);
  assert.deepEqual(rows(true), [
    ['a', 4, 75],
    ['b', 0, null],
    ['c', 2, 0],
  ]);
  assert.deepEqual(rows(false), [
    ['a', undefined, 75],
    ['b', undefined, null],
  ]);
  assert.deepEqual(plannedBy(played, undefined, ({ id }) => id, false)[0], {
    key: 'a',
    row: played[0],
    plays: 3,
    seconds: 30,
  });
});

test('it is known from the beginning of a period when it was kept since its first midnight, where the shop is', () => {
  const range = { start: parseDate('2026-03-10') };
  const midnight = Date.UTC(2026, 2, 9, 23) / 1000;
  assert.equal(isKnownFrom(midnight, range, 'Europe/Berlin'), true);
  assert.equal(isKnownFrom(midnight + 1, range, 'Europe/Berlin'), false);
});

test('a scale has few, round lines and holds the largest value', () => {
  assert.deepEqual(scaleOf(97), [0, 50, 100]);
  assert.deepEqual(scaleOf(3), [0, 1, 2, 3]);
  assert.deepEqual(scaleOf(0.25), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(scaleOf(0), [0, 1]);
});

test('labels under bars leave each other room; time is in minutes below two hours', () => {
  assert.equal(everyKth(24, 12), 2);
  assert.equal(everyKth(7, 12), 1);
  assert.equal(unitOf(7199).unit, 'minute');
  assert.equal(unitOf(7200).unit, 'hour');
  assert.deepEqual([uptimeTone(99), uptimeTone(98.9), uptimeTone(94.9)], ['good', 'warn', 'bad']);
});

test('today is the shop’s day, not that of the window', () => {
  const lateInBerlin = Date.UTC(2026, 2, 10, 23, 30) / 1000;
  assert.equal(todayAt(lateInBerlin, 'Europe/Berlin') - todayAt(lateInBerlin, 'UTC'), 1);
  assert.equal(todayAt(lateInBerlin, 'UTC'), Date.UTC(2026, 2, 10) / 86_400_000);
});
