import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_VERSIONS } from '../../../shared/contract/content/playlists.ts';
import { must } from '../../../test/people.ts';
import { actorOf, openParts, openRows, refusedWith } from '../../../test/rows.ts';
import { mp4 } from '../../../test/sample-media.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { until } from '../../../test/until.ts';
import { Bus } from '../../kernel/bus.ts';
import { BinService } from './bin.service.ts';
import { BinStore } from './bin.store.ts';
import { BinKeeper } from './keeper.ts';
import { PlacesStore, TABLES } from './places.store.ts';
import { References } from './references.store.ts';
import { ownersIn } from './snapshot.ts';

const shops = openShops();

/** Returns the newest entry of a record in the bin. */
const binned = async ({ get }: Shop, ref: string) => (await get(`/api/bin?ref=${ref}`))[0];
const restore = async (shop: Shop, ref: string) => {
  const { id } = await binned(shop, ref);
  return must(await shop.call('POST', `/api/bin/${id}/restore`));
};
const names = (items: any[]) => items.map((item) => item.filename ?? item.widget_name);

test('every foreign key to a deletable record is listed with the effect of a deletion', async (t) => {
  const { site } = await shops.open(t);
  const references = new References(site.app.db);
  const reached = new Set<string>();
  const found: string[] = [];
  const visit = (table: string) => {
    if (reached.has(table)) return;
    reached.add(table);
    for (const reference of references.to(table)) {
      found.push(`${reference.table}.${reference.column}: ${reference.fate}`);
      if (reference.fate === 'goes') visit(reference.table);
    }
  };
  for (const table of Object.values(TABLES)) visit(table);
  const named = references.from('content').map(({ column }) => column);
  assert.deepEqual(named.toSorted(), ['folder_id', 'workspace_id'], 'a file is no record');
  const items = ['playlist_items', 'published_items'];
  assert.deepEqual(
    found.sort(),
    [
      ...items.flatMap((table) =>
        ['content_id', 'widget_id', 'playlist_id'].map((column) => `${table}.${column}: goes`),
      ),
      ...items.map((table) => `${table}.zone_id: place`),
      // Campaigns that stayed in the store after it left headquarters, and their slots.
      ...['campaign_plans.layout_id', 'campaign_plans.playlist_id', 'chain_slots.playlist_id'].map(
        (one) => `${one}: place`,
      ),
      'playlist_versions.playlist_id: goes',
      'publish_requests.playlist_id: goes',
      'zones.layout_id: goes',
      'group_members.group_id: goes',
      'wall_members.wall_id: goes',
      'plan_targets.plan_id: goes',
      'schedules.plan_id: goes',
      'schedules.group_id: goes',
      ...['content_id', 'widget_id', 'playlist_id'].map((column) => `zones.${column}: place`),
      ...['content_id', 'playlist_id'].map((column) => `walls.${column}: place`),
      ...['playlist_id', 'layout_id', 'default_content_id'].map((column) => `devices.${column}: place`),
      ...['playlist_id', 'default_content_id'].map((column) => `groups.${column}: place`),
      ...['default_content_id', 'logo_content_id'].map((column) => `workspaces.${column}: place`),
      ...['content_id', 'widget_id', 'layout_id', 'playlist_id', 'zone_id'].flatMap((column) => [
        `plans.${column}: place`,
        `schedules.${column}: follows`,
      ]),
    ].sort(),
    'a reference that is new: decide in references.store.ts, and name its owner in places.store.ts',
  );
});

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

