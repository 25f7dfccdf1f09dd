import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLocal } from './civil.ts';
import { FULL_ZONE } from './full-zone.ts';
import { PLAIN_ITEM } from './plain-item.ts';
import type { Program, ProgramItem, ProgramLayout, ProgramPlaylist, ProgramSchedule, Scene } from './program.ts';
import { createResolver, currentPlaylistId, resolve, zonePlaylistIds } from './resolve.ts';
import { toInstant } from './zones.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string): number => toInstant(parseLocal(text), BERLIN);
/** 2026-05-04, a Monday, at noon in Berlin. */
const NOON = at('2026-05-04T12:00');

const item = (name: string, from: Partial<ProgramItem> = {}): ProgramItem => ({
  ...PLAIN_ITEM,
  content_id: name,
  name,
  ...from,
});
const daily = (start: string, end: string) => [
  { days: [0, 1, 2, 3, 4, 5, 6], start, end, start_date: null, end_date: null },
];
const playlist = (id: string, items: ProgramItem[], anchor = NOON): ProgramPlaylist => ({
  id,
  name: id,
  anchor_ms: anchor,
  items,
});
const zone = (id: string, width: number, z_index = 0) => ({ ...FULL_ZONE, id, width, z_index });
const layout = (id: string, ...zones: ProgramLayout['zones']): ProgramLayout => ({
  id,
  name: id,
  width: 1920,
  height: 1080,
  zones,
});
const schedule = (id: string, from: Partial<ProgramSchedule>): ProgramSchedule => ({
  id,
  title: id,
  target: 'device',
  priority: 0,
  created_at: 0,
  start: '2026-05-04T12:00:00',
  end: '2026-05-04T13:00:00',
  timezone: BERLIN,
  recurrence: null,
  recurrence_end: null,
  zone_id: null,
  item: null,
  playlist_id: null,
  layout_id: null,
  ...from,
});
const program = (from: Partial<Omit<Program, 'base'>> & { base?: Partial<Program['base']> } = {}): Program => ({
  format: 1,
  fallback: null,
  layouts: [],
  playlists: [],
  schedules: [],
  assets: [],
  ...from,
  base: { layout_id: null, playlist_id: null, item: null, source: 'device', ...from.base },
});
const AB = playlist('ab', [item('a'), item('b', { duration_ms: 20_000 })]);
const plain = program({ base: { playlist_id: 'ab' }, playlists: [AB] });
const split = layout('split', zone('big', 70), zone('small', 30, 1));

const show = (scene: Scene): Record<string, string | null> =>
  Object.fromEntries(scene.zones.map(({ zone: { id }, cue }) => [id, cue?.item.name ?? null]));
const shown = (of: Program, instant: number) => show(resolve(of, BERLIN, instant));
const cueOf = (scene: Scene, id = 'full') =>
  scene.zones.find((it) => it.zone.id === id)?.cue ?? assert.fail(`no cue in ${id}`);

test('items play one after the other from the publication of the playlist, for any instant that is asked for', () => {
  assert.deepEqual(shown(plain, NOON), { full: 'a' });
  for (const second of [10, 15, 29.9]) {
    const cue = cueOf(resolve(plain, BERLIN, NOON + second * 1_000));
    assert.deepEqual([cue.item.name, cue.since, cue.until], ['b', NOON + 10_000, NOON + 30_000]);
  }
  assert.equal(cueOf(resolve(plain, BERLIN, NOON + 30_000)).since, NOON + 30_000);
  assert.deepEqual(shown(plain, NOON - 1), { full: 'b' }, 'a clock that is behind still finds its place');
});

test('next play is of the following item, or of the same item again if there is only one', () => {
  const next = (of: Program) => resolve(of, BERLIN, NOON).zones[0]?.next;
  assert.equal(next(plain)?.item.name, 'b');
  const single = program({ base: { playlist_id: 'one' }, playlists: [playlist('one', [item('a')])] });
  assert.deepEqual([next(single)?.item.name, next(single)?.since], ['a', NOON + 10_000]);
});

