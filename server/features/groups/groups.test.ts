import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PLAYLIST_ITEMS } from '../../../shared/contract/content/playlists.ts';
import { COMMAND_NAMES } from '../../../shared/protocol/commands.ts';
import { must } from '../../../test/people.ts';
import { planAll } from '../../../test/plan-all.ts';
import { openRows } from '../../../test/rows.ts';
import { nextProgram, openShops, type Shop } from '../../../test/shop.ts';
import { addDevice } from '../reports/testing/plays.ts';
import { GroupsStore } from './groups.store.ts';

const shops = openShops();
const groupOf = async ({ make }: Shop, deviceIds: readonly string[] = [], name = 'G'): Promise<string> => {
  const { id } = await make('/api/groups', { name });
  for (const device_id of deviceIds) await make(`/api/groups/${id}/devices`, { device_id });
  return id;
};

test('a group’s colour is #3B82F6 by default, and must be #RRGGBB', async (t) => {
  const { call, make } = await shops.open(t);
  const group = await make('/api/groups', { name: 'G' });
  assert.deepEqual([group.color, group.playlist_id, group.device_count], ['#3B82F6', null, 0]);
  assert.equal(must(await call('PUT', `/api/groups/${group.id}`, { color: '#aB0011' })).color, '#aB0011');
  for (const color of ['red', '#abc', '#12345g', '#11223344'])
    assert.equal((await call('POST', '/api/groups', { name: 'G', color })).status, 400, color);
});

test('a change keeps fields that it does not name, and a null colour means the default', async (t) => {
  const { call, make, get, image } = await shops.open(t);
  const { id, color } = await make('/api/groups', { name: 'G', color: null });
  assert.equal(color, '#3B82F6');
  const default_content_id = await image();
  const path = `/api/groups/${id}`;
  assert.equal((await call('PUT', path, { default_content_id: 'nothing' })).status, 404);
  must(await call('PUT', path, { color: '#aB0011', default_content_id }));
  must(await call('PUT', path, { rule_tags: ['window'] }));
  const changed = must(await call('PUT', path, { name: 'H' }));
  const { name, default_content_id: content, rule_tags } = (await get('/api/groups'))[0];
  assert.deepEqual([name, changed.color, content, rule_tags], ['H', '#aB0011', default_content_id, ['window']]);
});

test('a group counts online members and members without their own playlist, and names five members', async (t) => {
  const shop = await shops.open(t);
  const { call, get, playlist } = shop;
  const ids = ['6', '5', '4', '3', '2', '1'];
  for (const id of ids) addDevice(shop.site.app.db, shop.owner.workspaceId!, id);
  const { deviceId } = await shop.screen('0');
  const group = await groupOf(shop, [...ids, deviceId]);
  await groupOf(shop, [], 'Empty');
  const playlist_id = await playlist([]);
  must(await call('POST', `/api/playlists/${playlist_id}/assign`, { device_id: deviceId }));
  assert.deepEqual(await get('/api/groups/counts'), [
    { group_id: group, online: 1, inheriting: 6, names: ['0', '1', '2', '3', '4'] },
  ]);
});

test('screens show at once the default content of their group, and the content of a group that they join by a rule', async (t) => {
  const shop = await shops.open(t);
  const { call } = shop;
  const player = await shop.screen();
  const [first, second] = [await shop.image('1.gif'), await shop.image('2.gif')];
  const group = await groupOf(shop, [player.deviceId]);
  must(await call('PUT', `/api/groups/${group}`, { default_content_id: first }));
  assert.equal((await nextProgram(shop, player)).fallback.content_id, first);
  must(await call('POST', '/api/devices/tags', { device_ids: [player.deviceId], add: ['window'] }));
  must(await call('DELETE', `/api/groups/${group}`));
  assert.equal((await nextProgram(shop, player)).fallback, null);
  const ruled = await groupOf(shop, [], 'Ruled');
  must(await call('PUT', `/api/groups/${ruled}`, { default_content_id: second }));
  must(await call('PUT', `/api/groups/${ruled}`, { rule_tags: ['window'] }));
  assert.equal((await nextProgram(shop, player)).fallback.content_id, second);
});

