/**
 * Records of headquarters under every endpoint that writes: each endpoint answers 423 with a message, or does what a
 * store may do. Afterwards, the records are unchanged in any case.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../server/db/database.ts';
import { adventOf, holdIn, itemOf } from '../../server/store-link/testing/held.ts';
import { type Endpoint, isWrite } from '../../shared/contract/endpoint.ts';
import { type Answer, must } from '../people.ts';
import { openShops } from '../shop.ts';
import { bodyIn, type Params, paramNames, paramsIn, rightful, send, takesJson } from './examples.ts';
import type { Room } from './site.ts';
import { brokenAnswer, nameOf, openWalk, shown } from './walk.ts';

const walk = openWalk();
const shops = openShops();

/**
 * Actions on headquarters' records that a store may do: the status of the answer, and the reason why they are
 * permitted.
 */
const ALLOWED: Readonly<Record<string, readonly [status: number, why: string]>> = {
  duplicateLayout: [201, 'a copy is the store’s own'],
  duplicatePlaylist: [201, 'a copy is the store’s own'],
  duplicateWidget: [201, 'a copy is the store’s own'],
  assignPlaylist: [200, 'its screens may play it'],
  assignGroupPlaylist: [200, 'its screens may play it'],
  setDeviceLayout: [200, 'its screens may show it'],
  setWallContent: [200, 'its walls may show it'],
  askToPublish: [409, 'it is published as it is'],
  returnToPlaylistVersion: [404, 'it has no versions here'],
  fillSlot: [400, 'it fills places, and is no filling'],
};

/** Returns the rows of headquarters' records, without the columns that a store may change, such as the folder. */
const heldRows = (raw: Database['raw']): string => {
  const of = (table: string, column: string, kind: string) =>
    raw
      .prepare(
        `SELECT * FROM ${table} WHERE ${column} IN (SELECT id FROM chain_records WHERE kind = ?) ORDER BY ${column}, id`,
      )
      .all(kind);
  const rows = [
    of('content', 'id', 'content'),
    of('widgets', 'id', 'widgets'),
    of('playlists', 'id', 'playlists'),
    of('playlist_items', 'playlist_id', 'playlists'),
    of('published_items', 'playlist_id', 'playlists'),
    of('layouts', 'id', 'layouts'),
    of('zones', 'layout_id', 'layouts'),
  ];
  return JSON.stringify(rows, (key, value) => (FILED.has(key) ? undefined : value));
};
const FILED: ReadonlySet<string> = new Set(['folder', 'folder_id', 'updated_at', 'revision', 'owner_device_id']);

/**
 * Returns a function that replaces ids of the workspace's own records by ids of headquarters' records in an example
 * request.
 */
const swapper = (room: Room, held: Partial<Room>) => {
  const swaps = new Map<unknown, unknown>(
    (Object.keys(held) as (keyof Room)[]).map((member) => [room[member], held[member]]),
  );
  return function swap(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map((one) => swap(one, key));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, swap(inner, name)]));
    // Numbers are replaced only under the keys of item ids. Other numbers are no ids.
    return typeof value === 'number' && !ITEM_KEYS.has(key) ? value : (swaps.get(value) ?? value);
  };
};
const ITEM_KEYS: ReadonlySet<string> = new Set(['itemId', 'id']);

