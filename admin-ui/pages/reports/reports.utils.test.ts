import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plannedBy, uptimeTone } from './reports.utils.ts';

const of = (plays: number, planned_plays: number) => ({
  plays,
  total_seconds: plays * 10,
  planned_plays,
  planned_seconds: planned_plays * 10,
  delivered_pct: planned_plays === 0 ? null : (100 * plays) / planned_plays,
});

test('rows get planned values, planned rows without plays are added, and a partial period gives only the percentage', () => {
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

test('uptime below 99 % is rated as a warning, and below 95 % as bad', () => {
  assert.deepEqual([uptimeTone(99), uptimeTone(98.9), uptimeTone(94.9)], ['good', 'warn', 'bad']);
});
