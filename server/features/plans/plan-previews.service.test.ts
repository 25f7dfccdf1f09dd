/**
 * Tests how the preview and the calendar combine the results of single screens. plan-previews.test.ts tests those results.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewPlan, PlanTarget } from '../../../shared/contract/screens/plans.ts';
import { DAY_MS } from '../../../shared/program/civil.ts';
import { FULL_ZONE } from '../../../shared/program/full-zone.ts';
import { PLAIN_ITEM } from '../../../shared/program/plain-item.ts';
import type { Placement, Program, ProgramSchedule } from '../../../shared/program/program.ts';
import { PLACE_OF_RANK } from '../../../shared/program/ranks.ts';
import { actorOf, openRows, refusedWith } from '../../../test/rows.ts';
import { PlanPreviews } from './plan-previews.service.ts';
import { BLANK } from './plan-rules.ts';
import { PlansStore } from './plans.store.ts';

const NOW = Date.UTC(2026, 2, 10, 9);
const HERE = actorOf('here');
const hour = (n: number): number => Date.UTC(2026, 2, 10, n) / 1000;

const scheduled = (more: Partial<ProgramSchedule> = {}): ProgramSchedule => ({
  ...{ id: 'lunch', title: 'Lunch', target: 'device', priority: 5, created_at: 0, timezone: 'UTC' },
  ...{ start: '2026-03-10T12:00:00', end: '2026-03-10T14:00:00', recurrence: null, recurrence_end: null },
  ...{ zone_id: null, item: PLAIN_ITEM, playlist_id: null, layout_id: null },
  ...more,
});
/** Returns a program that plays the playlist of that name when no schedule is on. */
const playing = (name: string, schedules: ProgramSchedule[] = [], more: Partial<Program> = {}): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: name, item: null, source: 'device' },
  ...{ fallback: null, layouts: [], assets: [], schedules },
  playlists: [{ id: name, name, anchor_ms: 0, items: [PLAIN_ITEM] }],
  ...more,
});
const layoutOf = (id: string, zone = FULL_ZONE) => ({ id, name: id, width: 1, height: 1, zones: [zone] });
const wallOf = (wall_id: string) => ({ wall_id }) as NonNullable<Placement['wall']>;

type Screens = Readonly<Record<string, Program | readonly [Program, Partial<Placement>] | null>>;

/** Screens by id, with their programs; null when the program is not known yet. */
const openPreviews = (screens: Screens = {}) => {
  const { db, add } = openRows();
  add('devices', ...Object.keys(screens).map((id) => ({ id, name: id })));
  add('content', { id: 'photo' });
  let now = NOW;
  const store = new PlansStore(db);
  const layouts: unknown[] = [];
  const previews = new PlanPreviews({
    clock: { now: () => now },
    store,
    plans: {
      get: (_, id) => ({ record: { id, created_at: 1 } }) as never,
      proposed: (_, targets, body) => ({ fields: { ...BLANK, ...(body as object) }, targets }),
    },
    layouts: {
      get: (_, id) => {
        layouts.push(id);
        const { x, y, width, height } = FULL_ZONE;
        const zone = { id: 'z', x_percent: x, y_percent: y, width_percent: width, height_percent: height };
        return { record: { id, name: id, width: 1, height: 1, zones: [zone] } } as never;
      },
    },
    programs: {
      program: (id) => {
        const found = screens[id] ?? undefined;
        if (!found) return undefined;
        const [program, placement] = 'format' in found ? [found, {}] : found;
        return { program, placement: { timezone: 'UTC', wall: null, hours: null, ...placement } } as never;
      },
    },
  });
  const on = (...ids: string[]): PlanTarget[] => ids.map((id) => ({ kind: 'device', id }));
  return {
    ...{ add, store, previews, layouts, on },
    setNow: (to: number) => void (now = to),
    preview: ({ targets = on(...Object.keys(screens)), ...more }: Partial<NewPlan> & { plan_id?: string } = {}) =>
      previews.preview(HERE, {
        ...{ start_time: '2026-03-10T12:00:00', end_time: '2026-03-10T14:00:00', timezone: 'UTC' },
        ...{ content_id: 'photo', targets },
        ...more,
      }),
    calendar: (query: object = {}) =>
      previews.calendar(HERE, { days: 1, detail: true, limit: 100, offset: 0, ...query }),
  };
};

