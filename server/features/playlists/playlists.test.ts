import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_VERSIONS } from '../../../shared/contract/content/playlists.ts';
import { must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { nextProgram, openShops } from '../../../test/shop.ts';
import { PlaylistsStore } from './playlists.store.ts';

const shops = openShops();
const shows = (program: any): string[] =>
  program.playlists.flatMap((playlist: any) => playlist.items.map((item: any) => item.content_id));
const orders = (items: any[]) => items.map((item) => [item.id, item.sort_order]);

test('a new playlist is an empty draft', async (t) => {
  const { call, clock } = await shops.open(t);
  const { status, body, headers } = await call('POST', '/api/playlists', { name: '  Window  ' });
  assert.equal(status, 201);
  assert.deepEqual(
    { ...body, id: undefined, workspace_id: undefined },
    {
      id: undefined,
      name: 'Window',
      description: '',
      status: 'draft',
      workspace_id: undefined,
      item_count: 0,
      display_count: 0,
      published_at: null,
      device_id: null,
      transition: null,
      published_transition: null,
      created_at: Math.floor(clock.now() / 1000),
      updated_at: Math.floor(clock.now() / 1000),
    },
  );
  assert.equal(headers.get('etag'), '"1"');
});

test('playlists are listed oldest first', async (t) => {
  const { make, get } = await shops.open(t);
  for (const name of ['b', 'a', 'c']) await make('/api/playlists', { name });
  assert.deepEqual(
    (await get('/api/playlists')).map((p: any) => p.name),
    ['b', 'a', 'c'],
  );
});

test('an item lasts whole seconds from 1, by default as long as its video rounded up, and otherwise 10', async (t) => {
  const { call, make, image, video } = await shops.open(t);
  const { id } = await make('/api/playlists', { name: 'P' });
  const add = (content_id: string, more = {}) => make(`/api/playlists/${id}/items`, { content_id, ...more });
  assert.deepEqual([(await add(await video(2.4))).duration_sec, (await add(await video(0.4))).duration_sec], [3, 1]);
  const content_id = await image();
  assert.equal((await add(content_id)).duration_sec, 10);
  assert.equal((await add(await video(7), { duration_sec: 4 })).duration_sec, 4);
  assert.equal((await add(content_id, { duration_sec: 1 })).duration_sec, 1);
  for (const duration_sec of [0, -1, 1.5, '7'])
    assert.equal(
      (await call('POST', `/api/playlists/${id}/items`, { content_id, duration_sec })).status,
      400,
      String(duration_sec),
    );
});

test('an item contains the fields of the record that it shows, and its day-parting blocks', async (t) => {
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
    transition: null,
    valid_from: null,
    valid_until: null,
    shown_from: null,
    shown_until: null,
    slot_id: null,
  });
});

test('the order numbers of items count from 0 without gaps, and a new item goes last or to the given position', async (t) => {
  const { call, image, playlist, make, get } = await shops.open(t);
  const content_id = await image();
  const id = await playlist([content_id, content_id]);
  const path = `/api/playlists/${id}/items`;
  const list = async () => orders(await get(path));
  const [[a], [b]] = (await list()) as [[number], [number]];
  const c = (await make(path, { content_id, sort_order: 0 })).id;
  const dense = (...ids: number[]) => ids.map((id, i) => [id, i]);
  assert.deepEqual(await list(), dense(c, a, b));
  must(await call('PUT', `${path}/${c}`, { sort_order: 99 }));
  assert.deepEqual(await list(), dense(a, b, c));
  must(await call('PUT', `${path}/${c}`, { sort_order: 0 }));
  assert.deepEqual(await list(), dense(c, a, b));
  for (const order of [[a, b], [a, b, b], [a, b, c, c], [a, b, 999_999], []]) {
    const { status, body } = await call('POST', `${path}/reorder`, { order });
    assert.equal(status, 400, JSON.stringify(order));
    assert.match(body.error, /^order: /);
  }
  assert.deepEqual(orders(must(await call('POST', `${path}/reorder`, { order: [b, c, a] }))), dense(b, c, a));
  assert.deepEqual(must(await call('DELETE', `${path}/${c}`)), { success: true });
  assert.deepEqual(await list(), dense(b, a));
});

