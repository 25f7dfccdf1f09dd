import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CalendarSpan } from '../../../../shared/contract/screens/plans.ts';
import { parseDate } from '../../../../shared/program/civil.ts';
import { toInstant } from '../../../../shared/program/zones.ts';
import {
  added,
  barsOf,
  baseBarsOf,
  basesOf,
  blocksOf,
  blocksOfLine,
  type Grip,
  hourBarsOf,
  limited,
  onDay,
  shiftBy,
  shifted,
} from './rows.utils.ts';

const ZONE = 'Europe/Berlin';
const MONDAY = parseDate('2026-11-23');
const HOUR = 60;
const epoch = (hours: number) => toInstant((MONDAY * 24 + hours) * 3_600_000, ZONE) / 1000;
const span = (from: number, to: number, more: Partial<CalendarSpan> = {}): CalendarSpan => ({
  from_epoch: epoch(from),
  to_epoch: epoch(to),
  source: 'schedule',
  plan_id: 'p1',
  schedule_id: 's1',
  title: 'Breakfast',
  color: null,
  rank: null,
  hidden: [],
  ...more,
});
const device = { source: 'device', plan_id: null, title: 'Autumn' } as const;
const blocks = (spans: CalendarSpan[], days = 1) => blocksOf({ spans, timezone: ZONE }, MONDAY, days);

test('hours of the winning plan are one block, even if the displaced plans change', () => {
  const found = blocks([
    span(7, 8),
    span(8, 9, { hidden: [{ plan_id: 'p2', title: 'Sale', rank: null }] }),
    span(9, 10, { hidden: [{ plan_id: 'p2', title: 'Sale', rank: null }] }),
    span(10, 24, device),
  ]);
  assert.deepEqual(
    found.map(({ key, from, to, hidden }) => [key, from / HOUR, to / HOUR, hidden.length]),
    [
      ['p1 0', 7, 10, 1],
      ['device 0', 10, 24, 0],
    ],
  );
});

test('block that extends beyond the view is cut and marked as continuing', () => {
  const [block] = blocks([span(-2, 30)]);
  assert.deepEqual([block?.from, block?.to, block?.continues, block?.goesOn], [0, 1440, true, true]);
  const [, tuesday] = [0, 1].map((day) => onDay(blocks([span(22, 30)], 2), day)[0]);
  assert.deepEqual([tuesday?.from, tuesday?.to, tuesday?.continues, tuesday?.goesOn], [0, 6 * HOUR, true, false]);
});

test("hours follow the screen's wall clock, also on the day when clocks are set back", () => {
  const day = parseDate('2026-10-25');
  const at = (hour: number) => toInstant((day * 24 + hour) * 3_600_000, ZONE) / 1000;
  const [block] = blocksOf({ timezone: ZONE, spans: [{ ...span(0, 1), from_epoch: at(7), to_epoch: at(9) }] }, day, 1);
  assert.deepEqual([block?.from, block?.to], [7 * HOUR, 9 * HOUR]);
});

test('plan on consecutive days is one bar, and overlapping bars have different lanes', () => {
  const sale = { plan_id: 'p2', title: 'Sale', rank: null };
  const found = blocks(
    [
      span(9, 10),
      span(10, 18, sale),
      span(33, 34),
      span(40, 41, sale),
      span(57, 58),
      span(90, 96, { source: 'nothing', plan_id: null, title: '' }),
    ],
    5,
  );
  assert.deepEqual(
    barsOf(found, 5).map(({ key, first, last, lane }) => [key, first, last, lane]),
    [
      ['p1 0', 0, 2, 0],
      ['p2 0', 0, 1, 1],
      ['nothing 0', 3, 3, 0],
    ],
  );
});

test('moving changes both ends of a block, resizing one end, and a minimum duration remains', () => {
  const [block] = blocks([span(9, 10)]);
  assert.ok(block);
  const at = (grip: Grip, minutes: number) => {
    const { from, to } = shifted(block, shiftBy(grip, limited(grip, minutes, block)));
    return [from, to];
  };
  assert.deepEqual(at('move', 30), [570, 630]);
  assert.deepEqual(at('start', 15), [555, 600]);
  assert.deepEqual(at('start', 600), [595, 600]);
  assert.deepEqual(at('end', -600), [540, 545]);
  const both = added(added(undefined, shiftBy('move', 30)), shiftBy('end', 15));
  assert.deepEqual(both, { start: 30, end: 45 });
});

test('month names the playlist that plays without a plan, and days with the same playlist are one bar', () => {
  const found = blocks([span(0, 48, device), span(48, 60), span(60, 96, { ...device, title: 'Winter' })], 4);
  assert.deepEqual(baseBarsOf(found, 4), [
    { names: ['Autumn'], first: 0, last: 1 },
    { names: ['Winter'], first: 2, last: 3 },
  ]);
});

test('combined row of a group cuts spans at the view, puts overlapping plans in lanes, and names the playlist of most screens first', () => {
  const of = { source: 'schedule', plan_id: 'p1', title: 'Noon', color: null, rank: null, screens: 2 } as const;
  const found = blocksOfLine(
    {
      spans: [
        { ...of, start: '2026-11-22T20:00:00', end: '2026-11-23T10:00:00' },
        { ...of, plan_id: 'p2', start: '2026-11-23T09:30:00', end: '2026-11-23T11:00:00' },
        { ...of, plan_id: 'p3', start: '2026-11-23T10:00:00', end: '2026-11-23T12:00:00' },
        { ...of, ...device, screens: 1, start: '2026-11-23T00:00:00', end: '2026-11-24T00:00:00' },
        { ...of, ...device, title: 'Winter', screens: 3, start: '2026-11-23T00:00:00', end: '2026-11-24T00:00:00' },
        { ...of, plan_id: 'p4', start: '2026-11-24T00:00:00', end: '2026-11-24T12:00:00' },
      ],
    },
    MONDAY,
    1,
  );
  assert.deepEqual(
    hourBarsOf(found).map(({ block, first, last, lane }) => [block.planId, block.continues, first, last + 1, lane]),
    [
      ['p1', true, 0, 10, 0],
      ['p2', false, 9.5, 11, 1],
      ['p3', false, 10, 12, 0],
    ],
  );
  assert.deepEqual(basesOf(found), ['Winter', 'Autumn']);
});
