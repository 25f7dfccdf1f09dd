import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '../../../../shared/contract/screens/schedules.ts';
import { formatDate, parseDate } from '../../../../shared/program/civil.ts';
import {
  canChangeDay,
  movedBy,
  occurrencesOf,
  piecesOf,
  serverWeeks,
  spanOf,
  stretchedBy,
  weekStart,
} from './calendar.utils.ts';

const schedule = (change: Partial<Schedule>): Schedule => ({
  id: 's',
  workspace_id: 'w',
  plan_id: null,
  device_id: 'd',
  group_id: null,
  zone_id: null,
  content_id: null,
  widget_id: null,
  layout_id: null,
  playlist_id: 'p',
  title: '',
  start_time: '2026-11-16T09:00:00',
  end_time: '2026-11-16T11:00:00',
  timezone: 'Europe/Berlin',
  recurrence: null,
  recurrence_end: null,
  color: null,
  priority: 0,
  enabled: 1,
  created_at: 0,
  updated_at: 0,
  ...change,
});
const monday = parseDate('2026-11-16');
const week = (list: Schedule[], zone = 'Europe/Berlin') => {
  const { from, to } = spanOf(monday, 7, zone);
  return piecesOf(
    list.flatMap((s) => occurrencesOf(s, from, to)),
    zone,
    monday,
    7,
  );
};

test('week begins on the weekday of the locale, and both weeks of the server that contain its days are fetched', () => {
  assert.equal(formatDate(weekStart(parseDate('2026-11-22'), 1)), '2026-11-16');
  assert.equal(formatDate(weekStart(parseDate('2026-11-22'), 0)), '2026-11-22');
  assert.deepEqual(serverWeeks(monday), ['2026-11-15', '2026-11-22']);
  assert.deepEqual(serverWeeks(parseDate('2026-11-15')), ['2026-11-15']);
});

test('occurrence over midnight has a piece in two columns', () => {
  const pieces = week([schedule({ start_time: '2026-11-17T22:00:00', end_time: '2026-11-18T06:00:00' })]);
  assert.deepEqual(
    pieces.map(({ column, from, to, begins, ends }) => ({ column, from, to, begins, ends })),
    [
      { column: 1, from: 1320, to: 1440, begins: true, ends: false },
      { column: 2, from: 0, to: 360, begins: false, ends: true },
    ],
  );
});

test('overlapping occurrences are side by side, and occurrences that only touch are not', () => {
  const pieces = week([
    schedule({ id: 'a' }),
    schedule({ id: 'b', start_time: '2026-11-16T10:00:00', end_time: '2026-11-16T12:00:00' }),
    schedule({ id: 'c', start_time: '2026-11-16T12:00:00', end_time: '2026-11-16T13:00:00' }),
  ]);
  assert.deepEqual(
    pieces.map(({ schedule: { id }, lane, lanes }) => [id, lane, lanes]),
    [
      ['a', 0, 2],
      ['b', 1, 2],
      ['c', 0, 1],
    ],
  );
});

test('plan in another time zone is shown at the wall clock time of this screen', () => {
  const [piece] = week([schedule({ timezone: 'Europe/London' })]);
  assert.equal(piece?.from, 600);
});

test('weekly plan that is moved by a day has its weekdays moved, too', () => {
  const weekly = schedule({ recurrence: 'FREQ=WEEKLY;BYDAY=MO,SA' });
  assert.deepEqual(movedBy(weekly, { days: 1, minutes: 30 }), {
    start_time: '2026-11-17T09:30:00',
    end_time: '2026-11-17T11:30:00',
    recurrence: 'FREQ=WEEKLY;BYDAY=TU,SU',
  });
  assert.equal(movedBy(weekly, { days: 0, minutes: 15 }).recurrence, weekly.recurrence);
  assert.equal(
    movedBy(weekly, { days: 0, minutes: -10 * 60 }).recurrence,
    'FREQ=WEEKLY;BYDAY=SU,FR',
    'over midnight too',
  );
});

test('daily or monthly plan cannot be moved to other days', () => {
  assert.deepEqual(
    [
      null,
      'FREQ=WEEKLY;BYDAY=MO,FR',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR',
      'FREQ=DAILY',
      'FREQ=MONTHLY',
      'nonsense',
    ].map((recurrence) => canChangeDay({ recurrence })),
    [true, true, false, false, false, false],
  );
});

test('resizing never puts the end of a plan before its start, and the start stays on its day', () => {
  const plan = schedule({});
  assert.equal(stretchedBy(plan, 'end', -600).end_time, '2026-11-16T09:05:00');
  assert.equal(stretchedBy(plan, 'start', -600).start_time, '2026-11-16T00:00:00');
  assert.equal(stretchedBy(plan, 'start', 600).start_time, '2026-11-16T10:55:00');
});