test('a group with a rule that is restored from the bin contains the screens that match the rule now', async (t) => {
  const shop = await shops.open(t);
  const { call, get, make } = shop;
  const [left, came] = [(await shop.screen('1')).deviceId, (await shop.screen('2')).deviceId];
  const tag = async (change: object) => must(await call('POST', '/api/devices/tags', change));
  await tag({ device_ids: [left], add: ['window'] });
  const { id } = await make('/api/groups', { name: 'G', rule_tags: ['window'] });
  const members = async () => (await get(`/api/groups/${id}/devices`)).map((device: any) => device.id);
  assert.deepEqual(await members(), [left]);
  must(await call('DELETE', `/api/groups/${id}`));
  await tag({ device_ids: [left], remove: ['window'] });
  await tag({ device_ids: [came], add: ['window'] });
  const [binned] = await get(`/api/bin?ref=${id}`);
  must(await call('POST', `/api/bin/${binned.id}/restore`));
  assert.deepEqual(await members(), [came]);
});

test('a device may be in several groups and a wall, and joining answers with the group’s playlist', async (t) => {
  const shop = await shops.open(t);
  const { call, make, get, screen, image, playlist } = shop;
  const { deviceId } = await screen();
  const [one, two] = [await groupOf(shop), await groupOf(shop)];
  const playlist_id = await playlist([await image()]);
  must(await call('POST', `/api/groups/${two}/assign-playlist`, { playlist_id }));
  assert.deepEqual(await make(`/api/groups/${one}/devices`, { device_id: deviceId }), {
    success: true,
    playlist_id: null,
  });
  assert.deepEqual(await make(`/api/groups/${two}/devices`, { device_id: deviceId }), { success: true, playlist_id });
  const wall = await make('/api/walls', { name: 'W' });
  must(
    await call('PUT', `/api/walls/${wall.id}/devices`, {
      devices: [{ device_id: deviceId, grid_col: 0, grid_row: 0 }],
    }),
  );
  assert.deepEqual(
    (await get('/api/groups')).map((group: any) => group.device_count),
    [1, 1],
  );
  assert.deepEqual(
    (await get(`/api/groups/${one}/devices`)).map((device: any) => device.id),
    [deviceId],
  );
  const { group_ids, wall_id } = await get(`/api/devices/${deviceId}`);
  assert.deepEqual([group_ids, wall_id], [[one, two], wall.id]);
  assert.deepEqual(must(await call('DELETE', `/api/groups/${one}/devices/${deviceId}`)), { success: true });
  assert.deepEqual(await get(`/api/groups/${one}/devices`), []);
});

test('assign-playlist reaches members without their own playlist, and devices_updated counts members that play it', async (t) => {
  const shop = await shops.open(t);
  const { call, get, screen, image, playlist } = shop;
  const [a, b] = [await screen('1'), await screen('2')];
  const [own, shared] = [await playlist([await image('1.gif')]), await playlist([await image('2.gif')])];
  must(await call('POST', `/api/playlists/${own}/assign`, { device_id: a.deviceId }));
  const group = await groupOf(shop, [a.deviceId, b.deviceId]);
  assert.deepEqual(must(await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: shared })), {
    success: true,
    devices_updated: 1,
  });
  const detail = async (id: string) =>
    (({ playlist_id, current_playlist_id, playlist_source }) => [playlist_id, current_playlist_id, playlist_source])(
      await get(`/api/devices/${id}`),
    );
  assert.deepEqual(await detail(a.deviceId), [own, own, 'device']);
  assert.deepEqual(await detail(b.deviceId), [null, shared, 'group']);
});

