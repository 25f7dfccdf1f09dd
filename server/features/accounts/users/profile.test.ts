import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedSite, type Site, startSite, TestClock } from '../../../../test/harness.ts';
import { colleague, login, must, PASSWORD, type Person, person } from '../../../../test/people.ts';

const NEW = 'brand new horse';
const me = async (site: Site, token: string) => must(await site.call('GET', '/api/auth/me', { token }));
const change = (site: Site, token: string, body: unknown) => site.call('PUT', '/api/auth/me', { token, body });
const go = (site: Site, who: Person, workspace_id: unknown) =>
  site.call('POST', '/api/auth/switch-workspace', { token: who.token, body: { workspace_id } });

test('/me returns null for workspace, organization and roles of a user without a workspace', async (t) => {
  const { site } = await ownedSite(t);
  const cem = await person(site, 'cem@store.test', { createOrg: false });
  const answer = await me(site, cem.token);
  assert.deepEqual(
    [
      answer.current_workspace_id,
      answer.current_workspace,
      answer.current_organization,
      answer.current_workspace_role,
      answer.current_org_role,
      answer.is_platform_admin,
      answer.acting_as,
      answer.accessible_workspaces,
    ],
    [null, null, null, null, null, false, false, []],
  );
  assert.equal(answer.hide_billing, true);
});

test('workspaces that a user can access (all for staff) are listed by name, with the field can_admin', async (t) => {
  const site = await startSite(t);
  const owner = await person(site, 'owner@store.test', { name: 'Olga' });
  const zoe = await person(site, 'zoe@store.test', { name: 'Zoe' });
  const bea = await person(site, 'bea@store.test', { name: 'Bea' });
  for (const name of ['North', 'annex'])
    must(await site.call('POST', '/api/workspaces', { token: bea.token, body: { name } }), 201);
  const invite = must(
    await site.call('POST', `/api/workspaces/${zoe.workspaceId}/invites`, {
      token: zoe.token,
      body: { email: bea.email, role: 'workspace_viewer' },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: bea.token }));
  const entries = async (who: Person) =>
    (await me(site, who.token)).accessible_workspaces.map((w: any) => [
      w.organization_name,
      w.name,
      w.workspace_role,
      w.can_admin,
      w.device_count,
    ]);
  const beas = [
    ['Bea’s organization', 'annex', 'workspace_admin', true, 0],
    ['Bea’s organization', 'Default', 'workspace_admin', true, 0],
    ['Bea’s organization', 'North', 'workspace_admin', true, 0],
    ['Zoe’s organization', 'Default', 'workspace_viewer', false, 0],
  ];
  assert.deepEqual(await entries(bea), beas);
  const foreign = beas.map(([o, w]) => [o, w, null]);
  assert.deepEqual(
    (await entries(owner)).map((e: unknown[]) => e.slice(0, 4)),
    [
      ...foreign.slice(0, 3).map((e) => [...e, true]),
      ['Olga’s organization', 'Default', 'workspace_admin', true],
      ['Zoe’s organization', 'Default', null, true],
    ],
  );
  must(
    await site.call('PUT', `/api/auth/users/${zoe.id}/role`, {
      token: owner.token,
      body: { role: 'platform_operator' },
    }),
  );
  assert.deepEqual(
    (await entries(zoe)).map((e: unknown[]) => e[3]),
    [false, false, false, false, true],
    'an operator administers only where it belongs',
  );
});

test('/me marks staff in a foreign workspace as acting_as, and an operator there may write but not administer', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const there = must(await go(site, owner, bea.workspaceId));
  assert.equal(there.current_workspace_id, bea.workspaceId);
  const acting = await me(site, there.token);
  assert.deepEqual(
    [acting.acting_as, acting.current_workspace_role, acting.current_org_role, acting.can_write, acting.can_admin],
    [true, null, null, true, true],
  );
  assert.equal(
    (await me(site, owner.token)).current_workspace_id,
    owner.workspaceId,
    'the old session stays where it was',
  );
  must(
    await site.call('PUT', `/api/auth/users/${bea.id}/role`, {
      token: owner.token,
      body: { role: 'platform_operator' },
    }),
  );
  const operator = must(await go(site, bea, owner.workspaceId)).token;
  const answer = await me(site, operator);
  assert.deepEqual([answer.acting_as, answer.can_write, answer.can_admin], [true, true, false]);
  must(await site.call('POST', '/api/playlists', { token: operator, body: { name: 'P' } }), 201);
  assert.equal((await site.call('GET', '/api/tokens', { token: operator })).status, 403);
  assert.equal(
    (await site.call('GET', `/api/workspaces/${owner.workspaceId}/invites`, { token: operator })).status,
    403,
  );
});

test('switch-workspace is 400 without an id, 404 for an unknown one, 403 for strangers, and allowed for members and owners', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const cem = await colleague(site, bea, 'cem@store.test', 'workspace_viewer');
  assert.equal((await go(site, bea, undefined)).status, 400);
  assert.equal((await go(site, bea, '')).status, 400);
  assert.equal((await go(site, bea, 'nowhere')).status, 404);
  assert.equal((await go(site, bea, owner.workspaceId)).status, 403);
  must(await go(site, cem, bea.workspaceId));
  const second = must(await site.call('POST', '/api/workspaces', { token: bea.token, body: { name: 'Second' } }), 201);
  must(await site.call('DELETE', `/api/workspaces/${second.id}/members/${bea.id}`, { token: bea.token }));
  const there = must(await go(site, bea, second.id));
  const answer = await me(site, there.token);
  assert.deepEqual(
    [answer.acting_as, answer.current_workspace_role, answer.current_org_role, answer.can_admin],
    [true, null, 'org_owner', true],
  );
  assert.equal((await go(site, cem, second.id)).status, 403);
});