test('a preview counts the screens of each displaced record and hiding plan, and lists the twenty with most screens', async () => {
  const lunch = scheduled();
  const shared = playing('shared', [{ ...lunch, start: '2026-03-10T13:00:00' }]);
  const screens: Record<string, Program | null> = { all: playing('all', [lunch]), a: shared, b: shared, c: shared };
  for (let nth = 1; nth <= 22; nth++) screens[`${nth}`] = playing(`own ${nth}`);
  const { preview, on } = openPreviews({ ...screens, unknown: null });
  const all = await preview();
  assert.deepEqual([all.screens, all.displaces.length, all.warnings], [26, 20, []]);
  assert.deepEqual(all.displaces[0], {
    ...{ kind: 'playlist', id: 'shared', name: 'shared', rank: null, screens: 3, first_epoch: hour(12) },
  });
  assert.ok(all.displaces.slice(1).every((one) => one.screens === 1));
  const before = { plan_id: 'lunch', title: 'Lunch', rank: null };
  assert.deepEqual(all.hidden_by, [{ ...before, screens: 4, always: false, first_epoch: hour(12) }]);

  const hidden = await preview({ targets: on('all') });
  assert.deepEqual(hidden.hidden_by, [{ ...before, screens: 1, always: true, first_epoch: hour(12) }]);
  assert.deepEqual([hidden.displaces, hidden.warnings], [[], ['hidden_always']]);
  assert.deepEqual((await preview({ targets: on('a', 'all') })).hidden_by[0]?.first_epoch, hour(12));
  const over = (await preview({ priority: 9, targets: on('a', 'all') })).displaces.find(({ id }) => id === 'lunch');
  assert.deepEqual([over?.screens, over?.first_epoch], [2, hour(12)]);
  const nobody = await preview({ targets: on('unknown') });
  assert.deepEqual([nobody.screens, nobody.warnings], [0, ['no_screens']]);
  const daily = await preview({ targets: on('1'), recurrence: 'FREQ=DAILY' });
  assert.deepEqual(
    [daily.next.length, daily.occurrences, daily.last_end_epoch],
    [5, null, null],
    'the next few of them',
  );
  assert.equal(daily.next[1]!.start_epoch - daily.next[0]!.start_epoch, DAY_MS / 1000);
});

test('displaced records and hiding plans with equal numbers of screens are sorted by time in the preview', async () => {
  const at = (id: string, minute: number, more: Partial<ProgramSchedule> = {}) =>
    scheduled({ id, start: `2026-03-10T12:${minute}:00`, end: '2026-03-10T13:00:00', ...more });
  const names = Array.from({ length: 22 }, (_, nth) => `${nth + 10}`);
  const screens: Record<string, Program> = { most: playing('most', [at('common', 59)]) };
  // Adds the screens in reverse order, so that only sorting can produce the expected order.
  for (const name of names.toReversed()) screens[name] = playing('own', [at(name, Number(name)), at('common', 59)]);
  const { preview } = openPreviews(screens);
  const { hidden_by } = await preview();
  assert.deepEqual(
    hidden_by.map(({ plan_id, screens }) => [plan_id, screens]),
    [['common', 23], ...names.slice(0, 19).map((name) => [name, 1])],
  );
  const { displaces } = await preview({ priority: 9 });
  assert.deepEqual(
    displaces.map(({ id, screens }) => [id, screens]),
    [['common', 23], ['own', 22], ['most', 1], ...names.slice(0, 17).map((name) => [name, 1])],
  );
});

test('a preview counts a running plan only from now on, and the time of overlapping occurrences only once', async () => {
  const all = playing('own', [scheduled({ start: '2026-03-10T09:00:00', end: '2026-03-11T14:00:00' })]);
  const { preview, setNow, on } = openPreviews({ hidden: all, free: playing('own') });
  setNow(NOW + 900);
  const since = { start_time: '2026-03-10T08:00:00' };
  const hidden = await preview({ ...since, targets: on('hidden') });
  assert.deepEqual(
    [hidden.warnings, hidden.hidden_by.map(({ always, first_epoch }) => [always, first_epoch])],
    [['hidden_always'], [[true, hour(9)]]],
    'what it was seen before is over',
  );
  assert.deepEqual(hidden.next[0], {
    ...{ start: '2026-03-10T08:00:00', end: '2026-03-10T14:00:00', start_epoch: hour(8), end_epoch: hour(14) },
  });
  const free = await preview({ ...since, targets: on('free') });
  assert.deepEqual([free.displaces[0]!.first_epoch, free.hidden_by, free.warnings], [hour(9), [], []]);
  const twice = await preview({
    ...{ end_time: '2026-03-11T13:00:00', recurrence: 'FREQ=DAILY;COUNT=2', targets: on('hidden') },
  });
  assert.deepEqual(
    [twice.occurrences, twice.last_end_epoch, twice.warnings, twice.hidden_by[0]!.always],
    [2, hour(61), ['overlaps_itself'], false],
  );
  setNow(hour(14) * 1000 - 1);
  assert.deepEqual(
    (await preview({ ...since, targets: on('hidden') })).warnings,
    ['hidden_always'],
    'to its last moment',
  );
  setNow(hour(14) * 1000);
  assert.deepEqual((await preview({ ...since, targets: on('hidden') })).warnings, ['past']);
});

