import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { must } from '../../../test/people.ts';
import { planAll } from '../../../test/plan-all.ts';
import { openRows } from '../../../test/rows.ts';
import { nextProgram, openShops } from '../../../test/shop.ts';
import { SchedulesStore } from './schedules.store.ts';

const shops = openShops();
const SERVER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Opens a shop with a screen in New York and a content to show. */
const planned = async (t: TestContext, timezone = 'America/New_York') => {
  const shop = await shops.open(t);
  const { deviceId } = await shop.screen();
  must(await shop.call('PUT', `/api/devices/${deviceId}`, { timezone }));
  const content_id = await shop.image();
  const good = { device_id: deviceId, content_id, start_time: '2026-03-10T09:00', end_time: '2026-03-10T10:00' };
  const plan = (more: Record<string, unknown> = {}) => shop.make('/api/schedules', { ...good, ...more });
  const refused = async (more: Record<string, unknown>, member?: string) => {
    const { status, body } = await shop.call('POST', '/api/schedules', { ...good, ...more });
    assert.equal(status, 400, JSON.stringify(more));
    if (member) assert.ok(body.error.startsWith(member), body.error);
  };
  const week = async (date: string) =>
    (await shop.get(`/api/schedules/week?device_id=${deviceId}&date=${date}`)) as any[];
  return { ...shop, deviceId, content_id, good, plan, refused, week };
};

test('times are local in the schedule’s zone, and a time with an offset or Z is converted to it', async (t) => {
  const { plan } = await planned(t);
  const times = async (more: Record<string, unknown>) =>
    (({ start_time, end_time, timezone }) => [start_time, end_time, timezone])(await plan(more));
  assert.deepEqual(await times({}), ['2026-03-10T09:00:00', '2026-03-10T10:00:00', 'America/New_York']);
  assert.deepEqual(await times({ start_time: '2026-03-10T09:00:30' }), [
    '2026-03-10T09:00:30',
    '2026-03-10T10:00:00',
    'America/New_York',
  ]);
  assert.deepEqual(await times({ start_time: '2026-03-10T12:00:00Z', end_time: '2026-03-10T12:00-02:00' }), [
    '2026-03-10T08:00:00',
    '2026-03-10T10:00:00',
    'America/New_York',
  ]);
  assert.deepEqual(
    await times({ timezone: 'Europe/Berlin', start_time: '2026-03-10T08:00:00Z', end_time: '2026-03-10T10:00' }),
    ['2026-03-10T09:00:00', '2026-03-10T10:00:00', 'Europe/Berlin'],
  );
});

test('the default timezone of a schedule is that of its device, or the server’s for a group', async (t) => {
  const { plan, make } = await planned(t);
  const group = await make('/api/groups', { name: 'G' });
  assert.equal((await plan({ timezone: 'Asia/Tokyo' })).timezone, 'Asia/Tokyo');
  assert.equal((await plan({ timezone: '' })).timezone, 'America/New_York');
  assert.equal((await plan({ device_id: undefined, group_id: group.id })).timezone, SERVER_ZONE);
});

test('start and end are required and in order, and an error names a malformed time, zone or date', async (t) => {
  const { refused } = await planned(t);
  await refused({ start_time: undefined }, 'start_time');
  await refused({ end_time: undefined }, 'end_time');
  await refused({ end_time: '2026-03-10T09:00' }, 'end_time');
  await refused({ end_time: '2026-03-09T23:00' }, 'end_time');
  for (const start_time of ['tomorrow', '2026-03-10', '2026-02-30T09:00', '2026-03-10T25:00', '2026-3-1T9:00', ''])
    await refused({ start_time }, 'start_time');
  await refused({ timezone: 'Mars/Base' }, 'timezone');
  await refused({ recurrence_end: 'never' }, 'recurrence_end');
  await refused({ recurrence_end: '2026-02-30' }, 'recurrence_end');
  await refused({ color: 'red' }, 'color');
});

test('a schedule has exactly one target, and at least one of content, widget, layout and playlist', async (t) => {
  const { refused, make, plan, image, playlist, call, deviceId } = await planned(t);
  const group = await make('/api/groups', { name: 'G' });
  await refused({ group_id: group.id }, 'device_id');
  await refused({ device_id: null }, 'device_id');
  await refused({ content_id: null }, 'content_id');
  const schedule = await plan({ device_id: null, group_id: group.id });
  assert.deepEqual([schedule.device_id, schedule.group_id], [null, group.id]);
  await plan({ content_id: undefined, playlist_id: await playlist([await image()]) });
  await plan({ content_id: undefined, layout_id: (await make('/api/layouts', { name: 'L' })).id });
  const moved = must(await call('PUT', `/api/schedules/${schedule.id}`, { device_id: deviceId }));
  assert.deepEqual([moved.device_id, moved.group_id], [deviceId, null]);
});