test('64 simultaneous edits are each saved, and the order numbers have no gaps', async (t) => {
  const { call, image, playlist, get } = await shops.open(t);
  const id = await playlist([]);
  const content_id = await image();
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => call('POST', `/api/playlists/${id}/items`, { content_id })),
  );
  assert.ok(answers.every((a) => a.status === 201));
  assert.deepEqual(
    (await get(`/api/playlists/${id}/items`)).map((item: any) => item.sort_order),
    Array.from({ length: 64 }, (_, i) => i),
  );
});

test('an item’s zone is set, and cleared by null or ""', async (t) => {
  const { call, image, playlist, get, make } = await shops.open(t);
  const id = await playlist([await image()]);
  const zone = (await make('/api/layouts', { name: 'L', zones: [{ name: 'Z' }] })).zones[0].id;
  const [item] = await get(`/api/playlists/${id}/items`);
  const put = async (zone_id: string | null) =>
    must(await call('PUT', `/api/playlists/${id}/items/${item.id}`, { zone_id })).zone_id;
  assert.deepEqual([await put(zone), await put(null), await put(zone), await put('')], [zone, null, zone, null]);
});

test('an item with neither or both of content and widget, or with an unknown content, is refused with the field’s name', async (t) => {
  const { call, image, playlist } = await shops.open(t);
  const id = await playlist([]);
  assert.equal((await call('POST', `/api/playlists/${id}/items`, {})).status, 400);
  assert.equal(
    (await call('POST', `/api/playlists/${id}/items`, { content_id: await image(), widget_id: 'w' })).status,
    400,
  );
  const gone = await call('POST', `/api/playlists/${id}/items`, { content_id: 'nothing' });
  assert.equal(gone.status, 404);
  assert.match(gone.body.error, /Content/);
});

test('day-parting blocks are stored sorted and without repeats, and refused when invalid', async (t) => {
  const { call, image, playlist, get } = await shops.open(t);
  const id = await playlist([await image()]);
  const [item] = await get(`/api/playlists/${id}/items`);
  const path = `/api/playlists/${id}/items/${item.id}/schedules`;
  const good = { days: [5, 1, 5], start: '22:00', end: '02:00' };
  const stored = [{ days: [1, 5], start: '22:00', end: '02:00', start_date: null, end_date: null }];
  assert.deepEqual((await call('PUT', path, { blocks: [good] })).body, stored);
  assert.deepEqual(await get(path), stored);
  const bad: [unknown, RegExp][] = [
    [{ ...good, days: [] }, /^blocks\.0\.days: /],
    [{ ...good, days: [7] }, /^blocks\.0\.days\.0: /],
    [{ ...good, start: '24:00' }, /^blocks\.0\.start: /],
    [{ ...good, end: '22:00' }, /^blocks\.0\.end: must not be the same/],
    [{ ...good, start_date: '2026-02-30' }, /^blocks\.0\.start_date: /],
    [{ ...good, start_date: '2026-03-02', end_date: '2026-03-01' }, /^blocks\.0\.end_date: /],
  ];
  for (const [block, sentence] of bad) {
    const { status, body } = await call('PUT', path, { blocks: [block] });
    assert.equal(status, 400, JSON.stringify(block));
    assert.match(body.error, sentence);
  }
  assert.deepEqual(await get(path), stored);
});

