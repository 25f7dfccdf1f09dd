/** Tests limited rights of members (folders, groups, uploads), and that a member cannot extend their own rights. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { endpointsOf, write } from '../../../shared/contract/endpoint.ts';
import type { Rights } from '../../../shared/contract/people/rights.ts';
import { picture } from '../../../test/api/media.ts';
import { type Answer, type Call, callAs, colleague, must } from '../../../test/people.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { upload } from '../../../test/uploads.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { RightsService } from './rights.service.ts';

const shops = openShops();

interface Editor {
  readonly id: string;
  readonly token: string;
  readonly call: Call;
  /** Changes the member's rights. */
  may(rights: Partial<Rights>): Promise<Answer>;
}

const editor = async (shop: Shop, rights: Partial<Rights>, role = 'workspace_editor'): Promise<Editor> => {
  const { site, owner, call } = shop;
  const { id, token } = await colleague(site, owner, `e-${Math.random()}-${owner.id}@store.test`, 'workspace_editor');
  const may = (more: Partial<Rights>) =>
    call('PUT', `/api/workspaces/${owner.workspaceId}/members/${id}`, { role, ...more });
  must(await may(rights));
  return { id, token, call: callAs(site, token), may };
};

const isRefused = (answer: Answer, part?: string): void => {
  assert.deepEqual([answer.status, answer.body.code], [403, 'outside_rights'], JSON.stringify(answer.body));
  if (part) assert.ok(answer.body.error.includes(part), answer.body.error);
};
const allRefused = async (call: Call, requests: readonly (readonly [string, string, unknown?])[], part?: string) => {
  for (const [method, path, body] of requests) {
    const answer = await call(method, path, body);
    assert.deepEqual(
      [answer.status, answer.body.code],
      [403, 'outside_rights'],
      `${method} ${path} ${JSON.stringify(answer.body)}`,
    );
    if (part) assert.ok(answer.body.error.includes(part), answer.body.error);
  }
};

/** Opens a shop with two groups of one screen each. Rights to the first group must not extend to the second group. */
const bakery = async (t: Parameters<typeof shops.open>[0]) => {
  const shop = await shops.open(t);
  const { make } = shop;
  const { id: group } = await make('/api/groups', { name: 'Bakery' });
  const { id: others } = await make('/api/groups', { name: 'Window' });
  const oven = await shop.screen('Oven');
  const door = await shop.screen('Door');
  await make(`/api/groups/${group}/devices`, { device_id: oven.deviceId });
  await make(`/api/groups/${others}/devices`, { device_id: door.deviceId });
  return { shop, group, others, mine: oven.deviceId, theirs: door.deviceId };
};

test('an endpoint that does not declare what it changes or shows is refused to members with limited rights', () => {
  const silent = endpointsOf('Test')('POST /api/silent', { name: 'silent', summary: '', access: write });
  const service = new RightsService({} as never);
  const who = { workspaceId: 'w', userId: 'u', limits: null, needsApproval: false } as unknown as Actor;
  const asked = { params: {}, query: {}, body: undefined };
  service.require(silent, who, asked);
  const limits = { duty: 'all', folderIds: null, groupIds: [] } as const;
  assert.throws(() => service.require(silent, { ...who, limits }, asked), { status: 403, code: 'outside_rights' });
  assert.throws(() => service.require(silent, { ...who, needsApproval: true }, asked), {
    status: 403,
    code: 'approval_required',
  });
});

