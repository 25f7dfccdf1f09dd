import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryCsv } from './delivery-csv.ts';
import { hasKnownDay } from './known-day.ts';

const row = { planned_plays: 4, planned_seconds: 40, plays: 3, total_seconds: 30, delivered_pct: 75 };
const delivery = {
  known_from: 0,
  overall: row,
  by_content: [{ content_id: 'a', widget_id: null, content_name: 'Lunch', ...row }],
  by_device: [{ device_id: 'd', device_name: 'Window', ...row }],
  by_day: [{ day: '2026-03-10', ...row }],
  shortfalls: [],
};
const at = (day: number, hour: number) => Date.UTC(2026, 2, day, hour);
const shares = (now: number) =>
  deliveryCsv({ ...delivery, known_from: at(10, 9) / 1000 }, { start: at(8, 0), end: at(13, 0), zone: 'UTC', now })
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').at(-1));

test('the CSV leaves the delivered share empty until the plan of a whole day is known', () => {
  assert.deepEqual(shares(at(12, 0)), ['75', '75', '75', '75']);
  assert.deepEqual(shares(at(11, 23)), ['', '', '', '']);
});

test('a share is shown for a period that is known from its beginning, or after the first whole day', () => {
  const isKnown = (from: number | null, start: number, now: number) =>
    hasKnownDay({ known_from: from === null ? null : from / 1000 }, { start, end: at(13, 0), zone: 'UTC', now });
  assert.equal(isKnown(null, at(8, 0), at(12, 0)), false);
  assert.equal(isKnown(at(10, 9), at(8, 0), at(11, 23)), false);
  assert.equal(isKnown(at(10, 9), at(8, 0), at(12, 0)), true);
  assert.equal(isKnown(at(10, 9), at(10, 9), at(10, 10)), true, 'the period begins in the middle of a day');
});