test('of plans with equal priority the newest is shown: a new plan is the newest, and a changed plan keeps its age', async () => {
  const other = scheduled({ id: 'other', title: 'Other', created_at: 5, priority: 0 });
  const before = { ...other, id: 'changed', created_at: 1 };
  const { preview, on } = openPreviews({ till: playing('own', [other, before]), door: playing('own', [before]) });
  const till = { targets: on('till') };
  const made = await preview(till);
  assert.deepEqual([made.hidden_by, made.displaces.map(({ id }) => id)], [[], ['other']]);
  const changed = await preview({ plan_id: 'changed', ...till });
  assert.deepEqual([changed.hidden_by.map(({ plan_id }) => plan_id), changed.displaces], [['other'], []]);
  const weaker = await preview({ plan_id: 'changed', priority: -1, targets: on('door') });
  assert.deepEqual(
    [weaker.hidden_by, weaker.displaces.map(({ kind }) => kind)],
    [[], ['playlist']],
    'it does not stand in its own way',
  );
});

test('a plan for a screen itself overrides plans of groups, and a plan that reaches the screen by a group does not', async () => {
  const shared = playing('own', [scheduled({ target: 'group' })]);
  const { preview, add, on } = openPreviews({ direct: shared, grouped: shared, both: shared, tagged: shared });
  add('groups', { id: 'g' });
  for (const device_id of ['grouped', 'both']) add('group_members', { group_id: 'g', device_id });
  add('device_tags', { device_id: 'tagged', tag: 'window' });
  const targets: PlanTarget[] = [{ kind: 'group', id: 'g' }, { kind: 'tag', id: 'window' }, ...on('direct', 'both')];
  const { screens, displaces, hidden_by } = await preview({ targets });
  assert.deepEqual(
    [screens, displaces.map((one) => [one.id, one.screens]), hidden_by.map((one) => [one.plan_id, one.screens])],
    [4, [['lunch', 3]], [['lunch', 1]]],
  );
});

test('screens with the same program are kept apart by their time zone and by their wall', async () => {
  const evening = { days: [0, 1, 2, 3, 4, 5, 6], start: '18:00', end: '23:00', start_date: null, end_date: null };
  const onWall = { layout_id: null, playlist_id: 'own', item: null, source: 'wall' } as const;
  const playlists = [{ id: 'own', name: 'own', anchor_ms: 0, items: [{ ...PLAIN_ITEM, blocks: [evening] }] }];
  const dark = playing('own', [], { playlists });
  const walled = playing('own', [], { base: onWall });
  const { preview, on } = openPreviews({
    ...{ here: dark, tokyo: [dark, { timezone: 'Asia/Tokyo' }], osaka: [dark, { timezone: 'Asia/Tokyo' }] },
    ...{ left: [walled, { wall: wallOf('w1') }], right: [walled, { wall: wallOf('w2') }] },
  });
  const given = async (...ids: string[]) =>
    (await preview({ targets: on(...ids) })).displaces.map(({ kind, id, screens }) => [kind, id, screens]);
  assert.deepEqual(await given('here', 'tokyo', 'osaka'), [
    ['playlist', 'own', 2],
    ['nothing', null, 1],
  ]);
  assert.deepEqual((await given('left', 'right')).sort(), [
    ['wall', 'w1', 1],
    ['wall', 'w2', 1],
  ]);
});

