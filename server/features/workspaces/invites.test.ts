import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedSite, type Site, startSite, TestClock, tempFolder } from '../../../test/harness.ts';
import { colleague, login, must, type Person, person } from '../../../test/people.ts';

const DAY = 24 * 3600_000;
const invite = (site: Site, who: Person, email: unknown, role: unknown = 'workspace_editor') =>
  site.call('POST', `/api/workspaces/${who.workspaceId}/invites`, { token: who.token, body: { email, role } });
const pending = async (site: Site, who: Person) =>
  must(await site.call('GET', `/api/workspaces/${who.workspaceId}/invites`, { token: who.token })) as {
    id: string;
    email: string;
    role: string;
  }[];
const accept = (site: Site, token: string, id: string) => site.call('POST', `/api/auth/accept-invite/${id}`, { token });

test('an invite is valid for 7 days, and accepting it creates a membership with its role and deletes the invite', async (t) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  const owner = await person(site, 'owner@store.test', { name: 'Olga' });
  const bea = await person(site, 'bea@store.test', { createOrg: false });
  const made = must(await invite(site, owner, 'BEA@Store.test', 'workspace_viewer'), 201);
  assert.deepEqual(Object.keys(made), ['id', 'email', 'role', 'expires_at', 'created_at']);
  assert.deepEqual(
    [made.email, made.role, made.expires_at - made.created_at],
    ['bea@store.test', 'workspace_viewer', 7 * 24 * 3600],
  );
  assert.deepEqual(await pending(site, owner), [made]);
  assert.deepEqual(must(await accept(site, bea.token, made.id)), {
    workspace_id: owner.workspaceId,
    workspace_name: 'Default',
    organization_name: 'Olga’s organization',
    role: 'workspace_viewer',
    already_member: false,
  });
  assert.deepEqual(await pending(site, owner), []);
  assert.equal(
    must(await site.call('GET', '/api/auth/me', { token: bea.token })).current_workspace_id,
    owner.workspaceId,
    'the session of somebody without a workspace goes there',
  );
  assert.equal((await accept(site, bea.token, made.id)).status, 404);
});

test('accepting answers 404 for an unknown invite, 403 for another address, 410 after expiry or without the workspace', async (t) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock });
  const bea = await person(site, 'bea@store.test');
  const cem = await person(site, 'cem@store.test');
  assert.equal((await accept(site, bea.token, 'unknown')).status, 404);
  const made = must(await invite(site, owner, bea.email), 201);
  assert.equal((await accept(site, cem.token, made.id)).status, 403);
  clock.advance(7 * DAY - 1000);
  const again = must(await login(site, bea.email)).token;
  clock.advance(1000);
  assert.equal((await accept(site, again, made.id)).status, 410);
  assert.equal((await accept(site, again, made.id)).status, 404);

  const session = must(await login(site, owner.email)).token;
  const second = must(await site.call('POST', '/api/workspaces', { token: session, body: { name: 'Second' } }), 201);
  const late = must(await invite(site, { ...owner, token: session, workspaceId: second.id }, bea.email), 201);
  must(await site.call('DELETE', `/api/workspaces/${second.id}`, { token: session }));
  assert.equal((await accept(site, again, late.id)).status, 410);
});

test('an invite that only looks expired by an untrusted clock is not deleted', async (t) => {
  const [clock, data] = [new TestClock(), tempFolder(t)];
  const first = await startSite(t, { clock, data });
  const owner = await person(first, 'owner@store.test');
  const bea = await person(first, 'bea@store.test');
  const made = must(await invite(first, owner, bea.email), 201);
  await first.app.stop();
  clock.jump(730 * DAY);
  const ahead = await startSite(t, { clock, data });
  assert.ok(ahead.app.clock.doubtful);
  assert.equal((await accept(ahead, must(await login(ahead, bea.email)).token, made.id)).status, 410);
  must(await invite(ahead, { ...owner, token: must(await login(ahead, owner.email)).token }, 'cem@store.test'), 201);
  await ahead.app.stop();
  clock.jump(-730 * DAY);
  const right = await startSite(t, { clock, data });
  must(await accept(right, bea.token, made.id));
});

