/** Records that name a deleted record: which they are, and what the deletion changes in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { openShops } from '../../../test/shop.ts';
import { until } from '../../../test/until.ts';
import { PlacesStore } from './places.store.ts';
import { References } from './references.store.ts';
import { ownersIn } from './snapshot.ts';
import { TABLES } from './tables.ts';

const shops = openShops();

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
      ...['default_content_id', 'logo_content_id', 'logo_dark_content_id'].map(
        (column) => `workspaces.${column}: place`,
      ),
      ...['content_id', 'widget_id', 'layout_id', 'playlist_id', 'zone_id'].flatMap((column) => [
        `plans.${column}: place`,
        `schedules.${column}: follows`,
      ]),
    ].sort(),
    'a reference that is new: decide in references.store.ts, and name its owner in tables.ts',
  );
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