test("every endpoint that writes leaves headquarters' records unchanged and says who can change them", async () => {
  const { a, site } = walk.store;
  const { raw } = site.app.db;
  const content = must(await a.call('GET', `/api/content/${a.image}`));
  const hold = holdIn(site, a.workspaceId, a.call);
  await hold.want([adventOf({ sha256: content.sha256, size: content.file_size, mime: 'image/gif' })]);
  const order = raw
    .prepare("SELECT id FROM playlist_items WHERE playlist_id = 'advent-list' ORDER BY sort_order")
    .pluck()
    .all() as number[];
  const [item] = order as [number];
  const held = {
    ...{ image: 'star', widget: 'advent-clock', playlist: 'advent-list', layout: 'advent-layout', zone: 'advent-zone' },
    ...{ item, slot: 'bakery' },
  };
  const names = new Set<unknown>(Object.values(held));
  const swap = swapper(a, held);
  const before = heldRows(raw);
  assert.match(before, /Star\.gif.*Advent clock.*Advent playlist/);

  const writes = walk.endpoints.filter((e) => isWrite(e) && (paramNames(e).length > 0 || takesJson(e)));
  const bodies: Readonly<Record<string, unknown>> = { reorderPlaylistItems: { order: order.toReversed() } };
  const isLast = ({ method }: Endpoint) => (method === 'DELETE' ? 1 : 0);
  const problems: string[] = [];
  const asked: string[] = [];
  for (const endpoint of writes.toSorted((x, y) => isLast(x) - isLast(y))) {
    const params = swap(paramsIn(endpoint, a)) as Params;
    const inPath = Object.values(params).some((id) => names.has(id));
    const body = bodies[endpoint.name] ?? (takesJson(endpoint) ? swap(bodyIn(endpoint, a)) : undefined);
    const inBody = body !== undefined && JSON.stringify(body) !== JSON.stringify(bodyIn(endpoint, a));
    if (!inPath && !inBody) continue;
    asked.push(endpoint.name);
    const answer = await send(walk.store, endpoint, {
      token: rightful(walk.store, endpoint),
      params,
      ...(body !== undefined && { body }),
    });
    const found = brokenAnswer(answer) || wrong(endpoint, answer, inPath);
    if (found) problems.push(`${nameOf(endpoint)} (${endpoint.name}): ${found}; ${shown(answer)}`);
    const after = heldRows(raw);
    if (after !== before) problems.push(`${nameOf(endpoint)} changes headquarters’ records; ${shown(answer)}`);
  }
  assert.deepEqual(problems, []);
  for (const name of ['updateContent', 'replaceContent', 'publishPlaylist', 'deleteWidget', 'updateZone', 'createPlan'])
    assert.ok(asked.includes(name), name);
});

const wrong = (endpoint: Endpoint, { status, body }: Answer, inPath: boolean): string | false => {
  const allowed = ALLOWED[endpoint.name];
  if (allowed) return status !== allowed[0] && `not ${allowed[0]}`;
  if (!inPath) return status !== endpoint.status && `not ${endpoint.status}, though it only names one`;
  return (
    (status !== 423 || body.code !== 'headquarters' || !/headquarters.*Advent/.test(body.error)) &&
    'not 423 with the sentence'
  );
};

test('lists can be filtered by records of the store or of headquarters', async (t) => {
  const shop = await shops.open(t);
  const { call, make, get, site, owner, clock } = shop;
  const own = await shop.image('own.gif');
  const { sha256, file_size: size } = await get(`/api/content/${own}`);
  await shop.playlist([own], 'Own');
  await make('/api/widgets', { widget_type: 'clock', name: 'Own', config: {} });
  await make('/api/layouts', { name: 'Own' });
  const listed = async (owner: string) => ({
    content: (await get(`/api/content?owner=${owner}`)).map(({ filename }: { filename: string }) => filename),
    ...Object.fromEntries(
      await Promise.all(
        ['playlists', 'widgets', 'layouts'].map(async (kind) => [
          kind,
          (await get(`/api/${kind}?owner=${owner}`)).map(({ name }: { name: string }) => name),
        ]),
      ),
    ),
  });
  const allOwn = { content: ['own.gif'], playlists: ['Own'], widgets: ['Own'], layouts: ['Own'] };
  assert.deepEqual(await listed('store'), allOwn);
  const hold = holdIn(site, owner.workspaceId!, call, () => clock.now());
  await hold.want([adventOf({ sha256, size, mime: 'image/gif' }, {}, `-${owner.id}`)]);
  const held = {
    ...{ content: ['Star.gif'], playlists: ['Advent playlist'] },
    ...{ widgets: ['Advent clock'], layouts: ['Advent layout'] },
  };
  assert.deepEqual([await listed('store'), await listed('headquarters')], [allOwn, held]);
  const { status, body } = await call('GET', '/api/content?owner=nobody');
  assert.equal(status, 400);
  assert.match(body.error, /owner/);
});

