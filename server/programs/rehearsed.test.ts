/** What a campaign would change is what it does change when it is there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Rehearsal } from '../../shared/chain/rehearsal.ts';
import { PLAIN_ITEM } from '../../shared/program/plain-item.ts';
import type { Program, ProgramSchedule } from '../../shared/program/program.ts';
import { PLACE_OF_RANK, RANKS } from '../../shared/program/ranks.ts';
import { createResolver } from '../../shared/program/resolve.ts';
import { LOOK_MS, type Rehearsed, rehearse } from './rehearsed.ts';

const NOW = Date.UTC(2026, 10, 2, 9);
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
const campaign = (more: Partial<Rehearsal> = {}): Rehearsal => ({
  ...{ id: 'advent', rank: 'must', screen_tags: [], start_time: at(2), end_time: at(5) },
  ...{ recurrence: null, recurrence_end: null, has_layout: false },
  ...more,
});
const done = (one: Program, asked: Rehearsal): Rehearsed => {
  const steps = rehearse({ program: one, timezone: 'UTC' }, asked, { timezone: 'UTC', now: NOW });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

test('what must be shown hides the store’s schedule, and where there is none its playlist', () => {
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

test('a stronger campaign goes before it, a weaker one is hidden', () => {
  const fire = scheduled('Fire', { ...PLACE_OF_RANK.safety, start: at(1), end: at(9) });
  assert.deepEqual(done(program([fire]), campaign()), {
    isChanged: false,
    hidden: [],
    before: [{ what: 'campaign', name: 'Fire' }],
  });
  const older = scheduled('Autumn', { ...PLACE_OF_RANK.must, start: at(1), end: at(9) });
  assert.deepEqual(done(program([older]), campaign()).hidden, [{ what: 'campaign', name: 'Autumn' }]);
});

test('headquarters’ default shows only where the store has nothing, and gives way to the store’s schedules', () => {
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

test('an offer, and a time that has passed, change nothing; what begins in weeks is looked at from then on', () => {
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

test('a newer edition of what runs already is compared with what runs', () => {
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

test('times that are none are said to be so', () => {
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

test('it says that something changes where, and only where, the screen would show something else', () => {
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