test('administrators change rights, members see these rights, and the named ids must exist and are limited in number', async (t) => {
  const shop = await shops.open(t);
  const { owner, call, make, get } = shop;
  const { id: folder } = await make('/api/folders', { name: 'Bread' });
  const { id: group } = await make('/api/groups', { name: 'Bakery' });
  const bea = await editor(shop, { duty: 'upload', folder_ids: [folder, folder], approves: true });
  const members = `/api/workspaces/${owner.workspaceId}/members`;
  const listed = async () => (await get(members)).find((m: { user_id: string }) => m.user_id === bea.id);
  const { duty, folder_ids, group_ids, approves } = await listed();
  assert.deepEqual([duty, folder_ids, group_ids, approves], ['upload', [folder], null, true]);
  // A right that the request does not name stays the same.
  must(await bea.may({ group_ids: [group] }));
  const after = await listed();
  assert.deepEqual(
    [after.duty, after.folder_ids, after.group_ids, after.approves],
    ['upload', [folder], [group], true],
  );
  const me = must(await bea.call('GET', '/api/auth/me'));
  assert.deepEqual(me.rights, {
    duty: 'upload',
    folder_ids: [folder],
    group_ids: [group],
    approves: true,
    regions: null,
  });
  assert.equal(me.needs_approval, false);
  assert.deepEqual(
    [(await bea.may({ folder_ids: ['nowhere'] })).status, (await bea.may({ group_ids: ['nowhere'] })).status],
    [404, 404],
  );
  for (const rights of [{ duty: 'none' }, { group_ids: 'x' }, { folder_ids: Array(1001).fill('x') }, { approves: 1 }])
    assert.equal((await bea.may(rights as never)).status, 400, JSON.stringify(rights));
  assert.equal((await bea.call('PUT', `${members}/${bea.id}`, { role: 'workspace_editor', duty: 'all' })).status, 403);
  const [entry] = must(await call('GET', '/api/activity?limit=1'));
  assert.equal(entry.action, 'member.rights_changed');
});

test('limits do not apply to administrators and viewers, and apply again once the member is an editor', async (t) => {
  const shop = await shops.open(t);
  const { owner, call } = shop;
  const bea = await editor(shop, { duty: 'upload', folder_ids: [], group_ids: [] });
  const role = (name: string) => call('PUT', `/api/workspaces/${owner.workspaceId}/members/${bea.id}`, { role: name });
  isRefused(await bea.call('POST', '/api/playlists', { name: 'P' }), 'You can only add and change content');
  must(await role('workspace_admin'));
  must(await bea.call('POST', '/api/playlists', { name: 'P' }), 201);
  assert.equal(must(await bea.call('GET', '/api/auth/me')).rights.duty, 'all');
  const { token } = must(await bea.call('POST', '/api/tokens', { name: 'till', scope: 'full' }), 201);
  const till = callAs(shop.site, token);
  must(await till('POST', '/api/playlists', { name: 'Q' }), 201);
  must(await role('workspace_editor'));
  isRefused(await bea.call('POST', '/api/playlists', { name: 'P' }));
  // A token has the rights of its owner.
  isRefused(await till('POST', '/api/playlists', { name: 'Q' }));
  must(await till('GET', '/api/playlists'));
});

test('a member who may only upload replaces, expires and deletes own unused uploads, and no other uploads', async (t) => {
  const { shop, mine } = await bakery(t);
  const { image, playlist, call, make } = shop;
  const bea = await editor(shop, { duty: 'upload' });
  const upped = async (name: string) => must(await upload(shop.site, bea.token, picture(name), name), 201).id as string;
  const [own, shown, planned, binned] = [
    await upped('a.gif'),
    await upped('b.gif'),
    await upped('c.gif'),
    await upped('d.gif'),
  ];
  const theirs = await image('theirs.gif');
  must(await call('POST', `/api/playlists/${await playlist([shown])}/assign`, { device_id: mine }));
  const times = { start_time: '2027-03-16T09:00', end_time: '2027-03-16T18:00' };
  await make('/api/plans', { ...times, targets: [{ kind: 'device', id: mine }], content_id: planned });
  const gone = await playlist([binned], 'Gone');
  must(await call('DELETE', `/api/playlists/${gone}`));
  const old = await upped('old.gif');
  shop.site.app.db.write(() =>
    shop.site.app.db.raw.prepare('UPDATE content SET uploaded_by = NULL WHERE id = ?').run(old),
  );
  const replace = (id: string) =>
    upload(shop.site, bea.token, picture(`${id} new`), 'n.gif', { method: 'PUT', path: `/api/content/${id}/replace` });
  const reasons = {
    [theirs]: 'Somebody else',
    [old]: 'Somebody else',
    [shown]: 'screen',
    [planned]: 'screen',
    [binned]: 'screen',
  };
  for (const [id, reason] of Object.entries(reasons)) {
    isRefused(await replace(id), reason);
    isRefused(await bea.call('PUT', `/api/content/${id}`, { valid_until: '2027-01-01T00:00' }), reason);
    isRefused(await bea.call('DELETE', `/api/content/${id}`), reason);
    // A label changes no screen, while a name may be shown on a screen.
    must(await bea.call('PUT', `/api/content/${id}`, { folder: 'Sale' }));
    isRefused(await bea.call('PUT', `/api/content/${id}`, { filename: 'other.gif' }), reason);
    const [hindrance] = must(await bea.call('GET', `/api/rights?kind=content&ids=${id}`));
    assert.equal(hindrance.code, 'uploads_only');
  }
  must(await replace(own));
  must(await bea.call('PUT', `/api/content/${own}`, { valid_until: '2027-01-01T00:00' }));
  assert.deepEqual(must(await bea.call('GET', `/api/rights?kind=content&ids=${own}`)), []);
  // Restoring the earlier file has the same rules as replacing a file.
  const [file] = must(await call('GET', `/api/bin?ref=${own}&kind=file`));
  must(await bea.call('POST', `/api/bin/${file.id}/restore`));
  must(await call('POST', `/api/playlists/${await playlist([own], 'Own')}/assign`, { device_id: mine }));
  const [before] = must(await call('GET', `/api/bin?ref=${own}&kind=file`));
  isRefused(await bea.call('POST', `/api/bin/${before.id}/restore`));
});