test('files of bin entries are not deleted as unused, but on a full disk the oldest entries are deleted first', async (t) => {
  const shop = await shops.open(t);
  const { call, get, image, site, clock } = shop;
  const { raw } = site.app.db;
  raw.exec('DELETE FROM bin');
  const hashes: unknown[] = [];
  const left = async () => {
    await site.app.sweeper.sweep();
    await site.app.sweeper.sweep();
    return hashes.map((sha256) => raw.prepare('SELECT count(*) FROM blobs WHERE sha256 = ?').pluck().get(sha256));
  };
  for (const name of ['a.gif', 'b.gif', 'c.gif']) {
    const id = await image(name);
    hashes.push(raw.prepare('SELECT sha256 FROM content WHERE id = ?').pluck().get(id));
    must(await call('DELETE', `/api/content/${id}`));
    clock.advance(1000);
  }
  assert.deepEqual(await left(), [1, 1, 1]);
  const bin = await get('/api/bin');
  assert.ok(bin.every((entry: any) => entry.bytes > 0));
  const said: string[] = [];
  const keeper = new BinKeeper({
    ...{ db: site.app.db, bus: new Bus(() => {}), clock, places: new PlacesStore(site.app.db) },
    store: new BinStore(site.app.db),
    activity: { add: ({ action, details }) => void said.push(`${action} ${details}`) },
  });
  assert.equal(keeper.makeRoom(), bin[2].bytes, 'on a full disk the oldest goes first');
  assert.deepEqual([said, await left()], [['bin.made_room a.gif'], [0, 1, 1]]);
  must(await call('DELETE', `/api/bin/${bin[0].id}`));
  assert.deepEqual(await left(), [0, 1, 0]);
  assert.deepEqual(must(await call('DELETE', '/api/bin')), { success: true, deleted: 1 });
  assert.deepEqual(await left(), [0, 0, 0]);
});

test('the bin is searched by name and kind, and hidden from other workspaces', async (t) => {
  const shop = await shops.open(t);
  const { call, get, playlist } = shop;
  for (const name of ['Früh', 'Late']) must(await call('DELETE', `/api/playlists/${await playlist([], name)}`));
  assert.deepEqual(
    (await get('/api/bin?q=fru')).map((e: any) => e.name),
    ['Früh'],
  );
  assert.deepEqual((await get('/api/bin?kind=layout')).length, 0);
  assert.deepEqual(
    (await get('/api/bin?limit=1')).map((e: any) => e.name),
    ['Late'],
  );
  assert.deepEqual(await (await shops.open(t)).get('/api/bin'), []);
});

test('each publication is a version that can be viewed and made the draft again', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make, image, playlist } = shop;
  const [a, b] = [await image('a.gif'), await image('b.gif')];
  const id = await playlist([a, b], 'P');
  const [item] = await get(`/api/playlists/${id}/items`);
  must(await call('DELETE', `/api/playlists/${id}/items/${item.id}`));
  await make(`/api/playlists/${id}/items`, { content_id: await image('c.gif') });
  must(await call('POST', `/api/playlists/${id}/publish`));
  const versions = await get(`/api/playlists/${id}/versions`);
  assert.deepEqual(
    versions.map((v: any) => v.item_count),
    [2, 2],
  );
  const first = await get(`/api/playlists/${id}/versions/${versions[1].id}`);
  assert.deepEqual(names(first.items), ['a.gif', 'b.gif']);
  must(await call('DELETE', `/api/content/${b}`));
  assert.equal((await get(`/api/playlists/${id}/versions/${versions[1].id}`)).missing, 1);
  const draft = must(await call('POST', `/api/playlists/${id}/versions/${versions[1].id}/return`));
  assert.deepEqual([names(draft.items), draft.status], [['a.gif'], 'draft']);
  assert.deepEqual(
    names(await get(`/api/playlists/${id}/published`)),
    ['c.gif'],
    'screens go on until it is published',
  );
  assert.equal((await call('GET', `/api/playlists/${id}/versions/999999`)).status, 404);
  for (let n = 0; n < MAX_VERSIONS; n++) must(await call('POST', `/api/playlists/${id}/publish`));
  assert.equal((await get(`/api/playlists/${id}/versions`)).length, MAX_VERSIONS);
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
  assert.deepEqual([refused.status, /Only was for/.test(refused.body.error)], [409, true]);
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

