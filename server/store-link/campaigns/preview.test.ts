/**
 * Tests that a preview for headquarters counts what a campaign would change on the screens of a store, without blocking
 * the event loop.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN_ITEM } from '../../../shared/program/plain-item.ts';
import type { Program, ProgramSchedule } from '../../../shared/program/program.ts';
import { longestTurn } from '../../../test/longest-turn.ts';
import { DownlinkRefused } from '../connection/requests.ts';
import { createPreview } from './preview.ts';

const NOW = Date.UTC(2026, 10, 2, 9);
const asked = {
  ...{ id: 'advent', rank: 'must' as const, screen_tags: [] as string[], recurrence: null, recurrence_end: null },
  ...{ start_time: '2026-11-03T09:00:00', end_time: '2026-11-20T20:00:00', has_layout: false },
};
const program = (name: string, schedules: ProgramSchedule[] = []): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: 'own', item: null, source: 'device' },
  fallback: null,
  layouts: [],
  playlists: [{ id: 'own', name, anchor_ms: 0, items: [PLAIN_ITEM] }],
  schedules,
  assets: [],
});
const daily = (i: number): ProgramSchedule => ({
  ...{
    id: `plan ${i}`,
    title: `Plan ${i}`,
    target: 'device',
    priority: i % 3,
    created_at: i,
    timezone: 'Europe/Berlin',
  },
  start: `2026-10-01T${String(7 + i).padStart(2, '0')}:${i}0`.slice(0, 16).padEnd(19, ':00'),
  end: `2026-10-01T${String(9 + i).padStart(2, '0')}:00:00`,
  ...{ recurrence: i % 2 ? 'FREQ=DAILY' : 'FREQ=WEEKLY;BYDAY=MO,WE,SA', recurrence_end: null, zone_id: null },
  ...{ item: null, playlist_id: 'own', layout_id: null },
});

test('preview selects screens by tags, counts and names them, and first lists what is hidden on most screens', async () => {
  const programs: Record<string, Program> = { a: program('Rare'), b: program('Common'), c: program('Common') };
  const answer = await createPreview({
    clock: { now: () => NOW },
    screens: () => [
      { id: 'a', name: 'Door', tags: ['Bakery'] },
      { id: 'b', name: 'Till', tags: ['bakery'] },
      { id: 'c', name: 'Window', tags: ['BAKERY', 'x'] },
      { id: 'd', name: 'Office', tags: [] },
    ],
    programOf: (id) => programs[id] && { program: programs[id], placement: { timezone: 'UTC' } },
    timezone: () => 'UTC',
  })({ ...asked, screen_tags: ['bakery'] });
  assert.deepEqual(answer, {
    screens: 4,
    meant: 3,
    changes: 3,
    changed_names: ['Door', 'Till', 'Window'],
    hidden: [
      { what: 'playlist', name: 'Common', screens: 2 },
      { what: 'playlist', name: 'Rare', screens: 1 },
    ],
    before: [],
  });
});

test('preview refuses a recurrence rule that this version does not understand', async () => {
  const rehearse = createPreview({
    clock: { now: () => NOW },
    screens: () => [{ id: 'a', name: 'Door', tags: [] }],
    programOf: () => ({ program: program('Own'), placement: { timezone: 'UTC' } }),
    timezone: () => 'UTC',
  });
  await assert.rejects(
    rehearse({ ...asked, recurrence: 'FREQ=MINUTELY' }),
    (error) => error instanceof DownlinkRefused && error.code === 'unsupported',
  );
});

test('preview of 200 screens with 12 recurring schedules each blocks the event loop for at most 10 ms', async (t) => {
  const screens = Array.from({ length: 200 }, (_, i) => ({ id: `${i}`, name: `Screen ${i}`, tags: [] }));
  const programs = screens.map(({ name }) =>
    program(
      name,
      Array.from({ length: 12 }, (_, i) => daily(i)),
    ),
  );
  const rehearse = createPreview({
    clock: { now: () => NOW },
    screens: () => screens,
    programOf: (id) => ({ program: programs[Number(id)]!, placement: { timezone: 'Europe/Berlin' } }),
    timezone: () => 'Europe/Berlin',
  });
  await rehearse({ ...asked, rank: 'offer' });
  const began = performance.now();
  const rehearsing = rehearse(asked);
  const { worked } = await longestTurn(rehearsing);
  const answer = await rehearsing;
  t.diagnostic(`${(performance.now() - began).toFixed(0)} ms in all, ${worked.toFixed(1)} ms of work at once`);
  assert.equal(answer.changes, 200);
  assert.equal(answer.hidden.length, 50);
  assert.ok(worked < 10, `${worked} ms`);
});
