import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../people.ts';
import { nextProgram, openShops } from '../shop.ts';

const shops = openShops();
const shows = (program: any): string[] => program.playlists.flatMap((playlist: any) => playlist.items.map((item: any) => item.content_id));

test('an item defaults to a video’s own length rounded up, and to 10 seconds for everything else', async (t) => {
  const { make, image, video } = await shops.open(t);
  const { id } = await make('/api/playlists', { name: 'P' });
  const add = (content_id: string, more = {}) => make(`/api/playlists/${id}/items`, { content_id, ...more });
  assert.equal((await add(await video(2.4))).duration_sec, 3);
  assert.equal((await add(await image())).duration_sec, 10);
  assert.equal((await add(await video(7), { duration_sec: 4 })).duration_sec, 4);
});

test('durations are whole seconds from 1', async (t) => {
  const { call, make, image } = await shops.open(t);
  const { id } = await make('/api/playlists', { name: 'P' });
  const content_id = await image();
  for (const duration_sec of [0, -1, 1.5, '7']) assert.equal((await call('POST', `/api/playlists/${id}/items`, { content_id, duration_sec })).status, 400, String(duration_sec));
  assert.equal((await make(`/api/playlists/${id}/items`, { content_id, duration_sec: 1 })).duration_sec, 1);
});

test('every change of items makes a published playlist a draft: add, update, remove, reorder, schedules', async (t) => {
  const { call, image, playlist, get } = await shops.open(t);
  const content_id = await image();
  const id = await playlist([content_id, content_id]);
  const [first, second] = (await get(`/api/playlists/${id}/items`)).map((item: any) => item.id);
  const edits: [string, string, unknown][] = [
    ['POST', 'items', { content_id }],
    ['PUT', `items/${first}`, { duration_sec: 3 }],
    ['PUT', `items/${first}/schedules`, { blocks: [] }],
    ['DELETE', `items/${second}`, undefined],
  ];
  for (const [method, path, body] of edits) {
    assert.ok((await call(method, `/api/playlists/${id}/${path}`, body)).status < 300, path);
    assert.equal((await get(`/api/playlists/${id}`)).status, 'draft', `${method} ${path}`);
    assert.equal(must(await call('POST', `/api/playlists/${id}/publish`)).status, 'published');
  }
  const order = (await get(`/api/playlists/${id}/items`)).map((item: any) => item.id).toReversed();
  must(await call('POST', `/api/playlists/${id}/items/reorder`, { order }));
  assert.equal((await get(`/api/playlists/${id}`)).status, 'draft');
});

test('a published playlist reaches its devices at once; an unpublished edit never does', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen } = shop;
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const id = await playlist([first]);
  const player = await screen();
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId }));
  assert.deepEqual(shows(await nextProgram(shop, player)), [first]);
  await shop.make(`/api/playlists/${id}/items`, { content_id: second });
  await shop.make('/api/folders', { name: 'meanwhile' });
  assert.equal(
    player.client.heard.some((said) => said.type === 'program'),
    false,
  );
  assert.deepEqual(
    (await shop.get(`/api/devices/${player.deviceId}`)).assignments.map((item: any) => item.content_id),
    [first],
  );
  must(await call('POST', `/api/playlists/${id}/publish`));
  assert.deepEqual(shows(await nextProgram(shop, player)), [first, second]);
});

test('discarding drops what was added, changed and reordered, and no screen notices', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, get, make } = shop;
  const id = await playlist([await image('1.gif'), await image('2.gif')]);
  const published = await get(`/api/playlists/${id}/items`);
  await make(`/api/playlists/${id}/items`, { content_id: await image('3.gif'), sort_order: 0 });
  must(await call('PUT', `/api/playlists/${id}/items/${published[0].id}`, { duration_sec: 99, sort_order: 2 }));
  const { status, items } = must(await call('POST', `/api/playlists/${id}/discard`));
  assert.equal(status, 'published');
  assert.deepEqual(items, published);
});

