import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Site, startSite } from '../../../test/harness.ts';
import { colleague, must, type Person, person } from '../../../test/people.ts';

const me = async (site: Site, token: string) => must(await site.call('GET', '/api/auth/me', { token }));

/**
 * Olga's organization with the workspaces Default (Bea is editor, Cem is viewer) and Second, and a stranger with an
 * organization of their own.
 */
const setUp = async (t: Parameters<typeof startSite>[0]) => {
  const site = await startSite(t);
  const admin = await person(site, 'admin@store.test', { createOrg: false });
  const olga = await person(site, 'olga@store.test', { name: 'Olga' });
  const bea = await colleague(site, olga, 'bea@store.test', 'workspace_editor');
  const cem = await colleague(site, olga, 'cem@store.test', 'workspace_viewer');
  const stranger = await person(site, 'stranger@store.test');
  const second = must(await site.call('POST', '/api/workspaces', { token: olga.token, body: { name: 'Second' } }), 201)
    .id as string;
  const id = (await me(site, olga.token)).current_organization.id as string;
  const path = `/api/organizations/${id}/members`;
  const list = (who: Person) => site.call('GET', path, { token: who.token });
  const give = (who: Person, to: Pick<Person, 'id'>, role: unknown) =>
    site.call('PUT', `${path}/${to.id}`, { token: who.token, body: { role } });
  const take = (who: Person, from: Pick<Person, 'id'>) =>
    site.call('DELETE', `${path}/${from.id}`, { token: who.token });
  return { site, admin, olga, bea, cem, stranger, second, id, list, give, take };
};

test('an owner gives and removes the administrator role at once, and removing it revokes tokens in other workspaces', async (t) => {
  const { site, olga, bea, cem, second, list, give, take } = await setUp(t);
  const people = must(await list(olga));
  assert.deepEqual(
    people.map((p: Record<string, unknown>) => [p['user_id'], p['email'], p['name'], p['role']]),
    [
      [bea.id, bea.email, 'bea', null],
      [cem.id, cem.email, 'cem', null],
      [olga.id, olga.email, 'Olga', 'org_owner'],
    ],
  );
  assert.deepEqual(must(await give(olga, bea, 'org_admin')), {
    user_id: bea.id,
    email: bea.email,
    name: 'bea',
    role: 'org_admin',
  });
  const known = await me(site, bea.token);
  assert.deepEqual(
    [known.current_org_role, known.can_admin, known.accessible_workspaces.length],
    ['org_admin', true, 2],
  );
  must(await list(bea));
  const there = must(
    await site.call('POST', '/api/auth/switch-workspace', { token: bea.token, body: { workspace_id: second } }),
  ).token;
  const tokenOf = async (token: string) =>
    must(await site.call('POST', '/api/tokens', { token, body: { name: 'till' } }), 201).token as string;
  const [here, elsewhere] = [await tokenOf(bea.token), await tokenOf(there)];
  must(await site.call('POST', '/api/workspaces', { token: bea.token, body: { name: 'Third' } }), 201);

  assert.deepEqual(must(await take(olga, bea)), { success: true });
  const after = await me(site, bea.token);
  assert.deepEqual([after.current_org_role, after.current_workspace_role], [null, 'workspace_editor']);
  assert.deepEqual(
    after.accessible_workspaces.map((w: { name: string }) => w.name).toSorted(),
    ['Default', 'Third'],
    'what it is a member of stays',
  );
  const works = async (token: string) => (await site.call('GET', '/api/devices', { token })).status;
  assert.deepEqual([await works(here), await works(elsewhere)], [200, 401]);
  must(await give(olga, bea, 'org_admin'));
  assert.equal(await works(elsewhere), 401, 'for good');
  const actions = must(await site.call('GET', '/api/activity', { token: olga.token })).filter((e: { action: string }) =>
    e.action.startsWith('organization.'),
  );
  assert.deepEqual(
    actions.map((e: Record<string, unknown>) => [e['action'], e['details']]),
    [
      ['organization.role_changed', `${bea.email} (org_admin)`],
      ['organization.role_removed', `${bea.email} (org_admin)`],
      ['organization.role_changed', `${bea.email} (org_admin)`],
    ],
  );
});

