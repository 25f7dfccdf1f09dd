import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { ownedSite, type Site, TestClock } from '../../../test/harness.ts';
import { colleague, must, type Person, person } from '../../../test/people.ts';
import { pairPlayer } from '../../../test/player-client.ts';
import { upload } from '../../../test/uploads.ts';
import { openDatabase } from '../../db/open.ts';
import { Bus } from '../../kernel/bus.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { addWorkspace } from '../reports/testing/plays.ts';
import { MembersStore } from './members.store.ts';
import { OrganizationMembersService } from './organization-members.service.ts';
import { OrganizationMembersStore } from './organization-members.store.ts';
import { WorkspaceAccess } from './workspace-access.ts';
import { WorkspacesService } from './workspaces.service.ts';
import { WorkspacesStore } from './workspaces.store.ts';

const list = async (site: Site, who: { token: string }) =>
  must(await site.call('GET', '/api/workspaces', { token: who.token })) as {
    id: string;
    name: string;
    organization_name: string;
    device_count: number;
  }[];
const create = (site: Site, who: { token: string }, body: unknown) =>
  site.call('POST', '/api/workspaces', { token: who.token, body });
const rename = (site: Site, who: { token: string }, id: unknown, body: unknown) =>
  site.call('PUT', `/api/workspaces/${id}`, { token: who.token, body });
const remove = (site: Site, who: { token: string }, id: unknown) =>
  site.call('DELETE', `/api/workspaces/${id}`, { token: who.token });

test('the owner of an organization creates, renames and deletes workspaces, and every user lists the accessible ones', async (t) => {
  const { site } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test', { name: 'Bea' });
  const made = must(await create(site, bea, { name: ' North ' }), 201);
  assert.deepEqual(
    [made.name, made.organization_name, made.device_count, typeof made.created_at],
    ['North', 'Bea’s organization', 0, 'number'],
  );
  assert.deepEqual(
    must(await site.call('GET', `/api/workspaces/${made.id}/members`, { token: bea.token })).map((m: any) => [
      m.user_id,
      m.role,
    ]),
    [[bea.id, 'workspace_admin']],
  );
  assert.equal(
    must(await rename(site, bea, made.id, { name: 'South', organization_name: 'Corner Shop' })).organization_name,
    'Corner Shop',
  );
  assert.deepEqual(
    (await list(site, bea)).map((w) => [w.name, w.organization_name]),
    [
      ['Default', 'Corner Shop'],
      ['South', 'Corner Shop'],
    ],
  );
  const answer = await site.call('GET', '/api/workspaces', { token: bea.token });
  assert.equal(answer.headers.get('x-total-count'), '2');
  assert.deepEqual(must(await remove(site, bea, made.id)), { success: true });
  assert.equal((await list(site, bea)).length, 1);
  assert.equal((await remove(site, bea, made.id)).status, 404);
});

test('the last workspace of an organization cannot be deleted', async (t) => {
  const { site, owner } = await ownedSite(t);
  assert.equal((await remove(site, owner, owner.workspaceId)).status, 400);
});

test('workspaces of another organization are 404 for strangers, and members cannot create, rename or delete them', async (t) => {
  const { site } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  must(await create(site, bea, { name: 'Second' }), 201);
  const stranger = await person(site, 'stranger@store.test');
  const editor = await colleague(site, bea, 'editor@store.test', 'workspace_editor');
  const admin = await colleague(site, bea, 'admin@store.test', 'workspace_admin');
  assert.equal((await rename(site, stranger, bea.workspaceId, { name: 'X' })).status, 404);
  assert.equal((await remove(site, stranger, bea.workspaceId)).status, 404);
  assert.equal((await rename(site, editor, bea.workspaceId, { name: 'X' })).status, 403);
  for (const who of [editor, admin]) {
    assert.equal((await create(site, who, { name: 'X' })).status, 403);
    assert.equal((await remove(site, who, bea.workspaceId)).status, 403);
  }
  must(await rename(site, admin, bea.workspaceId, { name: 'Renamed' }));
  assert.equal((await rename(site, admin, bea.workspaceId, { organization_name: 'Mine now' })).status, 403);
  assert.equal(
    (await rename(site, admin, bea.workspaceId, { name: 'Half', organization_name: 'Mine now' })).status,
    403,
  );
  assert.deepEqual(
    (await list(site, admin)).map((w) => w.name),
    ['Renamed'],
    'nothing is half done',
  );
});