test('assign-content appends the content to each member’s own playlist and publishes the playlist', async (t) => {
  const shop = await shops.open(t);
  const { call, get, screen, image, video, playlist } = shop;
  const [a, b] = [await screen('1'), await screen('2')];
  const [first, second] = [await image('1.gif'), await video(2.4)];
  const shared = await playlist([first]);
  const group = await groupOf(shop, [a.deviceId, b.deviceId]);
  must(await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: shared }));
  assert.deepEqual(must(await call('POST', `/api/groups/${group}/assign-content`, { content_id: second })), {
    success: true,
    devices_updated: 2,
  });
  for (const { deviceId } of [a, b]) {
    const items = await get(`/api/assignments/device/${deviceId}`);
    assert.deepEqual(
      items.map((item: any) => [item.content_id, item.duration_sec]),
      [
        [first, 10],
        [second, 3],
      ],
    );
    assert.equal((await get(`/api/playlists/${items[0].playlist_id}`)).status, 'published');
  }
  assert.equal((await get(`/api/playlists/${shared}`)).item_count, 1);
  must(await call('POST', `/api/groups/${group}/assign-content`, { content_id: first, duration_sec: 42 }));
  assert.equal((await get(`/api/assignments/device/${a.deviceId}`)).at(-1).duration_sec, 42);
});

test('an interrupted assign-content reports how many screens have the content', async (t) => {
  const shop = await shops.open(t);
  const { call, get, screen, image } = shop;
  const members = [(await screen('1')).deviceId, (await screen('2')).deviceId];
  const group = await groupOf(shop, members);
  const content_id = await image();
  const assign = () => call('POST', `/api/groups/${group}/assign-content`, { content_id });
  must(await assign());
  const own = async (at: number) => (await get(`/api/assignments/device/${members[at]}`)) as any[];
  const { db } = shop.site.app;
  const fill = db.raw.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @more)
     INSERT INTO playlist_items (playlist_id, content_id, sort_order, duration_sec)
     SELECT @playlist, @content_id, n.i, 10 FROM n`,
  );
  const [{ playlist_id: playlist }] = await own(1);
  db.write(() => fill.run({ playlist, content_id, more: MAX_PLAYLIST_ITEMS - 1 }));
  const { status, body } = await assign();
  assert.deepEqual(
    [status, body.error],
    [
      400,
      `1 of the 2 screens got the content. The other screens did not get the content: A playlist can have at most ${MAX_PLAYLIST_ITEMS} items. Delete items that are not needed, or use another playlist.`,
    ],
  );
  assert.equal((await own(0)).length, 2);
});

test('assign-content with an unknown content answers 404, also in a group without members', async (t) => {
  const shop = await shops.open(t);
  const group = await groupOf(shop);
  const theirs = await (await shops.open(t)).image();
  for (const content_id of [theirs, 'nothing'])
    assert.equal((await shop.call('POST', `/api/groups/${group}/assign-content`, { content_id })).status, 404);
  assert.deepEqual(
    must(await shop.call('POST', `/api/groups/${group}/assign-content`, { content_id: await shop.image() })),
    { success: true, devices_updated: 0 },
  );
});

test('a group’s devices are listed by name and then by creation time, regardless of when they joined', async (t) => {
  const shop = await shops.open(t);
  const [window, first, second, arch] = [
    await shop.screen('Window'),
    await shop.screen('Door'),
    await shop.screen('Door'),
    await shop.screen('arch'),
  ];
  const group = await groupOf(
    shop,
    [window, second, first, arch].map((one) => one.deviceId),
  );
  assert.deepEqual(
    (await shop.get(`/api/groups/${group}/devices`)).map((device: any) => device.id),
    [arch, first, second, window].map((one) => one.deviceId),
  );
});

test('deleting a group turns each of its schedules into a schedule per member', async (t) => {
  const shop = await shops.open(t);
  const { call, make, get, screen, image } = shop;
  const members = [(await screen('1')).deviceId, (await screen('2')).deviceId];
  const group = await groupOf(shop, members);
  const times = {
    group_id: group,
    start_time: '2026-03-10T09:00',
    end_time: '2026-03-10T10:00',
    content_id: await image(),
    recurrence: 'FREQ=DAILY',
    priority: 3,
  };
  const schedules = [
    await make('/api/schedules', { ...times, title: 'one' }),
    await make('/api/schedules', { ...times, title: 'two', enabled: false }),
  ];
  assert.deepEqual(must(await call('DELETE', `/api/groups/${group}`)), {
    success: true,
    schedules_converted: 4,
    devices: 2,
  });
  const after = await get('/api/schedules');
  assert.deepEqual(
    after.map((s: any) => `${s.title} ${s.device_id}`).toSorted(),
    schedules.flatMap((s) => members.map((id) => `${s.title} ${id}`)).toSorted(),
  );
  for (const { title, group_id, recurrence, priority, enabled, content_id } of after)
    assert.deepEqual(
      [group_id, recurrence, priority, enabled, content_id],
      [null, 'FREQ=DAILY', 3, title === 'one' ? 1 : 0, times.content_id],
    );
});

test('deleting a group answers 400 and changes nothing when it would make too many schedules', async (t) => {
  const shop = await shops.open(t);
  const { call, make, screen, image } = shop;
  const members = [(await screen('1')).deviceId, (await screen('2')).deviceId];
  const group = await groupOf(shop, members);
  const { id } = await make('/api/schedules', {
    group_id: group,
    start_time: '2026-03-10T09:00',
    end_time: '2026-03-10T10:00',
    content_id: await image(),
  });
  const { db } = shop.site.app;
  db.write(() => {
    db.raw
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
         INSERT INTO schedules (id, workspace_id, group_id, content_id, start_time, end_time, timezone, created_at, updated_at)
         SELECT id || n.i, workspace_id, group_id, content_id, start_time, end_time, timezone, 0, 0 FROM schedules, n WHERE id = ?`,
      )
      .run(id);
    planAll(db);
  });
  const { status, body } = await call('DELETE', `/api/groups/${group}`);
  assert.deepEqual(
    [status, /5001 schedules .* would become 2 schedules,.*at most 10000/.test(body.error)],
    [400, true],
  );
  assert.equal(must(await call('GET', `/api/groups/${group}/devices`)).length, 2);
});

