import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate, parseLocal } from '../../shared/program/civil.ts';
import { firstWeekday, writeDay, writeDays, writeMonth, writeTime, writeWeekday } from './civil.ts';

test('days and times are written unchanged, whatever the time zone of this machine is', () => {
  assert.equal(writeDay('en-GB', parseDate('2026-11-20')), 'Friday 20 November');
  assert.equal(writeDay('de-DE', parseDate('2026-11-20'), { day: 'numeric', month: 'short' }), '20. Nov.');
  assert.equal(writeTime('en-GB', parseLocal('2026-11-20T17:05')), '17:05');
  assert.equal(
    writeDays('en-GB', parseDate('2026-11-16'), parseDate('2026-11-22')).replace(/\s*–\s*/, '–'),
    '16–22 November 2026',
  );
});

test('weekdays begin with Sunday, and months with January', () => {
  assert.deepEqual([writeWeekday('en-GB', 0), writeWeekday('de-DE', 6, 'short')], ['Sunday', 'Sa']);
  assert.deepEqual([writeMonth('en-GB', 1), writeMonth('de-DE', 12)], ['January', 'Dezember']);
});

test('week begins on Monday in Germany and on Sunday in the United States', () => {
  assert.deepEqual([firstWeekday('de-DE'), firstWeekday('en-GB'), firstWeekday('en-US')], [1, 1, 0]);
});
