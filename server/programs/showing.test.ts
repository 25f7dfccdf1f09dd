/** Tests that the content of a device and its source are the same in device details, counts and programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../test/people.ts';
import { nextProgram, openShops } from '../../test/shop.ts';

const shops = openShops();

test('precedence is schedule, wall, device’s own playlist, then groups from the oldest membership to the newest', async (t) => {
  const { call, make, get, screen, image, playlist } = await shops.open(t);
  const { deviceId } = await screen();
  const content = await image();
  const named = Object.fromEntries(
    await Promise.all(
      ['first group', 'second group', 'own', 'wall', 'scheduled'].map(async (name) => [
        name,
        await playlist([content], name),
      ]),
    ),
  );
  const now = async () =>
    (({ playlist_source, current_playlist_id }) => [
      playlist_source,
      Object.keys(named).find((name) => named[name] === current_playlist_id) ?? null,
    ])(await get(`/api/devices/${deviceId}`));
  assert.deepEqual(await now(), [null, null]);
  const [one, two] = [(await make('/api/groups', { name: '1' })).id, (await make('/api/groups', { name: '2' })).id];
  must(await call('POST', `/api/groups/${two}/assign-playlist`, { playlist_id: named['second group'] }));
  must(await call('POST', `/api/groups/${one}/assign-playlist`, { playlist_id: named['first group'] }));
  await make(`/api/groups/${two}/devices`, { device_id: deviceId });
  await make(`/api/groups/${one}/devices`, { device_id: deviceId });
  assert.deepEqual(await now(), ['group', 'second group']);
  must(await call('DELETE', `/api/groups/${two}/devices/${deviceId}`));
  assert.deepEqual(await now(), ['group', 'first group']);
  must(await call('POST', `/api/playlists/${named['own']}/assign`, { device_id: deviceId }));
  assert.deepEqual(await now(), ['device', 'own']);
  const wall = await make('/api/walls', { name: 'W', playlist_id: named['wall'] });
  must(
    await call('PUT', `/api/walls/${wall.id}/devices`, {
      devices: [{ device_id: deviceId, grid_col: 0, grid_row: 0 }],
    }),
  );
  assert.deepEqual(await now(), ['wall', 'wall']);
  const schedule = await make('/api/schedules', {
    device_id: deviceId,
    playlist_id: named['scheduled'],
    start_time: '2026-03-10T08:00',
    end_time: '2026-03-10T12:00',
    timezone: 'UTC',
  });
  assert.deepEqual(await now(), ['schedule', 'scheduled']);
  must(await call('PUT', `/api/schedules/${schedule.id}`, { enabled: 0 }));
  assert.deepEqual(await now(), ['wall', 'wall']);
});

test('device’s schedule precedes a group’s, then higher priority, later start and newer schedule decide', async (t) => {
  const { call, make, get, screen, image, playlist } = await shops.open(t);
  const { deviceId } = await screen();
  const content = await image();
  const group = (await make('/api/groups', { name: 'G' })).id;
  await make(`/api/groups/${group}/devices`, { device_id: deviceId });
  const plan = async (name: string, more: Record<string, unknown>) => {
    const playlist_id = await playlist([content], name);
    const { id } = await make('/api/schedules', {
      device_id: deviceId,
      playlist_id,
      title: name,
      start_time: '2026-03-10T08:00',
      end_time: '2026-03-10T12:00',
      timezone: 'UTC',
      ...more,
    });
    return { id, playlist_id };
  };
  const wins = async ({ playlist_id }: { playlist_id: string }, why: string) =>
    assert.equal((await get(`/api/devices/${deviceId}`)).current_playlist_id, playlist_id, why);
  await wins(await plan('group', { device_id: undefined, group_id: group, priority: 100 }), 'alone');
  await wins(await plan('device', { priority: -5 }), 'device over group');
  const high = await plan('high', { priority: 5 });
  await wins(high, 'higher priority');
  await plan('low', { priority: 4, start_time: '2026-03-10T08:30' });
  await wins(high, 'priority over start');
  await wins(await plan('later', { priority: 5, start_time: '2026-03-10T08:30' }), 'later start');
  const newer = await plan('newer', { priority: 5, start_time: '2026-03-10T08:30' });
  await wins(newer, 'newer');
  must(await call('DELETE', `/api/schedules/${newer.id}`));
});

test('schedule is active from its start until just before its end', async (t) => {
  const { call, make, get, clock, screen, image, playlist } = await shops.open(t);
  const { deviceId } = await screen();
  const playlist_id = await playlist([await image()]);
  await make('/api/schedules', {
    device_id: deviceId,
    playlist_id,
    start_time: '2026-03-10T10:00',
    end_time: '2026-03-10T11:00',
    timezone: 'UTC',
  });
  const sourceAt = async (time: string) => {
    clock.set(Date.parse(time));
    return (await get(`/api/devices/${deviceId}`)).playlist_source;
  };
  assert.deepEqual(
    [
      await sourceAt('2026-03-10T09:59:59Z'),
      await sourceAt('2026-03-10T10:00:00Z'),
      await sourceAt('2026-03-10T10:59:59Z'),
      await sourceAt('2026-03-10T11:00:00Z'),
    ],
    [null, 'schedule', 'schedule', null],
  );
  clock.set(Date.UTC(2026, 2, 10, 9));
  void call;
});

test('playlist’s source stays the same when a scheduled layout or zone is active', async (t) => {
  const { call, make, get, screen, image, playlist } = await shops.open(t);
  const { deviceId } = await screen();
  const own = await playlist([await image()]);
  must(await call('POST', `/api/playlists/${own}/assign`, { device_id: deviceId }));
  const layout = await make('/api/layouts', {
    name: 'L',
    zones: [{ width_percent: 70 }, { x_percent: 70, width_percent: 30 }],
  });
  const times = { device_id: deviceId, start_time: '2026-03-10T08:00', end_time: '2026-03-10T12:00', timezone: 'UTC' };
  await make('/api/schedules', { ...times, layout_id: layout.id });
  await make('/api/schedules', { ...times, zone_id: layout.zones[1].id, content_id: await image('b.gif') });
  assert.deepEqual(
    (({ playlist_source, current_playlist_id }) => [playlist_source, current_playlist_id])(
      await get(`/api/devices/${deviceId}`),
    ),
    ['device', own],
  );
});

test('playlist_id is the device’s own playlist, or null while the device inherits a playlist', async (t) => {
  const { call, make, get, screen, image, playlist } = await shops.open(t);
  const { deviceId } = await screen();
  const [own, inherited] = [await playlist([await image()]), await playlist([await image('b.gif')])];
  const group = (await make('/api/groups', { name: 'G' })).id;
  await make(`/api/groups/${group}/devices`, { device_id: deviceId });
  must(await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: inherited }));
  must(await call('POST', `/api/playlists/${own}/assign`, { device_id: deviceId }));
  const detail = async () =>
    (({ playlist_id, current_playlist_id, playlist_source }) => [playlist_id, current_playlist_id, playlist_source])(
      await get(`/api/devices/${deviceId}`),
    );
  assert.deepEqual(await detail(), [own, own, 'device']);
  assert.deepEqual(must(await call('DELETE', `/api/devices/${deviceId}/playlist`)), { success: true });
  assert.deepEqual(await detail(), [null, inherited, 'group']);
});

test('default content of a device is returned, is the fallback of the program, and is cleared by null or ""', async (t) => {
  const shop = await shops.open(t);
  const { call, image, screen } = shop;
  const player = await screen();
  const content = await image();
  for (const value of [content, null, content, '']) {
    assert.equal(
      must(await call('PUT', `/api/devices/${player.deviceId}`, { default_content_id: value })).default_content_id,
      value || null,
    );
    assert.equal((await nextProgram(shop, player)).fallback?.content_id ?? null, value || null);
  }
});

test('orientation can be 0, 90, 180 or 270 or a name, and any other value is refused with 400', async (t) => {
  const { call, screen } = await shops.open(t);
  const { deviceId } = await screen();
  for (const [sent, stored] of [
    ['0', '0'],
    ['90', '90'],
    ['180', '180'],
    ['270', '270'],
    ['landscape', '0'],
    ['portrait', '90'],
    ['landscape-flipped', '180'],
    ['portrait-flipped', '270'],
  ]) {
    assert.equal(must(await call('PUT', `/api/devices/${deviceId}`, { orientation: sent })).orientation, stored);
  }
  for (const orientation of ['45', 'upside-down', '', 90, null])
    assert.equal((await call('PUT', `/api/devices/${deviceId}`, { orientation })).status, 400, String(orientation));
});

test('timezone must be an IANA name, or 400 is returned, and its default is the server’s time zone', async (t) => {
  const { call, screen, get } = await shops.open(t);
  const { deviceId } = await screen();
  assert.equal((await get(`/api/devices/${deviceId}`)).timezone, Intl.DateTimeFormat().resolvedOptions().timeZone);
  assert.equal(
    must(await call('PUT', `/api/devices/${deviceId}`, { timezone: 'Pacific/Auckland' })).timezone,
    'Pacific/Auckland',
  );
  for (const timezone of ['Mars/Base', '+01:00', '', null])
    assert.equal((await call('PUT', `/api/devices/${deviceId}`, { timezone })).status, 400, String(timezone));
});
