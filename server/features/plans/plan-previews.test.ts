import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { CalendarRow, Plan, PlanPreview } from '../../../shared/contract/screens/plans.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/program/civil.ts';
import { FULL_ZONE } from '../../../shared/program/full-zone.ts';
import { PLAIN_ITEM } from '../../../shared/program/plain-item.ts';
import { createPlanner } from '../../../shared/program/precedence.ts';
import type { Program, ProgramSchedule } from '../../../shared/program/program.ts';
import { createResolver } from '../../../shared/program/resolve.ts';
import { must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';
import { decidedIn, effectOf, occurrencesOf } from './plan-previews.ts';

const NOW = Date.UTC(2026, 2, 10, 9);
const HOUR = 60 * MINUTE_MS;

const scheduled = (more: Partial<ProgramSchedule> = {}): ProgramSchedule => ({
  id: 's',
  title: '',
  target: 'device',
  priority: 0,
  created_at: 0,
  start: '2026-03-10T12:00:00',
  end: '2026-03-10T14:00:00',
  timezone: 'UTC',
  recurrence: null,
  recurrence_end: null,
  zone_id: null,
  item: PLAIN_ITEM,
  playlist_id: null,
  layout_id: null,
  ...more,
});
const evening = { days: [0, 1, 2, 3, 4, 5, 6], start: '18:00', end: '23:00', start_date: null, end_date: null };
const program = (schedules: ProgramSchedule[], more: Partial<Program> = {}): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: 'own', item: null, source: 'device' },
  fallback: { ...PLAIN_ITEM, content_id: 'default', name: 'Logo' },
  layouts: [],
  // The item plays only in the evening; at other times the default is shown.
  playlists: [{ id: 'own', name: 'Own', anchor_ms: 0, items: [{ ...PLAIN_ITEM, blocks: [evening] }] }],
  schedules,
  assets: [],
  ...more,
});

const hour = fc.integer({ min: 0, max: 71 }).map((n) => new Date(NOW + n * HOUR).toISOString().slice(0, 19));
const anySchedule = fc
  .record({
    start: hour,
    hours: fc.integer({ min: 1, max: 40 }),
    recurrence: fc.constantFrom(null, 'FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=TU,WE', 'FREQ=DAILY;COUNT=2'),
    priority: fc.integer({ min: 0, max: 2 }),
    target: fc.constantFrom('device' as const, 'group' as const),
    playlist_id: fc.constantFrom(null, null, 'own', 'gone'),
  })
  .map(({ start, hours, ...more }) => ({
    ...more,
    start,
    end: new Date(Date.parse(`${start}Z`) + hours * HOUR).toISOString().slice(0, 19),
  }));
const anySchedules = fc
  .array(anySchedule, { maxLength: 5 })
  .map((all) => all.map((one, i) => scheduled({ ...one, id: `s${i}` })));
const instant = fc.integer({ min: 0, max: 4 * 24 * 60 }).map((minute) => NOW + minute * MINUTE_MS);