test('a plan with a layout is previewed in this layout, where a schedule with its own zone overrides it', async () => {
  const { preview, layouts } = openPreviews({ till: playing('own', [scheduled({ zone_id: 'z' })]) });
  const framed = { layout_id: 'l', zone_id: 'z' };
  assert.deepEqual(
    (await preview(framed)).hidden_by.map(({ plan_id }) => plan_id),
    ['lunch'],
  );
  assert.deepEqual(layouts.splice(0), ['l']);
  assert.deepEqual(
    [(await preview({ zone_id: 'z' })).hidden_by, layouts],
    [[], []],
    'without one there is no such zone',
  );
  assert.deepEqual(
    (await preview({ layout_id: 'l', content_id: null })).displaces,
    [],
    'a frame takes no content away',
  );
});

test('a preview warns when nothing is valid to play at a plan’s times, except for a plan with only a layout', async () => {
  const { preview, add } = openPreviews({ till: playing('own') });
  add('content', { id: 'over', valid_until: '2026-03-10T12:00' }, { id: 'ends', valid_until: '2026-06-30T00:00' });
  add('content', { id: 'today', valid_until: '2026-03-10T12:01' });
  add('widgets', { id: 'clock' }, { id: 'late', valid_from: '2026-03-10T14:00' });
  add('playlists', { id: 'empty' }, { id: 'full' });
  add('published_items', { id: 'item', playlist_id: 'full', content_id: 'photo' });
  const bare = { content_id: null };
  const warnings = async (more: object) => (await preview(more)).warnings;
  for (const [more, says] of [
    [{ content_id: 'photo' }, []],
    [{ content_id: 'over' }, ['no_content']],
    [{ ...bare, widget_id: 'clock' }, []],
    [{ ...bare, widget_id: 'late' }, ['no_content']],
    [{ ...bare, playlist_id: 'full' }, []],
    [{ ...bare, playlist_id: 'empty' }, ['no_content']],
    [{ ...bare, layout_id: 'l' }, []],
    [{ content_id: 'ends', recurrence: 'FREQ=DAILY' }, []],
    [{ content_id: 'today', recurrence: 'FREQ=DAILY' }, []],
    [{ content_id: 'ends', start_time: '2026-12-01T09:00:00', end_time: '2026-12-24T18:00:00' }, ['no_content']],
    [{ content_id: 'ends', start_time: '2026-06-01T09:00:00', end_time: '2026-12-24T18:00:00' }, []],
    [{ content_id: 'ends', start_time: '2026-03-01T09:00:00', end_time: '2026-03-02T18:00:00' }, ['past']],
    [{ content_id: 'over', targets: [] }, ['no_screens', 'no_content']],
  ] as const)
    assert.deepEqual(await warnings(more), says, JSON.stringify(more));
});

test('the calendar shows a screen as off outside its opening hours, and a screen without hours is never off', async () => {
  const nightly = [
    scheduled({ start: '2026-03-10T03:00:00', end: '2026-03-10T04:00:00' }),
    scheduled({ id: 'day', start: '2026-03-10T07:00:00', end: '2026-03-10T20:00:00' }),
  ];
  const program = playing('own', nightly);
  const hours = [{ days: [0, 1, 2, 3, 4, 5, 6], start: '06:00', end: '20:00', start_date: null, end_date: null }];
  const { calendar } = openPreviews({ closed: [program, { hours }], open: program });
  const { rows, total } = await calendar();
  const [closed, open] = rows.map(({ spans }) => spans.map(({ from_epoch, source }) => [from_epoch - hour(0), source]));
  const at = (n: number) => n * 3600;
  assert.equal(total, 2);
  assert.deepEqual(closed, [
    [at(0), 'off'],
    [at(6), 'device'],
    [at(7), 'schedule'],
    [at(20), 'off'],
  ]);
  assert.deepEqual(open, [
    [at(0), 'device'],
    [at(3), 'schedule'],
    [at(4), 'device'],
    [at(7), 'schedule'],
    [at(20), 'device'],
  ]);
  for (const { spans } of rows) {
    assert.deepEqual([spans[0]!.from_epoch, spans.at(-1)!.to_epoch], [hour(0), hour(24)]);
    for (const [i, span] of spans.slice(1).entries()) assert.equal(span.from_epoch, spans[i]!.to_epoch);
  }
  const none = { plan_id: null, schedule_id: null, color: null, rank: null, hidden: [] };
  assert.deepEqual(
    rows.map(({ spans: [span] }) => span),
    [
      { from_epoch: hour(0), to_epoch: hour(6), source: 'off', title: '', ...none },
      { from_epoch: hour(0), to_epoch: hour(3), source: 'device', title: 'own', ...none },
    ],
  );
});

