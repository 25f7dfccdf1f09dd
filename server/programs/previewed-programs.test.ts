/** Tests that the predicted effect of a campaign equals its real effect. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StorePreview } from '../../shared/chain/store-preview.ts';
import { FULL_ZONE_ID } from '../../shared/program/full-zone.ts';
import { PLAIN_ITEM } from '../../shared/program/plain-item.ts';
import { createPlanner, isInForce } from '../../shared/program/precedence.ts';
import type { Program, ProgramSchedule } from '../../shared/program/program.ts';
import { PLACE_OF_RANK, RANKS } from '../../shared/program/ranks.ts';
import { createResolver } from '../../shared/program/resolve.ts';
import { createSeries } from '../../shared/program/series.ts';
import { runCount } from '../../test/run-count.ts';
import { LOOK_MS, type PreviewedProgram, previewPrograms } from './previewed-programs.ts';

/** Start time of the tests: five days before Europe’s clocks are set back. */
const NOW = Date.UTC(2026, 9, 20, 9);
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString().slice(0, 19);

const scheduled = (id: string, more: Partial<ProgramSchedule> = {}): ProgramSchedule => ({
  ...{ id, title: id, target: 'device', priority: 0, created_at: 0, start: at(-10), end: at(100), timezone: 'UTC' },
  ...{ recurrence: null, recurrence_end: null, zone_id: null, item: null, playlist_id: 'sale', layout_id: null },
  ...more,
});
const program = (schedules: ProgramSchedule[] = [], more: Partial<Program['base']> = {}): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: 'own', item: null, source: 'device', ...more },
  fallback: null,
  layouts: [],
  playlists: ['own', 'sale'].map((id) => ({ id, name: `The ${id}`, anchor_ms: 0, items: [PLAIN_ITEM] })),
  schedules,
  assets: [],
});
const EMPTY = { playlist_id: null, source: null } as const;
const campaign = (more: Partial<StorePreview> = {}): StorePreview => ({
  ...{ id: 'advent', rank: 'must', screen_tags: [], start_time: at(2), end_time: at(5) },
  ...{ recurrence: null, recurrence_end: null, has_layout: false },
  ...more,
});
const done = (one: Program, asked: StorePreview): PreviewedProgram => {
  const steps = previewPrograms({ program: one, timezone: 'UTC' }, asked, { timezone: 'UTC', now: NOW });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

test('preview says that a campaign of rank must hides the store’s schedule, or else the store’s playlist', () => {
  assert.deepEqual(done(program([scheduled('Sale', { start: at(3), end: at(4) })]), campaign()), {
    isChanged: true,
    hidden: [
      { what: 'playlist', name: 'The own' },
      { what: 'schedule', name: 'Sale' },
    ],
    before: [],
  });
  assert.deepEqual(done(program([], EMPTY), campaign()), { isChanged: true, hidden: [], before: [] });
});

test('campaign with a higher rank hides the previewed campaign, and the previewed campaign hides lower ranks', () => {
  const fire = scheduled('Fire', { ...PLACE_OF_RANK.safety, start: at(1), end: at(9) });
  assert.deepEqual(done(program([fire]), campaign()), {
    isChanged: false,
    hidden: [],
    before: [{ what: 'campaign', name: 'Fire' }],
  });
  const older = scheduled('Autumn', { ...PLACE_OF_RANK.must, start: at(1), end: at(9) });
  assert.deepEqual(done(program([older]), campaign()).hidden, [{ what: 'campaign', name: 'Autumn' }]);
});

test('campaign of rank default shows only where the store has no content, and never during the store’s schedules', () => {
  const fallback = campaign({ rank: 'default' });
  assert.deepEqual(done(program(), fallback), {
    isChanged: false,
    hidden: [],
    before: [{ what: 'playlist', name: 'The own' }],
  });
  assert.deepEqual(done(program([scheduled('Sale', { start: at(3), end: at(4), target: 'group' })], EMPTY), fallback), {
    isChanged: true,
    hidden: [],
    before: [{ what: 'schedule', name: 'Sale' }],
  });
});

test('preview of rank offer or a past campaign has no effect, and a later campaign is examined from its start', () => {
  const nothing = { isChanged: false, hidden: [], before: [] };
  for (const one of [campaign({ rank: 'offer' }), campaign({ start_time: at(-9), end_time: at(-1) })])
    assert.deepEqual(done(program(), one), nothing);
  const later = campaign({ start_time: at(40 * 24), end_time: at(41 * 24) });
  assert.deepEqual(done(program(), later), {
    isChanged: true,
    hidden: [{ what: 'playlist', name: 'The own' }],
    before: [],
  });
});

test('preview compares a newer edition of a running campaign with the running edition', () => {
  const running = scheduled('advent', { ...PLACE_OF_RANK.must, start: at(1), end: at(9) });
  assert.deepEqual(done(program([running]), campaign()), { isChanged: false, hidden: [], before: [] });
  assert.deepEqual(done(program([running]), campaign({ end_time: at(12) })).hidden, [
    { what: 'playlist', name: 'The own' },
  ]);
  assert.deepEqual(
    done(program([running, scheduled('Sale', { start: at(9), end: at(12) })]), campaign({ end_time: at(12) })).hidden,
    [{ what: 'schedule', name: 'Sale' }],
  );
});

test('preview rejects invalid times', () => {
  assert.throws(() => done(program(), campaign({ recurrence: 'FREQ=HOURLY' })));
  assert.throws(() => done(program(), campaign({ start_time: 'tomorrow' })));
});

const anySchedule = fc
  .record({
    start: fc.integer({ min: -48, max: 100 }),
    hours: fc.integer({ min: 1, max: 30 }),
    recurrence: fc.constantFrom(null, 'FREQ=WEEKLY', 'FREQ=DAILY;COUNT=2', 'FREQ=DAILY;INTERVAL=4'),
    place: fc.constantFrom(
      { target: 'device' as const, priority: 0 },
      { target: 'group' as const, priority: 3 },
      PLACE_OF_RANK.must,
      PLACE_OF_RANK.safety,
    ),
    created_at: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ start, hours, place, ...rest }) => ({ ...rest, ...place, start: at(start), end: at(start + hours) }));