test('calendar spans follow without gaps, differ from their neighbours, and match what the screen shows at any time', () => {
  fc.assert(
    fc.property(
      anySchedules,
      fc.boolean(),
      fc.array(instant, { minLength: 1, maxLength: 8 }),
      (all, bare, instants) => {
        const shown = program(all, bare ? { fallback: null } : {});
        const resolver = createResolver(shown, 'Europe/Berlin');
        const [from, to] = [NOW, NOW + 4 * DAY_MS + MINUTE_MS];
        const spans = decidedIn(resolver, { from, to });
        assert.deepEqual([spans[0]!.from, spans.at(-1)!.to], [from, to]);
        for (const [i, span] of spans.slice(1).entries()) assert.equal(span.from, spans[i]!.to);
        for (const at of instants) {
          const { decided } = spans.find((span) => span.from <= at && at < span.to)!;
          const scene = resolver.resolve(at);
          const source = scene.zones[0]!.cue?.source;
          assert.equal(decided.source, source?.kind ?? 'nothing');
          assert.equal(decided.schedule?.id, source?.kind === 'schedule' ? source.schedule_id : undefined);
          assert.deepEqual(decided.losing, scene.losing);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('a plan counts as seen exactly when the planner picks it, and otherwise as hidden by the schedule that wins', () => {
  fc.assert(
    fc.property(anySchedules, anySchedule, (all, one) => {
      const candidate = scheduled({ ...one, id: 'new', created_at: 1 });
      const { next } = occurrencesOf(candidate, { now: NOW, max: 3, look: 30 * DAY_MS });
      const times = next.map(({ start, end }) => ({ from: start, to: end })).slice(0, 1);
      const today = program(all);
      const effect = effectOf({ today, wall: null, timezone: 'UTC' }, candidate, { times, layouts: [] });
      const planAt = createPlanner({ ...today, schedules: [...all, candidate] }, 'UTC');
      let seen = 0;
      const hiding = new Map<string, number>();
      for (const { from, to } of times)
        for (let at = from; at < to; at += HOUR) {
          const plan = planAt(at);
          if (plan.main?.schedule === candidate) seen += HOUR;
          else hiding.set(plan.main!.schedule.id, (hiding.get(plan.main!.schedule.id) ?? 0) + HOUR);
        }
      assert.equal(effect.seen, seen);
      assert.deepEqual(new Map([...effect.hiddenBy].map(([id, { ms }]) => [id, ms])), hiding);
      assert.equal(
        effect.total,
        times.reduce((sum, { from, to }) => sum + to - from, 0),
      );
    }),
    { numRuns: 150 },
  );
});

test('a plan displaces a plan, wall, default or empty screen, and a plan with only a layout displaces nothing', () => {
  const zone = { ...FULL_ZONE, id: 'z' };
  const layout = { id: 'l', name: 'L', width: 1, height: 1, zones: [zone] };
  const noon = { from: NOW + 3 * HOUR, to: NOW + 4 * HOUR };
  const wall = {
    wall_id: 'w',
    canvas: { width: 1, height: 1 },
    tile: { x: 0, y: 0, width: 1, height: 1 },
    rotation: 0,
    audio: true,
  } as const;
  const gives = (today: Program, more: Partial<ProgramSchedule> = {}, times = [noon]) =>
    [
      ...effectOf({ today, wall, timezone: 'UTC' }, scheduled({ id: 'new', priority: 1, ...more }), {
        times,
        layouts: [layout],
      }).displaced.values(),
    ].map(({ kind, id, name, first }) => [kind, id, name, first - NOW]);
  const at = 3 * HOUR;
  assert.deepEqual(gives(program([])), [['default', 'default', 'Logo', at]]);
  assert.deepEqual(gives(program([], { fallback: null })), [['nothing', null, '', at]]);
  const open = [{ id: 'own', name: 'Own', anchor_ms: 0, items: [PLAIN_ITEM] }];
  assert.deepEqual(gives(program([], { playlists: open })), [['playlist', 'own', 'Own', at]]);
  const onWall = { layout_id: null, playlist_id: 'own', item: null, source: 'wall' } as const;
  assert.deepEqual(gives(program([], { playlists: open, base: onWall })), [['wall', 'w', 'Own', at]]);
  const other = scheduled({ id: 'other', title: 'Other' });
  assert.deepEqual(gives(program([other], { playlists: open })), [['plan', 'other', 'Other', at]]);
  assert.deepEqual(
    gives(program([other], { playlists: open }), {}, [{ from: NOW + 2 * HOUR, to: NOW + 6 * HOUR }]),
    [['plan', 'other', 'Other', at]],
    'from when both run',
  );
  const framing = { item: null, layout_id: 'l' };
  assert.deepEqual(gives(program([], { playlists: open }), framing), []);
  const frame = scheduled({ id: 'frame', title: 'Frame', ...framing });
  assert.deepEqual(gives(program([frame], { playlists: open }), framing), [['plan', 'frame', 'Frame', at]]);
});

test('a preview counts all occurrences of a plan, and warns if an occurrence is not over when the next begins', () => {
  const of = (more: Partial<ProgramSchedule>) =>
    occurrencesOf(scheduled(more), { now: NOW, max: 20, look: 60 * DAY_MS });
  const day = Date.UTC(2026, 2, 10, 14);
  const told = (more: Partial<ProgramSchedule>) =>
    (({ next, count, lastEnd, warnings }) => [next.length, count, lastEnd, warnings])(of(more));
  assert.deepEqual(told({}), [1, 1, day, []]);
  assert.deepEqual(told({ recurrence: 'FREQ=DAILY;COUNT=3' }), [3, 3, day + 2 * DAY_MS, []]);
  assert.deepEqual(told({ recurrence: 'FREQ=DAILY' }), [20, null, null, []]);
  assert.deepEqual(told({ recurrence: 'FREQ=DAILY;COUNT=1000' }).slice(0, 2), [20, 1000]);
  assert.deepEqual(told({ recurrence: 'FREQ=DAILY;COUNT=1001' }).slice(0, 3), [20, null, null]);
  assert.deepEqual(told({ recurrence: 'FREQ=MONTHLY' })[0], 2, 'within sixty days');
  assert.deepEqual(told({ start: '2026-03-09T12:00:00', end: '2026-03-09T14:00:00' }), [0, 1, day - DAY_MS, ['past']]);
  assert.deepEqual(told({ recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }), [0, null, null, ['never']]);
  assert.deepEqual(told({ recurrence: 'FREQ=DAILY', recurrence_end: '2026-03-09' })[3], ['never']);
  const season = { start: '2026-11-30T09:00:00', end: '2026-12-11T18:00:00' };
  assert.deepEqual(of({ ...season, recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' }).warnings, ['overlaps_itself']);
  assert.deepEqual(of({ ...season, end: '2026-11-30T18:00:00', recurrence: 'FREQ=DAILY' }).warnings, []);
  assert.deepEqual(of({ recurrence: 'FREQ=DAILY', end: '2026-03-11T12:00:00' }).warnings, [], 'one after the other');
  assert.deepEqual(of({ recurrence: 'FREQ=DAILY', end: '2026-03-11T12:00:01' }).warnings, ['overlaps_itself']);
});

const shops = openShops();

const foreseen = async (t: TestContext) => {
  const shop = await shops.open(t);
  const { make, call, get, image, playlist } = shop;
  const [a, b] = [(await shop.screen('A')).deviceId, (await shop.screen('B')).deviceId];
  for (const id of [a, b]) must(await call('PUT', `/api/devices/${id}`, { timezone: 'UTC' }));
  const content_id = await image('sale.gif');
  const own = await playlist([await image('own.gif')], 'Own');
  must(await call('POST', `/api/playlists/${own}/assign`, { device_id: a }));
  const times = { content_id, start_time: '2026-03-10T12:00', end_time: '2026-03-10T14:00' };
  const target = (...ids: string[]) => ids.map((id) => ({ kind: 'device', id }));
  return {
    ...shop,
    a,
    b,
    own,
    content_id,
    times,
    target,
    plan: (more: object = {}): Promise<Plan> => make('/api/plans', { ...times, targets: target(a, b), ...more }),
    preview: async (more: object = {}): Promise<PlanPreview> =>
      must(await call('POST', '/api/plans/preview', { ...times, targets: target(a, b), ...more })),
    calendar: (query = ''): Promise<CalendarRow[]> => get(`/api/plans/calendar?from=2026-03-10&days=1&${query}`),
  };
};

test('a preview contains the times of a plan, the records that it displaces, and the plans that hide it', async (t) => {
  const { a, b, own, plan, preview, target, make } = await foreseen(t);
  const start_epoch = Date.UTC(2026, 2, 10, 12) / 1000;
  assert.deepEqual(await preview(), {
    screens: 2,
    off_screens: 0,
    next: [{ start: '2026-03-10T12:00:00', end: '2026-03-10T14:00:00', start_epoch, end_epoch: start_epoch + 7200 }],
    occurrences: 1,
    last_end_epoch: start_epoch + 7200,
    displaces: [
      { kind: 'playlist', id: own, name: 'Own', rank: null, screens: 1, first_epoch: start_epoch },
      { kind: 'nothing', id: null, name: '', rank: null, screens: 1, first_epoch: start_epoch },
    ],
    hidden_by: [],
    warnings: [],
  } satisfies PlanPreview);
  const lunch = await plan({ title: 'Lunch', priority: 5, start_time: '2026-03-10T13:00', targets: target(a) });
  const with_lunch = await preview();
  assert.deepEqual(with_lunch.hidden_by, [
    { plan_id: lunch.id, title: 'Lunch', rank: null, screens: 1, always: false, first_epoch: start_epoch + 3600 },
  ]);
  const over = await preview({ start_time: '2026-03-10T13:00', targets: target(a) });
  assert.deepEqual([over.hidden_by[0]!.always, over.warnings], [true, ['hidden_always']]);
  const first = await preview({ priority: 9 });
  assert.deepEqual(first.displaces.map(({ kind, id, screens }) => [kind, id, screens]).toSorted(), [
    ['nothing', null, 1],
    ['plan', lunch.id, 1],
    ['playlist', own, 1],
  ]);
  const itself = await preview({ plan_id: lunch.id, targets: target(a) });
  assert.deepEqual([itself.hidden_by, itself.warnings], [[], []], 'it does not stand in its own way');
  const group = (await make('/api/groups', { name: 'G' })).id;
  for (const device_id of [a, b]) await make(`/api/groups/${group}/devices`, { device_id });
  const grouped = await preview({ priority: 9, targets: [{ kind: 'group', id: group }] });
  assert.deepEqual([grouped.screens, grouped.hidden_by[0]!.plan_id], [2, lunch.id], 'a screen’s own goes before');
});

test('a preview counts only opening hours, and names screens that are closed at the plan’s times', async (t) => {
  const { a, b, own, preview, call } = await foreseen(t);
  const opens = async (id: string, start: string, end: string) =>
    must(await call('PUT', `/api/devices/${id}`, { opening_hours: [{ days: [0, 1, 2, 3, 4, 5, 6], start, end }] }));
  await opens(a, '14:00', '18:00');
  const half = await preview();
  assert.deepEqual([half.screens, half.off_screens, half.warnings], [2, 1, []]);
  assert.deepEqual(
    half.displaces.map(({ id }) => id),
    [null],
    'what plays on the one that is off gives way to nothing',
  );
  await opens(b, '06:00', '12:00');
  const none = await preview();
  assert.deepEqual([none.off_screens, none.displaces, none.warnings], [2, [], ['always_off']]);
  await opens(a, '13:00', '18:00');
  const late = await preview();
  assert.deepEqual(
    late.displaces.map(({ id, first_epoch }) => [id, first_epoch]),
    [[own, Date.UTC(2026, 2, 10, 13) / 1000]],
    'from when it is on',
  );
});

test('a preview warns when a plan has no screens, and when its content has nothing to play by then', async (t) => {
  const { preview, make, site, content_id } = await foreseen(t);
  const warnings = async (more: object) => (await preview(more)).warnings;
  const empty = (await make('/api/playlists', { name: 'Empty' })).id;
  assert.deepEqual(await warnings({ targets: [{ kind: 'tag', id: 'nobody' }] }), ['no_screens']);
  assert.deepEqual(await warnings({ content_id: null, playlist_id: empty }), ['no_content']);
  const until = (column: string, time: string | null) =>
    site.app.db.write(() =>
      site.app.db.raw.prepare(`UPDATE content SET ${column} = ? WHERE id = ?`).run(time, content_id),
    );
  until('valid_until', '2026-03-10T12:00');
  assert.deepEqual(await warnings({}), ['no_content']);
  until('valid_until', '2026-03-10T12:01');
  assert.deepEqual(await warnings({}), []);
  until('valid_from', '2026-03-10T14:00');
  assert.deepEqual(await warnings({}), ['no_content']);
  assert.deepEqual(await warnings({ recurrence: 'FREQ=DAILY' }), [], 'on a later day');
});

test('the calendar has a row per screen, from midnight to midnight in the screen’s own time zone', async (t) => {
  const { a, b, call, plan, calendar, own, get } = await foreseen(t);
  must(await call('PUT', `/api/devices/${b}`, { timezone: 'Asia/Tokyo' }));
  const hours = [{ days: [0, 1, 2, 3, 4, 5, 6], start: '06:00', end: '20:00' }];
  must(await call('PUT', `/api/devices/${a}`, { opening_hours: hours }));
  const sale = await plan({ title: 'Sale', color: '#112233', timezone: 'UTC' });
  const loser = await plan({ priority: -1, start_time: '2026-03-10T13:00', timezone: 'UTC' });
  const [first, second] = await calendar('detail=true');
  const at = (hour: number) => Date.UTC(2026, 2, 10, hour) / 1000;
  const none = { plan_id: null, schedule_id: null, color: null, rank: null, hidden: [] };
  const mine = (await get(`/api/schedules?device_id=${a}`)).find((s: { plan_id: string }) => s.plan_id === sale.id);
  const planned = {
    source: 'schedule',
    plan_id: sale.id,
    schedule_id: mine.id,
    title: 'Sale',
    color: '#112233',
    rank: null,
  };
  assert.deepEqual(first, {
    device_id: a,
    index: 0,
    name: 'A',
    timezone: 'UTC',
    spans: [
      { from_epoch: at(0), to_epoch: at(6), source: 'off', title: '', ...none },
      { from_epoch: at(6), to_epoch: at(12), source: 'device', title: 'Own', ...none },
      { from_epoch: at(12), to_epoch: at(13), ...planned, hidden: [] },
      {
        from_epoch: at(13),
        to_epoch: at(14),
        ...planned,
        hidden: [{ plan_id: loser.id, title: 'sale.gif', rank: null }],
      },
      { from_epoch: at(14), to_epoch: at(20), source: 'device', title: 'Own', ...none },
      { from_epoch: at(20), to_epoch: at(24), source: 'off', title: '', ...none },
    ],
  });
  assert.ok(own);
  assert.deepEqual(
    second!.spans.map(({ from_epoch, to_epoch, source }) => [from_epoch, to_epoch, source]),
    [
      [at(-9), at(12), 'nothing'],
      [at(12), at(13), 'schedule'],
      [at(13), at(14), 'schedule'],
      [at(14), at(15), 'nothing'],
    ],
  );
  assert.deepEqual(
    (await calendar())[1]!.spans.map(({ hidden }) => hidden.length),
    [0, 0, 0, 0],
  );
});

test('the calendar contains one page of the requested screens', async (t) => {
  const { a, b, make, site, owner, get, calendar, call } = await foreseen(t);
  const group = (await make('/api/groups', { name: 'G' })).id;
  await make(`/api/groups/${group}/devices`, { device_id: b });
  site.app.db.write(() => site.app.db.raw.prepare("INSERT INTO device_tags VALUES (?, 'window')").run(a));
  const ids = async (query: string) => (await calendar(query)).map((row) => row.device_id);
  assert.deepEqual(await ids(''), [a, b]);
  assert.deepEqual(await ids(`group_id=${group}`), [b]);
  assert.deepEqual(await ids('tag=window'), [a]);
  assert.deepEqual(await ids('q=b'), [b]);
  assert.deepEqual(await ids(`device_id=${a}`), [a]);
  const rename = (id: string, name: string) => call('PUT', `/api/devices/${id}`, { name });
  await rename(a, 'Zoo');
  await rename(b, 'Über uns');
  assert.deepEqual(await ids(''), [b, a]);
  await rename(a, 'Till 9');
  await rename(b, 'Till 10');
  const page = await site.call('GET', '/api/plans/calendar?limit=1&offset=1', { token: owner.token });
  assert.deepEqual([page.body[0].device_id, page.headers.get('x-total-count')], [b, '2']);
  const [today] = await get('/api/plans/calendar?days=2');
  assert.deepEqual(
    [today.spans[0].from_epoch, today.spans.at(-1).to_epoch],
    [Date.UTC(2026, 2, 10) / 1000, Date.UTC(2026, 2, 12) / 1000],
  );
  const plan = await make('/api/plans', {
    targets: [{ kind: 'group', id: group }],
    playlist_id: (await make('/api/playlists', { name: 'P' })).id,
    start_time: '2026-03-12T09:00',
    end_time: '2026-03-12T10:00',
  });
  const planned = async (from: string) =>
    (await get(`/api/plans/calendar?from=${from}&days=7&planned=true`)).map((row: any) => row.device_id);
  assert.deepEqual(await planned('2026-03-09'), [b]);
  assert.deepEqual(await planned('2026-03-16'), [], 'the plan is over');
  assert.deepEqual(
    (await calendar(`plan_id=${plan.id}`)).map((row) => [row.device_id, (row as { index?: number }).index]),
    [[b, 1]],
    'the place among all screens',
  );
  must(await call('PUT', `/api/plans/${plan.id}`, { enabled: 0 }));
  assert.deepEqual(await planned('2026-03-09'), [], 'the plan is off');
  for (const bad of ['from=2026-02-30', 'from=today', 'days=0', 'days=43', 'limit=101', 'detail=perhaps']) {
    const { status, body } = await call('GET', `/api/plans/calendar?${bad}`);
    assert.deepEqual([status, body.error.startsWith(bad.split('=')[0]!)], [400, true], bad);
  }
});