test('scheduled content fills the screen, and the playlist continues afterwards as if never interrupted', () => {
  const of = program({
    base: { playlist_id: 'ab', layout_id: 'split' },
    playlists: [AB],
    layouts: [split],
    schedules: [schedule('ad', { item: item('ad'), start: '2026-05-04T12:00:05', end: '2026-05-04T12:00:25' })],
  });
  assert.deepEqual(shown(of, NOON), { big: 'a', small: null });
  assert.equal(cueOf(resolve(of, BERLIN, NOON), 'big').until, NOON + 5_000);
  assert.deepEqual(shown(of, NOON + 5_000), { full: 'ad' });
  assert.equal(resolve(of, BERLIN, NOON + 5_000).layout, null);
  assert.equal(cueOf(resolve(of, BERLIN, NOON + 16_000)).until, NOON + 25_000, 'its second turn is cut');
  const resumed = cueOf(resolve(of, BERLIN, NOON + 29_000), 'big');
  assert.deepEqual([resumed.item.name, resumed.since, resumed.until], ['b', NOON + 25_000, NOON + 30_000]);
});

test('scheduled playlist begins with its first item at each occurrence and plays in the zones of the layout', () => {
  const of = program({
    base: { layout_id: 'split' },
    layouts: [split],
    playlists: [playlist('x', [item('x1'), item('x2', { zone_id: 'small' }), item('x3')], NOON - 3_333)],
    schedules: [schedule('s', { playlist_id: 'x', recurrence: 'FREQ=DAILY' })],
  });
  for (const day of ['2026-05-04', '2027-01-01']) {
    const scene = resolve(of, BERLIN, at(`${day}T12:00`));
    assert.deepEqual(show(scene), { big: 'x1', small: 'x2' });
    assert.equal(cueOf(scene, 'big').since, at(`${day}T12:00`));
  }
});

test('schedule that starts the playlist that is playing already ends the current play and starts with item one', () => {
  const of = program({
    base: { playlist_id: 'ab' },
    playlists: [AB],
    schedules: [schedule('s', { playlist_id: 'ab', start: '2026-05-04T12:00:15' })],
  });
  assert.equal(cueOf(resolve(of, BERLIN, NOON + 14_000)).until, NOON + 15_000);
  assert.deepEqual(shown(of, NOON + 15_000), { full: 'a' });
});

test('scheduled playlist starts again at each occurrence, also directly after the previous occurrence', () => {
  const around = {
    start: '2026-05-01T00:00:00',
    end: '2026-05-02T00:00:00',
    recurrence: 'FREQ=DAILY',
    item: item('ad', { duration_ms: 70_000 }),
  };
  const of = program({ schedules: [schedule('s', around)] });
  const midnight = at('2026-05-04T00:00');
  assert.equal(cueOf(resolve(of, BERLIN, midnight - 1)).until, midnight);
  assert.equal(cueOf(resolve(of, BERLIN, midnight + 69_000)).since, midnight);
});

test('item for a zone that the current layout does not have plays in the largest zone', () => {
  const items = [item('here', { zone_id: 'small' }), item('gone', { zone_id: 'other' })];
  const of = program({
    base: { playlist_id: 'p', layout_id: 'split' },
    layouts: [split],
    playlists: [playlist('p', items)],
  });
  assert.deepEqual(shown(of, NOON), { big: 'gone', small: 'here' });
});

test('change of the items that may play in a zone restarts only that zone', () => {
  const items = [
    item('a'),
    item('lunch', { blocks: daily('12:00', '13:00') }),
    item('s1', { zone_id: 'small' }),
    item('s2', { zone_id: 'small' }),
  ];
  const of = program({
    base: { playlist_id: 'p', layout_id: 'split' },
    layouts: [split],
    playlists: [playlist('p', items, at('2026-01-01T00:00:03'))],
  });
  const before = resolve(of, BERLIN, NOON - 1_000);
  assert.equal(cueOf(before, 'big').until, NOON);
  assert.equal(cueOf(before, 'small').until, NOON + 3_000);
  const scene = resolve(of, BERLIN, NOON);
  assert.deepEqual([cueOf(scene, 'big').item.name, cueOf(scene, 'big').since], ['a', NOON]);
  assert.equal(cueOf(scene, 'small').since, NOON - 7_000);
  assert.deepEqual(shown(of, NOON + 10_000).big, 'lunch');
});

test('fallback fills the screen without playable items, and its first play is cut at its start', () => {
  const of = program({
    base: { playlist_id: 'p', layout_id: 'split' },
    layouts: [split],
    fallback: item('logo', { duration_ms: 60_000 }),
    playlists: [playlist('p', [item('day', { blocks: daily('08:00', '18:00') })])],
  });
  const evening = resolve(of, BERLIN, at('2026-05-04T18:00:30'));
  assert.deepEqual([show(evening), evening.layout, cueOf(evening).source.kind], [{ full: 'logo' }, null, 'fallback']);
  assert.equal(cueOf(evening).until, at('2026-05-04T18:01'));
  assert.deepEqual(shown(of, at('2026-05-05T08:00')), { big: 'day', small: null });
});