test('recurrence is null or a rule of RFC 5545, also with RRULE: in front, and an invalid rule answers 400', async (t) => {
  const { plan, refused } = await planned(t);
  const stored = async (recurrence: string | null) => (await plan({ recurrence })).recurrence;
  assert.deepEqual(
    [
      await stored(null),
      await stored(''),
      await stored('FREQ=DAILY'),
      await stored('RRULE:FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2'),
    ],
    [null, null, 'FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2'],
  );
  for (const rule of ['FREQ=MONTHLY;BYMONTHDAY=-1', 'FREQ=YEARLY;COUNT=3', 'FREQ=DAILY;UNTIL=20260401T000000Z'])
    assert.equal(await stored(rule), rule);
  for (const recurrence of [
    'daily',
    'FREQ=HOURLY',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;BYDAY=XX',
    'FREQ=DAILY;COUNT=2;UNTIL=20260401',
  ])
    await refused({ recurrence }, 'recurrence');
});

test('recurrence_end, color and enabled are returned, and can be set on creation and later', async (t) => {
  const { plan, call } = await planned(t);
  const schedule = await plan({
    recurrence: 'FREQ=DAILY',
    recurrence_end: '2026-03-20',
    color: '#112233',
    enabled: false,
  });
  assert.deepEqual([schedule.recurrence_end, schedule.color, schedule.enabled], ['2026-03-20', '#112233', 0]);
  for (const [sent, stored] of [
    [true, 1],
    [0, 0],
    [1, 1],
    [false, 0],
  ])
    assert.equal(must(await call('PUT', `/api/schedules/${schedule.id}`, { enabled: sent })).enabled, stored);
  const cleared = must(
    await call('PUT', `/api/schedules/${schedule.id}`, {
      recurrence_end: null,
      color: '',
      title: null,
      recurrence: null,
    }),
  );
  assert.deepEqual([cleared.recurrence_end, cleared.color, cleared.title, cleared.recurrence], [null, null, '', null]);
});

test('PUT changes only the fields that are sent, with the same checks', async (t) => {
  const { plan, call } = await planned(t);
  const schedule = await plan({ title: 'Morning', priority: 5 });
  const changed = must(await call('PUT', `/api/schedules/${schedule.id}`, { priority: 6 }));
  assert.deepEqual({ ...changed, priority: 5, updated_at: schedule.updated_at }, schedule);
  for (const body of [{ end_time: '2026-03-10T08:00' }, { content_id: null }, { device_id: null }, { priority: 1.5 }])
    assert.equal((await call('PUT', `/api/schedules/${schedule.id}`, body)).status, 400, JSON.stringify(body));
});

test('schedule with content and widget shows the content, and a change of one clears the other', async (t) => {
  const shop = await planned(t, 'UTC');
  const { plan, call, make, content_id, screen } = shop;
  const widget_id = (await make('/api/widgets', { widget_type: 'clock', name: 'Clock' })).id;
  const change = async (body: Record<string, unknown>) => {
    const changed = must(await call('PUT', `/api/schedules/${schedule.id}`, body));
    return [changed.content_id, changed.widget_id];
  };
  const player = await screen('Door');
  const schedule = await plan({ device_id: player.deviceId, widget_id });
  assert.deepEqual([schedule.content_id, schedule.widget_id], [content_id, widget_id]);
  assert.equal((await nextProgram(shop, player)).schedules[0].item.content_id, content_id);
  assert.deepEqual(await change({ title: 'Both' }), [content_id, widget_id]);
  assert.deepEqual(await change({ widget_id }), [null, widget_id]);
  assert.deepEqual(await change({ content_id }), [content_id, null]);
  assert.deepEqual(await change({ content_id, widget_id }), [content_id, widget_id]);
  assert.deepEqual(await change({ content_id: null }), [null, widget_id]);
});