test('adding, changing, removing, reordering or scheduling items makes a published playlist a draft', async (t) => {
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

test('a change of name or description does not make a published playlist a draft', async (t) => {
  const { call, playlist } = await shops.open(t);
  const { name, description, status } = must(
    await call('PUT', `/api/playlists/${await playlist([])}`, { name: 'Door', description: 'By the till' }),
  );
  assert.deepEqual([name, description, status], ['Door', 'By the till', 'published']);
});

test('a description stays while another field is changed, and null removes the description', async (t) => {
  const { call, make } = await shops.open(t);
  const { id } = await make('/api/playlists', { name: 'P', description: 'By the till' });
  const described = async (change: unknown) => must(await call('PUT', `/api/playlists/${id}`, change)).description;
  assert.deepEqual([await described({ name: 'Q' }), await described({ description: null })], ['By the till', '']);
});

test('returning to a version makes this version the draft, and screens keep the published items', async (t) => {
  const { call, image, playlist, get, make } = await shops.open(t);
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const id = await playlist([first]);
  const path = `/api/playlists/${id}`;
  const [version] = await get(`${path}/versions`);
  must(await call('PUT', path, { transition: { kind: 'fade' } }));
  await make(`${path}/items`, { content_id: second });
  must(await call('POST', `${path}/publish`));
  const back = must(await call('POST', `${path}/versions/${version.id}/return`));
  assert.deepEqual(
    [back.status, back.transition, back.published_transition, back.item_count, back.display_count],
    ['draft', null, { kind: 'fade', ms: 600 }, 1, 0],
  );
  assert.deepEqual(back.items, await get(`${path}/items`));
  assert.deepEqual(
    [back.items, await get(`${path}/published`)].map((items) => items.map((item: any) => item.content_id)),
    [[first], [first, second]],
  );
  assert.equal((await call('POST', `${path}/versions/99999999/return`)).status, 404);
});

test('a playlist published before versions existed gets its earlier state as first version on the next publishing', async (t) => {
  const { site, call, image, playlist, get, make, owner } = await shops.open(t);
  const id = await playlist([await image()]);
  site.app.db.write(() => site.app.db.raw.prepare('DELETE FROM playlist_versions WHERE playlist_id = ?').run(id));
  await make(`/api/playlists/${id}/items`, { content_id: await image('2.gif') });
  for (const names of [2, 3]) {
    must(await call('POST', `/api/playlists/${id}/publish`));
    assert.equal((await get(`/api/playlists/${id}/versions`)).length, names);
  }
  const versions = await get(`/api/playlists/${id}/versions`);
  assert.deepEqual(
    versions.map((version: any) => [version.item_count, version.user_name]),
    [
      [2, versions[0].user_name],
      [2, versions[0].user_name],
      [1, ''],
    ],
  );
  assert.match(owner.email, new RegExp(versions[0].user_name));
});

test('published items stay visible while the draft changes, and discarding restores them with the same ids', async (t) => {
  const { call, image, make, get } = await shops.open(t);
  const { id } = await make('/api/playlists', { name: 'P' });
  const [path, content_id] = [`/api/playlists/${id}`, await image()];
  const published = () => get(`${path}/published`);
  assert.deepEqual(await published(), [], 'never published');
  const { status, body } = await call('POST', `${path}/discard`);
  assert.equal(status, 400);
  assert.match(body.error, /never published/);
  const items = [await make(`${path}/items`, { content_id }), await make(`${path}/items`, { content_id })];
  assert.deepEqual(must(await call('POST', `${path}/publish`)).items, items);
  await make(`${path}/items`, { content_id, sort_order: 0 });
  must(await call('PUT', `${path}/items/${items[0].id}`, { duration_sec: 99, sort_order: 2 }));
  must(await call('DELETE', `${path}/items/${items[1].id}`));
  assert.deepEqual(await published(), items);
  const discarded = must(await call('POST', `${path}/discard`));
  assert.deepEqual([discarded.status, discarded.items], ['published', items]);
});

test('a published playlist reaches its devices at once, and an unpublished edit does not', async (t) => {
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

test('muting applies at once to devices and the snapshot, without publishing the rest of the draft', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen, get } = shop;
  const [first, second] = [await image('1.gif'), await image('2.gif')];
  const id = await playlist([first]);
  const [player, other] = [await screen(), await screen('Other')];
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId }));
  await nextProgram(shop, player);
  await shop.make(`/api/playlists/${id}/items`, { content_id: second });
  const [item] = await get(`/api/playlists/${id}/items`);
  assert.equal(must(await call('PUT', `/api/assignments/${item.id}`, { muted: true })).muted, true);
  const event = await player.client.next('device:mute-changed');
  assert.deepEqual(event, {
    type: 'device:mute-changed',
    item_id: item.id,
    content_id: first,
    widget_id: null,
    muted: true,
  });
  const program = await nextProgram(shop, player);
  assert.deepEqual(shows(program), [first]);
  assert.equal(program.playlists[0].items[0].muted, true);
  assert.equal((await get(`/api/playlists/${id}`)).status, 'draft');
  assert.deepEqual(other.client.heard, []);
});