test('screen without a fallback is idle and is resolved again within a day', () => {
  const scene = resolve(program(), BERLIN, NOON);
  assert.deepEqual([scene.idle, show(scene)], [true, { full: null }]);
  assert.ok(scene.until > NOON && scene.until <= NOON + 86_400_000);
});

test('zone shows its own content when no schedule or playlist has content for it', () => {
  const clock = { ...zone('small', 30, 1), fill: { playlist_id: null, item: item('clock', { duration_ms: 3_000 }) } };
  const of = program({
    base: { playlist_id: 'p', layout_id: 'own' },
    layouts: [layout('own', zone('big', 70), clock)],
    playlists: [playlist('p', [item('a'), item('s', { zone_id: 'small', blocks: daily('18:00', '19:00') })])],
    schedules: [schedule('banner', { zone_id: 'small', item: item('banner') })],
    fallback: item('logo'),
  });
  assert.deepEqual(shown(of, NOON - 1), { big: 'a', small: 'clock' });
  const { source, playlist_id } = cueOf(resolve(of, BERLIN, NOON - 1), 'small');
  assert.deepEqual([source, playlist_id], [{ kind: 'layout' }, null]);
  assert.deepEqual(shown(of, NOON), { big: 'a', small: 'banner' });
  assert.deepEqual(shown(of, at('2026-05-04T18:00')), { big: 'a', small: 's' });
  assert.deepEqual(shown(of, at('2026-05-04T19:00')), { big: 'a', small: 'clock' });
  const alone = { ...of, base: { ...of.base, playlist_id: null }, schedules: [] };
  const scene = resolve(alone, BERLIN, NOON);
  assert.deepEqual([show(scene), scene.idle], [{ big: null, small: 'clock' }, false]);
});

test('playlist that belongs to a zone plays all its items there, also items assigned to other zones', () => {
  const news = playlist('news', [item('n1', { zone_id: 'big' }), item('n2')], NOON - 15_000);
  const own = { ...zone('small', 30, 1), fill: { playlist_id: 'news', item: null } };
  const of = program({ base: { layout_id: 'own' }, layouts: [layout('own', zone('big', 70), own)], playlists: [news] });
  assert.deepEqual(shown(of, NOON), { big: null, small: 'n2' });
  assert.deepEqual(
    [cueOf(resolve(of, BERLIN, NOON), 'small').since, cueOf(resolve(of, BERLIN, NOON), 'small').playlist_id],
    [NOON - 5_000, 'news'],
  );
  assert.deepEqual(zonePlaylistIds(of, BERLIN, NOON), ['news']);
});

test('scheduled playlist that is missing or empty plays the fallback, not the next rule', () => {
  for (const playlists of [[AB], [AB, playlist('gone', [])]]) {
    const of = program({
      base: { playlist_id: 'ab' },
      playlists,
      fallback: item('logo'),
      schedules: [schedule('s', { playlist_id: 'gone' })],
    });
    assert.deepEqual(shown(of, NOON), { full: 'logo' });
  }
});

test('layout that is unknown or has no zones counts as the whole screen', () => {
  for (const layout_id of ['nowhere', 'empty']) {
    const of = program({ base: { playlist_id: 'ab', layout_id }, playlists: [AB], layouts: [layout('empty')] });
    assert.deepEqual([shown(of, NOON), resolve(of, BERLIN, NOON).layout], [{ full: 'a' }, null]);
  }
  const { x, y, width, height, fit, background } = FULL_ZONE;
  assert.deepEqual([x, y, width, height, fit, background], [0, 0, 100, 100, 'contain', '#000000']);
});

test('zones are returned from back to front', () => {
  const stacked = layout(
    'stacked',
    zone('top', 10, 5),
    zone('middle', 20, 2),
    zone('bottom', 30, 0),
    zone('also middle', 20, 2),
  );
  const of = program({ base: { layout_id: 'stacked' }, layouts: [stacked] });
  assert.deepEqual(Object.keys(shown(of, NOON)), ['bottom', 'middle', 'also middle', 'top']);
});

