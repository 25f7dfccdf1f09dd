import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../test/people.ts';
import { openRows } from '../../../test/rows.ts';
import { openShops } from '../../../test/shop.ts';
import { TagsStore } from './tags.store.ts';

const shops = openShops();

test('tags of a screen are trimmed, unique regardless of case, and sorted', async (t) => {
  const { call, get, screen } = await shops.open(t);
  const { deviceId } = await screen();
  const put = async (body: object) => must(await call('PUT', `/api/devices/${deviceId}`, body)).tags;
  assert.deepEqual((await get('/api/devices'))[0].tags, []);
  assert.deepEqual(await put({ tags: [' window ', 'Berlin', 'WINDOW'] }), ['Berlin', 'window']);
  assert.deepEqual(await put({ name: 'Door' }), ['Berlin', 'window']);
  assert.deepEqual((await get('/api/devices'))[0].tags, ['Berlin', 'window']);
  assert.deepEqual(await put({ tags: ['Window'] }), ['Window'], 'its own spelling may be corrected');
  const all = Array.from({ length: 21 }, (_, i) => `t${i}`);
  assert.match((await call('PUT', `/api/devices/${deviceId}`, { tags: all })).body.error, /tags.*at most 20/);
  assert.match((await call('PUT', `/api/devices/${deviceId}`, { tags: ['x'.repeat(51)] })).body.error, /tags.*50/);
  assert.deepEqual(await put({ tags: null }), []);
});

test('tags that differ only in case are one tag per workspace, and other workspaces keep their own spelling', async (t) => {
  const [one, other] = [await shops.open(t), await shops.open(t)];
  const screens = [await one.screen('1'), await one.screen('2')];
  must(await other.call('PUT', `/api/devices/${(await other.screen()).deviceId}`, { tags: ['WINDOW'] }));
  must(await one.call('PUT', `/api/devices/${screens[0]!.deviceId}`, { tags: ['Window', 'bar'] }));
  assert.deepEqual(must(await one.call('PUT', `/api/devices/${screens[1]!.deviceId}`, { tags: ['window'] })).tags, [
    'Window',
  ]);
  assert.deepEqual(await one.get('/api/tags'), [
    { tag: 'bar', count: 1 },
    { tag: 'Window', count: 2 },
  ]);
  assert.deepEqual(await other.get('/api/tags'), [{ tag: 'WINDOW', count: 1 }]);
});

test('a bulk tag change is all or nothing, makes one log entry, and raises the revisions of changed screens only', async (t) => {
  const { call, get, screen } = await shops.open(t);
  const ids = [(await screen('1')).deviceId, (await screen('2')).deviceId];
  must(await call('PUT', `/api/devices/${ids[0]}`, { tags: ['old', 'window'] }));
  const tagOf = async (id: string) => (await call('GET', `/api/devices/${id}`)).headers.get('etag');
  const before = await Promise.all(ids.map(tagOf));
  const change = (body: object) => call('POST', '/api/devices/tags', { device_ids: ids, ...body });
  assert.equal(must(await change({ add: ['Window'], remove: ['OLD'] })).devices_updated, 2);
  assert.deepEqual(
    (await get('/api/devices')).map((device: any) => device.tags),
    [['window'], ['window']],
  );
  assert.equal((await Promise.all(ids.map(tagOf))).filter((tag, i) => tag === before[i]).length, 0);
  const [entry] = await get('/api/activity?limit=1');
  assert.deepEqual([entry.action, entry.details], ['device.tagged', '+window −OLD (2)']);
  assert.equal(must(await change({ add: ['window'] })).devices_updated, 0, 'they have it');
  must(await call('PUT', `/api/devices/${ids[1]}`, { tags: Array.from({ length: 20 }, (_, i) => `t${i}`) }));
  const full = await change({ add: ['one more'] });
  assert.deepEqual([full.status, /add: 2 would have more than 20 tags/.test(full.body.error)], [400, true]);
  assert.equal((await change({ device_ids: [ids[0], 'nobody'], add: ['x'] })).status, 404);
  assert.deepEqual((await get(`/api/devices/${ids[0]}`)).tags, ['window'], 'nothing was changed');
});