test('muting alone leaves a published playlist published', async (t) => {
  const { call, image, playlist, get } = await shops.open(t);
  const id = await playlist([await image()]);
  const [item] = await get(`/api/playlists/${id}/items`);
  must(await call('PUT', `/api/assignments/${item.id}`, { muted: 1 }));
  assert.equal((await get(`/api/playlists/${id}`)).status, 'published');
});

test('an empty playlist may be published, and screens then show the fallback', async (t) => {
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

test('display_count counts the devices on which the playlist is in force, for any reason', async (t) => {
  const { call, image, playlist, screen, make, get } = await shops.open(t);
  const content = await image();
  const [own, groups, scheduled] = [
    await playlist([content], 'own'),
    await playlist([content], 'group'),
    await playlist([content], 'scheduled'),
  ];
  const [one, two, three] = [await screen('1'), await screen('2'), await screen('3')];
  const group = await make('/api/groups', { name: 'G' });
  for (const { deviceId } of [one, two, three]) await make(`/api/groups/${group.id}/devices`, { device_id: deviceId });
  must(await call('POST', `/api/groups/${group.id}/assign-playlist`, { playlist_id: groups }));
  must(await call('POST', `/api/playlists/${own}/assign`, { device_id: one.deviceId }));
  await make('/api/schedules', {
    device_id: two.deviceId,
    playlist_id: scheduled,
    start_time: '2026-03-10T00:00',
    end_time: '2026-03-11T00:00',
    timezone: 'UTC',
  });
  const counts = Object.fromEntries(
    (await get('/api/playlists')).map((p: any) => [p.name, [p.display_count, p.item_count]]),
  );
  assert.deepEqual(counts, { own: [1, 1], group: [1, 1], scheduled: [1, 1] });
  assert.equal((await get(`/api/playlists/${groups}`)).display_count, 1);
});

test('a playlist that no screen plays has a display_count of 0 in every answer', async (t) => {
  const { call, playlist, get } = await shops.open(t);
  const path = `/api/playlists/${await playlist([])}`;
  const read = [(await get('/api/playlists'))[0], await get(path), must(await call('PUT', path, { name: 'Q' }))];
  assert.deepEqual(
    read.map(({ display_count, item_count }) => [display_count, item_count]),
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  );
  assert.deepEqual(await get(`${path}/devices`), []);
});

test('the screens of a playlist are named, each with the reason why it plays there', async (t) => {
  const { clock, call, playlist, screen: pair, make, get } = await shops.open(t);
  const screen = async (name: string) => (await pair(name)).deviceId;
  const offers = await playlist([]);
  const [window, counter, till] = [await screen('Window'), await screen('Counter'), await screen('Till')];
  must(await call('POST', `/api/playlists/${offers}/assign`, { device_id: window }));
  const group = (await make('/api/groups', { name: 'Inside' })).id;
  await make(`/api/groups/${group}/devices`, { device_id: counter });
  must(await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: offers }));
  await make('/api/schedules', {
    device_id: till,
    playlist_id: offers,
    start_time: '2026-03-10T10:00',
    end_time: '2026-03-10T11:00',
    timezone: 'UTC',
  });
  // Screen sizes are left out, because they are saved a moment after the players report them.
  const devices = async () =>
    (await get(`/api/playlists/${offers}/devices`)).map(
      ({ screen_width: _w, screen_height: _h, ...rest }: any) => rest,
    );
  const drawn = { layout_id: null, orientation: '0' };
  const [byGroup, ofItsOwn] = [
    { ...drawn, device_id: counter, name: 'Counter', source: 'group' },
    { ...drawn, device_id: window, name: 'Window', source: 'device' },
  ];
  assert.deepEqual(await devices(), [byGroup, ofItsOwn]);
  const now = clock.now();
  clock.advance(65 * 60_000);
  const planned = { ...drawn, device_id: till, name: 'Till', source: 'schedule' };
  assert.deepEqual(await devices(), [byGroup, planned, ofItsOwn]);
  assert.equal((await get(`/api/playlists/${offers}`)).display_count, 3);
  clock.set(now);
});