// ── precedence ──────────────────────────────────────────────────────────────────────────────────────────────────────

const contest = (winner: Partial<ProgramSchedule>, loser: Partial<ProgramSchedule>) => {
  const rules = [
    schedule('winner', { item: item('winner'), ...winner }),
    schedule('loser', { item: item('loser'), ...loser }),
  ];
  return [rules, rules.toReversed()].map((schedules) => resolve(program({ schedules }), BERLIN, NOON + 60_000));
};
const contests: [because: string, winner: Partial<ProgramSchedule>, loser: Partial<ProgramSchedule>][] = [
  ['device-over-group', { target: 'device', priority: 0 }, { target: 'group', priority: 99 }],
  ['priority', { priority: 2, start: '2026-05-04T10:00:00' }, { priority: 1 }],
  ['later-start', { start: '2026-05-04T11:00:00', created_at: 0 }, { start: '2026-05-04T10:00:00', created_at: 9 }],
  ['newer', { created_at: 2 }, { created_at: 1 }],
  ['newer', { created_at: 2, id: 'a' }, { created_at: 1, id: 'z' }],
  ['newer', { id: 'z' }, { id: 'b' }],
];
for (const [because, winner, loser] of contests) {
  test(`rule ${because} decides between ${JSON.stringify(winner)} and ${JSON.stringify(loser)}`, () => {
    for (const scene of contest(winner, loser)) {
      assert.deepEqual(show(scene), { full: 'winner' });
      assert.deepEqual(scene.losing, [
        { schedule_id: loser.id ?? 'loser', title: 'loser', lost_to: winner.id ?? 'winner', because },
      ]);
    }
  });
}

const zoned = (rules: ProgramSchedule[], base: Partial<Program['base']> = { playlist_id: 'ab', layout_id: 'split' }) =>
  program({
    base,
    layouts: [split, layout('other', zone('left', 50), zone('right', 50))],
    playlists: [AB],
    schedules: rules,
  });

test('schedule for a zone replaces only that zone', () => {
  const of = zoned([schedule('s', { zone_id: 'small', item: item('ad') })]);
  assert.deepEqual(shown(of, NOON), { big: 'a', small: 'ad' });
  assert.deepEqual(currentPlaylistId(of, BERLIN, NOON), { playlist_id: 'ab', source: 'device' });
});

test('schedule for a zone that the current layout does not have has no effect and is not listed', () => {
  const scene = resolve(zoned([schedule('s', { zone_id: 'left', item: item('ad') })]), BERLIN, NOON);
  assert.deepEqual([show(scene), scene.losing], [{ big: 'a', small: null }, []]);
});

test('schedule for a zone is shown beside a scheduled playlist only if it outranks that playlist', () => {
  const whole = schedule('whole', { playlist_id: 'ab', priority: 5 });
  const ad = { zone_id: 'small', item: item('ad') };
  assert.deepEqual(shown(zoned([whole, schedule('ad', { ...ad, priority: 6 })]), NOON), { big: 'a', small: 'ad' });
  const beaten = resolve(zoned([whole, schedule('ad', { ...ad, priority: 4 })]), BERLIN, NOON);
  assert.deepEqual(show(beaten), { big: 'a', small: null });
  assert.deepEqual(beaten.losing, [{ schedule_id: 'ad', title: 'ad', lost_to: 'whole', because: 'priority' }]);
});

test('deciding source is the schedule for the whole screen, else for the layout or a zone, else not a schedule', () => {
  const deciding = (of: Program, instant = NOON) => {
    const { source, schedule: by } = createResolver(of, BERLIN).deciding(instant);
    return [source, by === null ? null : by.id];
  };
  const ad = { item: item('ad') };
  const clock = { ...zone('left', 30, 1), fill: { playlist_id: null, item: item('clock') } };
  const own = program({ base: { layout_id: 'own' }, layouts: [layout('own', clock, zone('right', 70))] });
  assert.deepEqual(deciding(program()), ['nothing', null]);
  assert.deepEqual(deciding(program({ fallback: item('logo') })), ['fallback', null]);
  assert.deepEqual(deciding(own), ['layout', null]);
  assert.deepEqual(deciding({ ...own, base: { ...own.base, item: item('a') } }), ['device', null]);
  assert.deepEqual(deciding(zoned([])), ['device', null]);
  const whole = schedule('whole', { ...ad, priority: 1 });
  const framed = schedule('framed', { layout_id: 'other', priority: 5 });
  const part = schedule('part', { ...ad, zone_id: 'small', priority: 9 });
  assert.deepEqual(deciding(zoned([whole, framed])), ['schedule', 'whole']);
  assert.deepEqual(deciding(zoned([framed, part])), ['schedule', 'framed']);
  assert.deepEqual(deciding(zoned([part])), ['schedule', 'part']);
  assert.deepEqual(deciding(zoned([part]), NOON - 1), ['device', null]);
});