test('a group with a rule contains the screens that have all of its tags, and accepts no members by hand', async (t) => {
  const { call, get, make, screen } = await shops.open(t);
  const [a, b, c] = [await screen('a'), await screen('b'), await screen('c')].map((one) => one.deviceId) as [
    string,
    string,
    string,
  ];
  const tag = async (device_ids: string[], add: string[], remove: string[] = []) =>
    must(await call('POST', '/api/devices/tags', { device_ids, add, remove }));
  await tag([a, b], ['window']);
  await tag([b, c], ['Berlin']);
  const group = await make('/api/groups', { name: 'G', rule_tags: ['WINDOW'] });
  assert.deepEqual([group.rule_tags, group.device_count], [['window'], 2]);
  const members = async () => (await get(`/api/groups/${group.id}/devices`)).map((device: any) => device.name);
  const rule = async (rule_tags: string[] | null) =>
    must(await call('PUT', `/api/groups/${group.id}`, { rule_tags })).device_count;
  assert.equal(await rule(['window', 'Berlin']), 1);
  assert.deepEqual(await members(), ['b']);
  await tag([c], ['window']);
  assert.deepEqual(await members(), ['b', 'c']);
  must(await call('PUT', `/api/devices/${b}`, { tags: ['Berlin'] }));
  assert.deepEqual(await members(), ['c']);
  for (const [method, path, body] of [
    ['POST', `/api/groups/${group.id}/devices`, { device_id: a }],
    ['DELETE', `/api/groups/${group.id}/devices/${c}`, undefined],
  ] as const) {
    const refused = await call(method, path, body);
    assert.deepEqual([refused.status, /tags window, Berlin/.test(refused.body.error)], [409, true], method);
  }
  assert.equal(await rule(null), 1, 'its members stay');
  await tag([c], [], ['window']);
  assert.deepEqual(await members(), ['c'], 'nobody follows a rule any more');
  must(await call('POST', `/api/groups/${group.id}/devices`, { device_id: a }), 201);
});

test('a plan for a tag applies to the screens that have the tag now', async (t) => {
  const { call, get, make, screen, image } = await shops.open(t);
  const { deviceId } = await screen();
  await make('/api/plans', {
    targets: [{ kind: 'tag', id: 'window' }],
    content_id: await image(),
    start_time: '2026-03-10T09:00',
    end_time: '2026-03-10T10:00',
  });
  assert.equal((await get('/api/schedules')).length, 0);
  must(await call('POST', '/api/devices/tags', { device_ids: [deviceId], add: ['Window'] }));
  assert.deepEqual(
    (await get('/api/schedules')).map((one: any) => one.device_id),
    [deviceId],
  );
  must(await call('PUT', `/api/devices/${deviceId}`, { tags: [] }));
  assert.equal((await get('/api/schedules')).length, 0);
});

test('the device list can be filtered by tag, group, state and words, and its pages and totals count the result', async (t) => {
  const { call, get, make, screen } = await shops.open(t);
  const ids: string[] = [];
  for (const name of ['Screen 10', 'Screen 2', 'Counter']) ids.push((await screen(name)).deviceId);
  must(await call('POST', '/api/devices/tags', { device_ids: [ids[0], ids[1]], add: ['Window'] }));
  const names = async (query: string) => (await get(`/api/devices?${query}`)).map((device: any) => device.name);
  assert.deepEqual(await names(''), ['Counter', 'Screen 2', 'Screen 10']);
  assert.deepEqual(await names('tag=window&sort=name'), ['Screen 2', 'Screen 10']);
  const page = await call('GET', '/api/devices?q=screen&sort=name&direction=desc&limit=1&offset=1');
  assert.deepEqual([page.headers.get('x-total-count'), page.body[0].name], ['2', 'Screen 2']);
  assert.deepEqual(await names('status=offline'), []);
  const { id } = await make('/api/groups', { name: 'G' });
  assert.deepEqual(await names(`group_id=${id}`), []);
  await make(`/api/groups/${id}/devices`, { device_id: ids[2] });
  assert.deepEqual(await names(`group_id=${id}`), ['Counter'], 'also after it was asked for');
  assert.equal((await call('GET', '/api/devices?group_id=nobody')).status, 404);
  assert.match((await call('GET', '/api/devices?sort=colour')).body.error, /sort: must be one of name, status/);
});

