import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CalendarSpan } from '../../../shared/contract/plans.ts';
import { parseDate } from '../../../shared/program/civil.ts';
import { toInstant } from '../../../shared/program/zones.ts';
import { added, barsOf, blocksOf, type Grip, limited, onDay, shiftBy, shifted } from './rows.utils.ts';

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

test('what decides is one block, whoever loses meanwhile', () => {
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

test('what began before the view or ends after it is cut, and said to be', () => {
  const [block] = blocks([span(-2, 30)]);
  assert.deepEqual([block?.from, block?.to, block?.continues, block?.goesOn], [0, 1440, true, true]);
  const [, tuesday] = [0, 1].map((day) => onDay(blocks([span(22, 30)], 2), day)[0]);
  assert.deepEqual([tuesday?.from, tuesday?.to, tuesday?.continues, tuesday?.goesOn], [0, 6 * HOUR, true, false]);
});

test('hours are those of the screen’s wall, also on the day on which clocks are set back', () => {
  const day = parseDate('2026-10-25');
  const at = (hour: number) => toInstant((day * 24 + hour) * 3_600_000, ZONE) / 1000;
  const [block] = blocksOf({ timezone: ZONE, spans: [{ ...span(0, 1), from_epoch: at(7), to_epoch: at(9) }] }, day, 1);
  assert.deepEqual([block?.from, block?.to], [7 * HOUR, 9 * HOUR]);
});

test('a plan on days in a row is one bar; those that overlap lie in lanes; hours without anything are told', () => {
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

test('moved, both ends go; stretched, one does, and something is left', () => {
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