test('the platform administrator can delete only workspaces of the organization in which they work at present', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const second = must(await create(site, bea, { name: 'Second' }), 201);
  assert.equal((await remove(site, owner, second.id)).status, 403);
  const there = must(
    await site.call('POST', '/api/auth/switch-workspace', { token: owner.token, body: { workspace_id: second.id } }),
  );
  must(await remove(site, there, second.id));
  assert.equal(
    must(await site.call('GET', '/api/auth/me', { token: there.token })).current_workspace_id !== second.id,
    true,
    'the session goes on in another workspace',
  );
});

test('workspace names have 1 to 200 characters without control characters', async (t) => {
  const { site, owner } = await ownedSite(t);
  for (const name of [undefined, '', '  ', 7, 'x'.repeat(201), 'a\u0007'])
    assert.equal((await create(site, owner, { name })).status, 400);
  must(await create(site, owner, { name: 'x'.repeat(200) }), 201);
});

test('a deleted workspace leaves no rows, after as many small deletion steps as needed', async (t) => {
  const { site, owner } = await ownedSite(t);
  const second = must(await create(site, owner, { name: 'Second' }), 201);
  const there = must(
    await site.call('POST', '/api/auth/switch-workspace', { token: owner.token, body: { workspace_id: second.id } }),
  ).token;
  must(await site.call('POST', '/api/playlists', { token: there, body: { name: 'P' } }), 201);
  must(await site.call('POST', '/api/tokens', { token: there, body: { name: 'T' } }), 201);
  const { raw } = site.app.db;
  const play = raw.prepare(
    "INSERT INTO old_plays (play_id, workspace_id, device_id, device_name, content_name, started_ms, ended_ms, completed, seq) VALUES (?, ?, 'd', 'D', 'C', 1, 2, 1, ?)",
  );
  site.app.db.write(() => {
    for (let i = 0; i < 2500; i++) play.run(`p${i}`, second.id, i);
    play.run('mine', owner.workspaceId, 1);
    const scope = raw
      .prepare("INSERT INTO play_subjects (workspace_id, kind, ref, name, named_ms) VALUES (?, 'workspace', '', '', 0)")
      .run(second.id).lastInsertRowid;
    raw
      .prepare(
        'INSERT INTO play_log (id, workspace, device, shown, turn, seq, started_ms, lasted_ms, completed, play_id) SELECT id + 9000, ?, 1, 1, 1, 1, 1, 1, 1, play_id FROM old_plays LIMIT 1500',
      )
      .run(scope);
    raw.prepare("INSERT INTO play_turns (device, shown, device_name, content_name) VALUES (?, 1, 'D', 'C')").run(scope);
    const sum = raw.prepare(
      'INSERT INTO play_sums (scope_id, series, bucket, subject_id, plays, ms) VALUES (?, 1, ?, 0, 1, 1)',
    );
    for (let quarter = 0; quarter < 2500; quarter++) sum.run(scope, quarter);
  });
  must(await remove(site, owner, second.id));
  assert.deepEqual(
    raw.prepare('SELECT (SELECT count(*) FROM playlists) AS p, (SELECT count(*) FROM tokens) AS t').get(),
    { p: 0, t: 0 },
  );
  const left = () =>
    raw
      .prepare(
        'SELECT (SELECT count(*) FROM plays WHERE workspace_id = ?) + (SELECT count(*) FROM play_turns) + (SELECT count(*) FROM play_subjects WHERE workspace_id = ?) + (SELECT count(*) FROM play_sums) + (SELECT count(*) FROM activity WHERE workspace_id = ?) AS n',
      )
      .get(second.id, second.id, second.id) as { n: number };
  const { WorkspaceSweeper } = await import('./workspace-sweeper.ts');
  // A second sweeper, as after a restart, continues the work of the first.
  const sweeper = new WorkspaceSweeper({
    db: site.app.db,
    store: new WorkspacesStore(site.app.db),
    bus: new Bus(() => {}),
  });
  let steps = 0;
  while (sweeper.step()) assert.ok(++steps < 20);
  assert.equal(left().n, 0);
  assert.equal(
    (raw.prepare('SELECT count(*) AS n FROM plays').get() as { n: number }).n,
    1,
    'other workspaces keep theirs',
  );
});

