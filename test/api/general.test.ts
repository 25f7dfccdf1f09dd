/** Rules that apply to all resources of the API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromAnywhere, must } from '../people.ts';
import { openShops } from '../shop.ts';

const shops = openShops();

test('ids are UUIDv7, lower-case and sortable by creation, item ids are integers, and times are epoch seconds', async (t) => {
  const { make, clock, image } = await shops.open(t);
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push((await make('/api/folders', { name: `F${i}` })).id);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(ids.toSorted(), ids);
  const playlist = await make('/api/playlists', { name: 'P' });
  assert.equal(playlist.created_at, Math.floor(clock.now() / 1000));
  assert.ok(Number.isInteger((await make(`/api/playlists/${playlist.id}/items`, { content_id: await image() })).id));
});

test('names have 1 to 200 characters after trimming, without control characters', async (t) => {
  const { call, make } = await shops.open(t);
  for (const path of ['/api/playlists', '/api/groups', '/api/layouts', '/api/walls']) {
    assert.equal((await make(path, { name: ` ${'x'.repeat(200)} ` })).name.length, 200, path);
    for (const name of ['', '   ', 'x'.repeat(201), 'a\u0000b', 'a\nb'])
      assert.equal((await call('POST', path, { name })).status, 400, `${path} ${JSON.stringify(name)}`);
  }
});

test('fields of type 0/1 are returned as 0 or 1, and accept only 0, 1, true and false', async (t) => {
  const { call } = await shops.open(t);
  for (const [sent, stored] of [
    [0, 0],
    [1, 1],
    [false, 0],
    [true, 1],
  ])
    assert.equal(must(await call('PUT', '/api/auth/me', { email_alerts: sent })).email_alerts, stored);
  for (const email_alerts of [2, -1, '1', 'true', null, 0.5])
    assert.equal((await call('PUT', '/api/auth/me', { email_alerts })).status, 400, String(email_alerts));
});

test('optional reference is cleared by null or "", and a folder\'s also by "root"', async (t) => {
  const { call, make, image, screen, get } = await shops.open(t);
  const content = await image();
  const folder = (await make('/api/folders', { name: 'F' })).id;
  const put = async (folder_id: string | null) =>
    must(await call('PUT', `/api/content/${content}`, { folder_id })).folder_id;
  assert.deepEqual(
    [await put(folder), await put(null), await put(folder), await put(''), await put(folder), await put('root')],
    [folder, null, folder, null, folder, null],
  );
  const { deviceId } = await screen();
  for (const default_content_id of [content, '', content, null])
    must(await call('PUT', `/api/devices/${deviceId}`, { default_content_id }));
  assert.equal((await get(`/api/devices/${deviceId}`)).default_content_id, null);
});

test('lists are sorted by time of creation, contents with the newest first, and devices by name', async (t) => {
  const { make, get, image, screen } = await shops.open(t);
  for (const name of ['b', 'a']) {
    await make('/api/groups', { name });
    await make('/api/walls', { name });
    await make('/api/folders', { name });
  }
  for (const path of ['/api/groups', '/api/walls', '/api/folders'])
    assert.deepEqual(
      (await get(path)).map((one: any) => one.name),
      ['b', 'a'],
      path,
    );
  const ids = [await image('1.gif'), await image('2.gif')];
  assert.deepEqual(
    (await get('/api/content')).map((one: any) => one.id),
    ids.toReversed(),
  );
  const devices = [(await screen('Window')).deviceId, (await screen('Door')).deviceId, (await screen('Door')).deviceId];
  assert.deepEqual(
    (await get('/api/devices')).map((one: any) => one.id),
    [devices[1], devices[2], devices[0]],
  );
});

test('etag covers only what a user can edit, so telemetry and plays do not change it', async (t) => {
  const { call, screen } = await shops.open(t);
  const { deviceId, client } = await screen();
  const etag = async () => (await call('GET', `/api/devices/${deviceId}`)).headers.get('etag');
  const before = await etag();
  client.say({ type: 'heartbeat', telemetry: { cpu_usage: 50 } });
  await client.next('heartbeat.ack');
  assert.equal(await etag(), before);
  must(await call('PUT', `/api/devices/${deviceId}`, { notes: 'by the door' }));
  assert.notEqual(await etag(), before);
});

test('etag changes when the deletion or move of another record changes an editable field', async (t) => {
  const { site, call, make, image, playlist, screen } = await shops.open(t);
  const etags = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await call('GET', path)).headers.get('etag')));
  const changes = async (paths: readonly string[], method: string, path: string, body?: unknown) => {
    const before = await etags(paths);
    must(await call(method, path, body));
    const after = await etags(paths);
    assert.deepEqual(
      paths.filter((_, i) => after[i] === before[i]),
      [],
      `${method} ${path}`,
    );
  };
  const [a, b, apart] = [(await screen('A')).deviceId, (await screen('B')).deviceId, (await screen('Apart')).deviceId];
  const [gone, stays] = [await image('1.gif'), await image('2.gif')];
  const [list, other] = [await playlist([gone]), await playlist([stays])];
  const folder = (await make('/api/folders', { name: 'F' })).id;
  must(await call('PUT', `/api/content/${stays}`, { folder_id: folder }));
  const layout = await make('/api/layouts', { name: 'L', zones: [{}, {}, {}] });
  const zones = layout.zones.map((zone: any) => zone.id);
  const zoned = await playlist([]);
  for (const zone_id of zones) await make(`/api/playlists/${zoned}/items`, { content_id: stays, zone_id });
  must(await call('PUT', `/api/devices/${a}`, { default_content_id: gone, layout_id: layout.id }));
  must(await call('POST', `/api/playlists/${list}/assign`, { device_id: a }));
  const group = (await make('/api/groups', { name: 'G' })).id;
  must(await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: list }));
  // Reads the revision from the database, because no endpoint returns a single group.
  const groupRevision = () =>
    site.app.db.raw.prepare('SELECT revision FROM "groups" WHERE id = ?').pluck().get(group) as number;
  const wallOf = async (more: object = {}): Promise<string> => (await make('/api/walls', { name: 'W', ...more })).id;
  const [wall, second, empty] = [await wallOf({ content_id: gone, playlist_id: list }), await wallOf(), await wallOf()];
  const members = [a, b].map((device_id, grid_col) => ({ device_id, grid_col, grid_row: 0 }));
  must(await call('PUT', `/api/walls/${wall}/devices`, { devices: members }));
  const bystanders = [`/api/devices/${apart}`, `/api/walls/${empty}`, `/api/playlists/${other}`];
  const atFirst = await etags(bystanders);

  await changes(
    [`/api/devices/${a}`, `/api/walls/${wall}`, `/api/playlists/${list}`],
    'DELETE',
    `/api/content/${gone}`,
  );
  const before = groupRevision();
  await changes([`/api/devices/${a}`, `/api/walls/${wall}`], 'DELETE', `/api/playlists/${list}`);
  assert.equal(groupRevision(), before + 1);
  await changes([`/api/playlists/${zoned}`], 'DELETE', `/api/layouts/${layout.id}/zones/${zones[0]}`);
  await changes([`/api/playlists/${zoned}`], 'PUT', `/api/layouts/${layout.id}`, { zones: [{ id: zones[1] }] });
  await changes([`/api/playlists/${zoned}`, `/api/devices/${a}`], 'DELETE', `/api/layouts/${layout.id}`);
  await changes([`/api/walls/${wall}`], 'PUT', `/api/walls/${second}/devices`, { devices: [members[0]] });
  await changes([`/api/walls/${wall}`], 'DELETE', `/api/devices/${b}`);
  await changes([`/api/content/${stays}`], 'DELETE', `/api/folders/${folder}`);
  assert.deepEqual(await etags(bystanders), atFirst);
});

test('health endpoint returns status ok, version and uptime to everybody', async (t) => {
  const { site } = await shops.open(t);
  const { status, version, uptime_seconds } = must(await site.call('GET', '/api/health'));
  assert.deepEqual([status, typeof version, typeof uptime_seconds], ['ok', 'string', 'number']);
});

test('public endpoints refuse text posted by another website, and accept requests of our pages and programs', async (t) => {
  const { site } = await shops.open(t);
  const login = (headers: Record<string, string>) =>
    site.call('POST', '/api/auth/login', {
      body: { email: 'x@y.test', password: 'wrong' },
      headers: { ...fromAnywhere(), ...headers },
    });
  const plain = { 'Content-Type': 'text/plain' };
  const refused = await login({ ...plain, Origin: 'http://elsewhere.test' });
  assert.equal(refused.status, 403);
  assert.match(refused.body.error, /another site/);
  assert.equal((await login({ ...plain, Origin: 'null' })).status, 403);
  assert.equal((await login({ ...plain, Origin: site.origin })).status, 401);
  assert.equal((await login(plain)).status, 401);
  assert.equal(
    (await login({ Origin: 'http://proxied.test' })).status,
    401,
    'JSON needs the leave of the browser, which we never give',
  );
});

test('server limits the number of records of each kind in a workspace, and the error names the limit', async (t) => {
  const { site, call, make } = await shops.open(t);
  const { db } = site.app;
  const kinds: readonly [table: string, path: string, body: Record<string, unknown>, most: number][] = [
    ['playlists', '/api/playlists', {}, 10_000],
    ['groups', '/api/groups', {}, 1_000],
    ['layouts', '/api/layouts', {}, 1_000],
    ['walls', '/api/walls', {}, 500],
    ['widgets', '/api/widgets', { widget_type: 'clock' }, 5_000],
    ['kiosk_pages', '/api/kiosk', {}, 2_000],
    ['folders', '/api/folders', {}, 1_000],
    ['saved_reports', '/api/reports/saved', {}, 100],
  ];
  for (const [table, path, body, most] of kinds) {
    const { id } = await make(path, { name: 'First', ...body });
    const columns = (db.raw.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => `"${name}"`);
    // Fills the workspace up to one record below its limit.
    db.write(() =>
      db.raw
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @more)
           INSERT INTO "${table}" (${columns.join()})
           SELECT ${columns.map((name) => (name === '"id"' ? 'id || i' : name)).join()} FROM n, "${table}" WHERE id = @id`,
        )
        .run({ id, more: most - 2 }),
    );
    await make(path, { name: 'Last', ...body });
    const copies = ['playlists', 'layouts', 'widgets', 'kiosk_pages', 'groups'].includes(table)
      ? [[`${path}/${id}/duplicate`, { name: 'Copy' }]]
      : [];
    for (const [where, what] of [[path, { name: 'One more', ...body }], ...copies] as [string, object][]) {
      const { status, body: answer } = await call('POST', where, what);
      assert.equal(status, 400, where);
      assert.match(answer.error, new RegExp(`^A workspace can have at most ${most} `));
    }
  }
});
