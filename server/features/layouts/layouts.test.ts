import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ZONES } from '../../../shared/contract/content/layouts.ts';
import { must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { openShops } from '../../../test/shop.ts';
import { LayoutsStore } from './layouts.store.ts';

const shops = openShops();

test('a layout is 1920 × 1080 by default, and a zone covers it completely', async (t) => {
  const { make } = await shops.open(t);
  const layout = await make('/api/layouts', { name: 'L', zones: [{}] });
  assert.deepEqual([layout.width, layout.height, layout.is_template, layout.zones.length], [1920, 1080, 0, 1]);
  const { id, layout_id, name, ...zone } = layout.zones[0];
  assert.deepEqual([typeof id, layout_id, typeof name], ['string', layout.id, 'string']);
  assert.deepEqual(zone, {
    x_percent: 0,
    y_percent: 0,
    width_percent: 100,
    height_percent: 100,
    z_index: 0,
    zone_type: 'content',
    fit_mode: 'cover',
    background_color: '#000000',
    content_id: null,
    widget_id: null,
    playlist_id: null,
  });
});

test('zones are numbered in order, a new zone comes last, and the number of zones is limited', async (t) => {
  const { call, make, get } = await shops.open(t);
  const { id } = await make('/api/layouts', { name: 'L' });
  const path = `/api/layouts/${id}`;
  for (const name of ['Zone 1', 'Zone 2']) assert.equal((await make(`${path}/zones`, {})).name, name);
  const [first, second] = (await get(path)).zones;
  must(await call('DELETE', `${path}/zones/${first.id}`));
  const third = await make(`${path}/zones`, {});
  assert.equal(third.name, 'Zone 3');
  assert.deepEqual(
    (await get(path)).zones.map((zone: any) => zone.id),
    [second.id, third.id],
  );
  must(await call('PUT', path, { zones: Array.from({ length: MAX_ZONES - 1 }, () => ({})) }));
  await make(`${path}/zones`, {});
  const { status, body } = await call('POST', `${path}/zones`, {});
  assert.deepEqual([status, body.error], [400, `A layout can have at most ${MAX_ZONES} zones`]);
});

test('deleting a zone announces the playlists with items in it', async (t) => {
  const { call, make, image, get } = await shops.open(t);
  const { id, zones } = await make('/api/layouts', { name: 'L', zones: [{}, {}] });
  const playlist = (await make('/api/playlists', { name: 'P' })).id;
  await make(`/api/playlists/${playlist}/items`, { content_id: await image(), zone_id: zones[0].id });
  const tag = async () => (await call('GET', `/api/playlists/${playlist}`)).headers.get('etag');
  const before = await tag();
  must(await call('PUT', `/api/layouts/${id}`, { zones: [{ id: zones[0].id }] }));
  assert.equal(await tag(), before);
  must(await call('PUT', `/api/layouts/${id}`, { zones: [] }));
  assert.notEqual(await tag(), before);
  assert.equal((await get(`/api/playlists/${playlist}/items`))[0].zone_id, null);
});

test('fit_mode accepts cover, contain, fill and the old names fit and stretch, and answers 400 for anything else', async (t) => {
  const { call, make } = await shops.open(t);
  const { id } = await make('/api/layouts', { name: 'L' });
  for (const [sent, stored] of [
    ['cover', 'cover'],
    ['contain', 'contain'],
    ['fill', 'fill'],
    ['fit', 'contain'],
    ['stretch', 'fill'],
  ])
    assert.equal((await make(`/api/layouts/${id}/zones`, { fit_mode: sent })).fit_mode, stored);
  for (const fit_mode of ['zoom', '', null])
    assert.equal((await call('POST', `/api/layouts/${id}/zones`, { fit_mode })).status, 400);
});

test('zone_type is content, widget, ticker or web, and any other word is stored unchanged', async (t) => {
  const { make } = await shops.open(t);
  const { id } = await make('/api/layouts', { name: 'L' });
  for (const zone_type of ['content', 'widget', 'ticker', 'web', 'till'])
    assert.equal((await make(`/api/layouts/${id}/zones`, { zone_type })).zone_type, zone_type);
});

test('an error names a percentage outside of 0 to 100, a size of 0, and a colour not in #RRGGBB or #RRGGBBAA', async (t) => {
  const { call, make } = await shops.open(t);
  const { id } = await make('/api/layouts', { name: 'L' });
  const wrong = {
    x_percent: [-1, 101],
    y_percent: [-0.1, 100.5],
    width_percent: [0, 101, -5],
    height_percent: [0, 101],
    background_color: ['red', '#fff', '#GGGGGG', '#0000000'],
  };
  for (const [member, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { status, body } = await call('POST', `/api/layouts/${id}/zones`, { [member]: value });
      assert.equal(status, 400, `${member} ${value}`);
      assert.ok(body.error.startsWith(member), body.error);
    }
  }
  for (const background_color of ['#12aBcD', '#11223344'])
    assert.equal((await make(`/api/layouts/${id}/zones`, { background_color })).background_color, background_color);
});

test('PUT with zones matches zones by id, so that items keep their zones unless these are deleted', async (t) => {
  const { call, make, image, playlist, get } = await shops.open(t);
  const layout = await make('/api/layouts', {
    name: 'L',
    zones: [
      { name: 'Left', width_percent: 50 },
      { name: 'Right', x_percent: 50, width_percent: 50 },
    ],
  });
  const [left, right] = layout.zones.map((zone: any) => zone.id);
  const id = await playlist([]);
  const content_id = await image();
  for (const zone_id of [left, right]) await make(`/api/playlists/${id}/items`, { content_id, zone_id });
  const changed = must(
    await call('PUT', `/api/layouts/${layout.id}`, { zones: [{ name: 'New' }, { id: left, name: 'Renamed' }] }),
  );
  assert.deepEqual(
    changed.zones.map((zone: any) => [zone.name, zone.id === left, zone.width_percent]),
    [
      ['New', false, 100],
      ['Renamed', true, 50],
    ],
  );
  assert.deepEqual(
    (await get(`/api/playlists/${id}/items`)).map((item: any) => item.zone_id),
    [left, null],
  );
  must(await call('PUT', `/api/layouts/${layout.id}`, { name: 'Only the name' }));
  assert.equal((await get(`/api/layouts/${layout.id}`)).zones.length, 2);
});

test('PUT of a zone changes only the sent fields, and DELETE leaves the items of the zone without a zone', async (t) => {
  const { call, make, image, playlist, get } = await shops.open(t);
  const layout = await make('/api/layouts', { name: 'L', zones: [{ name: 'Z', width_percent: 50, z_index: 3 }, {}] });
  const zone = layout.zones[0];
  assert.deepEqual(must(await call('PUT', `/api/layouts/${layout.id}/zones/${zone.id}`, { x_percent: 25 })), {
    ...zone,
    x_percent: 25,
  });
  const id = await playlist([]);
  await make(`/api/playlists/${id}/items`, { content_id: await image(), zone_id: zone.id });
  assert.deepEqual(must(await call('DELETE', `/api/layouts/${layout.id}/zones/${zone.id}`)), { success: true });
  assert.deepEqual(
    (await get(`/api/playlists/${id}/items`)).map((item: any) => item.zone_id),
    [null],
  );
  assert.equal((await get(`/api/layouts/${layout.id}`)).zones.length, 1);
});

test('seven read-only templates exist from the start in every workspace, and can be used without a copy', async (t) => {
  const { call, get, screen } = await shops.open(t);
  const templates = await get('/api/layouts?templates=true');
  assert.deepEqual(templates.map((layout: any) => layout.name).toSorted(), [
    'Four quadrants',
    'Fullscreen',
    'L-bar with ticker',
    'Picture in picture',
    'Split horizontal',
    'Split vertical',
    'Three columns',
  ]);
  const inset = templates.find((layout: any) => layout.name === 'Picture in picture').zones;
  const ticker = templates.find((layout: any) => layout.name === 'L-bar with ticker').zones;
  assert.deepEqual(
    [...inset, ...ticker].map((zone: any) => [zone.id, zone.name, zone.zone_type, zone.z_index]),
    [
      ['template-picture-in-picture-1', 'Main', 'content', 0],
      ['template-picture-in-picture-2', 'Inset', 'content', 1],
      ['template-l-bar-1', 'Main', 'content', 0],
      ['template-l-bar-2', 'Side', 'content', 0],
      ['template-l-bar-3', 'Ticker', 'ticker', 0],
    ],
    'items of any workspace may name these',
  );
  const [template] = templates;
  assert.deepEqual([template.is_template, template.workspace_id], [1, null]);
  const zone = template.zones[0].id;
  const edits: [string, string, unknown?][] = [
    ['PUT', '', { name: 'Mine' }],
    ['DELETE', ''],
    ['POST', '/zones', {}],
    ['PUT', `/zones/${zone}`, { name: 'x' }],
    ['DELETE', `/zones/${zone}`],
  ];
  for (const [method, path, body] of edits)
    assert.equal((await call(method, `/api/layouts/${template.id}${path}`, body)).status, 403, `${method} ${path}`);
  const { deviceId } = await screen();
  must(await call('PUT', `/api/layouts/device/${deviceId}`, { layout_id: template.id }));
  assert.equal((await get(`/api/devices/${deviceId}`)).layout_id, template.id);
});

test('the list contains the workspace’s layouts and the templates, and templates=true only templates', async (t) => {
  const { make, get } = await shops.open(t);
  const { id } = await make('/api/layouts', { name: 'Mine' });
  const all = await get('/api/layouts');
  assert.deepEqual([all.length, all.at(-1).id], [8, id]);
  assert.equal((await get('/api/layouts?templates=true')).length, 7);
  assert.equal((await get('/api/layouts?templates=')).length, 8);
});

test('a template or layout is copied into the workspace with new zones', async (t) => {
  const { call, make, get, owner } = await shops.open(t);
  const template = (await get('/api/layouts?templates=true')).find((layout: any) => layout.name === 'Four quadrants');
  const copy = await make(`/api/layouts/${template.id}/duplicate`, { name: 'Mine' });
  assert.deepEqual(
    [copy.name, copy.is_template, copy.workspace_id, copy.zones.length],
    ['Mine', 0, owner.workspaceId, 4],
  );
  assert.equal(
    copy.zones.some((zone: any) => template.zones.some((other: any) => other.id === zone.id)),
    false,
  );
  must(await call('PUT', `/api/layouts/${copy.id}`, { zones: [] }));
  assert.equal((await get(`/api/layouts/${template.id}`)).zones.length, 4);
  assert.equal((await make(`/api/layouts/${copy.id}/duplicate`)).name, 'Mine (copy)');
  const long = await make('/api/layouts', { name: 'x'.repeat(200) });
  assert.equal((await make(`/api/layouts/${long.id}/duplicate`)).name, `${'x'.repeat(190)} (copy)`);
});

test('deleting a layout in use answers 200, and references become null', async (t) => {
  const { call, make, get, screen, image } = await shops.open(t);
  const { id } = await make('/api/layouts', { name: 'L', zones: [{}] });
  const { deviceId } = await screen();
  must(await call('PUT', `/api/layouts/device/${deviceId}`, { layout_id: id }));
  const times = { device_id: deviceId, layout_id: id, start_time: '2026-03-10T00:00', end_time: '2026-03-11T00:00' };
  await make('/api/schedules', times);
  const both = await make('/api/schedules', { ...times, content_id: await image() });
  assert.deepEqual(must(await call('DELETE', `/api/layouts/${id}`)), { success: true });
  assert.equal((await get(`/api/devices/${deviceId}`)).layout_id, null);
  assert.deepEqual(
    (await get('/api/schedules')).map((s: any) => [s.id, s.layout_id]),
    [[both.id, null]],
  );
});

test('a device’s layout can be set, and null means full screen', async (t) => {
  const { call, make, get, screen } = await shops.open(t);
  const { id } = await make('/api/layouts', { name: 'L' });
  const { deviceId } = await screen();
  for (const layout_id of [id, null, id, '']) {
    assert.deepEqual(must(await call('PUT', `/api/layouts/device/${deviceId}`, { layout_id })), { success: true });
    assert.equal((await get(`/api/devices/${deviceId}`)).layout_id, layout_id || null);
  }
  const [{ details }] = await get('/api/activity?limit=1');
  assert.equal(details, '');
  assert.equal((await call('PUT', `/api/layouts/device/${deviceId}`, {})).status, 400);
});

test('setting the layout of a device checks the device’s ETag, and a stale ETag answers 412 and changes nothing', async (t) => {
  const { call, make, get, screen } = await shops.open(t);
  const { id } = await make('/api/layouts', { name: 'L' });
  const { deviceId } = await screen();
  const tag = async () => (await call('GET', `/api/devices/${deviceId}`)).headers.get('etag')!;
  const set = (layout_id: string | null, etag: string) =>
    call('PUT', `/api/layouts/device/${deviceId}`, { layout_id }, { 'If-Match': etag });
  const known = await tag();
  const done = await set(id, known);
  assert.deepEqual([done.status, done.headers.get('etag')], [200, await tag()]);
  assert.equal((await set(null, known)).status, 412);
  assert.equal((await get(`/api/devices/${deviceId}`)).layout_id, id);
});

test('a zone shows one content, widget or playlist of the workspace, and copies of the layout show the same', async (t) => {
  const { call, make } = await shops.open(t);
  const widget = await make('/api/widgets', { widget_type: 'clock', name: 'Clock', config: {} });
  const playlist = await make('/api/playlists', { name: 'News' });
  const layout = await make('/api/layouts', { name: 'L', zones: [{ widget_id: widget.id }, {}] });
  const held = (zone: Record<string, unknown>) => [zone['content_id'], zone['widget_id'], zone['playlist_id']];
  assert.deepEqual(layout.zones.map(held), [
    [null, widget.id, null],
    [null, null, null],
  ]);
  const zone = `/api/layouts/${layout.id}/zones/${layout.zones[0].id}`;
  const put = async (body: object) => must(await call('PUT', zone, body));
  assert.deepEqual(held(await put({ playlist_id: playlist.id })), [null, null, playlist.id]);
  assert.deepEqual(held(await put({ name: 'Right' })), [null, null, playlist.id]);
  const copy = await make(`/api/layouts/${layout.id}/duplicate`, {});
  assert.deepEqual(held(copy.zones[0]), [null, null, playlist.id]);
  assert.equal((await call('PUT', zone, { widget_id: widget.id, playlist_id: playlist.id })).status, 400);
  for (const key of ['content_id', 'widget_id', 'playlist_id'])
    assert.equal((await call('PUT', zone, { [key]: 'nobody-knows' })).status, 404);
  must(await call('DELETE', `/api/playlists/${playlist.id}`));
  assert.deepEqual(held(must(await call('GET', `/api/layouts/${copy.id}`)).zones[0]), [null, null, null]);
  assert.deepEqual(held(await put({ widget_id: widget.id })), [null, widget.id, null]);
  assert.deepEqual(held(await put({ widget_id: null })), [null, null, null]);
});

test('layouts are listed oldest first after the templates, and a workspace finds only these and its own layouts', () => {
  const { db, add } = openRows();
  const store = new LayoutsStore(db);
  add('layouts', { id: 'c', created_at: 1 }, { id: 'b' }, { id: 'a', created_at: 1 });
  add('layouts', { id: 'z template', workspace_id: null, is_template: 1, created_at: 5 });
  add('layouts', { id: 'y template', workspace_id: null, is_template: 1, created_at: 6 });
  add('layouts', { id: 'theirs', workspace_id: 'there' });
  const listed = (templatesOnly: boolean) => store.list('here', { templatesOnly }).map(({ id }) => id);
  assert.deepEqual(listed(false), ['z template', 'y template', 'b', 'a', 'c']);
  assert.deepEqual(listed(true), ['z template', 'y template']);
  assert.deepEqual(
    store.list('here', { templatesOnly: false, owner: 'store' }).map(({ id }) => id),
    ['b', 'a', 'c'],
  );
  for (const layout_id of ['b', 'theirs', 'z template']) {
    add('zones', { id: `2 ${layout_id}`, layout_id, position: 1 }, { id: `1 ${layout_id}`, layout_id, position: 1 });
    add('zones', { id: `3 ${layout_id}`, layout_id, position: 0 });
  }
  const found = ['b', 'a', 'theirs', 'z template'].map((id) => store.find('here', id)?.id);
  assert.deepEqual(found, ['b', 'a', undefined, 'z template']);
  const zones = ['1 b', '1 theirs', '1 z template', 'none'].map((id) => store.findZone('here', id)?.id);
  assert.deepEqual(zones, ['1 b', undefined, '1 z template', undefined]);
  assert.deepEqual(
    store.zonesOf(['b', 'a']).map(({ id }) => id),
    ['3 b', '1 b', '2 b'],
  );
  db.write(() => {
    const row = { id: 'b', name: 'New', width: 1, height: 1, created_at: 0, updated_at: 0 };
    assert.deepEqual([store.insertMissing(row), store.insertMissing({ ...row, id: 'd' })], [false, true]);
    store.updateZone('1 b', { name: 'Left' });
    store.deleteZones(['2 b', '3 theirs']);
  });
  assert.deepEqual(
    store.zonesOf(['b', 'theirs']).map(({ id, name }) => [id, name]),
    [
      ['3 b', '3 b'],
      ['1 b', 'Left'],
      ['1 theirs', '1 theirs'],
      ['2 theirs', '2 theirs'],
    ],
  );
});

test('clearing zones changes the items and schedules of these zones, and of no other zones', () => {
  const { db, add } = openRows();
  const store = new LayoutsStore(db);
  add('playlists', ...['draft', 'shown', 'both', 'other'].map((id) => ({ id })));
  const item = (playlist_id: string, zone_id: string) => ({ playlist_id, zone_id });
  add('playlist_items', item('draft', 'gone'), item('both', 'gone'), item('both', 'kept'), item('other', 'kept'));
  const shown = [item('shown', 'gone 2'), item('both', 'gone'), item('other', 'kept')];
  add('published_items', ...shown.map((one, id) => ({ ...one, id })));
  for (const table of ['plans', 'schedules']) add(table, { id: 'a', zone_id: 'gone' }, { id: 'b', zone_id: 'kept' });
  const edited = db.write(() => store.forgetZones(['gone', 'gone 2']));
  assert.deepEqual(edited.toSorted(), ['both', 'draft', 'shown']);
  const raised = (table: string) =>
    db.raw.prepare(`SELECT id FROM ${table} WHERE revision = 2 ORDER BY id`).pluck().all();
  assert.deepEqual([raised('playlists'), raised('plans')], [['both', 'draft', 'shown'], ['a']]);
  for (const [table, left] of Object.entries({ playlist_items: 2, published_items: 1, plans: 1, schedules: 1 }))
    assert.deepEqual(
      db.raw.prepare(`SELECT zone_id FROM ${table} WHERE zone_id IS NOT NULL`).pluck().all(),
      Array(left).fill('kept'),
      table,
    );
});