test('schedule of a layout changes the layout, and the current playlist plays on in the new layout', () => {
  const scene = resolve(zoned([schedule('s', { layout_id: 'other' })]), BERLIN, NOON);
  assert.equal(scene.layout_schedule_id, 's');
  assert.deepEqual(show(scene), { left: 'a', right: null });
  assert.equal(cueOf(scene, 'left').source.kind, 'device');
});

test('scheduled content hides a lower ranking layout and plays in the largest zone of a higher ranking layout', () => {
  const ad = schedule('ad', { item: item('ad'), priority: 5 });
  const under = resolve(zoned([ad, schedule('l', { layout_id: 'other', priority: 1 })]), BERLIN, NOON);
  assert.deepEqual([show(under), under.layout_schedule_id], [{ full: 'ad' }, null]);
  assert.deepEqual(under.losing, [{ schedule_id: 'l', title: 'l', lost_to: 'ad', because: 'priority' }]);
  const over = resolve(zoned([ad, schedule('l', { layout_id: 'other', priority: 9 })]), BERLIN, NOON);
  assert.deepEqual([show(over), over.layout_schedule_id, over.losing], [{ left: 'ad', right: null }, 'l', []]);
});

test('schedule for a zone is not shown while a content fills the screen, even if the schedule ranks higher', () => {
  const rule = (id: string, priority: number) => schedule(id, { zone_id: 'small', item: item(id), priority });
  const scene = resolve(
    zoned([rule('above', 9), schedule('ad', { item: item('ad'), priority: 5 }), rule('below', 1)]),
    BERLIN,
    NOON,
  );
  assert.deepEqual(show(scene), { full: 'ad' });
  assert.deepEqual(scene.losing, [{ schedule_id: 'below', title: 'below', lost_to: 'ad', because: 'priority' }]);
});

test('scheduled content with its own layout plays in that layout', () => {
  const scene = resolve(zoned([schedule('ad', { item: item('ad'), layout_id: 'other' })]), BERLIN, NOON);
  assert.deepEqual(show(scene), { left: 'ad', right: null });
});

test("current playlist is the scheduled one, null for scheduled content, and the device's own without a schedule", () => {
  assert.deepEqual(currentPlaylistId(plain, BERLIN, NOON), { playlist_id: 'ab', source: 'device' });
  assert.deepEqual(currentPlaylistId(zoned([schedule('s', { playlist_id: 'x' })]), BERLIN, NOON), {
    playlist_id: 'x',
    source: 'schedule',
  });
  assert.deepEqual(currentPlaylistId(zoned([schedule('s', { item: item('ad') })]), BERLIN, NOON), {
    playlist_id: null,
    source: 'schedule',
  });
  const wall = program({ base: { item: item('film'), source: 'wall' } });
  assert.deepEqual(currentPlaylistId(wall, BERLIN, NOON), { playlist_id: null, source: 'wall' });
  assert.deepEqual(currentPlaylistId(program({ base: { source: 'group' } }), BERLIN, NOON), {
    playlist_id: null,
    source: null,
  });
});

test('schedule with an unsupported rule or time zone has no effect on other content', () => {
  const of = zoned([
    schedule('bad', { item: item('ad'), recurrence: 'FREQ=NEVER' }),
    schedule('lost', { item: item('ad'), timezone: 'Mars/Olympus' }),
  ]);
  assert.deepEqual(show(resolve(of, 'Mars/Olympus', NOON)), { big: 'a', small: null });
});

test('play that lasts three days is divided into pieces of a day from its beginning', () => {
  const of = program({
    base: { playlist_id: 'p' },
    playlists: [playlist('p', [item('page', { duration_ms: 3 * 86_400_000 })])],
  });
  const cue = cueOf(resolve(of, BERLIN, NOON + 1.5 * 86_400_000));
  assert.deepEqual([cue.since, cue.until], [NOON + 86_400_000, NOON + 2 * 86_400_000]);
});