test('muted goes live at once, to playing devices and into the snapshot, without publishing the rest of the draft', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen, get } = shop;
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const id = await playlist([first]);
  const player = await screen();
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId }));
  await nextProgram(shop, player);
  await shop.make(`/api/playlists/${id}/items`, { content_id: second });
  const [item] = await get(`/api/playlists/${id}/items`);
  assert.equal(must(await call('PUT', `/api/assignments/${item.id}`, { muted: true })).muted, true);
  const event = await player.client.next('device:mute-changed');
  assert.deepEqual(event, { type: 'device:mute-changed', item_id: item.id, content_id: first, widget_id: null, muted: true });
  const program = await nextProgram(shop, player);
  assert.deepEqual(shows(program), [first]);
  assert.equal(program.playlists[0].items[0].muted, true);
  assert.equal((await get(`/api/playlists/${id}`)).status, 'draft');
});

test('muting alone leaves a published playlist published', async (t) => {
  const { call, image, playlist, get } = await shops.open(t);
  const id = await playlist([await image()]);
  const [item] = await get(`/api/playlists/${id}/items`);
  must(await call('PUT', `/api/assignments/${item.id}`, { muted: 1 }));
  assert.equal((await get(`/api/playlists/${id}`)).status, 'published');
});

test('an empty playlist may be published: the fallback shows', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen } = shop;
  const fallback = await image('fallback.gif');
  const id = await playlist([]);
  const player = await screen();
  must(await call('PUT', `/api/devices/${player.deviceId}`, { default_content_id: fallback }));
  await player.client.next('program');
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId }));
  const program = await nextProgram(shop, player);
  assert.deepEqual(shows(program), []);
  assert.equal(program.fallback.content_id, fallback);
});

test('display_count counts the devices whose playlist in force it is, wherever they have it from', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const content = await image();
  const [own, groups, scheduled] = [await playlist([content], 'own'), await playlist([content], 'group'), await playlist([content], 'scheduled')];
  const [one, two, three] = [await screen('1'), await screen('2'), await screen('3')];
  const group = await make('/api/groups', { name: 'G' });
  for (const { deviceId } of [one, two, three]) await make(`/api/groups/${group.id}/devices`, { device_id: deviceId });
  must(await call('POST', `/api/groups/${group.id}/assign-playlist`, { playlist_id: groups }));
  must(await call('POST', `/api/playlists/${own}/assign`, { device_id: one.deviceId }));
  await make('/api/schedules', { device_id: two.deviceId, playlist_id: scheduled, start_time: '2026-03-10T00:00', end_time: '2026-03-11T00:00', timezone: 'UTC' });
  const counts = Object.fromEntries((await get('/api/playlists')).map((p: any) => [p.name, [p.display_count, p.item_count]]));
  assert.deepEqual(counts, { own: [1, 1], group: [1, 1], scheduled: [1, 1] });
  assert.equal((await get(`/api/playlists/${groups}`)).display_count, 1);
});

test('assigning takes the ETag of the device; a stale one is 412 and changes nothing', async (t) => {
  const { call, playlist, screen, get } = await shops.open(t);
  const [one, two] = [await playlist([]), await playlist([])];
  const device = `/api/devices/${(await screen()).deviceId}`;
  const tag = async () => (await call('GET', device)).headers.get('etag')!;
  const assign = async (id: string, etag: string) => call('POST', `/api/playlists/${id}/assign`, { device_id: (await get(device)).id }, { 'If-Match': etag });
  const known = await tag();
  const assigned = await assign(one, known);
  assert.deepEqual([assigned.status, assigned.headers.get('etag')], [200, await tag()]);
  assert.equal((await assign(two, known)).status, 412);
  assert.equal((await get(device)).playlist_id, one);
});

