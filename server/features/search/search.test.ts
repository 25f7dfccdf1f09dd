import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callAs, must } from '../../../test/people.ts';
import { openShops, type Shop } from '../../../test/shop.ts';

const shops = openShops();
const finder = (shop: Pick<Shop, 'call'>) => async (query: string) =>
  must(await shop.call('GET', `/api/search?${query}`)) as Record<string, unknown>[];
const names = (hits: Record<string, unknown>[]) => hits.map(({ kind, name }) => `${kind} ${name}`);

test('search ranks names that start with the query first, then word starts, then other matches', async (t) => {
  const shop = await shops.open(t);
  for (const name of ['Bookshop', 'The shop', 'Shop', 'Übergröße', 'Café']) await shop.make('/api/groups', { name });
  const found = finder(shop);
  assert.deepEqual(names(await found('q=shop')), ['group Shop', 'group The shop', 'group Bookshop']);
  assert.deepEqual(names(await found('q=SHOP%20the')), ['group The shop']);
  assert.deepEqual(names(await found('q=cafe')), ['group Café']);
  assert.deepEqual(names(await found('q=ubergro')), ['group Übergröße']);
  assert.deepEqual(await found('q=%25'), []);
});

test('each hit of a search has the details of its kind of record', async (t) => {
  const shop = await shops.open(t);
  const screen = await shop.screen('Aa window');
  const group = await shop.make('/api/groups', { name: 'Aa ground floor' });
  await shop.make(`/api/groups/${group.id}/devices`, { device_id: screen.deviceId });
  const image = await shop.image('aa_picture.gif');
  const playlist = await shop.playlist([image], 'Aa offers');
  const widget = await shop.make('/api/widgets', { widget_type: 'clock', name: 'Aa clock', config: {} });
  const wall = await shop.make('/api/walls', { name: 'Aa wall', grid_cols: 1, grid_rows: 1 });
  const layout = await shop.make('/api/layouts', { name: 'Aa halves', width: 100, height: 100, zones: [] });
  const kiosk = await shop.make('/api/kiosk', { name: 'Aa till', config: {} });
  const plain = { hint: '', type: '', thumbnail: null, screens: null };
  const thumbnail = `/api/content/${image}/thumbnail`;
  const hits = await finder(shop)('q=aa');
  assert.deepEqual(hits, [
    { ...plain, kind: 'device', id: screen.deviceId, name: 'Aa window', hint: 'Aa ground floor' },
    { ...plain, kind: 'group', id: group.id, name: 'Aa ground floor', screens: 1 },
    { ...plain, kind: 'playlist', id: playlist, name: 'Aa offers', thumbnail },
    { ...plain, kind: 'content', id: image, name: 'aa_picture.gif', type: 'image', thumbnail },
    { ...plain, kind: 'widget', id: widget.id, name: 'Aa clock', type: 'clock' },
    { ...plain, kind: 'layout', id: layout.id, name: 'Aa halves' },
    { ...plain, kind: 'wall', id: wall.id, name: 'Aa wall', screens: 0 },
    { ...plain, kind: 'kiosk', id: kiosk.id, name: 'Aa till' },
  ]);
  const some = await finder(shop)('q=aa&kinds=wall,group');
  assert.deepEqual(names(some), ['group Aa ground floor', 'wall Aa wall'].toReversed());
});

test('search finds folders with their parent folder, and labels of contents', async (t) => {
  const shop = await shops.open(t);
  const found = finder(shop);
  const outer = await shop.make('/api/folders', { name: 'Summer' });
  const inner = await shop.make('/api/folders', { name: 'Summer sale', parent_id: outer.id });
  const image = await shop.image();
  must(await shop.call('PUT', `/api/content/${image}`, { folder: 'Summer hats' }));
  const plain = { hint: '', type: '', thumbnail: null, screens: null };
  assert.deepEqual(await found('q=summer'), [
    { ...plain, kind: 'folder', id: outer.id, name: 'Summer' },
    { ...plain, kind: 'folder', id: inner.id, name: 'Summer sale', hint: 'Summer' },
    { ...plain, kind: 'label', id: 'Summer hats', name: 'Summer hats' },
  ]);
  must(await shop.call('PUT', `/api/folders/${inner.id}`, { name: 'Winter' }));
  must(await shop.call('PUT', `/api/content/${image}`, { folder: 'Winter coats' }));
  assert.deepEqual(names(await found('q=summer')), ['folder Summer']);
  assert.deepEqual(names(await found('q=winter')), ['folder Winter', 'label Winter coats']);
});

test('search finds tags with the number of their screens', async (t) => {
  const shop = await shops.open(t);
  const [left, right] = [await shop.screen('Left'), await shop.screen('Right')];
  const { db } = shop.site.app;
  db.write(() => {
    const add = db.raw.prepare('INSERT INTO device_tags (device_id, tag) VALUES (?, ?)');
    add.run(left.deviceId, 'Window');
    add.run(right.deviceId, 'Window');
    add.run(right.deviceId, 'Portrait');
  });
  const hits = await finder(shop)('kinds=tag');
  assert.deepEqual(
    hits.map(({ id, screens }) => [id, screens]),
    [
      ['Portrait', 1],
      ['Window', 2],
    ],
  );
});

test('search finds renamed, new and deleted records in their current state', async (t) => {
  const shop = await shops.open(t);
  const found = finder(shop);
  const group = await shop.make('/api/groups', { name: 'Cellar' });
  assert.deepEqual(names(await found('q=cellar&kinds=group')), ['group Cellar']);
  must(await shop.call('PUT', `/api/groups/${group.id}`, { name: 'Attic' }));
  assert.deepEqual(names(await found('q=cellar&kinds=group')), []);
  await shop.make('/api/groups', { name: 'Attic window' });
  assert.deepEqual(names(await found('q=attic&kinds=group')), ['group Attic', 'group Attic window']);
  must(await shop.call('DELETE', `/api/groups/${group.id}`));
  assert.deepEqual(names(await found('q=attic&kinds=group')), ['group Attic window']);
});

