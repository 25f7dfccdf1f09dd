/** Measures the preview of a campaign in stores: the code of a store, for one store after the other. */
import { createPreview } from '../../server/store-link/campaigns/preview.ts';
import { PLAIN_ITEM } from '../../shared/program/plain-item.ts';
import type { Program, ProgramSchedule } from '../../shared/program/program.ts';
import { SCREENS, STORES } from './chain-fleet.ts';
import type { Group } from './row.ts';

const TIMEZONE = 'Europe/Berlin';
const RULES = 12;
const WEEKS = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,WE,SA',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=WEEKLY;BYDAY=SA,SU',
];
const NOW = Date.UTC(2026, 10, 2, 9);
const CAMPAIGN = {
  ...{ id: 'advent', rank: 'must' as const, screen_tags: [], recurrence: null, recurrence_end: null },
  ...{ start_time: '2026-11-03T09:00:00', end_time: '2026-11-20T20:00:00', has_layout: false },
};

const clock = (hour: number, minute: number): string =>
  new Date((hour * 60 + minute) * 60_000).toISOString().slice(11, 19);

/**
 * Returns the schedule `i` of a screen. From seven in the morning on, a schedule starts each hour and lasts about two
 * hours. The minutes differ between screens.
 */
const rule = (screen: number, i: number): ProgramSchedule => ({
  ...{ id: `${screen} ${i}`, title: `Offer ${i}`, target: 'device', priority: i % 3, created_at: i },
  start: `2026-10-01T${clock(7 + i, (screen * 7 + i) % 60)}`,
  end: `2026-10-01T${clock(9 + i, screen % 60)}`,
  ...{ timezone: TIMEZONE, recurrence: WEEKS[i % WEEKS.length]!, recurrence_end: null },
  ...{ zone_id: null, item: null, playlist_id: 'own', layout_id: null },
});

const programOf = (screen: number): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: 'own', item: null, source: 'device' },
  fallback: null,
  layouts: [],
  playlists: [{ id: 'own', name: `Playlist ${screen}`, anchor_ms: 0, items: [PLAIN_ITEM] }],
  schedules: Array.from({ length: RULES }, (_, i) => rule(screen, i)),
  assets: [],
});

/** Processor seconds of this process. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

export const dryRunRows: Group = {
  rows: [
    {
      key: 'dryRun',
      what: `a fortnight's dry run of ${(STORES * SCREENS).toLocaleString('en')} screens, each with ${RULES} recurring schedules of its own`,
      unit: 's of a core',
      budget: 10,
      better: 'less',
    },
  ],
  run: async ({ report }) => {
    let spent = 0;
    for (let store = 0; store < STORES; store++) {
      const screens = Array.from({ length: SCREENS }, (_, i) => ({ id: `${i}`, name: `Screen ${i}`, tags: [] }));
      const programs = screens.map((_, i) => programOf(store * SCREENS + i));
      const rehearse = createPreview({
        clock: { now: () => NOW },
        screens: () => screens,
        programOf: (id) => ({ program: programs[Number(id)]!, placement: { timezone: TIMEZONE } }),
        timezone: () => TIMEZONE,
      });
      const before = cpu();
      const { changes, hidden } = await rehearse(CAMPAIGN);
      spent += cpu() - before;
      if (changes !== SCREENS || hidden.length === 0) throw new Error('a store did not say what would change');
    }
    report('dryRun', { value: spent, note: `${((spent / STORES) * 1000).toFixed(1)} ms of each of ${STORES} stores` });
  },
};