test('a member who may only upload adds and organizes contents, makes folders, and reads everything', async (t) => {
  const { shop, mine, group } = await bakery(t);
  const { image, playlist } = shop;
  const bea = await editor(shop, { duty: 'upload' });
  const made = must(await upload(shop.site, bea.token, picture('bea'), 'bea.gif'), 201);
  const { id: folder } = must(await bea.call('POST', '/api/folders', { name: 'Bread' }), 201);
  must(await bea.call('PUT', `/api/content/${made.id}`, { filename: 'rolls.gif', folder: 'fresh', folder_id: folder }));
  must(
    await upload(shop.site, bea.token, picture('newer'), 'n.gif', {
      method: 'PUT',
      path: `/api/content/${made.id}/replace`,
    }),
  );
  must(await bea.call('POST', '/api/content/videosite', { url: 'https://youtu.be/aaaaaaaaaaa' }), 201);
  must(await bea.call('DELETE', `/api/content/${made.id}`));
  const [binned] = must(await bea.call('GET', `/api/bin?ref=${made.id}&kind=content`));
  must(await bea.call('POST', `/api/bin/${binned.id}/restore`));
  const list = await playlist([await image()]);
  for (const path of ['/api/playlists', '/api/devices', '/api/groups', '/api/activity', `/api/playlists/${list}`])
    must(await bea.call('GET', path));
  await allRefused(
    bea.call,
    [
      ['POST', '/api/playlists', { name: 'P' }],
      ['PUT', `/api/playlists/${list}`, { name: 'Q' }],
      ['POST', `/api/playlists/${list}/publish`],
      ['POST', `/api/playlists/${list}/items`, { content_id: made.id }],
      ['PUT', `/api/devices/${mine}`, { name: 'Mine' }],
      ['POST', `/api/devices/${mine}/command`, { type: 'reboot' }],
      ['POST', '/api/messages', { text: 'Hello', targets: [{ kind: 'all' }] }],
      ['POST', `/api/groups/${group}/assign-content`, { content_id: made.id }],
      ['PUT', `/api/folders/${folder}`, { name: 'Other' }],
      ['DELETE', `/api/folders/${folder}`],
      ['POST', '/api/widgets', { widget_type: 'clock', name: 'C' }],
    ],
    'You can only add and change content',
  );
  // The member can still change their own account and views.
  must(await bea.call('PUT', '/api/auth/me', { name: 'Bea' }));
  must(await bea.call('POST', '/api/views', { name: 'Mine', query: { q: 'x' } }), 201);
});