test('accepting an invite keeps the role of an existing membership and deletes the invite', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  must(await accept(site, bea.token, must(await invite(site, owner, bea.email), 201).id));
  const second = {
    ...owner,
    workspaceId: must(await site.call('POST', '/api/workspaces', { token: owner.token, body: { name: 'Second' } }), 201)
      .id as string,
  };
  const waiting = must(await invite(site, second, bea.email, 'workspace_admin'), 201);
  // While the invite is pending, the person becomes a member in another way.
  must(
    await site.call('PUT', `/api/workspaces/${second.workspaceId}/members/${bea.id}`, {
      token: owner.token,
      body: { role: 'workspace_viewer' },
    }),
  );
  const taken = must(await accept(site, bea.token, waiting.id));
  assert.deepEqual([taken.already_member, taken.role], [true, 'workspace_viewer']);
  assert.equal((await accept(site, bea.token, waiting.id)).status, 404);
  assert.deepEqual(
    must(await site.call('GET', `/api/workspaces/${second.workspaceId}/members`, { token: owner.token })).map(
      (m: { role: string }) => m.role,
    ),
    ['workspace_admin', 'workspace_viewer'],
  );
});

test('an organization administrator who accepts an invite becomes a member with its role and stays administrator', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await colleague(site, owner, 'bea@store.test', 'workspace_viewer');
  const organization = must(await site.call('GET', '/api/auth/me', { token: owner.token })).current_organization.id;
  const second = {
    ...owner,
    workspaceId: must(await site.call('POST', '/api/workspaces', { token: owner.token, body: { name: 'Second' } }), 201)
      .id as string,
  };
  must(
    await site.call('PUT', `/api/organizations/${organization}/members/${bea.id}`, {
      token: owner.token,
      body: { role: 'org_admin' },
    }),
  );
  const taken = must(
    await accept(site, bea.token, must(await invite(site, second, bea.email, 'workspace_viewer'), 201).id),
  );
  assert.deepEqual([taken.already_member, taken.role], [false, 'workspace_viewer']);
  const there = must(await site.call('GET', '/api/auth/me', { token: bea.token })).accessible_workspaces.find(
    (w: { id: string }) => w.id === second.workspaceId,
  );
  assert.deepEqual([there.workspace_role, there.can_admin], ['workspace_viewer', true]);
});

test('a new invite replaces the earlier invite of the same address, and a member cannot be invited', async (t) => {
  const { site, owner } = await ownedSite(t);
  const first = must(await invite(site, owner, 'bea@store.test', 'workspace_viewer'), 201);
  const second = must(await invite(site, owner, 'Bea@store.test', 'workspace_admin'), 201);
  assert.deepEqual(await pending(site, owner), [second]);
  assert.notEqual(first.id, second.id);
  assert.equal((await invite(site, owner, 'OWNER@store.test')).status, 409);
});

test('only administrators of the workspace can list, create and delete invites, and strangers get 404', async (t) => {
  const { site, owner } = await ownedSite(t);
  const editor = await colleague(site, owner, 'editor@store.test', 'workspace_editor');
  const stranger = await person(site, 'stranger@store.test');
  const made = must(await invite(site, owner, 'x@store.test'), 201);
  const calls = (who: Person) => [
    site.call('GET', `/api/workspaces/${owner.workspaceId}/invites`, { token: who.token }),
    invite(site, { ...who, workspaceId: owner.workspaceId }, 'y@store.test'),
    site.call('DELETE', `/api/workspaces/${owner.workspaceId}/invites/${made.id}`, { token: who.token }),
  ];
  assert.deepEqual(
    (await Promise.all(calls(editor))).map((a) => a.status),
    [403, 403, 403],
  );
  assert.deepEqual(
    (await Promise.all(calls(stranger))).map((a) => a.status),
    [404, 404, 404],
  );
  assert.equal(
    (await site.call('DELETE', `/api/workspaces/${stranger.workspaceId}/invites/${made.id}`, { token: stranger.token }))
      .status,
    404,
    'of another workspace',
  );
  must(await site.call('DELETE', `/api/workspaces/${owner.workspaceId}/invites/${made.id}`, { token: owner.token }));
  assert.deepEqual(await pending(site, owner), []);
});

test('a missing or malformed field of an invite is 400', async (t) => {
  const { site, owner } = await ownedSite(t);
  for (const [email, role] of [
    [undefined, 'workspace_viewer'],
    ['no address', 'workspace_viewer'],
    ['a@store.test', 'org_owner'],
    ['a@store.test', null],
    [7, 'workspace_viewer'],
  ]) {
    assert.equal((await invite(site, owner, email, role)).status, 400);
  }
});
