import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../../shared/program/civil.ts';
import { isDayKnown, isKnownFrom, plannedBy, uptimeTone } from './reports.utils.ts';

const of = (plays: number, planned_plays: number) => ({
  plays,
  total_seconds: plays * 10,
  planned_plays,
  planned_seconds: planned_plays * 10,
  delivered_pct: planned_plays === 0 ? null : (100 * plays) / planned_plays,
});

test('rows have planned values, planned rows without plays follow, and a partial period has only the share', () => {
  const played = [
    { id: 'a', plays: 3, total_seconds: 30 },
    { id: 'b', plays: 1, total_seconds: 10 },
  ];
  const planned = [
    { id: 'a', ...of(3, 4) },
    { id: 'c', ...of(0, 2) },
  ];
  const rows = (isWhole: boolean, hasDay = true, known: typeof planned | undefined = planned) =>
    plannedBy(played, known, ({ id }) => id, { isWhole, hasDay }).map(({ key, planned: plan, delivered }) => [
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
  assert.deepEqual(
    rows(false, false).map(([, , delivered]) => delivered),
    [null, null],
    'a part of a day is no share',
  );
  assert.deepEqual(plannedBy(played, undefined, ({ id }) => id, { isWhole: false, hasDay: true })[0], {
    key: 'a',
    row: played[0],
    plays: 3,
    seconds: 30,
  });
});

test("plan is known from the start if it was recorded since the first midnight in the shop's zone", () => {
  const range = { start: parseDate('2026-03-10') };
  const midnight = Date.UTC(2026, 2, 9, 23) / 1000;
  assert.equal(isKnownFrom(midnight, range, 'Europe/Berlin'), true);
  assert.equal(isKnownFrom(midnight + 1, range, 'Europe/Berlin'), false);
});

test('plan of a whole day is known after a recorded day since the first midnight, or from the start', () => {
  const range = { start: parseDate('2026-03-08'), end: parseDate('2026-03-12') };
  const at = (day: number, hour: number) => Date.UTC(2026, 2, day, hour - 1) / 1000;
  const isKnown = (from: number, now: number) => isDayKnown(from, range, 'Europe/Berlin', now);
  assert.equal(isKnown(at(10, 9), at(10, 18)), false, 'some hours of the first day');
  assert.equal(isKnown(at(10, 9), at(11, 23)), false, 'the next day is not over');
  assert.equal(isKnown(at(10, 9), at(12, 0)), true);
  assert.equal(isKnown(at(10, 0), at(11, 0)), true, 'known since midnight');
  assert.equal(isKnown(at(12, 9), at(20, 0)), false, 'the period has no whole day after that');
  assert.equal(isKnown(at(8, 0), at(8, 9)), true, 'known from the beginning of the period');
});

test('uptime of one percent less than always is marked', () => {
  assert.deepEqual([uptimeTone(99), uptimeTone(98.9), uptimeTone(94.9)], ['good', 'warn', 'bad']);
});