test('a member limited to folders changes only contents there, and uploads go into the first of these folders', async (t) => {
  const shop = await shops.open(t);
  const { make, call, image } = shop;
  const folder = async (name: string, parent_id: string | null = null) =>
    (await make('/api/folders', { name, parent_id })).id as string;
  const bread = await folder('Bread');
  const rolls = await folder('Rolls', bread);
  const meat = await folder('Meat');
  const put = async (id: string, folder_id: string | null) =>
    must(await call('PUT', `/api/content/${id}`, { folder_id }));
  const [own, inside, foreign, loose] = [
    await image('own.gif'),
    await image('in.gif'),
    await image('foreign.gif'),
    await image('loose.gif'),
  ];
  await put(own, bread);
  await put(inside, rolls);
  await put(foreign, meat);
  const bea = await editor(shop, { folder_ids: [bread] });
  const sent = (query = '') =>
    upload(shop.site, bea.token, picture(`x${query}`), 'x.gif', { path: `/api/content${query}` });
  assert.equal(must(await sent(), 201).folder_id, bread);
  assert.equal(must(await sent('?folder_id=root'), 201).folder_id, bread);
  assert.equal(must(await sent(`?folder_id=${rolls}`), 201).folder_id, rolls);
  isRefused(await sent(`?folder_id=${meat}`), 'Bread');
  const video = must(await bea.call('POST', '/api/content/videosite', { url: 'https://youtu.be/bbbbbbbbbbb' }), 201);
  assert.equal(video.folder_id, bread);
  must(await bea.call('PUT', `/api/content/${own}`, { filename: 'mine.gif', folder_id: rolls }));
  must(await bea.call('DELETE', `/api/content/${inside}`));
  must(await bea.call('POST', '/api/folders', { name: 'Rye', parent_id: rolls }), 201);
  const { id: empty } = must(await bea.call('POST', '/api/folders', { name: 'Old', parent_id: bread }), 201);
  must(await bea.call('PUT', `/api/folders/${empty}`, { name: 'Older', parent_id: rolls }));
  must(await bea.call('DELETE', `/api/folders/${empty}`));
  await allRefused(
    bea.call,
    [
      ['PUT', `/api/content/${foreign}`, { filename: 'x.gif' }],
      ['PUT', `/api/content/${loose}`, { filename: 'x.gif' }],
      ['PUT', `/api/content/${own}`, { folder_id: meat }],
      ['PUT', `/api/content/${own}`, { folder_id: null }],
      ['DELETE', `/api/content/${foreign}`],
      ['POST', '/api/folders', { name: 'New' }],
      ['POST', '/api/folders', { name: 'New', parent_id: meat }],
      // Moving a folder into a folder of the member is refused, because it would extend the member's rights to the
      // contents of the moved folder.
      ['PUT', `/api/folders/${meat}`, { parent_id: bread }],
      ['PUT', `/api/folders/${bread}`, { parent_id: meat }],
      ['PUT', `/api/folders/${bread}`, { name: 'All' }],
      ['PUT', `/api/folders/${rolls}`, { parent_id: null }],
      ['DELETE', `/api/folders/${bread}`],
      ['DELETE', `/api/folders/${meat}`],
      ['DELETE', `/api/folders/${rolls}`],
    ],
    undefined,
  );
  // The limit to folders applies only to contents, so the member can still change other records.
  const { id: list } = must(await bea.call('POST', '/api/playlists', { name: 'P' }), 201);
  must(await bea.call('POST', `/api/playlists/${list}/items`, { content_id: foreign }), 201);
  assert.equal((await bea.call('PUT', '/api/content/nowhere', { filename: 'x.gif' })).status, 404);
});

test('moving a folder away or deleting it removes the right to it, and an empty list of folders allows nothing', async (t) => {
  const shop = await shops.open(t);
  const { make, call, image, get, owner } = shop;
  const bread = (await make('/api/folders', { name: 'Bread' })).id;
  const rolls = (await make('/api/folders', { name: 'Rolls', parent_id: bread })).id;
  const content = await image();
  must(await call('PUT', `/api/content/${content}`, { folder_id: rolls }));
  const bea = await editor(shop, { folder_ids: [bread] });
  must(await bea.call('PUT', `/api/content/${content}`, { filename: 'a.gif' }));
  must(await call('PUT', `/api/folders/${rolls}`, { parent_id: null }));
  isRefused(await bea.call('PUT', `/api/content/${content}`, { filename: 'b.gif' }), 'Bread');
  must(await call('DELETE', `/api/folders/${bread}`));
  const members = await get(`/api/workspaces/${owner.workspaceId}/members`);
  assert.deepEqual(members.find((m: { user_id: string }) => m.user_id === bea.id).folder_ids, []);
  isRefused(await upload(shop.site, bea.token, picture('x'), 'x.gif'), 'no longer exist');
  isRefused(await bea.call('PUT', `/api/content/${content}`, { filename: 'b.gif' }), 'no longer exist');
});