test('deleting a playlist in use is 200: references become null, schedules that showed nothing else go', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const id = await playlist([await image()]);
  const { deviceId } = await screen();
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: deviceId }));
  const group = await make('/api/groups', { name: 'G' });
  must(await call('POST', `/api/groups/${group.id}/assign-playlist`, { playlist_id: id }));
  const wall = await make('/api/walls', { name: 'W', playlist_id: id });
  const layout = await make('/api/layouts', { name: 'L' });
  const times = { device_id: deviceId, playlist_id: id, start_time: '2026-03-10T00:00', end_time: '2026-03-11T00:00' };
  await make('/api/schedules', times);
  const both = await make('/api/schedules', { ...times, layout_id: layout.id });
  assert.deepEqual(must(await call('DELETE', `/api/playlists/${id}`)), { success: true });
  assert.equal((await call('GET', `/api/playlists/${id}`)).status, 404);
  assert.equal((await get(`/api/devices/${deviceId}`)).playlist_id, null);
  assert.equal((await get('/api/groups'))[0].playlist_id, null);
  assert.equal((await get(`/api/walls/${wall.id}`)).playlist_id, null);
  assert.deepEqual(
    (await get('/api/schedules')).map((s: any) => [s.id, s.playlist_id, s.layout_id]),
    [[both.id, null, layout.id]],
  );
});

test('an item row has the members joined from what it shows, and its blocks', async (t) => {
  const { call, video, playlist, get } = await shops.open(t);
  const content = await video(2.4);
  const id = await playlist([content]);
  const [{ id: itemId }] = await get(`/api/playlists/${id}/items`);
  const block = { days: [0, 6], start: '10:00', end: '24:00', start_date: '2026-01-01', end_date: null };
  must(await call('PUT', `/api/playlists/${id}/items/${itemId}/schedules`, { blocks: [block] }));
  const [item] = (await get(`/api/playlists/${id}`)).items;
  const { thumbnail_path: _later, ...rest } = item;
  assert.deepEqual(rest, {
    id: itemId,
    playlist_id: id,
    content_id: content,
    widget_id: null,
    zone_id: null,
    sort_order: 0,
    duration_sec: 3,
    muted: false,
    filename: 'v.mp4',
    mime_type: 'video/mp4',
    content_duration: 2.4,
    remote_url: null,
    widget_name: null,
    widget_type: null,
    widget_config: null,
    schedules: [block],
  });
});

test('orders are 0-based and dense after every edit, and an item moves with the others making room', async (t) => {
  const { call, image, playlist, get } = await shops.open(t);
  const content = await image();
  const id = await playlist([content, content, content]);
  const list = async () => (await get(`/api/playlists/${id}/items`)).map((item: any) => [item.id, item.sort_order]);
  const [[a], [b], [c]] = await list();
  must(await call('PUT', `/api/playlists/${id}/items/${c}`, { sort_order: 0 }));
  assert.deepEqual(await list(), [
    [c, 0],
    [a, 1],
    [b, 2],
  ]);
  must(await call('PUT', `/api/playlists/${id}/items/${c}`, { sort_order: 99 }));
  assert.deepEqual(await list(), [
    [a, 0],
    [b, 1],
    [c, 2],
  ]);
  assert.deepEqual(must(await call('DELETE', `/api/playlists/${id}/items/${a}`)), { success: true });
  assert.deepEqual(await list(), [
    [b, 0],
    [c, 1],
  ]);
});

test('an item’s zone is set, and cleared by null or ""', async (t) => {
  const { call, image, playlist, get, make } = await shops.open(t);
  const id = await playlist([await image()]);
  const zone = (await make('/api/layouts', { name: 'L', zones: [{ name: 'Z' }] })).zones[0].id;
  const [item] = await get(`/api/playlists/${id}/items`);
  const put = async (zone_id: string | null) => must(await call('PUT', `/api/playlists/${id}/items/${item.id}`, { zone_id })).zone_id;
  assert.deepEqual([await put(zone), await put(null), await put(zone), await put('')], [zone, null, zone, null]);
});

test('playlists are listed oldest first', async (t) => {
  const { make, get } = await shops.open(t);
  for (const name of ['b', 'a', 'c']) await make('/api/playlists', { name });
  assert.deepEqual(
    (await get('/api/playlists')).map((p: any) => p.name),
    ['b', 'a', 'c'],
  );
});