test('the week has all instances that overlap Sunday to Saturday around a day, in the device’s zone', async (t) => {
  const { plan, week, clock, deviceId, get } = await planned(t);
  const daily = await plan({ recurrence: 'FREQ=DAILY', start_time: '2026-03-07T22:00', end_time: '2026-03-08T06:00' });
  const instances = await week('2026-03-11');
  assert.equal(instances.length, 8, 'the night from Saturday on, and seven of the week');
  const [first, second] = instances;
  assert.deepEqual([first.instance_start, first.instance_end], ['2026-03-07T22:00:00', '2026-03-08T06:00:00']);
  assert.deepEqual(
    [first.instance_start_epoch, first.instance_end_epoch],
    [Date.UTC(2026, 2, 8, 3) / 1000, Date.UTC(2026, 2, 8, 10) / 1000],
    'the clocks change in that night: seven hours',
  );
  assert.equal(second.instance_end_epoch - second.instance_start_epoch, 8 * 3600);
  assert.deepEqual(
    Object.fromEntries(Object.keys(daily).map((member) => [member, first[member]])),
    daily,
    'an instance is the schedule and its times',
  );
  clock.set(Date.UTC(2026, 2, 15, 3));
  assert.deepEqual(
    (await get(`/api/schedules/week?device_id=${deviceId}`)).map((i: any) => i.instance_start).at(-1),
    '2026-03-14T22:00:00',
    'still Saturday in New York',
  );
  clock.set(Date.UTC(2026, 2, 10, 9));
});

test('a local time that does not exist moves forward by the gap, and an ambiguous time means the first occurrence', async (t) => {
  const { plan, week } = await planned(t, 'Europe/Berlin');
  await plan({ start_time: '2026-03-29T02:30', end_time: '2026-03-29T04:00' });
  const [spring] = await week('2026-03-29');
  assert.deepEqual(
    [spring.instance_start, spring.instance_start_epoch],
    ['2026-03-29T03:30:00', Date.UTC(2026, 2, 29, 1, 30) / 1000],
  );
  await plan({ start_time: '2026-10-25T02:30', end_time: '2026-10-25T04:00' });
  const [autumn] = await week('2026-10-25');
  assert.equal(autumn.instance_start_epoch, Date.UTC(2026, 9, 25, 0, 30) / 1000);
});

test('a week needs a device of the workspace and a valid date', async (t) => {
  const { call, deviceId } = await planned(t);
  assert.equal((await call('GET', '/api/schedules/week')).status, 400);
  assert.equal((await call('GET', '/api/schedules/week?device_id=')).status, 400);
  assert.equal((await call('GET', '/api/schedules/week?device_id=nothing')).status, 404);
  assert.equal((await call('GET', '/api/schedules/device/nothing')).status, 404);
  for (const date of ['2026-02-30', 'today', '2026']) {
    const { status, body } = await call('GET', `/api/schedules/week?device_id=${deviceId}&date=${date}`);
    assert.deepEqual([status, body.error.startsWith('date: ')], [400, true], date);
  }
});

test('the device’s list and week contain enabled schedules of the device and of its groups', async (t) => {
  const { plan, week, make, deviceId, get } = await planned(t);
  const group = await make('/api/groups', { name: 'G' });
  await make(`/api/groups/${group.id}/devices`, { device_id: deviceId });
  const own = await plan({ title: 'own' });
  const groups = await plan({ title: 'group', device_id: undefined, group_id: group.id });
  await plan({ title: 'off', enabled: 0 });
  assert.deepEqual(
    (await get(`/api/schedules/device/${deviceId}`)).map((s: any) => s.id),
    [own.id, groups.id],
  );
  const early = await plan({ title: 'early', start_time: '2026-03-10T02:00', end_time: '2026-03-10T03:00' });
  const shown = (await week('2026-03-10')).map((instance) => instance.id);
  assert.deepEqual([shown[0], new Set(shown)], [early.id, new Set([own.id, groups.id, early.id])], 'by their start');
});

test('the list contains schedules that overlap start and end, and can be filtered by their own target', async (t) => {
  const { plan, make, deviceId, get, call } = await planned(t);
  const group = await make('/api/groups', { name: 'G' });
  await make(`/api/groups/${group.id}/devices`, { device_id: deviceId });
  const once = await plan({ title: 'once', timezone: 'UTC' });
  const daily = await plan({
    title: 'daily',
    timezone: 'UTC',
    recurrence: 'FREQ=DAILY',
    device_id: undefined,
    group_id: group.id,
  });
  const ids = async (query: string) => (await get(`/api/schedules?${query}`)).map((s: any) => s.id);
  assert.deepEqual(await ids(''), [once.id, daily.id]);
  assert.deepEqual(await ids('start=2026-03-10T09:30Z&end=2026-03-10T09:31Z'), [once.id, daily.id]);
  assert.deepEqual(await ids('start=2026-03-11T00:00Z'), [daily.id]);
  assert.deepEqual(await ids('end=2026-03-10T09:00:00Z'), [], 'the end is exclusive');
  assert.deepEqual(await ids('start=2026-03-10T10:00:00Z&end=2026-03-10T11:00:00Z'), [], 'so is a schedule’s');
  for (const [query, member] of [
    ['start=2026-03-10T10:00Z&end=2026-03-10T10:00Z', 'end: must be after start'],
    ['start=yesterday', 'start: '],
    ['end=yesterday', 'end: '],
  ] as const) {
    const { status, body } = await call('GET', `/api/schedules?${query}`);
    assert.deepEqual([status, body.error.startsWith(member)], [400, true], body.error);
  }
  assert.deepEqual(await ids(`device_id=${deviceId}`), [once.id]);
  assert.deepEqual(await ids(`group_id=${group.id}`), [daily.id]);
});

