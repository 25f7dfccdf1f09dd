import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate, parseLocal } from '../../../shared/program/civil.ts';
import { toInstant } from '../../../shared/program/zones.ts';
import { closedOn, hoursAt, laterInWords } from './hours.utils.ts';

const ZONE = 'Europe/Berlin';
const at = (text: string) => toInstant(parseLocal(text), ZONE);
const block = (start: string, end: string, days = [1, 2, 3, 4, 5, 6]) => ({
  days,
  start,
  end,
  start_date: null,
  end_date: null,
});
const shop = { timezone: ZONE, opening_hours: [block('08:00', '20:00')] };

test('screen without opening hours is always on', () => {
  assert.deepEqual(hoursAt({ timezone: ZONE, opening_hours: [] }, at('2026-11-21T03:00')), { open: true, until: null });
  assert.deepEqual(closedOn({ timezone: ZONE, opening_hours: [] }, parseDate('2026-11-21')), []);
});

test("next change of a panel's on or off state is computed", () => {
  assert.deepEqual(hoursAt(shop, at('2026-11-21T12:00')), { open: true, until: at('2026-11-21T20:00') });
  assert.deepEqual(hoursAt(shop, at('2026-11-21T20:00')), { open: false, until: at('2026-11-23T08:00') });
});

test('future time is written only with the parts that are needed to understand it', () => {
  const said = (later: string) => laterInWords(at(later), at('2026-11-21T20:30'), ZONE, 'en-GB');
  assert.equal(said('2026-11-21T22:00'), '22:00');
  assert.equal(said('2026-11-23T08:00'), 'Monday, 08:00');
  assert.equal(said('2026-11-28T08:00'), 'Sat 28 November, 08:00');
});

test('closed times of a day are shares of the day by the wall clock, also on a day with an extra hour', () => {
  assert.deepEqual(closedOn(shop, parseDate('2026-11-21')), [
    { from: 0, to: 8 / 24 },
    { from: 20 / 24, to: 1 },
  ]);
  assert.deepEqual(closedOn(shop, parseDate('2026-11-22')), [{ from: 0, to: 1 }]);
  const night = { timezone: ZONE, opening_hours: [block('00:00', '05:00', [0])] };
  assert.deepEqual(closedOn(night, parseDate('2026-10-25')), [{ from: 5 / 24, to: 1 }]);
});