test('deleting a record raises the revision of records that name it, and announces them', async (t) => {
  const { call, image, playlist, make, screen: pair, site, owner } = await shops.open(t);
  const told = new Set<string>();
  const line = new WebSocket(`${site.origin.replace('http', 'ws')}/api/live`);
  t.after(() => line.close());
  line.onmessage = ({ data }) => {
    const { topic, ids = [] } = JSON.parse(String(data)) as { topic?: string; ids?: string[] };
    for (const id of ids) told.add(`${topic} ${id}`);
  };
  await new Promise((opened) => (line.onopen = opened));
  line.send(JSON.stringify({ type: 'auth', token: owner.token }));
  const deviceId = (await pair('Window')).deviceId;
  const subjects: Record<string, () => Promise<string>> = {
    content: () => image('one.gif'),
    playlists: async () => playlist([await image('two.gif')], 'Offers'),
    widgets: async () => (await make('/api/widgets', { widget_type: 'clock', name: 'Clock', config: {} })).id,
    layouts: async () => (await make('/api/layouts', { name: 'Halves', zones: [{}, {}] })).id,
  };
  const namers: readonly (readonly [of: string, topic: string, name: (id: string) => Promise<string>])[] = [
    ...(['content', 'playlists', 'widgets'] as const).map(
      (of) =>
        [
          of,
          'layouts',
          async (id: string) =>
            (await make('/api/layouts', { name: 'L', zones: [{ [COLUMNS[of]]: id }] })).id as string,
        ] as const,
    ),
    ...(['content', 'playlists'] as const).map(
      (of) =>
        [of, 'walls', async (id: string) => (await make('/api/walls', { name: 'W', [COLUMNS[of]]: id })).id] as const,
    ),
    ['playlists', 'groups', (id) => group('POST', '/assign-playlist', { playlist_id: id })],
    ['content', 'groups', (id) => group('PUT', '', { default_content_id: id })],
    ['content', 'devices', (id) => set(`/api/devices/${deviceId}`, { default_content_id: id })],
    [
      'playlists',
      'devices',
      async (id) => {
        must(await call('POST', `/api/playlists/${id}/assign`, { device_id: deviceId }));
        return deviceId;
      },
    ],
    ['layouts', 'devices', (id) => set(`/api/layouts/device/${deviceId}`, { layout_id: id })],
  ];
  const group = async (method: string, path: string, body: object) => {
    const { id } = await make('/api/groups', { name: 'G' });
    must(await call(method, `/api/groups/${id}${path}`, body));
    return id as string;
  };
  const set = async (path: string, body: object) => {
    must(await call('PUT', path, body));
    return deviceId;
  };
  for (const [of, topic, name] of namers) {
    const subject = await subjects[of]!();
    const namer = await name(subject);
    const revision = () => site.app.db.raw.prepare(`SELECT revision FROM "${topic}" WHERE id = ?`).pluck().get(namer);
    const before = revision();
    told.clear();
    must(await call('DELETE', `/api/${of}/${subject}`));
    assert.notEqual(revision(), before, `one of ${topic} that named one of ${of}`);
    await until(`${topic} are announced when one of ${of} goes`, 5000, async () => told.has(`${topic} ${namer}`));
  }
});

const COLUMNS = { content: 'content_id', playlists: 'playlist_id', widgets: 'widget_id' } as const;

test('the uses of a record can be listed before it is deleted, with 404 in another workspace or for a wrong kind', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, make, screen: pair, get } = shop;
  const content = await image('one.gif');
  const offers = await playlist([content], 'Offers');
  const { deviceId } = await pair('Window');
  must(await call('POST', `/api/playlists/${offers}/assign`, { device_id: deviceId }));
  const layout = await make('/api/layouts', {
    name: 'Halves',
    zones: [{ playlist_id: offers }, { content_id: content }],
  });
  assert.deepEqual(await get(`/api/places/${offers}?kind=playlist`), {
    places: [
      { kind: 'layout', id: layout.id, name: 'Halves' },
      { kind: 'screen', id: deviceId, name: 'Window' },
    ],
    total: 2,
  });
  const ofContent = await get(`/api/places/${content}?kind=content`);
  assert.deepEqual(
    ofContent.places.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
    [
      ['playlist', 'Offers'],
      ['layout', 'Halves'],
    ],
  );
  const other = await shops.open(t);
  assert.equal((await other.call('GET', `/api/places/${offers}?kind=playlist`)).status, 404);
  assert.equal((await call('GET', `/api/places/${content}?kind=file`)).status, 400);
  assert.equal((await call('GET', `/api/places/${content}?kind=playlist`)).status, 404);
});

