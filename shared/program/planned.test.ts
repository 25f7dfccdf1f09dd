import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gate } from './dayparting.ts';
import { PLAIN_ITEM } from './plain-item.ts';
import { plannedIn, type Stretch } from './planned.ts';
import type { Program, ProgramSchedule } from './program.ts';
import { createResolver } from './resolve.ts';

/** Start of the first round of the playlist, which contains one picture. */
const START = Date.UTC(2026, 4, 4, 12);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const schedule: ProgramSchedule = {
  id: 's',
  title: 's',
  target: 'device',
  priority: 0,
  created_at: 0,
  start: '2026-05-04T12:00:00',
  end: '2026-05-04T12:01:30',
  timezone: 'UTC',
  recurrence: null,
  recurrence_end: null,
  zone_id: null,
  item: { ...PLAIN_ITEM, content_id: 'sale', duration_ms: 10 * MINUTE },
  playlist_id: null,
  layout_id: null,
};
/** Program with one picture that plays for a minute each time. */
const minutes = (schedules: ProgramSchedule[] = []): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: 'p', item: null, source: 'device' },
  fallback: null,
  layouts: [],
  playlists: [
    { id: 'p', name: 'p', anchor_ms: START, items: [{ ...PLAIN_ITEM, content_id: 'milk', duration_ms: MINUTE }] },
  ],
  schedules,
  assets: [],
});
/** Returns the planned number of plays and the planned seconds of the picture. */
const milk = (of: Program, [since, until]: [number, number], how: Pick<Stretch, 'begins' | 'ends'>, gate?: Gate) => {
  const stretch = { since: START + since * SECOND, until: START + until * SECOND, ...how };
  const found = plannedIn(createResolver(of, 'UTC'), stretch, gate).find(({ content_id }) => content_id === 'milk');
  return found && [found.plays, found.ms / SECOND];
};

test('plannedIn counts a running play at its own start, and a play that continues after a pause at its new start', () => {
  const whole = { begins: 'whole', ends: 'cut' } as const;
  assert.deepEqual(milk(minutes(), [90, 180], whole), [1, 60]);
  assert.deepEqual(milk(minutes([schedule]), [90, 180], whole), [2, 90]);
  assert.deepEqual(milk(minutes(), [90, 180], { ...whole, begins: 'cut' }), [2, 90]);
});

test('plannedIn does not count an unfinished play at an open end', () => {
  const open = { begins: 'whole', ends: 'open' } as const;
  assert.deepEqual(milk(minutes(), [0, 150], open), [2, 120]);
  assert.equal(milk(minutes(), [120, 150], open), undefined);
  // The panel is off during the second minute.
  const edges = [Number.NEGATIVE_INFINITY, START + MINUTE, START + 2 * MINUTE, Number.POSITIVE_INFINITY];
  const gate: Gate = (instant) => {
    const at = edges.findLastIndex((edge) => edge <= instant);
    return { open: at !== 1, since: edges[at]!, until: edges[at + 1]! };
  };
  assert.deepEqual(milk(minutes(), [0, 150], open, gate), [1, 60]);
  assert.deepEqual(milk(minutes(), [0, 180], open, gate), [2, 120]);
});