const members = (site: Site, who: Person, id = who.workspaceId) =>
  site.call('GET', `/api/workspaces/${id}/members`, { token: who.token });
const setRole = (site: Site, who: Person, user: string, role: unknown) =>
  site.call('PUT', `/api/workspaces/${who.workspaceId}/members/${user}`, { token: who.token, body: { role } });
const dismiss = (site: Site, who: Person, user: string) =>
  site.call('DELETE', `/api/workspaces/${who.workspaceId}/members/${user}`, { token: who.token });

test('members are visible to everybody in the workspace, and changes by administrators apply at once', async (t) => {
  const { site } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test', { name: 'Bea' });
  const cem = await colleague(site, bea, 'cem@store.test', 'workspace_viewer');
  const answer = await members(site, cem);
  assert.deepEqual(
    must(answer).map((m: any) => [m.user_id, m.email, m.role]),
    [
      [bea.id, bea.email, 'workspace_admin'],
      [cem.id, cem.email, 'workspace_viewer'],
    ],
  );
  assert.equal(answer.headers.get('x-total-count'), '2');
  assert.deepEqual(Object.keys(answer.body[0]), [
    'user_id',
    'email',
    'name',
    'role',
    'created_at',
    'duty',
    'folder_ids',
    'group_ids',
    'regions',
    'approves',
  ]);
  assert.equal((await setRole(site, cem, cem.id, 'workspace_admin')).status, 403);
  assert.equal((await dismiss(site, cem, bea.id)).status, 403);

  assert.equal((await site.call('POST', '/api/playlists', { token: cem.token, body: { name: 'P' } })).status, 403);
  assert.equal(must(await setRole(site, bea, cem.id, 'workspace_editor')).role, 'workspace_editor');
  must(await site.call('POST', '/api/playlists', { token: cem.token, body: { name: 'P' } }), 201);
  must(await setRole(site, bea, cem.id, 'workspace_admin'));
  const { token } = must(await site.call('POST', '/api/tokens', { token: cem.token, body: { name: 'till' } }), 201);
  must(await site.call('GET', '/api/playlists', { token }));

  assert.deepEqual(must(await dismiss(site, bea, cem.id)), { success: true });
  assert.equal((await site.call('GET', '/api/playlists', { token: cem.token })).status, 403, 'signed in, but nowhere');
  assert.equal((await site.call('GET', '/api/playlists', { token })).status, 401, 'the token died with the membership');
  assert.equal((await members(site, cem, bea.workspaceId)).status, 404);
  assert.equal((await dismiss(site, bea, cem.id)).status, 404);
});

test('a token revoked with its membership stays revoked when its owner returns', async (t) => {
  const { site, owner } = await ownedSite(t);
  const cem = await colleague(site, owner, 'cem@store.test', 'workspace_admin');
  const { token } = must(await site.call('POST', '/api/tokens', { token: cem.token, body: { name: 'till' } }), 201);
  must(await dismiss(site, owner, cem.id));
  const invite = must(
    await site.call('POST', `/api/workspaces/${owner.workspaceId}/invites`, {
      token: owner.token,
      body: { email: cem.email, role: 'workspace_admin' },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: cem.token }));
  must(await site.call('GET', '/api/playlists', { token: cem.token }));
  assert.equal((await site.call('GET', '/api/playlists', { token })).status, 401);
});

test('members are 404 for strangers, unknown users and unknown workspaces, and an unknown role is 400', async (t) => {
  const { site, owner } = await ownedSite(t);
  const stranger = await person(site, 'stranger@store.test');
  assert.equal((await members(site, stranger, owner.workspaceId)).status, 404);
  assert.equal((await members(site, owner, 'nowhere')).status, 404);
  assert.equal((await setRole(site, owner, stranger.id, 'workspace_viewer')).status, 404);
  assert.equal((await setRole(site, owner, owner.id, 'org_owner')).status, 400);
  assert.equal((await setRole(site, owner, owner.id, undefined)).status, 400);
});

