/** Contents and references of a restored record, and the order in which records can be restored. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { mp4 } from '../../../test/sample-media.ts';
import { openShops } from '../../../test/shop.ts';
import { PlacesStore } from './places.store.ts';
import { binned, names, restore } from './testing/bin.ts';

const shops = openShops();

test('a restored playlist has its id, items, screens, groups, zones, walls and plans again, and plays at once', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, image, playlist, screen } = shop;
  const id = await playlist([await image('a.gif'), await image('b.gif')], 'Morning');
  const player = await screen('Window');
  must(await call('POST', `/api/playlists/${id}/assign`, { device_id: player.deviceId }));
  const group = await make('/api/groups', { name: 'Ground' });
  must(await call('POST', `/api/groups/${group.id}/assign-playlist`, { playlist_id: id }));
  await make('/api/walls', { name: 'Wall', playlist_id: id });
  const layout = await make('/api/layouts', { name: 'L', zones: [{ name: 'Z', playlist_id: id }] });
  const times = { start_time: '2026-03-11T09:00', end_time: '2026-03-11T10:00' };
  const targets = [{ kind: 'device', id: player.deviceId }];
  await make('/api/plans', { ...times, targets, title: 'Only', playlist_id: id });
  await make('/api/plans', { ...times, targets, title: 'Both', playlist_id: id, layout_id: layout.id });
  const state = async () => ({
    items: await get(`/api/playlists/${id}/items`),
    published: await get(`/api/playlists/${id}/published`),
    playsOn: (await get(`/api/playlists/${id}/devices`)).map((found: any) => [found.name, found.source]),
    device: (await get(`/api/devices/${player.deviceId}`)).playlist_id,
    group: (await get('/api/groups'))[0].playlist_id,
    wall: (await get('/api/walls'))[0].playlist_id,
    zone: (await get(`/api/layouts/${layout.id}`)).zones[0].playlist_id,
    plans: (await get('/api/plans')).map((plan: any) => [
      plan.id,
      plan.playlist_id,
      plan.layout_id,
      plan.targets.length,
    ]),
    schedules: (await get('/api/schedules')).map((s: any) => [s.id, s.playlist_id, s.layout_id, s.device_id]).sort(),
  });
  const before = await state();
  assert.deepEqual(before.playsOn, [['Window', 'device']]);
  const etag = (await call('GET', `/api/playlists/${id}`)).headers.get('etag');
  must(await call('DELETE', `/api/playlists/${id}`));
  assert.equal((await get('/api/plans')).length, 1);
  const entry = await binned(shop, id);
  assert.deepEqual([entry.kind, entry.name, entry.ref, entry.places], ['playlist', 'Morning', id, 6]);
  assert.equal(entry.until - entry.created_at, 30 * 86_400);

  const answer = must(await call('POST', `/api/bin/${entry.id}/restore`));
  assert.deepEqual(answer, { kind: 'playlist', id, name: 'Morning', places: 6, left: [], left_total: 0 });
  assert.deepEqual(await state(), before);
  assert.notEqual((await call('GET', `/api/playlists/${id}`)).headers.get('etag'), etag);
  assert.equal((await call('POST', `/api/bin/${entry.id}/restore`)).status, 404, 'twice');
  assert.deepEqual(await get('/api/bin'), []);
  assert.equal((await get('/api/activity'))[0].action, 'bin.restored');
});

test('restored content returns to its positions in drafts and published playlists, and to its folder', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, image, playlist } = shop;
  const [a, b, c] = [await image('a.gif'), await image('b.gif'), await image('c.gif')];
  const kept = await playlist([b, a, b, c], 'Kept');
  const later = await playlist([a, b], 'Published since');
  const gone = await playlist([b], 'Gone since');
  const folder = await make('/api/folders', { name: 'F' });
  must(await call('PUT', `/api/content/${b}`, { folder_id: folder.id }));
  must(await call('DELETE', `/api/content/${b}`));
  shop.clock.advance(1000);
  must(await call('POST', `/api/playlists/${later}/publish`));
  must(await call('DELETE', `/api/playlists/${gone}`));
  must(await call('DELETE', `/api/folders/${folder.id}`));
  const answer = await restore(shop, b);
  assert.equal(answer.places, 2);
  assert.deepEqual(
    answer.left.map(({ kind, name, reason }: any) => [kind, name, reason]),
    [
      ['folder', '', 'gone'],
      ['playlist', 'Gone since', 'gone'],
    ],
  );
  assert.deepEqual(names(await get(`/api/playlists/${kept}/items`)), ['b.gif', 'a.gif', 'b.gif', 'c.gif']);
  assert.deepEqual(names(await get(`/api/playlists/${kept}/published`)), ['b.gif', 'a.gif', 'b.gif', 'c.gif']);
  assert.deepEqual(names(await get(`/api/playlists/${later}/items`)), ['a.gif', 'b.gif']);
  assert.deepEqual(names(await get(`/api/playlists/${later}/published`)), ['a.gif'], 'publishing stays a decision');
  assert.equal((await get(`/api/playlists/${later}`)).status, 'draft');
  assert.equal((await get(`/api/content/${b}`)).folder_id, null);
  assert.equal((await call('GET', `/api/content/${b}/file`)).status, 200);
});

test('a reference that was set to another record since then stays unchanged, and the answer names it', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, image, playlist, screen } = shop;
  const [one, other] = [await playlist([await image()], 'One'), await playlist([await image()], 'Other')];
  const { deviceId } = await screen('Window');
  must(await call('POST', `/api/playlists/${one}/assign`, { device_id: deviceId }));
  const layout = await make('/api/layouts', { name: 'L', zones: [{ name: 'Z', playlist_id: one }] });
  must(await call('DELETE', `/api/playlists/${one}`));
  must(await call('POST', `/api/playlists/${other}/assign`, { device_id: deviceId }));
  const zone = (await get(`/api/layouts/${layout.id}`)).zones[0];
  must(await call('PUT', `/api/layouts/${layout.id}/zones/${zone.id}`, { content_id: await image() }));
  const { left } = await restore(shop, one);
  assert.deepEqual(left.map(({ kind, name, reason }: any) => [kind, name, reason]).sort(), [
    ['layout', 'L', 'taken'],
    ['screen', 'Window', 'taken'],
  ]);
  assert.equal((await get(`/api/devices/${deviceId}`)).playlist_id, other);
});

test('a restored group has its screens again, and its plans unless they were changed', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, image, screen } = shop;
  const [one, two] = [(await screen('One')).deviceId, (await screen('Two')).deviceId];
  const content_id = await image();
  const times = { content_id, start_time: '2026-03-11T09:00', end_time: '2026-03-11T10:00' };
  const group = (await make('/api/groups', { name: 'Ground' })).id;
  const empty = (await make('/api/groups', { name: 'Empty' })).id;
  for (const device_id of [one, two]) await make(`/api/groups/${group}/devices`, { device_id });
  const plan = await make('/api/plans', { ...times, title: 'Same', targets: [{ kind: 'group', id: group }] });
  const changed = await make('/api/plans', { ...times, title: 'Changed', targets: [{ kind: 'group', id: group }] });
  const alone = await make('/api/plans', { ...times, title: 'Alone', targets: [{ kind: 'group', id: empty }] });
  must(await call('DELETE', `/api/groups/${group}`));
  must(await call('PUT', `/api/plans/${changed.id}`, { targets: [{ kind: 'device', id: one }] }));
  const answer = await restore(shop, group);
  assert.deepEqual(
    answer.left.map(({ kind, name, reason }: any) => [kind, name, reason]),
    [['plan', 'Changed', 'taken']],
  );
  const targetsOf = async (id: string) => (await get(`/api/plans/${id}`)).targets.map((target: any) => target.id);
  assert.deepEqual(await targetsOf(plan.id), [group]);
  assert.deepEqual(await targetsOf(changed.id), [one]);
  assert.deepEqual((await get(`/api/groups/${group}/devices`)).map((d: any) => d.id).sort(), [one, two].sort());
  must(await call('DELETE', `/api/groups/${empty}`));
  assert.equal((await call('GET', `/api/plans/${alone.id}`)).status, 404);
  await restore(shop, empty);
  assert.deepEqual(await targetsOf(alone.id), [empty]);
  const schedules = await get('/api/schedules');
  assert.deepEqual(schedules.map((s: any) => s.group_id ?? s.device_id).sort(), [group, one, empty].sort());
});

test('layouts, widgets, walls, plans and kiosk pages are restored unchanged', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, playlist, image, screen } = shop;
  const { deviceId } = await screen('Window');
  const list = await playlist([await image()], 'P');
  const layout = (
    await make('/api/layouts', { name: 'L', zones: [{ name: 'Z' }, { name: 'Y', x_percent: 50, width_percent: 50 }] })
  ).id;
  must(await call('PUT', `/api/devices/${deviceId}`, { layout_id: layout }));
  const zone = (await get(`/api/layouts/${layout}`)).zones[1].id;
  const [item] = await get(`/api/playlists/${list}/items`);
  must(await call('PUT', `/api/playlists/${list}/items/${item.id}`, { zone_id: zone }));
  const widget = (await make('/api/widgets', { widget_type: 'clock', name: 'Clock' })).id;
  await make(`/api/playlists/${list}/items`, { widget_id: widget, sort_order: 0 });
  const wall = (await make('/api/walls', { name: 'W' })).id;
  must(
    await call('PUT', `/api/walls/${wall}/devices`, { devices: [{ device_id: deviceId, grid_col: 0, grid_row: 0 }] }),
  );
  const kiosk = (await make('/api/kiosk', { name: 'K', config: { title: 'T' } })).id;
  const plan = (
    await make('/api/plans', {
      targets: [{ kind: 'device', id: deviceId }],
      layout_id: layout,
      start_time: '2026-03-11T09:00',
      end_time: '2026-03-11T10:00',
    })
  ).id;
  const paths = { layouts: layout, widgets: widget, walls: wall, kiosk, plans: plan };
  const state = async () => {
    const without = ({ updated_at: _at, revision: _r, ...rest }: any) => rest;
    const all: unknown[] = [
      (await get(`/api/devices/${deviceId}`)).layout_id,
      names(await get(`/api/playlists/${list}/items`)),
    ];
    for (const [path, id] of Object.entries(paths)) all.push(without(await get(`/api/${path}/${id}`)));
    all.push((await get(`/api/playlists/${list}/items`)).map((found: any) => found.zone_id));
    return all;
  };
  const before = await state();
  for (const [path, id] of Object.entries(paths)) {
    must(await call('DELETE', `/api/${path}/${id}`));
    assert.equal((await call('GET', `/api/${path}/${id}`)).status, 404, path);
    const { left } = await restore(shop, id);
    assert.deepEqual(left, [], path);
    assert.deepEqual(await state(), before, path);
  }
});

test('the previous file of a replaced content can be restored, in both directions', async (t) => {
  const shop = await shops.open(t);
  const { call, get, image, upload } = shop;
  const id = await image('a.gif');
  const first = (await get(`/api/content/${id}`)).file_size;
  must(await upload(await mp4(), 'clip.mp4', { method: 'PUT', path: `/api/content/${id}/replace` }));
  const second = (await get(`/api/content/${id}`)).file_size;
  assert.notEqual(first, second);
  for (const size of [first, second, first]) {
    assert.equal((await restore(shop, id)).kind, 'file');
    assert.equal((await get(`/api/content/${id}`)).file_size, size);
    assert.equal((await get(`/api/bin?kind=file`)).length, 1);
  }
  const { id: entry } = await binned(shop, id);
  must(await call('DELETE', `/api/content/${id}`));
  const refused = await call('POST', `/api/bin/${entry}/restore`);
  assert.equal(refused.status, 409);
});

test('lost parts of a restored record are named in the answer, and a plan without any target stays in the bin', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, image, playlist, screen } = shop;
  const content = await image('a.gif');
  const list = await playlist([content, await image('b.gif')], 'P');
  const [one, two] = [(await screen('One')).deviceId, (await screen('Two')).deviceId];
  const hung = (device_id: string, grid_col: number) => ({ device_id, grid_col, grid_row: 0 });
  const [wall, other] = [(await make('/api/walls', { name: 'W' })).id, (await make('/api/walls', { name: 'X' })).id];
  must(await call('PUT', `/api/walls/${wall}/devices`, { devices: [hung(one, 0), hung(two, 1)] }));
  const { id: plan } = await make('/api/plans', {
    ...{ title: 'Only', content_id: content, start_time: '2026-03-11T09:00', end_time: '2026-03-11T10:00' },
    targets: [{ kind: 'device', id: two }],
  });
  for (const path of [`playlists/${list}`, `walls/${wall}`, `plans/${plan}`, `content/${content}`])
    must(await call('DELETE', `/api/${path}`));
  must(await call('PUT', `/api/walls/${other}/devices`, { devices: [hung(one, 0)] }));
  must(await call('DELETE', `/api/devices/${two}`));

  const told = ({ left }: any) => left.map((place: any) => [place.kind, place.name, place.reason]).sort();
  assert.deepEqual(told(await restore(shop, list)), [['content', 'a.gif', 'gone']]);
  assert.deepEqual(names(await get(`/api/playlists/${list}/items`)), ['b.gif']);
  assert.deepEqual(told(await restore(shop, wall)), [
    ['screen', 'One', 'taken'],
    ['screen', 'Two', 'gone'],
  ]);
  assert.deepEqual(
    (await get(`/api/walls/${other}`)).devices.map((d: any) => d.device_id),
    [one],
  );
  const { id: entry } = await binned(shop, plan);
  const refused = await call('POST', `/api/bin/${entry}/restore`);
  assert.deepEqual([refused.status, /of the plan Only no longer exist/.test(refused.body.error)], [409, true]);
  assert.equal((await call('GET', `/api/plans/${plan}`)).status, 404);
  assert.equal((await binned(shop, plan)).id, entry);
});

test('a playlist restored before its content contains the content again when the content is restored', async (t) => {
  const shop = await shops.open(t);
  const { call, get, image, playlist, make } = shop;
  const [a, b] = [await image('a.gif'), await image('b.gif')];
  const widget = (await make('/api/widgets', { widget_type: 'clock', name: 'Clock' })).id;
  const list = await playlist([a, b], 'P');
  await make(`/api/playlists/${list}/items`, { widget_id: widget, sort_order: 1 });
  must(await call('POST', `/api/playlists/${list}/publish`));
  for (const path of [`playlists/${list}`, `content/${a}`, `widgets/${widget}`])
    must(await call('DELETE', `/api/${path}`));
  const related = async (ref: string) =>
    (await get(`/api/bin/${(await binned(shop, ref)).id}/related`)).map((entry: any) => entry.name).sort();
  assert.deepEqual(await related(list), ['Clock', 'a.gif']);
  assert.deepEqual(await related(a), []);
  const entry = (await binned(shop, a)).id;
  const { left } = await restore(shop, list);
  assert.deepEqual(left.map((place: any) => [place.name, place.reason, place.bin_id === entry]).sort(), [
    ['Clock', 'gone', false],
    ['a.gif', 'gone', true],
  ]);
  assert.deepEqual(names(await get(`/api/playlists/${list}/items`)), ['b.gif']);
  await restore(shop, widget);
  await restore(shop, a);
  for (const items of ['items', 'published'])
    assert.deepEqual(names(await get(`/api/playlists/${list}/${items}`)), ['a.gif', 'Clock', 'b.gif'], items);
});

test('content deleted before its playlist is listed with the playlist, and both can be restored in either order', async (t) => {
  const shop = await shops.open(t);
  const { call, get, image, playlist, make } = shop;
  for (const order of ['content first', 'playlist first']) {
    const content = await image('a.gif');
    const list = await playlist([content], 'P');
    const layout = await make('/api/layouts', { name: 'L', zones: [{ playlist_id: list }] });
    for (const path of [`content/${content}`, `layouts/${layout.id}`, `playlists/${list}`])
      must(await call('DELETE', `/api/${path}`));
    const related = await get(`/api/bin/${(await binned(shop, layout.id)).id}/related`);
    assert.deepEqual(
      related.map((entry: any) => entry.name),
      ['a.gif', 'P'],
      'in the order of restoring',
    );
    const refs = [content, list, layout.id];
    for (const ref of order === 'content first' ? refs : refs.toReversed()) await restore(shop, ref);
    assert.deepEqual(names(await get(`/api/playlists/${list}/published`)), ['a.gif'], order);
    assert.equal((await get(`/api/layouts/${layout.id}`)).zones[0].playlist_id, list, order);
  }
});

test('content that was deleted for good stays deleted, and its playlist is restored without it', async (t) => {
  const shop = await shops.open(t);
  const { call, get, image, playlist } = shop;
  const content = await image('a.gif');
  const list = await playlist([content, await image('b.gif')], 'P');
  for (const path of [`playlists/${list}`, `content/${content}`]) must(await call('DELETE', `/api/${path}`));
  must(await call('DELETE', `/api/bin/${(await binned(shop, content)).id}`));
  const { left } = await restore(shop, list);
  assert.deepEqual(
    left.map((place: any) => [place.kind, place.reason, place.bin_id]),
    [['content', 'gone', null]],
  );
  assert.deepEqual(names(await get(`/api/playlists/${list}/items`)), ['b.gif']);
});

test('two thousand items of a playlist are restored in order, without blocking the server', async (t) => {
  const { call, get, image, playlist, site } = await shops.open(t);
  const content = await image('a.gif');
  const id = await playlist([content], 'Long');
  const { raw } = site.app.db;
  site.app.db.write(() => {
    const add = raw.prepare(
      `INSERT INTO playlist_items (playlist_id, content_id, sort_order, duration_sec) VALUES (?, ?, ?, ?)`,
    );
    for (let place = 1; place < 2000; place++) add.run(id, content, place, place);
  });
  must(await call('POST', `/api/playlists/${id}/publish`));
  const lengths = async () => (await get(`/api/playlists/${id}/items`)).map((item: any) => item.duration_sec);
  const before = await lengths();
  const ms: number[] = [];
  const timed = async (method: string, path: string) => {
    const from = performance.now();
    must(await call(method, path));
    ms.push(Math.round(performance.now() - from));
  };
  await timed('DELETE', `/api/content/${content}`);
  await timed('POST', `/api/bin/${(await get(`/api/bin?ref=${content}`))[0].id}/restore`);
  t.diagnostic(`deleted in ${ms[0]} ms, back in ${ms[1]} ms`);
  assert.deepEqual(await lengths(), before);
  assert.ok(Math.max(...ms) < 2000, `${ms} ms`);
});

test('the zone of a plan is restored regardless of what the plan shows, and a playlist with its newest five versions', () => {
  const { db, add } = openRows();
  const places = new PlacesStore(db);
  add('layouts', { id: 'l' });
  add('zones', { id: 'z', layout_id: 'l' });
  add('content', { id: 'c' });
  add('plans', { id: 'plan', zone_id: 'z' });
  db.write(() => {
    const snapshot = places.snapshot('layout', 'l');
    db.raw.exec("DELETE FROM layouts; UPDATE plans SET zone_id = NULL, content_id = 'c'");
    assert.deepEqual(places.putBack(snapshot).left, []);
  });
  assert.equal(db.raw.prepare('SELECT zone_id FROM plans').pluck().get(), 'z');

  add('plan_targets', { plan_id: 'plan', kind: 'tag', ref: 'window' });
  db.write(() => {
    const snapshot = places.snapshot('plan', 'plan');
    db.raw.exec('DELETE FROM plans');
    places.putBack(snapshot);
  });
  assert.deepEqual(places.targets('plan'), [{ kind: 'tag', id: 'window' }]);

  add('playlists', { id: 'p', published_ms: 5, revision: 3 });
  add('publish_requests', { id: 'asked', playlist_id: 'p', revision: 3 });
  const versions = Array.from({ length: 7 }, (_, nth) => ({ id: nth + 1, playlist_id: 'p', items: '[]' }));
  add('playlist_versions', ...versions);
  db.write(() => {
    const snapshot = places.snapshot('playlist', 'p');
    db.raw.exec('DELETE FROM playlists');
    places.putBack(snapshot);
  });
  assert.deepEqual(db.raw.prepare('SELECT id FROM playlist_versions ORDER BY id').pluck().all(), [3, 4, 5, 6, 7]);
  const revision = (table: string) => db.raw.prepare(`SELECT revision FROM ${table}`).pluck().get();
  assert.deepEqual([revision('playlists'), revision('publish_requests')], [4, 3], 'nobody has seen it as it is now');
});