test('assigning a playlist to a device checks the device’s ETag, and a stale ETag answers 412 and changes nothing', async (t) => {
  const { call, playlist, screen, get } = await shops.open(t);
  const [one, two] = [await playlist([]), await playlist([])];
  const device = `/api/devices/${(await screen()).deviceId}`;
  const tag = async () => (await call('GET', device)).headers.get('etag')!;
  const assign = async (id: string, etag: string) =>
    call('POST', `/api/playlists/${id}/assign`, { device_id: (await get(device)).id }, { 'If-Match': etag });
  const known = await tag();
  const assigned = await assign(one, known);
  assert.deepEqual([assigned.status, assigned.headers.get('etag')], [200, await tag()]);
  assert.equal((await assign(two, known)).status, 412);
  assert.equal((await get(device)).playlist_id, one);
});

test('deleting a used playlist answers 200, clears references, and deletes schedules that showed nothing else', async (t) => {
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

test('transitions belong to the draft: publishing sends them to screens, and discarding restores them', async (t) => {
  const shop = await shops.open(t);
  const { make, call, get, image, screen } = shop;
  const { id } = await make('/api/playlists', { name: 'P' });
  const [content_id] = [await image()];
  const plain = await make(`/api/playlists/${id}/items`, { content_id });
  const wiped = await make(`/api/playlists/${id}/items`, { content_id, transition: { kind: 'wipe', ms: 250 } });
  const cut = await make(`/api/playlists/${id}/items`, { content_id, transition: { kind: 'cut', ms: 900 } });
  assert.deepEqual(
    [plain, wiped, cut].map(({ transition }) => transition),
    [null, { kind: 'wipe', ms: 250 }, { kind: 'cut', ms: 0 }],
  );
  const player = await screen();
  await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId });
  await nextProgram(shop, player);
  const begins = async () =>
    (await nextProgram(shop, player)).playlists[0].items.map((item: any) => item.transition ?? null);

  const publish = () => call('POST', `/api/playlists/${id}/publish`);
  await publish();
  assert.deepEqual(await begins(), [null, { kind: 'wipe', ms: 250 }, null]);
  const fade = await call('PUT', `/api/playlists/${id}`, { transition: { kind: 'fade' } });
  assert.deepEqual(
    [fade.body.status, fade.body.transition, fade.body.published_transition],
    ['draft', { kind: 'fade', ms: 600 }, null],
  );
  await publish();
  assert.deepEqual(await begins(), [{ kind: 'fade', ms: 600 }, { kind: 'wipe', ms: 250 }, null], 'a cut stays one');

  const longer = await call('PUT', `/api/playlists/${id}`, { transition: { kind: 'fade', ms: 900 } });
  assert.equal(longer.body.status, 'draft');
  await call('POST', `/api/playlists/${id}/discard`);
  const renamed = await call('PUT', `/api/playlists/${id}`, { name: 'Q' });
  assert.deepEqual([renamed.body.status, renamed.body.transition], ['published', { kind: 'fade', ms: 600 }]);
  // Setting the transition that the playlist has already changes nothing.
  const same = await call('PUT', `/api/playlists/${id}`, { transition: { kind: 'fade', ms: 600 } });
  assert.equal(same.body.status, 'published');
  await call('PUT', `/api/playlists/${id}`, { transition: null });
  const item = await call('PUT', `/api/playlists/${id}/items/${wiped.id}`, { transition: null });
  assert.equal(item.body.transition, null);
  const back = (await call('POST', `/api/playlists/${id}/discard`)).body;
  assert.deepEqual([back.status, back.transition], ['published', { kind: 'fade', ms: 600 }]);
  assert.deepEqual(
    (await get(`/api/playlists/${id}`)).items.map((one: any) => one.transition),
    [null, { kind: 'wipe', ms: 250 }, { kind: 'cut', ms: 0 }],
  );
});