test('the bin is listed newest first by kind, name and record, and finds the oldest entry with files in any workspace', () => {
  const { db, add } = openRows();
  const store = new BinStore(db);
  const entry = (id: string, name: string, more = {}) => ({ id, name, kind: 'plan', ref: name, record: '{}', ...more });
  add('bin', entry('2', 'Über'), entry('1', 'Unter'), entry('3', 'Other', { kind: 'wall', created_at: 5 }));
  add('bin', entry('4', 'Über', { workspace_id: 'there', bytes: 9, created_at: 2 }));
  add('bin', entry('5', 'Old', { bytes: 1, created_at: 1, record: '{"count":7}' }));
  add('bin', entry('6', 'Old', { bytes: 1, created_at: 1 }));
  const page = (asked: object = {}, limit = 9, offset = 0) => {
    const { records, total } = store.page('here', { ...asked, limit, offset });
    return [records.map(({ id }) => id).join(''), total];
  };
  assert.deepEqual(
    [page(), page({}, 2, 1)],
    [
      ['36521', 5],
      ['65', 5],
    ],
  );
  assert.deepEqual(
    [page({ kind: 'plan' }), page({ kind: 'wall' })],
    [
      ['6521', 4],
      ['3', 1],
    ],
  );
  assert.deepEqual(
    [page({ q: 'UBER' }), page({ ref: 'Old' })],
    [
      ['2', 1],
      ['65', 2],
    ],
  );
  assert.deepEqual(page({ q: 'u', kind: 'plan', ref: 'Unter' }), ['1', 1]);
  assert.deepEqual(page({ q: 'uber', ref: 'Old' }), ['', 0]);
  assert.deepEqual(store.page('here', { limit: 9, offset: 2 }).records[0]?.places, 7);
  assert.deepEqual([store.find('here', '4'), store.find('here', '1')?.name], [undefined, 'Unter']);
  assert.equal(store.oldestWithFiles()?.id, '5');
  db.write(() => {
    for (const id of ['5', '6']) store.delete(id);
    assert.equal(store.oldestWithFiles()?.id, '4');
    assert.deepEqual([store.empty('here'), store.empty('here'), store.oldestWithFiles()?.id], [3, 0, '4']);
    store.delete('4');
  });
  assert.equal(store.oldestWithFiles(), undefined);
});

test('the uses of a record have the names that people know, such as titles of campaigns and names of slots', () => {
  const { db, add } = openRows();
  const places = new PlacesStore(db);
  add('playlists', { id: 'p' });
  add('layouts', { id: 'l' });
  add('campaign_plans', { campaign: 'spring', title: 'Spring', playlist_id: 'p', layout_id: 'l', screen_tags: '[]' });
  add('chain_slots', { id: 'slot', limits: '{"name":"Window"}', playlist_id: 'p', campaign: 'spring' });
  const told = (kind: 'playlist' | 'layout' | 'plan' | 'group' | 'wall', id: string) =>
    ownersIn(places.snapshot(kind, id))
      .map(({ kind, id, name }) => `${kind} ${id} ${name}`)
      .toSorted();
  assert.deepEqual(told('playlist', 'p'), ['other spring Spring', 'slot slot Window']);
  assert.deepEqual(told('layout', 'l'), ['other spring Spring']);
  add('devices', { id: 'd', name: 'Door' });
  add('groups', { id: 'g', name: 'Front' }, { id: 'h' });
  add('group_members', { group_id: 'g', device_id: 'd' });
  add('walls', { id: 'w' });
  add('wall_members', { wall_id: 'w', device_id: 'd' });
  add('plans', { id: '1', title: 'All' }, { id: '2', title: 'Other' });
  const target = (plan_id: string, kind: string, ref: string) => ({ plan_id, kind, ref });
  add('plan_targets', target('1', 'device', 'd'), target('1', 'group', 'g'), target('1', 'tag', 'g'));
  add('plan_targets', target('2', 'group', 'h'), target('2', 'device', 'd'), target('2', 'tag', 'g'));
  assert.deepEqual(told('plan', '1'), ['group g Front', 'screen d Door']);
  assert.deepEqual(told('wall', 'w'), ['screen d Door']);
  assert.deepEqual(told('group', 'g'), ['plan 1 All', 'screen d Door']);
});