test('the default content and the report logo of a workspace must be its own contents', async (t) => {
  const { site, owner } = await ownedSite(t);
  const other = await person(site, 'bea@store.test');
  const mine = must(await upload(site, owner.token, picture('mine'), 'mine.gif'), 201).id;
  const theirs = must(await upload(site, other.token, picture('theirs'), 'theirs.gif'), 201).id;
  const player = await pairPlayer(t, site, owner.token);
  for (const member of ['default_content_id', 'logo_content_id']) {
    for (const id of [theirs, 'none'])
      assert.equal((await rename(site, owner, owner.workspaceId, { [member]: id })).status, 404, member);
    assert.equal(must(await rename(site, owner, owner.workspaceId, { [member]: mine }))[member], mine);
  }
  const { url } = await player.client.next('program');
  assert.equal(must(await site.call('GET', url, { token: player.credential })).fallback.content_id, mine);
  for (const member of ['default_content_id', 'logo_content_id'])
    assert.equal(must(await rename(site, owner, owner.workspaceId, { [member]: null }))[member], null);
});

test('changes of a workspace are logged in this workspace, and its deletion in another one of the organization', async (t) => {
  const { site, owner } = await ownedSite(t);
  const log = async (count: number) =>
    must(await site.call('GET', `/api/activity?limit=${count}`, { token: owner.token })).map(
      ({ action, details }: any) => `${action} ${details}`,
    );
  const edit = async (change: unknown) => must(await rename(site, owner, owner.workspaceId, change));
  await edit({ name: 'Shop' });
  await edit({ organization_name: 'Shops' });
  await edit({ approval: 1 });
  await edit({ approval: 1 });
  await edit({ approval: 0, name: 'Store' });
  assert.deepEqual(await log(5), [
    'workspace.updated Store',
    'workspace.approval_ended Shop',
    'workspace.approval_started Shop',
    'workspace.updated Shop',
    'workspace.updated Shop',
  ]);
  const { id } = must(await create(site, owner, { name: 'North' }), 201);
  must(await remove(site, owner, id));
  assert.deepEqual(await log(1), ['workspace.deleted North']);
  const { id: next } = must(await create(site, owner, { name: 'East' }), 201);
  must(await remove(site, owner, owner.workspaceId));
  const there = must(
    await site.call('POST', '/api/auth/switch-workspace', { token: owner.token, body: { workspace_id: next } }),
  );
  const [entry] = must(await site.call('GET', '/api/activity?limit=1', { token: there.token }));
  assert.deepEqual([entry.action, entry.details], ['workspace.deleted', 'Store']);
});

