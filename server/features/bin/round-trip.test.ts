/** Tests that the workspace is as before when records are deleted and restored in random order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { must } from '../../../test/people.ts';
import { openShops, type Shop } from '../../../test/shop.ts';

const shops = openShops();
const TIMES = { start_time: '2026-03-11T09:00', end_time: '2026-03-11T10:00' };

/**
 * Makes a workspace in which each kind of record refers to each other kind that it can. Returns the paths of deletable
 * records.
 */
const openWorld = async (shop: Shop): Promise<string[]> => {
  const { call, get, make, image, playlist, screen } = shop;
  const [a, b, c] = [await image('a.gif'), await image('b.gif'), await image('c.gif')];
  const kiosk = (await make('/api/kiosk', { name: 'Kiosk', config: { logo_url: `/api/content/${a}/file` } })).id;
  const config = { url: `/api/kiosk/${kiosk}/render` };
  const page = (await make('/api/widgets', { widget_type: 'webpage', name: 'Page', config })).id;
  const clock = (await make('/api/widgets', { widget_type: 'clock', name: 'Clock' })).id;
  const short = await playlist([b, c], 'Short');
  const zones = [{ playlist_id: short }, { content_id: a }, { widget_id: clock }];
  const layout = await make('/api/layouts', { name: 'Thirds', zones });
  const long = (await make('/api/playlists', { name: 'Long' })).id;
  for (const shown of [{ content_id: a }, { content_id: b }, { widget_id: page }, { content_id: a }, { content_id: c }])
    await make(`/api/playlists/${long}/items`, shown);
  const [first] = await get(`/api/playlists/${long}/items`);
  must(await call('PUT', `/api/playlists/${long}/items/${first.id}`, { zone_id: layout.zones[0].id }));
  must(await call('POST', `/api/playlists/${long}/publish`));
  await make(`/api/playlists/${short}/items`, { widget_id: clock, sort_order: 0 });
  const [one, two] = [(await screen('One')).deviceId, (await screen('Two')).deviceId];
  const group = (await make('/api/groups', { name: 'Full' })).id;
  await make(`/api/groups/${group}/devices`, { device_id: one });
  const empty = (await make('/api/groups', { name: 'Empty' })).id;
  must(await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: long }));
  must(await call('PUT', `/api/groups/${empty}`, { default_content_id: b }));
  must(await call('PUT', `/api/devices/${one}`, { default_content_id: c, layout_id: layout.id }));
  must(await call('POST', `/api/playlists/${short}/assign`, { device_id: two }));
  const walls = [
    (await make('/api/walls', { name: 'Of a playlist', playlist_id: short })).id,
    (await make('/api/walls', { name: 'Of a content', content_id: b })).id,
  ];
  must(
    await call('PUT', `/api/walls/${walls[0]}/devices`, { devices: [{ device_id: two, grid_col: 0, grid_row: 0 }] }),
  );
  const plan = async (title: string, shown: object, ...targets: [string, string][]) =>
    (await make('/api/plans', { ...TIMES, title, ...shown, targets: targets.map(([kind, id]) => ({ kind, id })) })).id;
  const plans = [
    await plan('Content', { content_id: a }, ['device', two], ['group', group]),
    await plan('Both', { playlist_id: long, layout_id: layout.id }, ['group', group]),
    await plan('Widget', { widget_id: clock }, ['device', one]),
    await plan('Nobody', { content_id: c }, ['group', empty]),
  ];
  const paths: [string, string[]][] = [
    ['content', [a, b, c]],
    ['widgets', [page, clock]],
    ['kiosk', [kiosk]],
    ['playlists', [short, long]],
    ['layouts', [layout.id]],
    ['groups', [group, empty]],
    ['walls', walls],
    ['plans', plans],
  ];
  return paths.flatMap(([path, ids]) => ids.map((id) => `/api/${path}/${id}`));
};

