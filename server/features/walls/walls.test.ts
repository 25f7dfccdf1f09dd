import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextWindow } from '../../../shared/protocol/wall/glimpse.ts';
import { must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { WallsStore } from './walls.store.ts';

const shops = openShops();
const replace = ({ call }: Shop, wall: string, devices: unknown[]) =>
  call('PUT', `/api/walls/${wall}/devices`, { devices });
const at = (device_id: string, grid_col: number, grid_row: number, more: Record<string, unknown> = {}) => ({
  device_id,
  grid_col,
  grid_row,
  ...more,
});
const places = (wall: any) =>
  wall.devices.map((d: any) => [
    d.grid_col,
    d.grid_row,
    d.rotation,
    d.canvas_x,
    d.canvas_y,
    d.canvas_width,
    d.canvas_height,
  ]);

test('a wall is 2 × 2 by default, with panels of 400 × 225 mm without gaps, and POST accepts all writable fields', async (t) => {
  const { make, image, playlist, owner } = await shops.open(t);
  const { id: _id, created_at: _at, sync: _sync, ...wall } = await make('/api/walls', { name: 'W' });
  assert.deepEqual(wall, {
    name: 'W',
    workspace_id: owner.workspaceId,
    grid_cols: 2,
    grid_rows: 2,
    bezel_h_mm: 0,
    bezel_v_mm: 0,
    screen_w_mm: 400,
    screen_h_mm: 225,
    sync_mode: 'clock',
    leader_device_id: null,
    content_id: null,
    playlist_id: null,
    devices: [],
  });
  const content_id = await image();
  const all = {
    name: 'X',
    grid_cols: 3,
    grid_rows: 1,
    bezel_h_mm: 12.5,
    bezel_v_mm: 8,
    screen_w_mm: 500,
    screen_h_mm: 300,
    sync_mode: 'leader',
    content_id,
    playlist_id: await playlist([content_id]),
  };
  const made = await make('/api/walls', all);
  for (const [member, value] of Object.entries(all)) assert.equal(made[member], value, member);
});

test('the canvas of a wall is computed from cells, panel sizes and gaps, and computed again when these change', async (t) => {
  const shop = await shops.open(t);
  const { call, make, screen, get } = shop;
  const [a, b, c] = [await screen('A'), await screen('B'), await screen('C')];
  const { id } = await make('/api/walls', { name: 'W', bezel_h_mm: 10, bezel_v_mm: 6 });
  const wall = must(await replace(shop, id, [at(a.deviceId, 0, 0), at(b.deviceId, 1, 0), at(c.deviceId, 1, 1)]));
  assert.deepEqual(places(wall), [
    [0, 0, 0, 0, 0, 400, 225],
    [1, 0, 0, 410, 0, 400, 225],
    [1, 1, 0, 410, 231, 400, 225],
  ]);
  assert.deepEqual(
    wall.devices.map((d: any) => [d.device_id, d.device_name, d.device_status]),
    [
      [a.deviceId, 'A', 'online'],
      [b.deviceId, 'B', 'online'],
      [c.deviceId, 'C', 'online'],
    ],
  );
  must(await call('PUT', `/api/walls/${id}`, { bezel_h_mm: 0, screen_w_mm: 600 }));
  assert.deepEqual(places(await get(`/api/walls/${id}`))[1], [1, 0, 0, 600, 0, 600, 225]);
  assert.deepEqual(places(must(await replace(shop, id, [at(b.deviceId, 0, 1)]))).length, 1);
});

test('a panel rotated by 90 or 270 degrees swaps width and height, and canvas values from the request stay', async (t) => {
  const shop = await shops.open(t);
  const [a, b] = [await shop.screen('A'), await shop.screen('B')];
  const { id } = await shop.make('/api/walls', { name: 'W', grid_rows: 1 });
  const wall = must(
    await replace(shop, id, [
      at(a.deviceId, 0, 0, { rotation: 90 }),
      at(b.deviceId, 1, 0, { canvas_x: 1000, canvas_y: 50, canvas_width: 320, canvas_height: 180 }),
    ]),
  );
  assert.deepEqual(places(wall), [
    [0, 0, 90, 0, 0, 225, 400],
    [1, 0, 0, 1000, 50, 320, 180],
  ]);
});

test('the server computes canvas values that a request leaves out for a panel', async (t) => {
  const shop = await shops.open(t);
  const [a, b] = [await shop.screen('A'), await shop.screen('B')];
  const { id } = await shop.make('/api/walls', { name: 'W', grid_rows: 1 });
  const wall = must(
    await replace(shop, id, [
      at(a.deviceId, 0, 0, { canvas_y: 30, canvas_width: 320 }),
      at(b.deviceId, 1, 0, { canvas_x: 500 }),
    ]),
  );
  assert.deepEqual(places(wall), [
    [0, 0, 0, 0, 30, 320, 225],
    [1, 0, 0, 500, 0, 400, 225],
  ]);
  assert.deepEqual((await shop.get(`/api/walls/${id}/device-config/${a.deviceId}`)).tile, {
    x: 0,
    y: 30,
    width: 320,
    height: 225,
  });
  must(await shop.call('PUT', `/api/walls/${id}`, { screen_w_mm: 600, screen_h_mm: 300 }));
  assert.deepEqual(places(await shop.get(`/api/walls/${id}`)), [
    [0, 0, 0, 0, 30, 320, 300],
    [1, 0, 0, 500, 0, 600, 300],
  ]);
});

test('an invalid rotation number is stored as 0, and a rotation that is no number answers 400', async (t) => {
  const shop = await shops.open(t);
  const { deviceId } = await shop.screen();
  const { id } = await shop.make('/api/walls', { name: 'W' });
  for (const [rotation, stored] of [
    [0, 0],
    [90, 90],
    [180, 180],
    [270, 270],
    [45, 0],
    [-90, 0],
    [360, 0],
    [12.5, 0],
  ] as const)
    assert.equal(must(await replace(shop, id, [at(deviceId, 0, 0, { rotation })])).devices[0].rotation, stored);
  for (const rotation of ['90', true, {}])
    assert.equal((await replace(shop, id, [at(deviceId, 0, 0, { rotation })])).status, 400);
});

test('panels need separate cells within the grid and separate devices, also when the grid shrinks', async (t) => {
  const shop = await shops.open(t);
  const { call } = shop;
  const [a, b] = [(await shop.screen('A')).deviceId, (await shop.screen('B')).deviceId];
  const { id } = await shop.make('/api/walls', { name: 'W' });
  for (const devices of [
    [at(a, 0, 0), at(b, 0, 0)],
    [at(a, 2, 0)],
    [at(a, 0, 2)],
    [at(a, -1, 0)],
    [at(a, 0, 0), at(a, 1, 0)],
    [at(a, 0.5, 0)],
    [{ device_id: a }],
  ])
    assert.equal((await replace(shop, id, devices)).status, 400, JSON.stringify(devices));
  assert.equal((await call('PUT', `/api/walls/${id}/devices`, {})).status, 400);
  must(await replace(shop, id, [at(a, 1, 1)]));
  assert.equal((await call('PUT', `/api/walls/${id}`, { grid_cols: 1 })).status, 400);
});

test('a device is in one wall at a time: joining moves it, and a leader that left the wall is cleared', async (t) => {
  const shop = await shops.open(t);
  const { call, make, get } = shop;
  const { deviceId } = await shop.screen();
  const [one, two] = [(await make('/api/walls', { name: '1' })).id, (await make('/api/walls', { name: '2' })).id];
  must(await replace(shop, one, [at(deviceId, 0, 0)]));
  must(await call('PUT', `/api/walls/${one}`, { leader_device_id: deviceId }));
  const tag = async () => (await call('GET', `/api/walls/${one}`)).headers.get('etag');
  const before = await tag();
  must(await replace(shop, two, [at(deviceId, 1, 1)]));
  assert.notEqual(await tag(), before);
  assert.deepEqual(
    (await get('/api/walls')).map((wall: any) => [wall.devices.length, wall.leader_device_id]),
    [
      [0, null],
      [1, null],
    ],
  );
});

test('a leader must be a panel of the wall, and plays the sound', async (t) => {
  const shop = await shops.open(t);
  const { call, make, get } = shop;
  const [a, b] = [await shop.screen('A'), await shop.screen('B')];
  const { id } = await make('/api/walls', { name: 'W' });
  assert.equal((await call('PUT', `/api/walls/${id}`, { leader_device_id: a.deviceId })).status, 400);
  assert.equal((await call('POST', '/api/walls', { name: 'X', leader_device_id: a.deviceId })).status, 400);
  must(await replace(shop, id, [at(a.deviceId, 0, 0), at(b.deviceId, 1, 0)]));
  await b.client.next('program');
  assert.equal(
    must(await call('PUT', `/api/walls/${id}`, { leader_device_id: b.deviceId })).leader_device_id,
    b.deviceId,
  );
  assert.equal(
    (await b.client.next((said) => said.type === 'program' && said['placement'].wall?.audio === true))['placement'].wall
      .wall_id,
    id,
  );
  assert.deepEqual(
    [
      (await get(`/api/walls/${id}/device-config/${a.deviceId}`)).is_leader,
      (await get(`/api/walls/${id}/device-config/${b.deviceId}`)).is_leader,
    ],
    [false, true],
  );
});

test('a wall without a leader is led by the first panel by row and column, as the panel’s config says', async (t) => {
  const shop = await shops.open(t);
  const [a, b, c] = [await shop.screen('A'), await shop.screen('B'), await shop.screen('C')];
  const { id } = await shop.make('/api/walls', { name: 'W' });
  must(await replace(shop, id, [at(a.deviceId, 0, 1), at(b.deviceId, 1, 0), at(c.deviceId, 1, 1)]));
  const leads = await Promise.all(
    [a, b, c].map(async ({ deviceId }) => (await shop.get(`/api/walls/${id}/device-config/${deviceId}`)).is_leader),
  );
  assert.deepEqual(leads, [false, true, false]);
  assert.equal(
    (await b.client.next((said) => said.type === 'program' && said['placement'].wall !== null))['placement'].wall.audio,
    true,
  );
});

test('panels of a wall get the refreshes of their own leader only', async (t) => {
  const shop = await shops.open(t);
  const { call, make } = shop;
  const [a, b, alone] = [await shop.screen('A'), await shop.screen('B'), await shop.screen('C')];
  const { id } = await make('/api/walls', { name: 'W' });
  must(await replace(shop, id, [at(a.deviceId, 0, 0), at(b.deviceId, 1, 0)]));
  const sync = { offset_ms: 0, uncertainty_ms: 0.2 };
  const aimOf = async ({ client }: typeof a, own?: object) => {
    client.say({ type: 'heartbeat', sync: { ...sync, ...(own && { refresh: own }) } });
    return (await client.next('heartbeat.ack'))['wall_refresh'];
  };
  const [ofA, ofB] = [
    { at: 1_800_000_000_003.25, period_ms: 16.6667 },
    { at: 1_800_000_000_009.5, period_ms: 16.6834 },
  ];
  assert.equal(await aimOf(b, ofB), undefined, 'of a leader that has said nothing');
  assert.deepEqual([await aimOf(a, ofA), await aimOf(b, ofB), await aimOf(alone, ofB)], [ofA, ofA, undefined]);
  must(await call('PUT', `/api/walls/${id}`, { leader_device_id: b.deviceId }));
  assert.deepEqual([await aimOf(a, ofA), await aimOf(b, ofB)], [ofB, ofB]);
  a.client.say({ type: 'heartbeat', sync: { ...sync, refresh: { at: 1, period_ms: 0 } } });
  assert.equal((await a.client.closed).code, 4400);
});

test('a wall’s synchronization is the median of its panels’ reported medians, and the worst of their p99 values', async (t) => {
  const shop = await shops.open(t);
  const { id } = await shop.make('/api/walls', { name: 'W', grid_cols: 4, grid_rows: 1 });
  const panels = [];
  for (const name of ['A', 'B', 'C', 'D']) panels.push(await shop.screen(name));
  must(
    await replace(
      shop,
      id,
      panels.map(({ deviceId }, n) => at(deviceId, n, 0)),
    ),
  );
  const told: [number | null, number | null][] = [
    [9, 12],
    [2, 40],
    [5, 6],
    [1, null],
  ];
  for (const [n, [error_p50_ms, error_p99_ms]] of told.entries()) {
    const { client } = panels[n]!;
    client.say({ type: 'heartbeat', sync: { offset_ms: 0, uncertainty_ms: 1, error_p50_ms, error_p99_ms } });
    await client.next('heartbeat.ack');
  }
  const { sync } = await shop.get(`/api/walls/${id}`);
  assert.deepEqual(sync, { panels: 3, error_p50_ms: 5, error_p99_ms: 40, apart: null });
});

test('reported frames of panels are compared at the same instants, and do not announce a change of the device', async (t) => {
  const shop = await shops.open(t);
  const { get, make, call } = shop;
  const [a, b, alone] = [await shop.screen('A'), await shop.screen('B'), await shop.screen('C')];
  const { id } = await make('/api/walls', { name: 'W' });
  must(await replace(shop, id, [at(a.deviceId, 0, 0), at(b.deviceId, 1, 0)]));
  assert.equal((await get(`/api/walls/${id}`)).sync.apart, null);
  const tell = async ({ client }: typeof a, glimpses: (window: number) => unknown) => {
    client.say({ type: 'heartbeat' });
    const { number } = nextWindow((await client.next('heartbeat.ack'))['server_time']);
    client.say({ type: 'heartbeat', glimpses: glimpses(number - 1) });
    await client.next('heartbeat.ack');
  };
  const stillAt = (instant: number) => (window: number) => [
    {
      window,
      zone_id: 'full',
      pictures: [
        [-1, -9_000, 0],
        [instant, 1_000, 0],
      ],
    },
  ];
  await tell(a, stillAt(1_000));
  await tell(alone, stillAt(1_500));
  assert.equal((await get(`/api/walls/${id}`)).sync.apart, null, 'one panel alone is compared with nobody');
  await tell(b, stillAt(1_016));
  const { sync } = await get(`/api/walls/${id}`);
  assert.deepEqual(sync, {
    panels: 0,
    error_p50_ms: null,
    error_p99_ms: null,
    apart: { panels: 2, same_share: 0.992, apart_p50_ms: 0, apart_p99_ms: 0, change_p99_ms: 16 },
  });
  assert.equal('glimpses' in must(await call('GET', `/api/devices/${a.deviceId}`)), false);
  a.client.say({ type: 'heartbeat', glimpses: [{ window: 1, zone_id: 'full', pictures: Array(251).fill([0, 0, 1]) }] });
  assert.equal((await a.client.closed).code, 4400);
});

test('a wall’s playlist overrides its content, PUT content sets the content, and playlist_source is wall for both', async (t) => {
  const shop = await shops.open(t);
  const { call, make, get, image, playlist } = shop;
  const { deviceId } = await shop.screen();
  const content_id = await image();
  const playlist_id = await playlist([await image('b.gif')]);
  const { id } = await make('/api/walls', { name: 'W' });
  must(await replace(shop, id, [at(deviceId, 0, 0)]));
  const source = async () =>
    (({ playlist_source, current_playlist_id }) => [playlist_source, current_playlist_id])(
      await get(`/api/devices/${deviceId}`),
    );
  assert.deepEqual(must(await call('PUT', `/api/walls/${id}/content`, { content_id })), { success: true });
  assert.deepEqual(await source(), ['wall', null]);
  must(await call('PUT', `/api/walls/${id}`, { playlist_id }));
  assert.deepEqual(await source(), ['wall', playlist_id]);
  must(await call('PUT', `/api/walls/${id}`, { playlist_id: '' }));
  must(await call('PUT', `/api/walls/${id}/content`, { content_id: null }));
  assert.deepEqual(await source(), [null, null]);
});

test('config of a panel contains its tile of the wall, and the rotation in the wall replaces the orientation of the screen', async (t) => {
  const shop = await shops.open(t);
  const { call, make, get } = shop;
  const [a, b] = [await shop.screen('A'), await shop.screen('B')];
  must(await call('PUT', `/api/devices/${a.deviceId}`, { orientation: '180' }));
  const { id } = await make('/api/walls', { name: 'W', grid_rows: 1, bezel_h_mm: 10 });
  must(await replace(shop, id, [at(a.deviceId, 0, 0), at(b.deviceId, 1, 0)]));
  assert.deepEqual(await get(`/api/walls/${id}/device-config/${b.deviceId}`), {
    wall_id: id,
    grid_cols: 2,
    grid_rows: 1,
    grid_col: 1,
    grid_row: 0,
    rotation: 0,
    bezel_h_mm: 10,
    bezel_v_mm: 0,
    sync_mode: 'clock',
    is_leader: false,
    canvas: { width: 810, height: 225 },
    tile: { x: 410, y: 0, width: 400, height: 225 },
  });
  const { placement } = await a.client.next((said) => said.type === 'program' && said['placement'].wall !== null);
  assert.deepEqual(placement.wall, {
    wall_id: id,
    canvas: { width: 810, height: 225 },
    tile: { x: 0, y: 0, width: 400, height: 225 },
    rotation: 0,
    audio: true,
  });
  const other = (await shop.screen('C')).deviceId;
  assert.equal((await call('GET', `/api/walls/${id}/device-config/${other}`)).status, 404);
});

test('panels of a deleted wall play their own programs', async (t) => {
  const shop = await shops.open(t);
  const { call, make, get, image, playlist } = shop;
  const { deviceId } = await shop.screen();
  const own = await playlist([await image()]);
  must(await call('POST', `/api/playlists/${own}/assign`, { device_id: deviceId }));
  const { id } = await make('/api/walls', { name: 'W', content_id: await image('b.gif') });
  must(await replace(shop, id, [at(deviceId, 0, 0)]));
  assert.equal((await get(`/api/devices/${deviceId}`)).playlist_source, 'wall');
  assert.deepEqual(must(await call('DELETE', `/api/walls/${id}`)), { success: true });
  assert.deepEqual(
    (({ playlist_source, current_playlist_id }) => [playlist_source, current_playlist_id])(
      await get(`/api/devices/${deviceId}`),
    ),
    ['device', own],
  );
});

test('panels are sorted by row, then column, and adding a screen to another wall removes it from the first wall', () => {
  const { db, add } = openRows();
  const store = new WallsStore(db);
  const screens = ['a', 'b', 'c', 'd', 'e'];
  add('devices', ...screens.map((id) => ({ id })), { id: 'theirs', workspace_id: 'there' });
  add('walls', { id: 'w', leader_device_id: 'a' }, { id: 'x', leader_device_id: 'e' }, { id: 'y' });
  const hung = (device_id: string, grid_row: number, grid_col: number, wall_id = 'w') => ({
    ...{ device_id, wall_id, grid_row, grid_col },
  });
  add('wall_members', hung('a', 1, 0), hung('b', 0, 1), hung('c', 0, 0), hung('d', 0, 0, 'x'), hung('e', 0, 1, 'x'));
  const members = (...ids: string[]) => store.members(ids).map(({ device_id }) => device_id);
  assert.deepEqual(
    [members('w'), members('y', 'x')],
    [
      ['c', 'b', 'a'],
      ['d', 'e'],
    ],
  );
  const leaders = () => ['w', 'x'].map((id) => store.find('here', id)?.leader_device_id);
  db.write(() => {
    assert.deepEqual(store.replaceMembers('w', [hung('c', 0, 0), hung('d', 0, 1)]), ['x']);
    assert.deepEqual([members('w'), members('x')], [['c', 'd'], ['e']]);
    for (const id of ['w', 'x']) store.clearLeaderOutside(id);
    assert.deepEqual(leaders(), [null, 'e']);
    assert.deepEqual(store.replaceMembers('w', [hung('c', 0, 0)]), []);
  });
  assert.deepEqual([...store.devicesOf('here', ['a', 'theirs', 'none', 'b'])].toSorted(), ['a', 'b']);
});