test('a rule whose occurrences overlap is refused by name, while an existing schedule with such a rule can be disabled', async (t) => {
  const { plan, refused, week, call, site, deviceId } = await planned(t);
  const century = { end_time: '2126-03-10T10:00', recurrence: 'FREQ=DAILY' };
  await refused(century, 'recurrence');
  const { id } = await plan({ end_time: '2126-03-10T10:00', title: 'Once' });
  const change = await call('PUT', `/api/schedules/${id}`, { recurrence: 'FREQ=DAILY' });
  assert.deepEqual([change.status, change.body.error.split(':')[0]], [400, 'recurrence']);
  assert.equal((await week('2026-03-12')).length, 1);

  // Inserts a schedule with overlapping occurrences, as older servers accepted it.
  const { raw } = site.app.db;
  const older = (count: number) =>
    site.app.db.write(() => {
      raw
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
           INSERT INTO schedules (id, workspace_id, device_id, content_id, title, start_time, end_time, timezone, recurrence, priority, enabled, created_at, updated_at)
           SELECT id || '-' || ? || '-' || n.i, workspace_id, device_id, content_id, 'Older', '1990-03-10T09:00:00', end_time, timezone, 'FREQ=DAILY', 0, 1, 0, 0 FROM schedules, n WHERE id = ?`,
        )
        .run(count, String(count), id);
      planAll(site.app.db);
    });
  older(20);
  const all = await week('2026-03-12');
  assert.ok(all.length > 5000 && all.length <= 10_000, String(all.length));
  older(300);
  const dense = await call('GET', `/api/schedules/week?device_id=${deviceId}&date=2026-03-12`);
  assert.equal(dense.status, 400);
  assert.match(dense.body.error, /more than 10000 scheduled times.*“Older”/);
  assert.equal((await call('PUT', `/api/schedules/${id}-300-1`, { enabled: 0 })).status, 200);
});

test('a screen or group accepts a thousand schedules, and one more answers 400', async (t) => {
  const { plan, refused, call, site } = await planned(t);
  const { id } = await plan();
  site.app.db.write(() =>
    site.app.db.raw
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
         INSERT INTO schedules (id, workspace_id, device_id, content_id, title, start_time, end_time, timezone, priority, enabled, created_at, updated_at)
         SELECT id || n.i, workspace_id, device_id, content_id, title, start_time, end_time, timezone, 0, 1, 0, 0 FROM schedules, n WHERE id = ?`,
      )
      .run(id),
  );
  await refused({}, 'device_id');
  assert.equal((await call('PUT', `/api/schedules/${id}`, { title: 'Still' })).status, 200);
});

test('schedules are listed by target, oldest first, and a screen lists enabled schedules of itself and its groups', () => {
  const { db, add } = openRows();
  const store = new SchedulesStore(db);
  add('devices', { id: 'a' }, { id: 'b' });
  add('groups', { id: 'g', name: 'Front' }, { id: 'h' });
  add('group_members', { group_id: 'g', device_id: 'a' });
  add('schedules', { id: '2', device_id: 'a', created_at: 1 }, { id: '3', group_id: 'g' });
  add('schedules', { id: '1', device_id: 'a', created_at: 1 }, { id: '4', group_id: 'h' }, { id: '5', device_id: 'b' });
  add('schedules', { id: '6', device_id: 'a', enabled: 0 }, { id: '7', device_id: 'a', workspace_id: 'there' });
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join('');
  assert.equal(ids(store.list('here', {})), '345612');
  assert.equal(ids(store.list('here', { deviceId: 'a' })), '612');
  assert.equal(ids(store.list('here', { groupId: 'g' })), '3');
  assert.equal(ids(store.list('here', { deviceId: 'a', groupId: 'g' })), '');
  assert.equal(ids(store.ofDevice('here', 'a')), '312');
  assert.equal(ids(store.ofDevice('here', 'b')), '5');
  assert.deepEqual([store.groupName('g'), store.groupName('none')], ['Front', undefined]);
});