test('an upload in progress is stored nowhere when the right is removed meanwhile', async (t) => {
  const shop = await shops.open(t);
  const { make, get } = shop;
  const { id: folder } = await make('/api/folders', { name: 'Bread' });
  const bea = await editor(shop, { folder_ids: [folder] });
  const boundary = 'xxxxxx';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="late.gif"\r\n\r\n`;
  const parts = async function* () {
    yield Buffer.from(head);
    yield picture('late').subarray(0, 10);
    // The upload was accepted, and part of the file has arrived.
    await new Promise((done) => setTimeout(done, 50));
    must(await bea.may({ folder_ids: [] }));
    yield picture('late').subarray(10);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  const answer = await fetch(`${shop.site.origin}/api/content`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${bea.token}`, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Readable.toWeb(Readable.from(parts())),
    duplex: 'half',
  } as RequestInit);
  assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [403, 'outside_rights']);
  assert.deepEqual(await get('/api/content'), []);
});

test('screens outside the member’s groups cannot be changed: not by id, in a list, by group, by tag, or as all screens', async (t) => {
  const { shop, group, others, mine, theirs } = await bakery(t);
  const { call, image, playlist } = shop;
  must(await call('PUT', `/api/devices/${mine}`, { tags: ['warm'] }));
  must(await call('PUT', `/api/devices/${theirs}`, { tags: ['cold'] }));
  const content = await image();
  const list = await playlist([content]);
  const bea = await editor(shop, { group_ids: [group] });
  const when = { start_time: '2026-03-16T09:00', end_time: '2026-03-16T18:00' };
  const to = (...targets: [string, string?][]) => targets.map(([kind, id]) => ({ kind, ...(id && { id }) }));
  const overlay = { type: 'image', uri: 'http://till.store.test/a.png' };
  const good: [string, string, unknown?, number?][] = [
    ['PUT', `/api/devices/${mine}`, { name: 'Oven 2', notes: 'hot' }],
    ['POST', `/api/devices/${mine}/command`, { type: 'screen_on' }],
    ['POST', `/api/devices/${mine}/identify`, {}],
    ['POST', '/api/devices/command', { device_ids: [mine], command: { type: 'screen_on' } }],
    ['POST', `/api/groups/${group}/command`, { type: 'screen_on' }],
    ['POST', '/api/devices/bulk', { changes: [{ device_ids: [mine], set: { playlist_id: list } }] }],
    ['POST', `/api/playlists/${list}/assign`, { device_id: mine }],
    ['POST', `/api/groups/${group}/assign-playlist`, { playlist_id: list }],
    ['POST', `/api/assignments/device/${mine}`, { content_id: content }, 201],
    ['POST', `/api/groups/${group}/assign-content`, { content_id: content }],
    ['POST', '/api/messages', { text: 'Hello', targets: to(['device', mine], ['group', group], ['tag', 'warm']) }, 201],
    ['POST', '/api/pip', { device_id: mine, ...overlay }],
    ['POST', '/api/pip', { device_id: group, ...overlay }],
    ['POST', '/api/pip/clear', { device_id: group }],
    ['POST', '/api/schedules', { ...when, device_id: mine, playlist_id: list }, 201],
    ['POST', '/api/plans', { ...when, playlist_id: list, targets: to(['device', mine], ['group', group]) }, 201],
    ['POST', '/api/devices/tags', { device_ids: [mine], add: ['new'] }],
  ];
  for (const [method, path, body, status] of good) must(await bea.call(method, path, body), status);
  await allRefused(bea.call, [
    ['PUT', `/api/devices/${theirs}`, { name: 'X' }],
    ['DELETE', `/api/devices/${mine}`],
    ['POST', `/api/devices/${theirs}/command`, { type: 'screen_on' }],
    ['POST', `/api/devices/${theirs}/identify`, {}],
    ['POST', '/api/devices/command', { device_ids: [mine, theirs], command: { type: 'screen_on' } }],
    ['POST', '/api/devices/identify', { device_ids: [mine, theirs] }],
    ['POST', `/api/groups/${others}/command`, { type: 'screen_on' }],
    ['POST', '/api/devices/bulk', { changes: [{ device_ids: [mine, theirs], set: { notes: 'x' } }] }],
    ['POST', `/api/playlists/${list}/assign`, { device_id: theirs }],
    ['DELETE', `/api/devices/${theirs}/playlist`],
    ['PUT', `/api/layouts/device/${theirs}`, { layout_id: null }],
    ['POST', `/api/groups/${others}/assign-playlist`, { playlist_id: list }],
    ['POST', `/api/groups/${others}/assign-content`, { content_id: content }],
    ['POST', `/api/assignments/device/${theirs}`, { content_id: content }],
    ['POST', `/api/assignments/device/${mine}/copy-to/${theirs}`, {}],
    ['POST', '/api/messages', { text: 'Hello', targets: to(['device', mine], ['device', theirs]) }],
    ['POST', '/api/messages', { text: 'Hello', targets: to(['tag', 'COLD']) }],
    ['POST', '/api/messages', { text: 'Hello', targets: to(['all']) }],
    ['POST', '/api/pip', { device_id: theirs, ...overlay }],
    ['POST', '/api/pip', { device_id: others, ...overlay }],
    ['POST', '/api/pip/clear', { device_id: theirs }],
    ['POST', '/api/schedules', { ...when, group_id: others, playlist_id: list }],
    ['POST', '/api/plans', { ...when, playlist_id: list, targets: to(['device', mine], ['device', theirs]) }],
    ['POST', '/api/plans', { ...when, playlist_id: list, targets: to(['tag', 'warm']) }],
    ['POST', '/api/import', undefined],
    ['POST', '/api/alerts/mark', { kind: 'screen_cpu', acknowledged: true }],
  ]);
  isRefused(await bea.call('PUT', `/api/devices/${theirs}`, { name: 'X' }), 'Bakery. Door');
  assert.equal((await bea.call('PUT', '/api/devices/nowhere', { name: 'X' })).status, 404);
});

