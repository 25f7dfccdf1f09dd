/** Programs with unusual schedules must be resolved quickly, because a screen that computes for seconds is dark. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Program, ProgramSchedule } from './program.ts';
import { resolve } from './resolve.ts';
import type { SeriesSpec } from './series.ts';

const RULES: Readonly<Record<string, string>> = {
  'counted to the end of time': 'FREQ=DAILY;COUNT=999999',
  'counted by every other week': 'FREQ=WEEKLY;INTERVAL=2;COUNT=999999',
  'counted by months that have it': 'FREQ=MONTHLY;BYDAY=5SU;BYMONTHDAY=28;COUNT=999',
  'on days that do not exist': 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'on a weekday that does not come up': 'FREQ=DAILY;INTERVAL=7;BYDAY=MO',
  'on the 53rd Monday that is a first': 'FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1',
  'every 83,333 years': 'FREQ=MONTHLY;BYMONTHDAY=31;INTERVAL=999999',
  'of a hundred parts': `FREQ=YEARLY;BYDAY=${Array.from({ length: 98 }, (_, i) => `${(i % 53) + 1}MO`).join(',')};BYMONTHDAY=30`,
  'until the last day': 'FREQ=DAILY;UNTIL=99991231',
};
const SCHEDULES = 300;
/**
 * Limit for each rule. An earlier implementation tried days one after the other: it took 0.7 s for the fastest of these
 * rules, and 15 s for the slowest.
 */
const LIMIT_MS = 600;

const spec = (recurrence: string, end: string, i: number): SeriesSpec => ({
  start: `2026-01-0${1 + (i % 9)}T0${i % 10}:00:00`,
  end,
  timezone: 'Europe/Berlin',
  recurrence,
  recurrence_end: null,
});
const programOf = (recurrence: string): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: null, item: null, source: null },
  fallback: null,
  layouts: [],
  playlists: [{ id: 'p', name: 'P', anchor_ms: 0, items: [] }],
  assets: [],
  schedules: Array.from({ length: SCHEDULES }, (_, i): ProgramSchedule => {
    const times = spec(recurrence, '2126-01-01T09:00:00', i);
    return {
      ...times,
      id: `s${i}`,
      title: '',
      target: 'device',
      priority: 0,
      created_at: i,
      zone_id: null,
      item: null,
      playlist_id: 'p',
      layout_id: null,
    };
  }),
});

for (const [what, rule] of Object.entries(RULES)) {
  test(`program with three hundred schedules of a hundred years ${what} is resolved quickly`, (t) => {
    const program = programOf(rule);
    const begun = performance.now();
    resolve(program, 'Europe/Berlin', Date.UTC(2026, 5, 1, 12));
    resolve(program, 'Europe/Berlin', Date.UTC(2031, 5, 1, 12));
    const took = performance.now() - begun;
    t.diagnostic(`${took.toFixed(0)} ms`);
    assert.ok(took < LIMIT_MS, `${took.toFixed(0)} ms`);
  });
}