test('the spreadsheet export is filtered and sorted like the list, and no cell runs as a formula', async (t) => {
  const { call, screen } = await shops.open(t);
  const ids: string[] = [];
  for (const name of ['=1+1', 'Till, left', 'Door']) ids.push((await screen(name)).deviceId);
  must(await call('POST', '/api/devices/tags', { device_ids: ids.slice(0, 2), add: ['Bar', 'Window'] }));
  const { status, body, headers } = await call('GET', '/api/devices/csv?tag=bar&sort=name&direction=desc');
  assert.equal(status, 200);
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="screens-2026-03-10\.csv"$/);
  const [head, first, second, ...rest] = String(body).trimEnd().split('\n');
  assert.match(head!, /^Name,Status,Tags,Version,.*,Last seen,.*,Id$/);
  const german = await call('GET', '/api/devices/csv?language=de&limit=1');
  assert.match(String(german.body), /^Name,Status,Tags,Version,Plattform,.*,Zuletzt gesehen,.*,Id\n/);
  assert.match(first!, /^"Till, left",online,"Bar, Window",/);
  assert.match(second!, /^'=1\+1,online,/);
  assert.deepEqual(rest, []);
  assert.equal((await call('GET', '/api/devices/csv?group_id=nobody')).status, 404);
});

test('tags are listed in order with their number of screens, and `known` includes tags in rules and plans', () => {
  const { db, add } = openRows();
  const store = new TagsStore(db);
  add('devices', { id: 'a' }, { id: 'b' }, { id: 'theirs', workspace_id: 'there' });
  const tags = { a: ['b', 'C', 'Ä'], b: ['b', 'only b'], theirs: ['b', 'd'] };
  for (const [device_id, all] of Object.entries(tags)) for (const tag of all) add('device_tags', { device_id, tag });
  const listed = (page: { limit: number; offset: number }) =>
    store.list('here', page).map(({ tag, count }) => `${tag} ${count}`);
  assert.deepEqual(listed({ limit: 9, offset: 0 }), ['Ä 1', 'b 2', 'C 1', 'only b 1']);
  assert.deepEqual(listed({ limit: 2, offset: 1 }), ['b 2', 'C 1']);
  assert.deepEqual([store.count('here'), store.count('there')], [4, 2]);

  add('groups', { id: 'g', rule_tags: '["of a rule"]' });
  add('groups', { id: 'h', workspace_id: 'there', rule_tags: '["of their rule"]' });
  add('plans', { id: 'p' }, { id: 'q', workspace_id: 'there' });
  const target = (plan_id: string, kind: string, ref: string) => ({ plan_id, kind, ref });
  add('plan_targets', target('p', 'tag', 'of a plan'), target('p', 'device', 'a'), target('q', 'tag', 'of their plan'));
  assert.deepEqual(store.known('here', ['b']).toSorted(), ['C', 'b', 'of a plan', 'of a rule', 'Ä']);
  assert.deepEqual(
    store.named('here', ['a', 'theirs', 'none']).map(({ id }) => id),
    ['a'],
  );
  db.write(() => {
    store.change('a', { add: ['new'], remove: ['b', 'C'] });
    store.edited('a', 7);
  });
  assert.deepEqual(
    [store.of('a'), store.of('b')],
    [
      ['Ä', 'new'],
      ['b', 'only b'],
    ],
  );
  assert.deepEqual(db.raw.prepare('SELECT revision, updated_at FROM devices ORDER BY id').raw().all(), [
    [2, 7],
    [1, 0],
    [1, 0],
  ]);
});