test('a member limited to groups cannot change which screens belong to a group, by hand, by rule or by tag', async (t) => {
  const { shop, group, others, mine, theirs } = await bakery(t);
  const { call, make } = shop;
  const { id: ruled } = await make('/api/groups', { name: 'Warm ones', rule_tags: ['Warm'] });
  must(await call('PUT', `/api/devices/${mine}`, { tags: ['warm', 'old'] }));
  const bea = await editor(shop, { group_ids: [group, ruled] });
  await allRefused(bea.call, [
    ['POST', `/api/groups/${group}/devices`, { device_id: theirs }],
    ['DELETE', `/api/groups/${group}/devices/${mine}`],
    ['POST', '/api/groups', { name: 'Mine' }],
    ['DELETE', `/api/groups/${group}`],
    ['PUT', `/api/groups/${group}`, { rule_tags: ['cold'] }],
    ['PUT', `/api/groups/${others}`, { name: 'X' }],
    ['POST', '/api/devices/bulk', { changes: [{ device_ids: [mine], join: others }] }],
    ['POST', '/api/devices/bulk', { changes: [{ device_ids: [mine], leave: group }] }],
    ['POST', '/api/devices/bulk', { changes: [{ device_ids: [mine], set: { tags: ['old'] } }] }],
    ['PUT', `/api/devices/${mine}`, { tags: ['old'] }],
    ['PUT', `/api/devices/${mine}`, { tags: null }],
    ['POST', '/api/devices/tags', { device_ids: [mine], remove: ['WARM'] }],
    ['POST', '/api/devices/tags', { device_ids: [mine], add: ['Warm'] }],
    ['POST', '/api/devices/pair', { code: 'ZZZZZZ' }],
  ]);
  must(await bea.call('PUT', `/api/groups/${group}`, { name: 'Bread', color: '#112233' }));
  must(await bea.call('PUT', `/api/devices/${mine}`, { tags: ['Warm', 'older'] }));
});

