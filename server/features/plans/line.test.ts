import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CalendarSpan } from '../../../shared/contract/screens/plans.ts';
import { mergedLine } from './line.ts';

/** @param from hour of the first of January 2026 in UTC */
const span = (plan_id: string | null, from: number, to: number, more: Partial<CalendarSpan> = {}): CalendarSpan => {
  const epoch = (hour: number) => Date.UTC(2026, 0, 1, hour) / 1000;
  return {
    ...{ from_epoch: epoch(from), to_epoch: epoch(to), source: plan_id === null ? 'device' : 'schedule', plan_id },
    ...{ schedule_id: null, title: plan_id ?? 'Every day', color: null, rank: null, hidden: [] },
    ...more,
  };
};
const shown = async (alike: Parameters<typeof mergedLine>[0]) =>
  (await mergedLine(alike)).map(({ title, start, end, screens }) => [
    title,
    start.slice(11, 16),
    end.slice(11, 16),
    screens,
  ]);

test('the combined row of a group lists each plan once per uninterrupted time, with the number of its screens', async () => {
  const windows = {
    spans: [span('lunch', 9, 12), span(null, 12, 14), span('lunch', 14, 18)],
    timezone: 'UTC',
    screens: 3,
  };
  const tills = { spans: [span('sale', 8, 10), span('lunch', 11, 13)], timezone: 'UTC', screens: 2 };
  assert.deepEqual(await shown([windows, tills]), [
    ['sale', '08:00', '10:00', 2],
    ['lunch', '09:00', '13:00', 5],
    ['Every day', '12:00', '14:00', 3],
    ['lunch', '14:00', '18:00', 3],
  ]);
});

test('the combined row of a group merges adjacent times of a plan, and counts each screen once in them', async () => {
  const broken = { spans: [span('lunch', 9, 10), span('lunch', 10, 11)], timezone: 'UTC', screens: 4 };
  assert.deepEqual(await shown([broken]), [['lunch', '09:00', '11:00', 4]]);
});

test('the combined row of a group uses the wall clock of each screen', async () => {
  const berlin = { spans: [span('lunch', 8, 9)], timezone: 'Europe/Berlin', screens: 1 };
  const london = { spans: [span('lunch', 9, 10)], timezone: 'Europe/London', screens: 1 };
  assert.deepEqual(await shown([berlin, london]), [['lunch', '09:00', '10:00', 2]]);
});

test('the combined row of a group leaves out the times outside of opening hours', async () => {
  const closed = { spans: [span(null, 0, 8, { source: 'off' }), span(null, 8, 9)], timezone: 'UTC', screens: 1 };
  assert.deepEqual(await shown([closed]), [['Every day', '08:00', '09:00', 1]]);
});

test('the combined row of a group names the 20 playlists on most screens, and up to 100 plans', async () => {
  const alike = Array.from({ length: 130 }, (_, nth) => ({
    spans: [span(null, 0, 1, { title: `List ${nth}` }), span(`plan ${nth}`, 1, 2)],
    timezone: 'UTC',
    screens: nth + 1,
  }));
  const names = (await shown(alike)).map(([title]) => String(title));
  const lists = names.filter((name) => name.startsWith('List'));
  assert.deepEqual([lists.length, names.length - lists.length], [20, 100]);
  assert.ok(lists.includes('List 129') && !lists.includes('List 109') && !names.includes('plan 29'));
});
