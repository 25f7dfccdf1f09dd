import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../../shared/program/civil.ts';
import { isoDays, rangeFrom, todayAt } from './period.utils.ts';

const today = parseDate('2026-03-10');
const iso = (search: Parameters<typeof rangeFrom>[0]) => isoDays(rangeFrom(search, today));

test('last seven days include today and are the default for an invalid address', () => {
  assert.deepEqual(iso({}), { start: '2026-03-04', end: '2026-03-10' });
  assert.deepEqual(iso({ range: 'nonsense' }), { start: '2026-03-04', end: '2026-03-10' });
  assert.deepEqual(iso({ from: '2026-03-09', to: '2026-03-01' }), { start: '2026-03-04', end: '2026-03-10' });
  assert.deepEqual(iso({ from: '2026-02-30', to: '2026-03-01' }), { start: '2026-03-04', end: '2026-03-10' });
});

test('months begin on the 1st, and the last month of a January is in the year before', () => {
  assert.deepEqual(iso({ range: 'lastMonth' }), { start: '2026-02-01', end: '2026-02-28' });
  assert.deepEqual(iso({ range: 'thisMonth' }), { start: '2026-03-01', end: '2026-03-10' });
  assert.deepEqual(isoDays(rangeFrom({ range: 'lastMonth' }, parseDate('2026-01-15'))), {
    start: '2025-12-01',
    end: '2025-12-31',
  });
});

test('days in the address take precedence over a named period in the address', () => {
  assert.deepEqual(rangeFrom({ range: 'today', from: '2026-01-01', to: '2026-01-02' }, today), {
    name: 'custom',
    start: parseDate('2026-01-01'),
    end: parseDate('2026-01-02'),
  });
});

test('today is the present day in the shop, not in the time zone of the browser', () => {
  const lateInBerlin = Date.UTC(2026, 2, 10, 23, 30) / 1000;
  assert.equal(todayAt(lateInBerlin, 'Europe/Berlin') - todayAt(lateInBerlin, 'UTC'), 1);
  assert.equal(todayAt(lateInBerlin, 'UTC'), Date.UTC(2026, 2, 10) / 86_400_000);
});