test('a calendar without a date begins today in the screen’s zone, and equal screens are computed once', async () => {
  let read = 0;
  const lunch = scheduled();
  const counted = (): Program => ({
    ...playing('own'),
    get schedules() {
      read++;
      return [lunch];
    },
  });
  const [alone, shared] = [counted(), counted()];
  const { calendar, add, store, setNow } = openPreviews({
    ...{ alone, a: shared, b: shared, c: shared, gone: null },
    tokyo: [playing('own'), { timezone: 'Asia/Tokyo' }],
  });
  add('plans', { id: 'lunch', color: '#112233' });
  add('groups', { id: 'g' });
  add('group_members', { group_id: 'g', device_id: 'b' });
  add('schedules', { id: 'of a', plan_id: 'lunch', device_id: 'a' }, { id: 'of g', plan_id: 'lunch', group_id: 'g' });
  setNow(hour(17) * 1000);
  const { rows, total } = await calendar({ days: 2 });
  assert.deepEqual([rows.map(({ device_id }) => device_id), total], [['a', 'alone', 'b', 'c', 'tokyo'], 6]);
  const bounds = rows.map(({ spans }) => [spans[0]!.from_epoch, spans.at(-1)!.to_epoch]);
  assert.deepEqual(
    [bounds[0], bounds[4]],
    [
      [hour(0), hour(48)],
      [hour(15), hour(63)],
    ],
  );
  assert.deepEqual(
    rows.map(({ spans }) => spans.find(({ plan_id }) => plan_id === 'lunch')?.schedule_id),
    ['of a', null, 'of g', null, undefined],
  );
  const costs = async (query: object) => {
    read = 0;
    await calendar(query);
    return read;
  };
  add('groups', { id: 'alike' });
  for (const device_id of ['a', 'b', 'c']) add('group_members', { group_id: 'alike', device_id });
  assert.equal(await costs({ group_id: 'alike' }), await costs({ device_id: 'alone' }));
  const asked: string[] = [];
  const { color } = store;
  store.color = (id) => {
    asked.push(id);
    return color.call(store, id);
  };
  const { rows: colored } = await calendar({ days: 2 });
  assert.deepEqual(asked, ['lunch'], 'each color is asked for once');
  assert.deepEqual(
    colored[0]!.spans.map((span) => span.color),
    [null, '#112233', null],
  );
});

test('screens with one program but other opening hours or time zones have separate calendar days', async () => {
  const program = playing('own', [], { base: { layout_id: null, playlist_id: 'own', item: null, source: 'wall' } });
  const hours = [{ days: [0, 1, 2, 3, 4, 5, 6], start: '06:00', end: '20:00', start_date: null, end_date: null }];
  const { calendar } = openPreviews({
    ...{ a: program, b: [program, { hours }], c: [program, { timezone: 'Asia/Tokyo' }] },
    d: [program, { wall: wallOf('w') }],
  });
  const { rows } = await calendar({ from: '2026-03-10' });
  assert.deepEqual(
    rows.map(({ spans }) => [spans.length, spans[0]!.from_epoch - hour(0), spans[0]!.source]),
    [
      [1, 0, 'wall'],
      [3, 0, 'off'],
      [1, -9 * 3600, 'wall'],
      [1, 0, 'wall'],
    ],
  );
});

test('a calendar span names the schedule that is shown with its rank, and the schedules that it hides', async () => {
  const must = scheduled({ id: 'must', title: 'Must', ...PLACE_OF_RANK.must, end: '2026-03-10T13:00:00' });
  const standard = scheduled({ id: 'standard', title: '', playlist_id: 'own', item: null, ...PLACE_OF_RANK.default });
  const { calendar } = openPreviews({ till: playing('own', [must, standard]) });
  const spans = async (query: object) => (await calendar(query)).rows[0]!.spans.slice(1);
  const own = { source: 'schedule', schedule_id: null, color: null };
  const first = { ...own, plan_id: 'must', title: 'Must', rank: 'must', from_epoch: hour(12), to_epoch: hour(13) };
  const second = { ...own, plan_id: 'standard', title: 'own', rank: 'default' };
  const loser = { plan_id: 'standard', title: 'own', rank: 'default' };
  const rest = { ...second, from_epoch: hour(13), to_epoch: hour(14), hidden: [] };
  assert.deepEqual((await spans({})).slice(0, 2), [{ ...first, hidden: [loser] }, rest]);
  assert.deepEqual((await spans({ detail: false })).slice(0, 2), [{ ...first, hidden: [] }, rest]);
});