test('an invalid transition between items is refused, and the error names the invalid field', async (t) => {
  const { make, call, image } = await shops.open(t);
  const { id } = await make('/api/playlists', { name: 'P' });
  const content_id = await image();
  for (const [transition, names] of [
    [{ kind: 'spin' }, 'transition.kind'],
    [{ kind: 'fade', ms: 3001 }, 'transition.ms'],
    [{ kind: 'fade', ms: -1 }, 'transition.ms'],
    [{ kind: 'fade', ms: 1.5 }, 'transition.ms'],
    ['fade', 'transition'],
  ] as const) {
    const { status, body } = await call('POST', `/api/playlists/${id}/items`, { content_id, transition });
    assert.equal(status, 400);
    assert.match(body.error, new RegExp(`^${names}`));
    assert.equal((await call('PUT', `/api/playlists/${id}`, { transition })).status, 400);
  }
});

const openStore = () => {
  const { db, add } = openRows();
  const store = new PlaylistsStore(db);
  add('content', { id: 'photo' }, { id: 'other' });
  add('widgets', { id: 'clock', config: '{}' });
  const draft = (id: string) => store.items(id).map((item) => [item.id, item.sort_order]);
  const published = (id: string) => store.published(id).map((item) => [item.id, item.sort_order]);
  return { db, store, add, draft, published };
};

test('items of a playlist are ordered by position, then by age, in the draft and in the snapshot', () => {
  const { store, db, add, draft, published } = openStore();
  add('playlists', { id: 'b' }, { id: 'a' }, { id: 'theirs', workspace_id: 'there' });
  assert.deepEqual(
    store.list('here').map(({ row }) => row.id),
    ['a', 'b'],
  );
  const item = (id: number, sort_order: number, playlist_id = 'a') => ({ id, sort_order, playlist_id });
  const items = [item(3, 5), item(2, 5), item(1, 9), item(4, 1, 'b'), item(5, 7, 'b')];
  for (const table of ['playlist_items', 'published_items'])
    add(table, ...items.map((one) => ({ ...one, content_id: 'photo' })));
  assert.deepEqual(store.itemIds('a'), [2, 3, 1]);
  for (const list of [draft, published])
    assert.deepEqual(list('a'), [
      [2, 5],
      [3, 5],
      [1, 9],
    ]);
  assert.deepEqual(
    store.publishedWithSubjects('a').map(({ id }) => id),
    [2, 3, 1],
  );
  assert.deepEqual([store.findItem('a', 1)?.id, store.findItem('b', 1), store.countItems('a')], [1, undefined, 3]);
  assert.deepEqual([store.playlistOfItem('here', 1)?.id, store.playlistOfItem('there', 1)], ['a', undefined]);

  const muted = () =>
    [...store.items('a'), ...store.items('b'), ...store.published('a'), ...store.published('b')]
      .filter((one) => one.muted)
      .map(({ id }) => id);
  db.write(() => {
    store.setMuted('b', 1, true);
    assert.deepEqual(muted(), []);
    store.setMuted('a', 1, true);
    assert.deepEqual(muted(), [1, 1]);
    store.setOrder('b', [5, 4, 1]);
    assert.deepEqual(
      [draft('a').at(-1), draft('b')],
      [
        [1, 9],
        [
          [5, 0],
          [4, 1],
        ],
      ],
    );
    store.closeGaps('a');
    store.itemsGone(['a']);
  });
  assert.deepEqual(draft('a'), [
    [2, 0],
    [3, 1],
    [1, 2],
  ]);
  assert.deepEqual(published('b'), [
    [4, 1],
    [5, 7],
  ]);
  assert.deepEqual([store.find('here', 'a')?.revision, store.find('here', 'b')?.revision], [2, 1]);
});