test('records that other screens show, will show, or have assigned cannot be changed, while new records can be made', async (t) => {
  const { shop, group, mine, theirs } = await bakery(t);
  const { call, make, image, playlist } = shop;
  const bea = await editor(shop, { group_ids: [group] });
  const made = async (path: string, body: unknown) => must(await bea.call('POST', path, body), 201).id as string;
  const content = await image();
  const list = await made('/api/playlists', { name: 'Bread' });
  await made(`/api/playlists/${list}/items`, { content_id: content });
  const widget = await made('/api/widgets', { widget_type: 'clock', name: 'Clock' });
  const layout = await made('/api/layouts', { name: 'Two', zones: [{ name: 'Left', width_percent: 50 }] });
  const kiosk = await made('/api/kiosk', { name: 'Touch', config: {} });
  const wall = await made('/api/walls', { name: 'Wall', playlist_id: list });
  const edits: [string, string, unknown?][] = [
    ['PUT', `/api/playlists/${list}`, { description: 'x' }],
    ['POST', `/api/playlists/${list}/publish`],
    ['PUT', `/api/widgets/${widget}`, { config: { format: '24' } }],
    ['PUT', `/api/layouts/${layout}`, { name: 'Two' }],
    ['PUT', `/api/kiosk/${kiosk}`, { config: { title: 'Hi' } }],
    ['PUT', `/api/walls/${wall}`, { name: 'Wall' }],
  ];
  const allFree = async () => {
    for (const [method, path, body] of edits) {
      const answer = await bea.call(method, path, body);
      assert.notEqual(answer.status, 403, `${method} ${path} ${JSON.stringify(answer.body)}`);
    }
  };
  await allFree();
  must(await bea.call('POST', `/api/playlists/${list}/assign`, { device_id: mine }));
  await allFree();

  // Puts each record onto a screen outside the member's rights, in every possible way.
  const page = (
    await make('/api/widgets', {
      widget_type: 'webpage',
      name: 'Page',
      config: { url: `/api/kiosk/${kiosk}/render` },
    })
  ).id;
  const shown = await make('/api/playlists', { name: 'Shown' });
  for (const widget_id of [widget, page]) await make(`/api/playlists/${shown.id}/items`, { widget_id });
  must(await call('POST', `/api/playlists/${shown.id}/publish`));
  must(await call('POST', `/api/playlists/${shown.id}/assign`, { device_id: theirs }));
  must(await call('PUT', `/api/layouts/device/${theirs}`, { layout_id: layout }));
  const later = await make('/api/plans', {
    start_time: '2027-03-16T09:00',
    end_time: '2027-03-16T18:00',
    playlist_id: list,
    targets: [{ kind: 'device', id: theirs }],
  });
  must(await call('PUT', `/api/walls/${wall}/devices`, { devices: [{ device_id: theirs, grid_col: 0, grid_row: 0 }] }));
  must(await call('PUT', `/api/walls/${wall}/devices`, { devices: [] }));
  await allRefused(bea.call, [
    ...edits.filter(([, path]) => !path.startsWith('/api/walls')),
    ['POST', `/api/playlists/${list}/items`, { content_id: content }],
    ['POST', `/api/playlists/${list}/discard`],
    ['DELETE', `/api/playlists/${list}`],
    ['DELETE', `/api/widgets/${widget}`],
    ['DELETE', `/api/kiosk/${kiosk}`],
    ['DELETE', `/api/layouts/${layout}`],
    ['POST', `/api/layouts/${layout}/zones`, { name: 'Z' }],
    ['PUT', `/api/plans/${later.id}`, { title: 'Mine' }],
    ['DELETE', `/api/plans/${later.id}`],
    ['DELETE', `/api/schedules/${later.id}`],
    ['PUT', `/api/walls/${wall}/devices`, { devices: [{ device_id: theirs, grid_col: 0, grid_row: 0 }] }],
  ]);
  // The name of a content on other screens cannot change, but its folder in the library can.
  const sign = await image('sign.gif');
  const signs = await playlist([sign], 'Signs');
  must(await call('POST', `/api/playlists/${signs}/assign`, { device_id: theirs }));
  must(await bea.call('PUT', `/api/content/${sign}`, { folder: 'signs' }));
  await allRefused(
    bea.call,
    [
      ['PUT', `/api/content/${sign}`, { filename: 'signs.gif' }],
      ['PUT', `/api/content/${sign}`, { folder: 'signs', mime_type: 'image/gif' }],
      ['DELETE', `/api/content/${sign}`],
      ['PUT', `/api/content/${sign}`, { valid_until: '2026-01-01T00:00' }],
    ],
    'Door',
  );
  isRefused(
    await upload(shop.site, bea.token, picture('other'), 'o.gif', {
      method: 'PUT',
      path: `/api/content/${sign}/replace`,
    }),
  );
});

test('member changes a wall only with rights to all panels of the wall, and cannot take panels from other walls', async (t) => {
  const { shop, group, mine, theirs } = await bakery(t);
  const { call, make } = shop;
  const { id: wall } = await make('/api/walls', { name: 'Shared', grid_cols: 2, grid_rows: 1 });
  const panel = (device_id: string, grid_col: number) => ({ device_id, grid_col, grid_row: 0 });
  must(await call('PUT', `/api/walls/${wall}/devices`, { devices: [panel(mine, 0), panel(theirs, 1)] }));
  const bea = await editor(shop, { group_ids: [group] });
  const { id: own } = must(await bea.call('POST', '/api/walls', { name: 'Own' }), 201);
  await allRefused(bea.call, [
    ['PUT', `/api/walls/${wall}`, { name: 'Mine' }],
    ['DELETE', `/api/walls/${wall}`],
    ['PUT', `/api/walls/${wall}/content`, { playlist_id: null }],
    ['PUT', `/api/walls/${own}/devices`, { devices: [panel(mine, 0)] }],
  ]);
  must(await call('PUT', `/api/walls/${wall}/devices`, { devices: [panel(theirs, 1)] }));
  must(await bea.call('PUT', `/api/walls/${own}/devices`, { devices: [panel(mine, 0)] }));
});