test('only owners and platform administrators change organization roles, and strangers get 404', async (t) => {
  const { site, admin, olga, bea, cem, stranger, list, give, take } = await setUp(t);
  must(await give(olga, bea, 'org_admin'));
  for (const who of [bea, cem])
    assert.deepEqual(
      [
        (await give(who, cem, 'org_admin')).status,
        (await give(who, bea, 'org_owner')).status,
        (await take(who, olga)).status,
      ],
      [403, 403, 403],
    );
  assert.deepEqual(
    [
      (await list(cem)).status,
      (await list(stranger)).status,
      (await give(stranger, stranger, 'org_owner')).status,
      (await take(stranger, olga)).status,
    ],
    [403, 404, 404, 404],
  );
  assert.equal((await give(olga, stranger, 'org_admin')).status, 404, 'does not belong to it');
  assert.equal((await give(olga, { id: 'nobody' }, 'org_admin')).status, 404);
  assert.equal((await take(olga, cem)).status, 404, 'has no role');
  for (const role of ['workspace_admin', null, undefined, 'king'])
    assert.equal((await give(olga, cem, role)).status, 400);
  must(await list(admin));
  must(await give(admin, cem, 'org_owner'));
  must(
    await site.call('PUT', `/api/auth/users/${stranger.id}/role`, {
      token: admin.token,
      body: { role: 'platform_operator' },
    }),
  );
  assert.deepEqual([(await list(stranger)).status, (await give(stranger, cem, 'org_admin')).status], [403, 403]);
});

test('the last owner of an organization cannot be removed or demoted, also by parallel requests', async (t) => {
  const { admin, olga, bea, give, take } = await setUp(t);
  for (const who of [olga, admin])
    assert.deepEqual([(await give(who, olga, 'org_admin')).status, (await take(who, olga)).status], [409, 409]);
  must(await give(olga, olga, 'org_owner'));
  must(await give(olga, bea, 'org_owner'));
  const both = await Promise.all([take(olga, olga), take(bea, bea)]);
  assert.deepEqual(both.map((a) => a.status).toSorted(), [200, 409]);
});

test('a user whose password an owner has set cannot change roles in another organization that this user owns', async (t) => {
  const { site, olga, bea, id } = await setUp(t);
  const own = await person(site, 'zoe@store.test');
  const invite = must(
    await site.call('POST', `/api/workspaces/${olga.workspaceId}/invites`, {
      token: olga.token,
      body: { email: own.email, role: 'workspace_viewer' },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: own.token }));
  const organization = (await me(site, own.token)).current_organization.id;
  assert.notEqual(organization, id);
  site.app.db.write(() =>
    site.app.db.raw.prepare('UPDATE users SET password_organization_id = ? WHERE id = ?').run(id, own.id),
  );
  const token = must(
    await site.call('POST', '/api/auth/login', { body: { email: own.email, password: 'correct horse' } }),
  ).token;
  assert.equal((await site.call('GET', `/api/organizations/${organization}/members`, { token })).status, 404);
  assert.equal(
    (
      await site.call('PUT', `/api/organizations/${organization}/members/${bea.id}`, {
        token,
        body: { role: 'org_owner' },
      })
    ).status,
    404,
  );
});

test('a person of the organization becomes a member of its other workspaces without an invite, a stranger does not', async (t) => {
  const { site, olga, bea, stranger, second } = await setUp(t);
  const put = (who: string, role: string) =>
    site.call('PUT', `/api/workspaces/${second}/members/${who}`, { token: olga.token, body: { role } });
  assert.equal((await put(stranger.id, 'workspace_viewer')).status, 404);
  const made = must(await put(bea.id, 'workspace_admin'));
  assert.deepEqual([made.user_id, made.role], [bea.id, 'workspace_admin']);
  assert.equal((await me(site, bea.token)).accessible_workspaces.length, 2);
  assert.equal(
    (
      await site.call('PUT', `/api/workspaces/${second}/members/${olga.id}`, {
        token: bea.token,
        body: { role: 'workspace_viewer' },
      })
    ).status,
    200,
  );
});