test('a schedule that another schedule overrides only in its layout is not listed as hidden', async () => {
  const content = scheduled({ id: 'content', playlist_id: 'own', item: null, layout_id: 'l' });
  const frame = scheduled({ id: 'frame', title: 'Frame', item: null, layout_id: 'm', priority: 9 });
  const layouts = [layoutOf('l'), layoutOf('m')];
  const { calendar } = openPreviews({ till: playing('own', [content, frame], { layouts }) });
  const [, noon] = (await calendar()).rows[0]!.spans;
  assert.deepEqual([noon!.plan_id, noon!.hidden], ['content', []]);
});

test('a calendar answers only for screens and groups of the workspace, and for a date that exists', async () => {
  const { calendar, add, previews } = openPreviews({ till: playing('own') });
  add('groups', { id: 'g' });
  const query = { days: 1, detail: true, limit: 100, offset: 0 };
  for (const [asked, noun] of [
    [{ device_id: 'till' }, 'Device'],
    [{ group_id: 'g' }, 'Group'],
  ] as const) {
    await calendar(asked);
    await assert.rejects(
      previews.calendar(actorOf('there'), { ...query, ...asked }),
      refusedWith(404, new RegExp(`^${noun} not found$`)),
    );
  }
  await assert.rejects(calendar({ device_id: 'g' }), refusedWith(404));
  await assert.rejects(calendar({ group_id: 'till' }), refusedWith(404));
  await assert.rejects(calendar({ from: '2026-02-30' }), refusedWith(400, /^from: must be a day that exists/));
});

test('the calendar counts screens by group, each screen in all its groups, and lists screens without a group last', () => {
  const { previews, add } = openPreviews({ a: null, b: null, c: null });
  add('groups', { id: 'windows', name: 'Windows' }, { id: 'tills', name: 'Tills' }, { id: 'empty', name: 'Empty' });
  for (const [group_id, device_id] of [
    ['windows', 'a'],
    ['windows', 'b'],
    ['tills', 'b'],
  ] as const)
    add('group_members', { group_id, device_id });
  const { groups, total } = previews.groups(HERE, { days: 7 });
  assert.deepEqual(
    groups.map(({ group_id, name, screens }) => [group_id, name, screens]),
    [
      ['tills', 'Tills', 1],
      ['windows', 'Windows', 2],
      [null, '', 1],
    ],
  );
  assert.equal(total, 3);
  assert.deepEqual(previews.groups(HERE, { days: 7, planned: true }), { groups: [], total: 0 });
});

test('the combined calendar row of a group covers its screens and no other screen', async () => {
  const own = playing('own', [scheduled()]);
  const { previews, add } = openPreviews({ a: own, b: own, c: playing('other') });
  add('groups', { id: 'windows', name: 'Windows' });
  for (const device_id of ['a', 'b']) add('group_members', { group_id: 'windows', device_id });
  const day = { from: '2026-03-10', days: 1 };
  const line = async (query: object) => {
    const { screens, spans } = await previews.line(HERE, { ...day, ungrouped: false, ...query });
    return [screens, spans.map(({ title, start, screens: on }) => [title, start, on])];
  };
  const [midnight, noon] = ['2026-03-10T00:00:00', '2026-03-10T12:00:00'];
  assert.deepEqual(await line({ group_id: 'windows' }), [
    2,
    [
      ['own', midnight, 2],
      ['Lunch', noon, 2],
      ['own', '2026-03-10T14:00:00', 2],
    ],
  ]);
  assert.deepEqual(await line({ ungrouped: true }), [1, [['other', midnight, 1]]]);
  await assert.rejects(previews.line(HERE, { ...day, ungrouped: false, group_id: 'gone' }), refusedWith(404));
});

test('the combined row of a group computes at most 250 programs, and reports the number of counted screens', async () => {
  const screens = Object.fromEntries(
    Array.from({ length: 255 }, (_, nth) => [`${nth}`.padStart(3, '0'), playing(`own ${nth}`)]),
  );
  const { previews } = openPreviews(screens);
  const { screens: all, counted } = await previews.line(HERE, { from: '2026-03-10', days: 1, ungrouped: true });
  assert.deepEqual([all, counted], [255, 250]);
});