test('a reference is restored only if it is empty, and both records get new revisions', () => {
  const { db, add } = openRows();
  const places = new PlacesStore(db);
  add('content', { id: 'c', revision: 4 });
  add('playlists', { id: 'q' });
  const [free, taken, gone] = ['free', 'taken', 'gone'].map((id) => ({ id, content_id: 'c' }));
  add('walls', free!, taken!, gone!);
  add('layouts', { id: 'l' });
  add('zones', { ...free!, layout_id: 'l', position: 3 });
  add('plans', { ...free!, playlist_id: 'q', revision: 7 }, { id: 'only', content_id: 'c', revision: 7 });
  add('groups', { id: 'free', default_content_id: 'c', playlist_id: 'q' });
  const back = db.write(() => {
    const snapshot = places.snapshot('content', 'c');
    db.raw.exec(`DELETE FROM plans WHERE id = 'only'; DELETE FROM content; DELETE FROM walls WHERE id = 'gone';
      UPDATE walls SET playlist_id = 'q' WHERE id = 'taken'; UPDATE groups SET playlist_id = NULL;`);
    return places.putBack(snapshot);
  });
  const told = (owners: readonly { kind: string; id: string }[]) => owners.map(({ kind, id }) => `${kind} ${id}`);
  assert.deepEqual(told(back.put).toSorted(), ['group free', 'layout l', 'plan free', 'plan only', 'wall free']);
  assert.deepEqual(back.left.map(({ id, reason }) => [id, reason]).toSorted(), [
    ['gone', 'gone'],
    ['taken', 'taken'],
  ]);
  assert.deepEqual([...back.plans].toSorted(), ['free', 'only']);
  const all = (sql: string) => db.raw.prepare(sql).raw().all();
  assert.deepEqual(all('SELECT id, content_id, revision FROM walls ORDER BY id'), [
    ['free', 'c', 2],
    ['taken', null, 1],
  ]);
  assert.deepEqual(all('SELECT id, content_id, revision FROM plans ORDER BY id'), [
    ['free', 'c', 8],
    ['only', 'c', 8],
  ]);
  assert.deepEqual(all('SELECT revision FROM content UNION ALL SELECT revision FROM groups'), [[5], [2]]);
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

test('each restore and deletion is logged once, and announced wherever it is visible', async () => {
  const { parts, add, told, db } = openParts();
  const deps = { ...parts, store: new BinStore(db), places: new PlacesStore(db) };
  const keeper = new BinKeeper(deps);
  const idle: string[] = [];
  const asked: string[] = [];
  const service = new BinService({
    ...deps,
    bin: keeper,
    plans: {
      afterRestore: () => idle,
      groupCameBack: (_, group, { id, members }) => asked.push(`${group} of ${id}: ${members.join()}`) === 1,
    },
    groups: { afterRestore: (_, id) => void asked.push(id) },
  });
  const [here, there] = [actorOf('here'), actorOf('there')];
  const folder = { id: 'folder', parent_id: null };
  add('folders', folder);
  add('content', { id: 'c', filename: 'Photo', folder_id: 'folder' });
  add('devices', { id: 'd', default_content_id: 'c', name: 'B' }, { id: 'e', default_content_id: 'c', name: 'a' });
  add('walls', { id: 'w', content_id: 'c' });
  add('plans', { id: 'p', title: 'Lunch', content_id: 'c' });
  db.raw.exec("UPDATE workspaces SET default_content_id = 'c' WHERE id = 'here'");
  assert.throws(() => service.placesOf(there, 'content', 'c'), refusedWith(404, /^Record/));
  const found = service.placesOf(here, 'content', 'c');
  assert.deepEqual(
    [found.total, found.places.filter(({ kind }) => kind === 'screen').map(({ id }) => id)],
    [5, ['e', 'd']],
  );
  assert.deepEqual(
    found.places.map(({ kind, name }) => `${kind} ${name}`),
    ['plan Lunch', 'screen a', 'screen B', 'wall w', 'workspace here'],
  );
  const remove = () =>
    db.write(() => {
      keeper.storeRecord(here, 'content', { id: 'c', name: 'Photo' });
      db.raw.exec("DELETE FROM plans; DELETE FROM content WHERE id = 'c'");
    });
  remove();
  await told();
  const [entry] = service.list(here, { limit: 9, offset: 0 } as never).records;
  const concern = service.concerns('here', entry!.id);
  assert.deepEqual(
    [concern?.kind, concern?.ref, concern?.userId, concern?.folderId, concern?.owners.length],
    ['content', 'c', 'anna', 'folder', 5],
  );
  assert.equal(service.concerns('there', entry!.id), undefined);
  assert.throws(() => service.restore(there, entry!.id), refusedWith(404));
  const answer = service.restore(here, entry!.id);
  assert.deepEqual([answer.kind, answer.name, answer.places, answer.left_total], ['content', 'Photo', 5, 0]);
  assert.deepEqual((await told()).toSorted(), [
    ...[
      'bin.restored: Photo',
      `bin ${entry!.id}`,
      'content c',
      'devices',
      'plans p',
      'schedules',
      'walls w',
    ].toSorted(),
  ]);
  assert.throws(() => service.restore(here, entry!.id), refusedWith(404), 'twice');

  remove();
  idle.push('p');
  db.raw.exec('UPDATE workspaces SET default_content_id = NULL; UPDATE devices SET default_content_id = NULL');
  await told();
  const again = service.restore(here, service.list(here, { limit: 9, offset: 0 } as never).records[0]!.id);
  assert.deepEqual(again.left, [{ kind: 'plan', id: 'p', name: 'Lunch', reason: 'gone', bin_id: null }]);
  assert.equal(again.places, 4, 'all but the plan');
  assert.ok((await told()).includes('devices'));

  remove();
  add('content', { id: 'c' });
  const [there_] = service.list(here, { limit: 9, offset: 0 } as never).records;
  assert.throws(() => service.restore(here, there_!.id), refusedWith(409, /^Photo is there already/));
  await told();
  service.delete(here, there_!.id);
  assert.deepEqual(await told(), ['bin.deleted: Photo', `bin ${there_!.id}`]);
  assert.throws(() => service.delete(here, there_!.id), refusedWith(404));
  assert.deepEqual([service.empty(here), await told()], [0, []]);
  assert.deepEqual(asked, [], 'none of these was a group');

  const gone = (kind: 'wall' | 'group' | 'playlist', id: string, table: string) =>
    db.write(() => {
      keeper.storeRecord(here, kind, { id, name: id });
      db.raw.exec(`DELETE FROM "${table}" WHERE id = '${id}'`);
    });
  const back = () => service.restore(here, service.list(here, { limit: 9, offset: 0 } as never).records[0]!.id);
  gone('wall', 'w', 'walls');
  await told();
  back();
  const restored = async () => (await told()).filter((said) => !said.startsWith('bin'));
  assert.deepEqual(await restored(), ['walls w'], 'no plan, no schedule');
  add('playlists', { id: 'list' });
  add('campaign_plans', { campaign: 'spring', title: 'Spring', playlist_id: 'list', screen_tags: '[]' });
  gone('playlist', 'list', 'playlists');
  await told();
  assert.equal(back().places, 1);
  assert.deepEqual(await restored(), ['playlists list'], 'windows show no campaigns');
  add('groups', { id: 'g' });
  add('group_members', { group_id: 'g', device_id: 'd' }, { group_id: 'g', device_id: 'e' });
  for (const id of ['1', '2']) {
    add('plans', { id, title: id });
    add('plan_targets', { plan_id: id, kind: 'group', ref: 'g' });
  }
  gone('group', 'g', 'groups');
  idle.pop();
  await told();
  assert.deepEqual(back().left, [
    { kind: 'plan', id: '1', name: '1', reason: 'taken', bin_id: null },
    { kind: 'plan', id: '2', name: '2', reason: 'taken', bin_id: null },
  ]);
  assert.deepEqual(asked, ['g', 'g of 1: d,e', 'g of 2: d,e']);
  assert.deepEqual(await restored(), ['groups g', 'devices d,e', 'plans 1,2', 'schedules']);

  for (let twice = 0; twice < 2; twice++) keeper.storeRecord(here, 'wall', { id: 'w', name: 'Wall' });
  await told();
  assert.deepEqual([service.empty(here), await told()], [2, ['bin.emptied', 'bin']]);
  keeper.storeRecord(here, 'wall', { id: 'w', name: 'Wall' });
  await told();
  assert.deepEqual([service.empty(here), await told()], [1, ['bin.emptied', 'bin']]);
});