test('playlists are filtered by store, headquarters or both, and an edit makes a draft with a new revision', () => {
  const { store, db, add } = openStore();
  add('playlists', { id: 'b', status: 'published' }, { id: 'a' }, { id: 'c' }, { id: 'theirs', workspace_id: 'there' });
  add('playlist_items', { playlist_id: 'b' }, { playlist_id: 'b' });
  const { status, revision, updated_at } = db.write(() => store.toDraft('b', 7));
  assert.deepEqual([status, revision, updated_at, store.find('here', 'a')?.revision], ['draft', 2, 7, 1]);
  add('chain_links', { workspace_id: 'here' });
  add('chain_records', { id: 'b', kind: 'playlists' }, { id: 'a', kind: 'widgets' });
  const listed = (owner?: 'store' | 'headquarters') =>
    store.list('here', owner).map(({ row, item_count }) => `${row.id} ${item_count}`);
  assert.deepEqual(listed(), ['a 0', 'b 2', 'c 0']);
  assert.deepEqual([listed('store'), listed('headquarters')], [['a 0', 'c 0'], ['b 2']]);
});

test('a playlist is shared as soon as anything except its own device shows it', () => {
  const places = ['devices', 'groups', 'walls', 'plans', 'chain_slots', 'campaign_plans', 'chain_records'];
  const { store, add } = openStore();
  add('chain_links', { workspace_id: 'here' });
  add('playlists', { id: 'own' }, { id: 'alone' }, ...places.map((id) => ({ id })));
  add('devices', { id: 'it', playlist_id: 'own' });
  for (const id of places) {
    const named = { chain_records: { kind: 'playlists', id }, campaign_plans: { playlist_id: id } }[id];
    add(id, named ?? { id, playlist_id: id });
  }
  add('chain_records', { id: 'own', kind: 'widgets' });
  assert.deepEqual(
    ['own', 'alone', ...places].filter((id) => store.sharedBeyond(id, 'it')),
    places,
  );
  assert.equal(store.sharedBeyond('own', 'devices'), true);
});

test('playlists with a content or widget in draft or snapshot are found, and the screens of a playlist are sorted', () => {
  for (const [subject, how] of [
    [{ content_id: 'photo' }, { contentIds: ['photo', 'none'] }],
    [{ widget_id: 'clock' }, { widgetIds: ['clock'] }],
  ] as const) {
    const { store, add } = openStore();
    add('playlists', ...['draft', 'shown', 'both', 'without'].map((id) => ({ id })));
    for (const playlist_id of ['draft', 'both', 'both']) add('playlist_items', { playlist_id, ...subject });
    for (const playlist_id of ['shown', 'both']) add('published_items', { id: 1, playlist_id, ...subject });
    add('playlist_items', { playlist_id: 'without', content_id: 'other' });
    assert.deepEqual(store.playlistsWith(how).toSorted(), ['both', 'draft', 'shown']);
  }
  const { store, add } = openStore();
  add('devices', { id: '1', name: 'B' }, { id: '3', name: 'A', created_at: 1 }, { id: '2', name: 'A', created_at: 2 });
  add('devices', { id: '0', name: 'A' });
  assert.deepEqual(
    store.devices(['1', '2', '3']).map((device) => device.device_id),
    ['3', '2', '1'],
  );
});