test('a command goes to every member, and the answer has each result and the numbers of sent and offline players', async (t) => {
  const shop = await shops.open(t);
  const { call, screen } = shop;
  const [on, off] = [await screen('On'), await screen('Off')];
  const group = await groupOf(shop, [on.deviceId, off.deviceId]);
  off.client.socket.close();
  await off.client.closed;
  const { success, sent, offline, total, results } = must(
    await call('POST', `/api/groups/${group}/command`, { type: 'reboot' }),
  );
  assert.deepEqual([success, sent, offline, total], [true, 1, 1, 2]);
  assert.deepEqual(results, [
    { device_id: on.deviceId, name: 'On', status: 'done' },
    { device_id: off.deviceId, name: 'Off', status: 'offline' },
  ]);
});

test('a command for an empty group answers 200 with zeros', async (t) => {
  const shop = await shops.open(t);
  const group = await groupOf(shop);
  assert.deepEqual(must(await shop.call('POST', `/api/groups/${group}/command`, { type: 'screen_on' })), {
    success: true,
    sent: 0,
    offline: 0,
    total: 0,
    results: [],
  });
});

test('each command accepts its payload, and answers 400 for an unknown field in the payload', async (t) => {
  const shop = await shops.open(t);
  const group = await groupOf(shop);
  const send = (body: unknown) => shop.call('POST', `/api/groups/${group}/command`, body);
  for (const type of COMMAND_NAMES) must(await send({ type }));
  must(await send({ type: 'launch', payload: { url: 'https://store.test/' } }));
  must(await send({ type: 'update', payload: { version: '1.2' } }));
  assert.equal((await send({ type: 'reboot', payload: { force: true } })).status, 400);
});