test('an organization has at most a thousand workspaces, and a person without an organization cannot create any', async (t) => {
  const { site, owner } = await ownedSite(t);
  const guest = await person(site, 'guest@store.test', { createOrg: false });
  assert.equal((await create(site, guest, { name: 'N' })).status, 403);
  site.app.db.write(() =>
    site.app.db.raw
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 998)
         INSERT INTO workspaces (id, organization_id, name, created_at) SELECT 'full' || i, organization_id, 'N', 0 FROM n, workspaces WHERE id = ?`,
      )
      .run(owner.workspaceId),
  );
  must(await create(site, owner, { name: 'N' }), 201);
  assert.match((await create(site, owner, { name: 'N' })).body.error, /at most 1000 workspaces/);
});

/** Ann owns one organization, Eve another; each has a workspace of the same name. */
const alone = (t: TestContext) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  for (const id of ['ann', 'eve']) {
    addWorkspace(db, id);
    db.raw.exec(`
      INSERT INTO users (id, email, name, plan_id, created_at) VALUES ('${id}', '${id}@x', '${id}', '', 0);
      INSERT INTO organization_members VALUES ('${id}', '${id}', 'org_owner', 0);`);
  }
  const store = new WorkspacesStore(db);
  const bus = new Bus((_event, error) => {
    throw error;
  });
  const acts: string[] = [];
  const heard: unknown[] = [];
  bus.on('changed', ({ topic, workspaceId, by }) => heard.push(`${topic} of ${workspaceId} by ${by}`));
  bus.on('accountsChanged', () => heard.push('accounts'));
  bus.on('workspaceGone', (id) => heard.push(`${id} is gone`));
  const service = new WorkspacesService({
    db,
    bus,
    clock: new TestClock(),
    store,
    members: new MembersStore(db),
    access: new WorkspaceAccess(store),
    activity: { add() {} },
  });
  const roles = new OrganizationMembersService({
    db,
    bus,
    clock: new TestClock(),
    store: new OrganizationMembersStore(db),
    members: new MembersStore(db),
    workspaces: store,
    access: new WorkspaceAccess(store),
    activity: { add: ({ workspaceId, action, details }) => void acts.push(`${workspaceId}: ${action} ${details}`) },
  });
  const actor = {
    userId: 'ann',
    userName: 'Ann',
    workspaceId: 'ann',
    organizationId: 'ann',
    platformRole: 'user',
    confinedTo: null,
    ip: '192.0.2.1',
  } as Actor;
  /** Returns the events that an action causes. All of these events must come after the commit. */
  const hear = async (act: () => unknown) => {
    db.write(() => {
      act();
      assert.deepEqual(heard, []);
    });
    await db.durable();
    return heard.splice(0);
  };
  return { db, store, service, roles, actor, hear, acts };
};

test('each change of access announces that accounts have changed, and each deleted workspace is announced', async (t) => {
  const { db, service, store, actor, hear } = alone(t);
  let id = '';
  const settings = (of: string) => `settings of ${of} by ann`;
  assert.deepEqual(await hear(() => void (id = service.create(actor, { name: 'Second' }).id)), [
    'accounts',
    settings(id),
  ]);
  const brand = `brand of ${id} by ann`;
  assert.deepEqual(await hear(() => service.update(actor, id, { name: 'Annex' })), [brand, settings(id)]);
  assert.deepEqual(await hear(() => service.update(actor, id, { approval: 1 })), [
    'accounts',
    settings(id),
    `members of ${id} by ann`,
  ]);
  assert.deepEqual(await hear(() => service.update(actor, id, { approval: 1 })), []);
  db.raw
    .prepare(
      "INSERT INTO content (id, workspace_id, filename, kind, mime_type, created_at, updated_at) VALUES ('c', ?, 'c', 'image', 'image/gif', 0, 0)",
    )
    .run(id);
  assert.deepEqual(
    await hear(() => service.update(actor, id, { default_content_id: 'c', logo_content_id: 'c' })),
    [`devices of ${id} by ann`, brand, settings(id)],
    'its screens may show it',
  );
  assert.deepEqual(await hear(() => service.delete(actor, id)), ['accounts', `${id} is gone`]);
  assert.deepEqual(await hear(() => service.found({ id: 'eve', name: 'Eve' })), ['accounts']);
  const third = service.create(actor, { name: 'Third' }).id;
  await hear(() => {});
  const left = store.listOf('ann');
  assert.deepEqual(left.toSorted(), ['ann', third].toSorted());
  assert.deepEqual(await hear(() => service.dissolve('ann')), ['accounts', ...left.map((one) => `${one} is gone`)]);
  assert.deepEqual(store.gone(), [id, ...left]);
  assert.deepEqual([service.exists('ann'), service.exists('eve')], [false, true]);
  assert.equal(db.raw.prepare("SELECT count(*) FROM organizations WHERE id = 'ann'").pluck().get(), 0);
});

test('change of an organization role is announced to all workspaces of the organization, and logged in one of them', async (t) => {
  const { service, store, roles, actor, hear, acts } = alone(t);
  const second = service.create(actor, { name: 'Second' }).id;
  await hear(() => {});
  const rooms = store.listOf('ann');
  const told = ['accounts', ...rooms.map((room) => `members of ${room} by ann`)];
  const admin = { ...actor, platformRole: 'platform_admin' } as Actor;
  assert.deepEqual(await hear(() => roles.setRole({ ...actor, workspaceId: second }, 'ann', 'ann', 'org_owner')), told);
  assert.deepEqual(
    await hear(() => roles.setRole({ ...admin, organizationId: 'eve', workspaceId: 'eve' }, 'ann', 'ann', 'org_owner')),
    told,
  );
  const role = 'organization.role_changed ann@x (org_owner)';
  assert.deepEqual(acts, [`${second}: ${role}`, `${rooms[0]}: ${role}`]);
  for (const id of ['eve', 'none']) {
    assert.throws(() => roles.list(actor, id), { status: 404 });
    assert.throws(() => roles.list({ ...admin, confinedTo: 'ann' }, id), { status: 404 });
  }
  assert.throws(() => roles.list(admin, 'none'), { status: 404 });
  assert.deepEqual(
    roles.list(admin, 'eve').map(({ user_id }) => user_id),
    ['eve'],
  );
});