test('a saved version keeps its items, shows current records, and becomes the draft without deleted records', () => {
  const { store, db, add } = openStore();
  add('playlists', { id: 'a', published_ms: 5, transition: '{"kind":"fade","ms":9}' }, { id: 'b' });
  add('layouts', { id: 'layout' });
  add('zones', { id: 'zone', layout_id: 'layout' });
  const shown = { valid_from: '2026-01-01T00:00', valid_until: '2026-02-01T00:00' };
  add('content', { ...shown, id: 'film', thumbnail: null, duration_sec: 2.5, remote_url: 'https://films.test/' });
  const item = (sort_order: number, more: object) => ({ playlist_id: 'a', sort_order, ...more });
  add('playlist_items', item(0, { content_id: 'photo' }), item(1, { content_id: 'film', zone_id: 'gone' }));
  add('playlist_items', item(2, { widget_id: 'clock', zone_id: 'zone' }));
  const by = { user_id: 'u', user_name: 'Anna', asked_by_name: null };
  const publish = () => {
    store.publishItems('a');
    store.saveVersion(store.find('here', 'a')!, by);
  };
  db.write(() => {
    publish();
    const first = store.versions('a')[0]!;
    const version = store.version('a', first.id)!;
    assert.deepEqual([first.item_count, version.transition], [3, { kind: 'fade', ms: 9 }]);
    assert.equal(store.version('b', first.id), undefined);
    assert.equal(store.version('a', first.id + 1), undefined);
    assert.deepEqual(store.itemsOfVersion(version), store.publishedWithSubjects('a'));
    const ids = store.itemIds('a');
    db.raw.exec("DELETE FROM content WHERE id = 'photo'");
    store.draftFrom(version);
    assert.deepEqual(
      store.items('a').map(({ id, sort_order, zone_id }) => [id, sort_order, zone_id]),
      [
        [ids[1], 0, null],
        [ids[2], 1, 'zone'],
      ],
    );
    for (let more = 0; more < MAX_VERSIONS; more++) publish();
    const kept = store.versions('a').map(({ id }) => id);
    assert.deepEqual([kept.length, kept.includes(first.id)], [MAX_VERSIONS, false]);
    assert.deepEqual(
      kept,
      kept.toSorted((one, other) => other - one),
    );
  });
});

test('copies are appended in order with their transitions, and slots for stores are not copied', () => {
  const { store, db, add, draft } = openStore();
  const fade = '{"kind":"fade","ms":9}';
  add('playlists', { id: 'from', published_transition: fade }, { id: 'to' }, { id: 'copy' });
  const items = [
    { id: 1, sort_order: 4, content_id: 'photo' },
    { id: 2, sort_order: 4, slot_id: 'slot' },
    { id: 3, sort_order: 2, widget_id: 'clock', transition: '{"kind":"cut","ms":0}' },
  ];
  for (const table of ['playlist_items', 'published_items'])
    add(table, ...items.map((item) => ({ ...item, playlist_id: 'from' })));
  add('playlist_items', { id: 4, playlist_id: 'to', content_id: 'other', sort_order: 0 });
  const copied = db.write(() => {
    store.copyDraft('from', 'copy');
    return store.appendCopies('to', store.published('from'));
  });
  assert.deepEqual(
    store.items('copy').map((item) => [item.widget_id ?? item.content_id, item.sort_order]),
    [
      ['clock', 0],
      ['photo', 1],
    ],
  );
  assert.deepEqual(draft('to'), [
    [4, 0],
    [copied.get(3), 1],
    [copied.get(1), 2],
  ]);
  assert.deepEqual(
    store.items('to').map(({ transition }) => transition),
    [null, { kind: 'cut', ms: 0 }, { kind: 'fade', ms: 9 }],
  );
});