test('groups of a workspace and their members are sorted, and joining and leaving affect only one group', () => {
  const { db, add } = openRows();
  const store = new GroupsStore(db);
  const names = { 1: 'b', 2: 'B', 3: 'A', 4: 'c' };
  for (const [id, name] of Object.entries(names)) add('devices', { id, name, created_at: id === '1' ? 1 : 0 });
  add('devices', { id: 'theirs', workspace_id: 'there' });
  add('playlists', { id: 'p' });
  db.raw.exec("UPDATE devices SET playlist_id = 'p' WHERE id = '4'");
  add('groups', { id: 'y', created_at: 1 }, { id: 'z' }, { id: 'x', rule_tags: '["one","two"]' });
  add('groups', { id: 'w', rule_tags: '["one"]' }, { id: 'their group', workspace_id: 'there', rule_tags: '["one"]' });
  db.write(() => {
    for (const id of ['4', '1', '2', '3']) assert.equal(store.addMember('x', id), true);
    assert.equal(store.addMember('x', '4'), false, 'twice');
    for (const id of ['1', '4']) store.addMember('y', id);
    store.addMember('their group', 'theirs');
    assert.deepEqual([store.removeMember('y', '1'), store.removeMember('y', '2')], [true, false]);
  });
  assert.deepEqual(
    store.list('here').map(({ row, device_count }) => [row.id, device_count]),
    [
      ['w', 0],
      ['x', 4],
      ['z', 0],
      ['y', 1],
    ],
  );
  assert.deepEqual(store.memberIds('x'), ['4', '1', '2', '3']);
  assert.deepEqual(store.memberIdsByName('x'), ['3', '2', '1', '4']);
  assert.deepEqual(
    store.allMembers('here').map((one) => [one.group_id, one.device_id, one.inherits]),
    [
      ['x', '3', 1],
      ['x', '2', 1],
      ['x', '1', 1],
      ['x', '4', 0],
      ['y', '4', 0],
    ],
  );
  assert.deepEqual(store.withRules('here'), [
    { id: 'w', tags: ['one'] },
    { id: 'x', tags: ['one', 'two'] },
  ]);
  add('schedules', { id: 'a', group_id: 'x' }, { id: 'b', group_id: 'y' }, { id: 'c', device_id: '1' });
  add('schedules', { id: 'd', group_id: 'x', workspace_id: 'there' });
  assert.deepEqual(store.countSchedules('here', 'x'), { all: 3, own: 1 });
});

test('a group with a rule has exactly the screens with all of its tags, oldest first, after any change of tags', () => {
  const { db, add } = openRows();
  const store = new GroupsStore(db);
  const rule = { id: 'g', tags: ['one', 'two'] };
  add('groups', { id: 'g' }, { id: 'other' });
  const screens = ['d', 'c', 'b', 'a'];
  add('devices', ...screens.map((id, at) => ({ id, created_at: at < 2 ? 1 : 0 })), { id: 't', workspace_id: 'there' });
  for (const device_id of ['t', 'd']) for (const tag of rule.tags) add('device_tags', { device_id, tag });
  for (const id of screens) add('group_members', { group_id: 'other', device_id: id });
  const fit = (deviceIds?: string[]) =>
    db.write(() => store.fit(rule, { workspaceId: 'here', ...(deviceIds && { deviceIds }) }));
  const tag = (device_id: string, ...tags: string[]) =>
    db.write(() => {
      db.raw.prepare('DELETE FROM device_tags WHERE device_id = ?').run(device_id);
      for (const tag of tags) db.raw.prepare('INSERT INTO device_tags VALUES (?, ?)').run(device_id, tag);
    });
  assert.deepEqual([fit(), store.memberIds('g'), fit()], [true, ['d'], false]);
  for (const id of ['a', 'b', 'c']) tag(id, 'one', 'two', 'three');
  assert.deepEqual([fit(['b', 't']), store.memberIds('g'), fit(['b', 't'])], [true, ['d', 'b'], false]);
  assert.deepEqual([fit(), store.memberIds('g')], [true, ['d', 'b', 'a', 'c']]);
  tag('d', 'one');
  tag('a', 'three', 'two');
  assert.deepEqual([fit(['a']), store.memberIds('g')], [true, ['d', 'b', 'c']]);
  assert.deepEqual([fit(), store.memberIds('g'), store.memberIds('other')], [true, ['b', 'c'], screens]);
});