/** Returns all data of the workspace that people see or screens play, without revisions and edit times. */
const stateOf = ({ site, owner }: Shop) => {
  const all = (sql: string) => site.app.db.raw.prepare(sql).all({ w: owner.workspaceId });
  const items = (table: string) =>
    all(`SELECT i.playlist_id, i.id, content_id, widget_id, zone_id, duration_sec,
        row_number() OVER (PARTITION BY playlist_id ORDER BY sort_order, i.id) AS place
      FROM ${table} i JOIN playlists p ON p.id = i.playlist_id WHERE p.workspace_id = @w ORDER BY 1, place`);
  return {
    content: all('SELECT id, filename, sha256, folder_id FROM content WHERE workspace_id = @w ORDER BY id'),
    widgets: all('SELECT id, name, config FROM widgets WHERE workspace_id = @w ORDER BY id'),
    kiosk: all('SELECT id, name, config FROM kiosk_pages WHERE workspace_id = @w ORDER BY id'),
    playlists: all(
      'SELECT id, name, status, published_ms, owner_device_id FROM playlists WHERE workspace_id = @w ORDER BY id',
    ),
    draft: items('playlist_items'),
    published: items('published_items'),
    zones: all('SELECT z.* FROM zones z JOIN layouts l ON l.id = z.layout_id WHERE l.workspace_id = @w ORDER BY z.id'),
    devices: all(
      'SELECT id, playlist_id, layout_id, default_content_id FROM devices WHERE workspace_id = @w ORDER BY id',
    ),
    groups: all('SELECT id, name, playlist_id, default_content_id FROM "groups" WHERE workspace_id = @w ORDER BY id'),
    members: all(
      'SELECT m.* FROM group_members m JOIN "groups" g ON g.id = m.group_id WHERE g.workspace_id = @w ORDER BY seq',
    ),
    walls: all('SELECT id, name, playlist_id, content_id FROM walls WHERE workspace_id = @w ORDER BY id'),
    panels: all('SELECT m.* FROM wall_members m JOIN walls v ON v.id = m.wall_id WHERE v.workspace_id = @w ORDER BY 1'),
    plans: all(
      'SELECT id, title, content_id, widget_id, layout_id, playlist_id, start_time FROM plans WHERE workspace_id = @w ORDER BY id',
    ),
    targets: all(
      'SELECT t.plan_id, t.kind, t.ref FROM plan_targets t JOIN plans p ON p.id = t.plan_id WHERE p.workspace_id = @w ORDER BY 1, 2, 3',
    ),
    schedules: all(
      'SELECT plan_id, device_id, group_id, content_id, widget_id, layout_id, playlist_id FROM schedules WHERE workspace_id = @w ORDER BY 1, 2, 3',
    ),
  };
};

/** Restores all entries, in the order of `seed`. Refused restores are retried after other records. */
const restoreAll = async ({ call, get }: Shop, seed: number): Promise<void> => {
  for (;;) {
    const entries = await get('/api/bin?limit=200');
    if (entries.length === 0) return;
    const shift = seed % entries.length;
    let restored = 0;
    const refused: string[] = [];
    for (const { id, name } of [...entries.slice(shift), ...entries.slice(0, shift)]) {
      const answer = await call('POST', `/api/bin/${id}/restore`);
      if (answer.status === 200) restored++;
      else refused.push(`${name}: ${JSON.stringify(answer.body)}`);
    }
    assert.ok(restored > 0, `nothing can be restored any more: ${refused}`);
  }
};

test('restoring everything after random deletes and restores gives the original state', async (t) => {
  const shop = await shops.open(t);
  const { call, get } = shop;
  const paths = await openWorld(shop);
  const before = stateOf(shop);
  assert.ok(before.plans.length === 4 && before.published.length === 7 && before.draft.length === 8);
  const step = async (path: string) => {
    if ((await call('DELETE', path)).status === 200) return;
    const [entry] = await get(`/api/bin?ref=${path.split('/').at(-1)}`);
    if (entry) await call('POST', `/api/bin/${entry.id}/restore`);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...paths), { maxLength: 25 }), fc.nat(50), async (steps, seed) => {
      for (const path of steps) await step(path);
      await restoreAll(shop, seed);
      assert.deepEqual(stateOf(shop), before);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