test('two sessions of one user work in different workspaces independently', async (t) => {
  const { site, owner } = await ownedSite(t);
  const second = must(
    await site.call('POST', '/api/workspaces', { token: owner.token, body: { name: 'Second' } }),
    201,
  );
  const there = must(await go(site, owner, second.id)).token;
  const made = must(await site.call('POST', '/api/playlists', { token: there, body: { name: 'P' } }), 201);
  assert.equal(made.workspace_id, second.id);
  assert.deepEqual(must(await site.call('GET', '/api/playlists', { token: owner.token })), []);
  assert.equal((await site.call('GET', `/api/playlists/${made.id}`, { token: owner.token })).status, 404);
});

test('name and alerts can be changed, and the answer has the declared fields', async (t) => {
  const { site, owner } = await ownedSite(t);
  const changed = must(
    await change(site, owner.token, { name: '  Olga  ', email_alerts: false, role: 'user', email: 'x@store.test' }),
  );
  assert.deepEqual(Object.keys(changed), [
    'id',
    'email',
    'name',
    'role',
    'auth_provider',
    'avatar_url',
    'plan_id',
    'email_alerts',
    'must_change_password',
  ]);
  assert.deepEqual(
    [changed.name, changed.email_alerts, changed.role, changed.email],
    ['Olga', 0, 'platform_admin', 'owner@store.test'],
  );
  assert.equal(must(await change(site, owner.token, { email_alerts: 1 })).email_alerts, 1);
  must(await change(site, owner.token, {}));
  for (const body of [{ name: '' }, { name: 7 }, { name: 'a\nb' }, { email_alerts: 'no' }, { email_alerts: 2 }])
    assert.equal((await change(site, owner.token, body)).status, 400);
  assert.equal((await me(site, owner.token)).name, 'Olga');
});

test('a password change needs 8 characters and the present password, and ends all other sessions', async (t) => {
  const { site, owner } = await ownedSite(t);
  const other = must(await login(site, owner.email)).token;
  assert.equal((await change(site, owner.token, { password: 'seven77', current_password: PASSWORD })).status, 400);
  const missing = await change(site, owner.token, { password: NEW });
  assert.deepEqual([missing.status, /current_password/.test(missing.body.error)], [400, true]);
  assert.equal((await change(site, owner.token, { password: NEW, current_password: 'wrong horse' })).status, 401);
  must(await site.call('GET', '/api/auth/me', { token: other }));
  must(await change(site, owner.token, { password: NEW, current_password: PASSWORD }));
  must(await site.call('GET', '/api/auth/me', { token: owner.token }));
  assert.equal((await site.call('GET', '/api/auth/me', { token: other })).status, 401);
  assert.equal((await login(site, owner.email)).status, 401);
  must(await login(site, owner.email, NEW));
});

test('personal tokens survive a password change unless revoked with it, and /me counts them', async (t) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock });
  const second = must(
    await site.call('POST', '/api/workspaces', { token: owner.token, body: { name: 'Second' } }),
    201,
  );
  const there = must(await go(site, owner, second.id)).token;
  const made = async (token: string, more = {}) =>
    must(await site.call('POST', '/api/tokens', { token, body: { name: 'till', ...more } }), 201).token as string;
  const tokens = [await made(owner.token), await made(there)];
  await made(owner.token, { expires_at: Math.floor(clock.now() / 1000) + 60 });
  const bea = await colleague(site, owner, 'bea@store.test', 'workspace_admin');
  const beas = await made(bea.token);
  clock.advance(60_000);
  const works = async (token: string) => (await site.call('GET', '/api/devices', { token })).status === 200;
  assert.equal((await me(site, owner.token)).live_tokens, 2, 'not those that have expired, nor anybody else’s');

  must(await change(site, owner.token, { password: NEW, current_password: PASSWORD }));
  assert.deepEqual(await Promise.all(tokens.map(works)), [true, true]);
  assert.equal(
    (await change(site, owner.token, { password: PASSWORD, current_password: 'wrong horse', revoke_tokens: true }))
      .status,
    401,
  );
  assert.deepEqual(await Promise.all(tokens.map(works)), [true, true], 'not with a wrong password');
  const answer = must(
    await change(site, owner.token, { password: PASSWORD, current_password: NEW, revoke_tokens: true }),
  );
  assert.deepEqual(Object.keys(answer), [
    'id',
    'email',
    'name',
    'role',
    'auth_provider',
    'avatar_url',
    'plan_id',
    'email_alerts',
    'must_change_password',
  ]);
  assert.deepEqual(
    await Promise.all([...tokens, beas].map(works)),
    [false, false, true],
    'in all workspaces, and nobody else’s',
  );
  assert.equal((await me(site, owner.token)).live_tokens, 0);
  assert.equal((await change(site, owner.token, { revoke_tokens: 'yes' })).status, 400);
});