test('preview predicts a change exactly when the screen would show something else', () => {
  fc.assert(
    fc.property(
      fc.array(anySchedule, { maxLength: 3 }),
      fc.constantFrom(...RANKS.filter((rank) => rank !== 'offer')),
      fc.boolean(),
      fc.integer({ min: -30, max: 200 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(null, 'FREQ=DAILY;INTERVAL=3', 'FREQ=WEEKLY'),
      (schedules, rank, isEmpty, start, hours, recurrence) => {
        const one = program(
          schedules.map((more, i) => scheduled(`Plan ${i}`, more)),
          isEmpty ? EMPTY : {},
        );
        const asked = campaign({ rank, start_time: at(start), end_time: at(start + hours), recurrence });
        const { isChanged, hidden } = done(one, asked);
        const isPlanned = rank !== 'default' || isEmpty;
        const candidate = scheduled('advent', {
          ...PLACE_OF_RANK[rank],
          ...{ start: asked.start_time, end: asked.end_time, recurrence, playlist_id: 'hq', created_at: NOW / 1000 },
        });
        const then = createResolver(
          {
            ...one,
            playlists: [...one.playlists, { id: 'hq', name: '', anchor_ms: 0, items: [PLAIN_ITEM] }],
            schedules: isPlanned ? [...one.schedules, candidate] : one.schedules,
          },
          'UTC',
        );
        const today = createResolver(one, 'UTC');
        const names = new Set<string>();
        let differs = false;
        const from = NOW + Math.max(0, start) * HOUR;
        for (let instant = from; instant < from + LOOK_MS; instant += HOUR) {
          if (then.deciding(instant).schedule?.id !== 'advent') continue;
          differs = true;
          const { schedule } = today.deciding(instant);
          if (schedule) names.add(schedule.title);
          else if (!isEmpty) names.add('The own');
        }
        assert.equal(isChanged, differs);
        assert.deepEqual(hidden.map(({ name }) => name).sort(), [...names].sort());
      },
    ),
    { numRuns: 150 },
  );
});

const LAYOUT = {
  ...{ id: 'two', name: 'Two', width: 1920, height: 1080 },
  zones: ['left', 'right'].map((id) => ({
    ...{ id, name: id, x: 0, y: 0, width: 50, height: 100, z_index: 0, zone_type: 'content', fit: 'contain' },
    background: '#000000',
  })),
} as Program['layouts'][number];

/** Uses few different hours and lengths, so that many rules begin, end and cross midnight together. */
const anyTime = fc.record({
  place: fc.constantFrom({ target: 'device' as const, priority: 0 }, { target: 'group' as const, priority: 3 }),
  created_at: fc.integer({ min: 0, max: 3 }),
  start: fc.integer({ min: -8, max: 8 }).map((n) => n * 6),
  hours: fc.constantFrom(3, 6, 24, 30, 48),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
  recurrence: fc.constantFrom(null, 'FREQ=DAILY', 'FREQ=DAILY;INTERVAL=2', 'FREQ=DAILY;INTERVAL=3', 'FREQ=WEEKLY'),
});
const SHOWS: readonly Partial<ProgramSchedule>[] = [
  {},
  { layout_id: 'two' },
  { layout_id: 'two', playlist_id: null },
  { playlist_id: null, item: PLAIN_ITEM },
  { playlist_id: null, item: { ...PLAIN_ITEM, valid: { from: at(20).slice(0, 16), until: at(90).slice(0, 16) } } },
  { playlist_id: null, layout_id: 'two', item: { ...PLAIN_ITEM, valid: { from: null, until: at(50).slice(0, 16) } } },
];
const anyRules = fc.record({ hasZones: fc.boolean(), hasLayouts: fc.boolean() }).chain(({ hasZones, hasLayouts }) =>
  fc.array(
    fc.record({
      time: anyTime,
      zone_id: hasZones ? fc.constantFrom(null, 'left', 'right', 'gone', FULL_ZONE_ID) : fc.constant(null),
      shows: fc.constantFrom(...(hasLayouts ? SHOWS : SHOWS.filter(({ layout_id }) => !layout_id))),
    }),
    { maxLength: 5 },
  ),
);

test('day without changes of other rules is examined again when an additional rule is active on this day', () => {
  // “Sale” begins before the campaign and ends the night before the campaign's fourth day. “Autumn” begins and ends at
  // night.
  const sale = scheduled('Sale', { start: at(-1), end: at(2 * 24 + 20) });
  const autumn = scheduled('Autumn', { start: at(5 * 24 - 4), end: at(8 * 24 - 4) });
  const daily = campaign({ start_time: at(0), recurrence: 'FREQ=DAILY' });
  assert.deepEqual(done(program([sale, autumn]), daily).hidden, [
    { what: 'schedule', name: 'Sale' },
    { what: 'playlist', name: 'The own' },
    { what: 'schedule', name: 'Autumn' },
  ]);
});

test('property: with layouts, zones and validity, the prediction equals a comparison every half hour', () => {
  fc.assert(
    fc.property(
      anyRules,
      fc.constantFrom(...RANKS.filter((rank) => rank !== 'offer')),
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: -30, max: 100 }),
      fc.constantFrom(null, 'FREQ=DAILY;INTERVAL=3', 'FREQ=DAILY'),
      fc.boolean(),
      fc.boolean(),
      (rules, rank, has_layout, isBefore, start, recurrence, isLaidOut, hasOwn) => {
        const schedules = rules.map(({ time: { place, start, hours, ...rest }, zone_id, shows }, i) =>
          scheduled(i === 0 && isBefore ? 'advent' : `Plan ${i}`, {
            ...{ ...place, ...rest, start: at(start), end: at(start + hours), zone_id, ...shows },
          }),
        );
        const one = {
          // For rank default, the store has no playlist on the screen, because the campaign would never be shown.
          ...program(schedules, {
            ...((rank === 'default' || !hasOwn) && EMPTY),
            ...(isLaidOut && { layout_id: 'two' }),
          }),
          layouts: [LAYOUT],
        };
        const asked = campaign({ rank, start_time: at(start), end_time: at(start + 17), recurrence, has_layout });
        const candidate = scheduled('advent', {
          ...PLACE_OF_RANK[rank],
          ...{ start: asked.start_time, end: asked.end_time, recurrence, playlist_id: 'hq' },
          ...{ created_at: schedules[0]?.id === 'advent' ? schedules[0].created_at : NOW / 1000 },
          layout_id: has_layout ? 'hq layout' : null,
        });
        const planToday = createPlanner(one, 'UTC');
        const planThen = createPlanner(
          {
            ...one,
            layouts: [LAYOUT, { ...LAYOUT, id: 'hq layout', zones: [{ ...LAYOUT.zones[0]!, id: 'hq zone' }] }],
            playlists: [...one.playlists, { id: 'hq', name: '', anchor_ms: 0, items: [PLAIN_ITEM] }],
            schedules: [...schedules.filter(({ id }) => id !== 'advent'), candidate],
          },
          'UTC',
        );
        const series = createSeries(candidate);
        const [hidden, before] = [new Set<string>(), new Set<string>()];
        let isChanged = false;
        const from = NOW + Math.max(0, start) * HOUR;
        for (let instant = from; instant < from + LOOK_MS; instant += HOUR / 2) {
          if (!series.window(instant).occurrence) continue;
          const [today, then] = [planToday(instant), planThen(instant)];
          if (isInForce(then, 'advent') && !isInForce(today, 'advent')) {
            isChanged = true;
            for (const { id, title } of schedules) if (isInForce(today, id) && !isInForce(then, id)) hidden.add(title);
            if (!today.main && one.base.source) hidden.add('The own');
          }
          const lost = then.losing.find(({ schedule_id }) => schedule_id === 'advent');
          if (lost) before.add(schedules.find(({ id }) => id === lost.lost_to)!.title);
        }
        const found = done(one, asked);
        assert.equal(found.isChanged, isChanged);
        assert.deepEqual(found.hidden.map(({ name }) => name).sort(), [...hidden].sort());
        assert.deepEqual(found.before.map(({ name }) => name).sort(), [...before].sort());
      },
    ),
    { numRuns: runCount(400, 1_000) },
  );
});

test('preview of a screen with a thousand plans runs in slices and within the work limit', () => {
  const plans = Array.from({ length: 1_000 }, (_, i) =>
    scheduled(`Plan ${i}`, { start: at(i % 24), end: at((i % 24) + 20), recurrence: 'FREQ=DAILY', created_at: i }),
  );
  const steps = previewPrograms({ program: program(plans), timezone: 'UTC' }, campaign({ recurrence: 'FREQ=DAILY' }), {
    ...{ timezone: 'UTC', now: NOW },
  });
  let turns = 0;
  for (let step = steps.next(); !step.done; step = steps.next()) turns++;
  assert.ok(turns > 50 && turns < 400, `${turns} turns`);
});