test('a member cannot restore records that others deleted, and restores own deletions only within the rights', async (t) => {
  const { shop, group, mine, theirs } = await bakery(t);
  const { call, image, playlist } = shop;
  const list = await playlist([await image()]);
  must(await call('POST', `/api/playlists/${list}/assign`, { device_id: mine }));
  const bea = await editor(shop, { group_ids: [group] });
  const binned = async () => must(await call('GET', `/api/bin?ref=${list}`))[0].id as string;
  must(await bea.call('DELETE', `/api/playlists/${list}`));
  must(await bea.call('POST', `/api/bin/${await binned()}/restore`));
  must(await bea.call('DELETE', `/api/playlists/${list}`));
  must(await call('DELETE', `/api/groups/${group}/devices/${mine}`));
  isRefused(await bea.call('POST', `/api/bin/${await binned()}/restore`), 'Oven');
  must(await call('POST', `/api/groups/${group}/devices`, { device_id: mine }), 201);
  must(await bea.call('POST', `/api/bin/${await binned()}/restore`));
  must(await call('DELETE', `/api/playlists/${list}`));
  isRefused(await bea.call('POST', `/api/bin/${await binned()}/restore`), 'Somebody else');
  assert.ok(theirs);
});

test('a removed right ends with the next request, and the right to a deleted group ends too', async (t) => {
  const { shop, group, others, mine } = await bakery(t);
  const { call, get, owner } = shop;
  const bea = await editor(shop, { group_ids: [group] });
  const rename = () => bea.call('PUT', `/api/devices/${mine}`, { name: 'Oven' });
  must(await rename());
  must(await bea.may({ group_ids: [others] }));
  isRefused(await rename(), 'Window');
  must(await bea.may({ group_ids: [others, group] }));
  must(await rename());
  must(await call('DELETE', `/api/groups/${group}/devices/${mine}`));
  isRefused(await rename(), 'Window, Bakery');
  must(await call('POST', `/api/groups/${group}/devices`, { device_id: mine }), 201);
  must(await call('DELETE', `/api/groups/${group}`));
  isRefused(await rename());
  must(await call('DELETE', `/api/groups/${others}`));
  isRefused(await rename(), 'no longer exist');
  const members = await get(`/api/workspaces/${owner.workspaceId}/members`);
  assert.deepEqual(members.find((m: { user_id: string }) => m.user_id === bea.id).group_ids, []);
  // Null means that the member may change all groups again.
  must(await bea.may({ group_ids: null }));
  must(await rename());
});

test('the list of refused records contains the records outside a member’s rights, with reasons', async (t) => {
  const { shop, group, mine, theirs } = await bakery(t);
  const { call, make, image } = shop;
  const bea = await editor(shop, { group_ids: [group] });
  const ask = async (who: Call, kind: string, ...ids: string[]) =>
    must(await who('GET', `/api/rights?kind=${kind}&ids=${ids.join(',')}`)) as {
      id: string;
      reason: string;
      code: string;
    }[];
  const [only, ...rest] = await ask(bea.call, 'screen', mine, theirs, 'nowhere');
  assert.deepEqual([only?.id, only?.code, rest.length], [theirs, 'outside_rights', 0]);
  assert.match(only?.reason ?? '', /Bakery\. Door/);
  assert.deepEqual(await ask(call, 'screen', mine, theirs), []);
  assert.equal((await bea.call('GET', '/api/rights?kind=nothing&ids=x')).status, 400);
  assert.equal((await bea.call('GET', `/api/rights?kind=screen&ids=${Array(201).fill('x').join(',')}`)).status, 400);
  const { id: folder } = await make('/api/folders', { name: 'Bread' });
  must(await bea.may({ duty: 'upload', folder_ids: [folder], group_ids: null }));
  assert.deepEqual((await ask(bea.call, 'playlist', 'any')).length, 1);
  const content = await image();
  assert.match((await ask(bea.call, 'content', content))[0]?.reason ?? '', /folders Bread/);
});