test('search finds a plan without a title by the name of the record that it shows', async (t) => {
  const shop = await shops.open(t);
  const screen = await shop.screen('Door');
  const playlist = await shop.playlist([await shop.image()], 'Summer');
  const plan = {
    device_id: screen.deviceId,
    playlist_id: playlist,
    start_time: '2026-03-12T09:00',
    end_time: '2026-03-12T10:00',
  };
  await shop.make('/api/schedules', plan);
  const { db } = shop.site.app;
  // Adds the plan by SQL if the schedule has not created a plan.
  if (db.raw.prepare('SELECT count(*) FROM plans').pluck().get() === 0)
    db.write(() =>
      db.raw
        .prepare(
          `INSERT INTO plans (id, workspace_id, playlist_id, title, start_time, end_time, timezone, created_at, updated_at)
           SELECT id, workspace_id, playlist_id, title, start_time, end_time, timezone, created_at, updated_at FROM schedules WHERE workspace_id = ?`,
        )
        .run(shop.owner.workspaceId),
    );
  const found = finder(shop);
  assert.deepEqual(names(await found('q=summer&kinds=plan')), ['plan Summer']);
  must(await shop.call('PUT', `/api/playlists/${playlist}`, { name: 'Winter' }));
  assert.deepEqual(names(await found('q=winter&kinds=plan')), ['plan Winter']);
});

test('search without a query returns the newest records of each kind', async (t) => {
  const shop = await shops.open(t);
  for (const name of ['First', 'Second', 'Third']) await shop.make('/api/groups', { name });
  await shop.image('old.gif');
  await shop.image('new.gif');
  const found = finder(shop);
  assert.deepEqual(names(await found('kinds=group&limit=2')), ['group Third', 'group Second']);
  assert.deepEqual(names(await found('kinds=content&limit=1')), ['content new.gif']);
  // The result includes records that were created after the names were read.
  await shop.make('/api/groups', { name: 'Fourth' });
  assert.deepEqual(names(await found('kinds=group&limit=1')), ['group Fourth']);
});

test('the X-Total-Count of a search is the total of matches over all kinds', async (t) => {
  const shop = await shops.open(t);
  for (const name of ['Aa 1', 'Aa 2', 'Aa 3']) await shop.make('/api/groups', { name });
  for (const name of ['aa 1.gif', 'b.gif', 'c aa.gif']) await shop.image(name);
  const total = async (query: string) =>
    (await shop.call('GET', `/api/search?limit=1&kinds=group,content&${query}`)).headers.get('x-total-count');
  assert.deepEqual([await total('q=aa'), await total('q=none'), await total('')], ['5', '0', '6']);
});

test('search by ids returns the existing records', async (t) => {
  const shop = await shops.open(t);
  const [a, b] = [await shop.make('/api/groups', { name: 'A' }), await shop.image('b.gif')];
  const hits = await finder(shop)(`ids=${b},${a.id},01900000-0000-7000-8000-000000000000`);
  assert.deepEqual(names(hits), ['group A', 'content b.gif']);
});

test("search finds a screen's own playlist by id, but not by name", async (t) => {
  const shop = await shops.open(t);
  const { deviceId } = await shop.screen('Window');
  await shop.make(`/api/assignments/device/${deviceId}`, { content_id: await shop.image() });
  const { playlist_id: own } = await shop.get(`/api/devices/${deviceId}`);
  const found = finder(shop);
  assert.deepEqual(names(await found('kinds=playlist')), []);
  assert.deepEqual(names(await found('q=window')), ['device Window']);
  assert.equal((await found(`kinds=playlist&ids=${own}`)).length, 1);
});

test('search finds people by name and address, only for sessions', async (t) => {
  const shop = await shops.open(t);
  const [email] = shop.owner.email.split('@');
  assert.equal((await finder(shop)(`q=${email}&kinds=person`)).length, 1);
  const { token } = await shop.make('/api/tokens', { name: 'Till', scope: 'full' });
  const byToken = await callAs(shop.site, token)('GET', `/api/search?q=${email}`);
  assert.deepEqual(must(byToken), []);
});

test('search finds nothing of another workspace, by name or by id', async (t) => {
  const [mine, theirs] = [await shops.open(t), await shops.open(t)];
  const group = await theirs.make('/api/groups', { name: 'Secret group' });
  const image = await theirs.image('secret.gif');
  const playlist = await theirs.playlist([image], 'Secret list');
  const found = finder(mine);
  for (const query of ['q=secret', `ids=${group.id},${image},${playlist}`, `q=${theirs.owner.email}`])
    assert.deepEqual(await found(query), [], query);
  assert.equal((await finder(theirs)('q=secret')).length, 3);
});

test('search refuses an unknown kind, too many ids and a limit out of range, and the error names the parameter', async (t) => {
  const { call } = await shops.open(t);
  const cases = [
    ['kinds=screens', /^kinds: must be some of device, group/],
    [`ids=${Array.from({ length: 101 }, (_, i) => i).join()}`, /^ids: must be at most 100 ids/],
    ['limit=51', /^limit: must be a whole number from 1 to 50/],
  ] as const;
  for (const [query, says] of cases) {
    const { status, body } = await call('GET', `/api/search?${query}`);
    assert.equal(status, 400, query);
    assert.match(body.error, says);
  }
});
