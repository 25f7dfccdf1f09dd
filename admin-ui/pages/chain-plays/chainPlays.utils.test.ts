import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../../shared/program/civil.ts';
import { narrowedBy, orderedBy, reportOf, viewOf } from './chainPlays.utils.ts';

const row = (name: string, plays: number, seconds: number, store_id: string | null = null) => ({
  name,
  campaign_id: null,
  store_id,
  store_name: null,
  plays,
  seconds,
  stores: 1,
  screens: 1,
});

test('empty filters are left out of the request', () => {
  const range = { name: 'custom' as const, start: parseDate('2026-03-01'), end: parseDate('2026-03-02') };
  assert.deepEqual(reportOf(range, { region: '', store: 's1' }), {
    start: '2026-03-01',
    end: '2026-03-02',
    store_id: 's1',
  });
  assert.equal(viewOf({ view: 'weather' }), 'content');
  assert.equal(viewOf({ view: 'day' }), 'day');
});

test('rows sorted by time begin with the longest, and days stay in calendar order', () => {
  const rows = [row('2026-03-01', 9, 10), row('2026-03-02', 5, 90)];
  assert.deepEqual(
    orderedBy(rows, 'content', 'time').map(({ plays }) => plays),
    [5, 9],
  );
  assert.deepEqual(orderedBy(rows, 'day', 'time'), rows);
});

test('click on a row filters the report by its content, store or day if possible', () => {
  assert.deepEqual(narrowedBy(row('Spring.mp4', 1, 1), 'content'), { content: 'Spring.mp4' });
  assert.deepEqual(narrowedBy(row('Köln', 1, 1, 's1'), 'store'), { store: 's1' });
  assert.deepEqual(narrowedBy(row('2026-03-01', 1, 1), 'day'), { from: '2026-03-01', to: '2026-03-01' });
  assert.equal(narrowedBy(row('', 1, 1), 'region'), undefined);
  assert.equal(narrowedBy(row('Till 3', 1, 1, 's1'), 'screen'), undefined);
});