test("store can put headquarters' records into folders, use and copy them, and delete its own records", async (t) => {
  const shop = await shops.open(t);
  const { call, make, get, site, owner, clock } = shop;
  const content = await get(`/api/content/${await shop.image('star.gif')}`);
  const mark = `-${owner.id}`;
  const id = (name: string) => `${name}${mark}`;
  const hold = holdIn(site, owner.workspaceId!, call, () => clock.now());
  const file = { sha256: content.sha256, size: content.file_size, mime: 'image/gif' };
  const advent = adventOf(file, { rank: 'offer' }, mark);
  const [list] = advent.playlists;
  // The records contain an empty slot (a place in the playlist that the store may fill), and an item with a fade-in.
  const empty = { id: id('empty'), name: 'Empty', max_items: 1, max_seconds: 9, kinds: ['image' as const] };
  const [first, ...others] = list!.items;
  const fading = { ...first!, transition: { kind: 'fade' as const, ms: 700 } };
  const doc = { ...advent, playlists: [{ ...list!, items: [itemOf({ slot: empty }), fading, ...others] }] };
  await hold.want([doc]);
  const before = heldRows(site.app.db.raw);
  const [one, two] = [await shop.screen('One'), await shop.screen('Two')];

  // The store files the content in a folder. When the folder is deleted, the content is in no folder again.
  const { id: folder } = await make('/api/folders', { name: 'From headquarters' });
  const filed = must(await call('PUT', `/api/content/${id('star')}`, { folder: 'Advent', folder_id: folder }));
  assert.deepEqual([filed.folder, filed.folder_id], ['Advent', folder]);
  must(await call('DELETE', `/api/folders/${folder}`));
  assert.equal((await get(`/api/content/${id('star')}`)).folder_id, null);

  // The store uses the content in its own playlist and layout. A copy belongs to the store and has no slots.
  const own = await shop.playlist([id('star')], 'Own');
  const copy = await make(`/api/layouts/${id('advent-layout')}/duplicate`, { name: 'Ours' });
  must(await call('PUT', `/api/layouts/${copy.id}`, { name: 'Ours, changed' }));
  const ours = await make(`/api/playlists/${id('advent-list')}/duplicate`, { name: 'Ours' });
  assert.deepEqual(
    [
      ours.status,
      ours.published_at,
      ours.items.map((item: Record<string, unknown>) => [item['sort_order'], item['slot_id']]),
    ],
    [
      'draft',
      null,
      [
        [0, null],
        [1, null],
        [2, null],
      ],
    ],
  );
  assert.deepEqual(ours.items[0].transition, { kind: 'fade', ms: 700 });
  must(await call('DELETE', `/api/playlists/${ours.id}/items/${ours.items[0].id}`));
  must(await call('POST', `/api/playlists/${ours.id}/publish`));
  must(await call('POST', `/api/playlists/${id('advent-list')}/assign`, { device_id: one.deviceId }));
  must(await call('POST', `/api/assignments/device/${one.deviceId}/copy-to/${two.deviceId}`, {}));
  const copied = await get(`/api/assignments/device/${two.deviceId}`);
  assert.deepEqual(
    copied.map((item: Record<string, unknown>) => [item['filename'] ?? item['widget_name'], item['slot_id']]),
    [
      ['Star.gif', null],
      ['Star.gif', null],
      ['Advent clock', null],
    ],
  );
  must(await call('DELETE', `/api/assignments/${copied[0].id}`));
  // A screen that plays headquarters' playlist gets its own playlist when the store adds the first item.
  await make(`/api/assignments/device/${one.deviceId}`, { content_id: id('star') });
  assert.notEqual((await get(`/api/devices/${one.deviceId}`)).playlist_id, id('advent-list'));
  assert.equal((await get(`/api/assignments/device/${one.deviceId}`)).length, 4);

  // The store uses the content as default content, in a plan, on a wall, and in a bulk edit.
  must(await call('PUT', `/api/workspaces/${owner.workspaceId}`, { default_content_id: id('star') }));
  const change = {
    device_ids: [one.deviceId],
    set: { playlist_id: id('advent-list'), layout_id: id('advent-layout') },
  };
  must(await call('POST', '/api/devices/bulk', { changes: [change] }));
  // The store's playlist is deleted and restored with headquarters' content in it.
  must(await call('DELETE', `/api/playlists/${own}`));
  const [{ id: binned }] = await get(`/api/bin?ref=${own}`);
  must(await call('POST', `/api/bin/${binned}/restore`));
  assert.equal((await get(`/api/playlists/${own}`)).items[0].content_id, id('star'));
  must(await call('DELETE', `/api/devices/${one.deviceId}`));
  must(await call('DELETE', `/api/layouts/${copy.id}`));
  assert.equal(heldRows(site.app.db.raw), before);
  // Headquarters withdraws its records. The store's records continue without them.
  await hold.want([]);
  assert.deepEqual((await get(`/api/playlists/${own}`)).items, []);
  assert.equal((await call('GET', `/api/content/${id('star')}`)).status, 404);
});
