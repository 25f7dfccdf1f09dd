import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ownedSite, type Site, startSite } from '../../../../test/harness.ts';
import { colleague, login, must, PASSWORD, type Person, person } from '../../../../test/people.ts';

const NEW = 'brand new horse';
const users = async (site: Site, who: Person) =>
  must(await site.call('GET', '/api/auth/users', { token: who.token })) as Record<string, unknown>[];
const remove = (site: Site, who: Person, id: string) =>
  site.call('DELETE', `/api/auth/users/${id}`, { token: who.token });
const setRole = (site: Site, who: Person, id: string, role: unknown) =>
  site.call('PUT', `/api/auth/users/${id}/role`, { token: who.token, body: { role } });
const confirm = (site: Site, who: Person, id: string) =>
  site.call('POST', `/api/auth/users/${id}/confirm-password`, { token: who.token });
const reset = (site: Site, who: Person, id: string, password: unknown = NEW) =>
  site.call('PUT', `/api/auth/users/${id}/password`, { token: who.token, body: { password } });

test('platform roles see all users, with workspace_count and, for exactly one membership, its names', async (t) => {
  const site = await startSite(t);
  const owner = await person(site, 'owner@store.test', { name: 'Olga' });
  const bea = await person(site, 'bea@store.test', { name: 'Bea' });
  const homeless = await person(site, 'cem@store.test', { createOrg: false });
  const invite = must(
    await site.call('POST', `/api/workspaces/${bea.workspaceId}/invites`, {
      token: bea.token,
      body: { email: owner.email, role: 'workspace_viewer' },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: owner.token }));
  const list = await users(site, owner);
  assert.deepEqual(
    list.map((u) => [u['id'], u['workspace_count'], u['workspace_name'], u['organization_name']]),
    [
      [owner.id, 2, undefined, undefined],
      [bea.id, 1, 'Default', 'Bea’s organization'],
      [homeless.id, 0, undefined, undefined],
    ],
  );
  assert.equal(list[1]!['workspace_id'], bea.workspaceId);
  for (const user of list)
    assert.deepEqual(
      ['password_hash', 'totp_secret', 'totp_last_step'].filter((secret) => secret in user),
      [],
    );
  must(await setRole(site, owner, bea.id, 'platform_operator'));
  assert.equal((await users(site, bea)).length, 3);
});

test('administrators without a platform role see the people of their organizations, and plain users only themselves', async (t) => {
  const { site } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const cem = await colleague(site, bea, 'cem@store.test', 'workspace_viewer');
  const dan = await colleague(site, bea, 'dan@store.test', 'workspace_admin');
  await person(site, 'stranger@store.test');
  const list = await users(site, bea);
  assert.deepEqual(
    list.map((u) => u['id']),
    [bea.id, cem.id, dan.id],
  );
  assert.equal('workspace_count' in list[0]!, false);
  assert.deepEqual(
    (await users(site, dan)).map((u) => u['id']),
    [bea.id, cem.id, dan.id],
  );
  assert.equal((await site.call('GET', '/api/auth/users', { token: cem.token })).status, 403);
});

test('a role takes effect with the next request, and administrators cannot remove their own role', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  assert.equal((await site.call('GET', '/api/server/settings', { token: bea.token })).status, 403);
  assert.deepEqual(must(await setRole(site, owner, bea.id, 'platform_admin')), { success: true });
  must(await site.call('GET', '/api/server/settings', { token: bea.token }));
  must(await setRole(site, bea, owner.id, 'user'));
  assert.equal((await site.call('GET', '/api/server/settings', { token: owner.token })).status, 403);
  assert.equal((await setRole(site, bea, bea.id, 'user')).status, 400);
  assert.equal((await setRole(site, bea, bea.id, 'platform_operator')).status, 400);
  must(await setRole(site, bea, bea.id, 'platform_admin'));
  assert.equal((await setRole(site, bea, owner.id, 'king')).status, 400);
  assert.equal((await setRole(site, bea, owner.id, undefined)).status, 400);
  assert.equal((await setRole(site, bea, 'nobody', 'user')).status, 404);
});

test('a deleted user’s own organization is deleted with its contents, and their work elsewhere stays', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const invite = must(
    await site.call('POST', `/api/workspaces/${owner.workspaceId}/invites`, {
      token: owner.token,
      body: { email: bea.email, role: 'workspace_editor' },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: bea.token }));
  must(await site.call('POST', '/api/playlists', { token: bea.token, body: { name: 'own' } }), 201);
  const own = must(await site.call('POST', '/api/tokens', { token: bea.token, body: { name: 'x' } }), 201).token;
  const there = must(
    await site.call('POST', '/api/auth/switch-workspace', {
      token: bea.token,
      body: { workspace_id: owner.workspaceId },
    }),
  ).token;
  must(await site.call('POST', '/api/playlists', { token: there, body: { name: 'elsewhere' } }), 201);

  assert.deepEqual(must(await remove(site, owner, bea.id)), { success: true });
  for (const token of [bea.token, there, own])
    assert.equal((await site.call('GET', '/api/playlists', { token })).status, 401, 'every credential dies at once');
  assert.equal((await login(site, bea.email)).status, 401);
  assert.deepEqual(
    must(await site.call('GET', '/api/playlists', { token: owner.token })).map((p: { name: string }) => p.name),
    ['elsewhere'],
  );
  const left = site.app.db.raw
    .prepare(
      'SELECT (SELECT count(*) FROM organizations) AS o, (SELECT count(*) FROM workspaces) AS w, (SELECT count(*) FROM playlists) AS p, (SELECT count(*) FROM tokens) AS t',
    )
    .get();
  assert.deepEqual(left, { o: 1, w: 1, p: 1, t: 0 });
  const [entry] = must(await site.call('GET', '/api/activity', { token: owner.token }));
  assert.deepEqual([entry.action, entry.details], ['user.deleted', bea.email]);
  assert.equal((await remove(site, owner, bea.id)).status, 404);
});

test('a password reset ends all sessions and the lockout, and blocks everything but /me until a password change', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const { token } = must(
    await site.call('POST', '/api/tokens', { token: bea.token, body: { name: 'till', scope: 'full' } }),
    201,
  );
  for (let i = 0; i < 10; i++) await login(site, bea.email, 'wrong horse');
  assert.deepEqual(must(await reset(site, owner, bea.id)), { success: true });
  assert.equal((await site.call('GET', '/api/auth/me', { token: bea.token })).status, 401);
  assert.equal((await login(site, bea.email)).status, 401);
  const session = must(await login(site, bea.email, NEW));
  assert.equal(session.user.must_change_password, 1);
  const call = (method: string, path: string, body?: unknown, as = session.token) =>
    site.call(method, path, { token: as, body });
  for (const [path, as] of [
    ['/api/playlists', session.token],
    ['/api/auth/totp/status', session.token],
    ['/api/playlists', token],
  ] as const) {
    const gated = await call('GET', path, undefined, as);
    assert.deepEqual([gated.status, gated.body.code], [403, 'password_change_required'], path);
  }
  assert.equal(must(await call('GET', '/api/auth/me')).must_change_password, 1);
  assert.equal(
    (await call('PUT', '/api/auth/me', { password: NEW, current_password: NEW })).status,
    400,
    'must differ',
  );
  assert.equal(
    must(await call('PUT', '/api/auth/me', { password: PASSWORD, current_password: NEW })).must_change_password,
    0,
  );
  must(await call('GET', '/api/playlists'));
  must(await call('GET', '/api/playlists', undefined, token));
});

test('a password reset is 400 if too short or for yourself, 404 for an unknown user, and never logs the password', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  assert.equal((await reset(site, owner, bea.id, 'seven77')).status, 400);
  assert.equal((await reset(site, owner, bea.id, null)).status, 400);
  assert.equal((await reset(site, owner, owner.id)).status, 400);
  assert.equal((await reset(site, owner, 'nobody')).status, 404);
  must(await reset(site, owner, bea.id));
  const log = must(await site.call('GET', '/api/activity', { token: owner.token }));
  assert.equal(log[0].action, 'user.password_reset');
  assert.doesNotMatch(JSON.stringify(log), new RegExp(NEW));
});

test('without a platform role, only an owner may reset a password, and only of a plain user in the organization', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const cem = await colleague(site, bea, 'cem@store.test', 'workspace_viewer');
  const dan = await colleague(site, bea, 'dan@store.test', 'workspace_admin');
  const stranger = await person(site, 'stranger@store.test');
  must(await reset(site, bea, cem.id));
  assert.equal((await reset(site, dan, cem.id)).status, 403, 'a workspace administrator owns no team');
  assert.equal((await reset(site, bea, stranger.id)).status, 403);
  assert.equal((await reset(site, bea, owner.id)).status, 403);
  assert.equal((await reset(site, bea, 'nobody')).status, 404);
  must(await setRole(site, owner, dan.id, 'platform_operator'));
  assert.equal((await reset(site, bea, dan.id)).status, 403, 'not a plain user any more');
  assert.equal((await reset(site, dan, owner.id)).status, 403, 'an operator is no administrator of the platform');
});

/** Olga's member Bea, who also owns an organization and works in Zoe's; Olga has set Bea's password. */
const setByOwner = async (t: TestContext) => {
  const site = await startSite(t);
  const admin = await person(site, 'admin@store.test', { createOrg: false });
  const [olga, zoe, bea] = [
    await person(site, 'olga@store.test'),
    await person(site, 'zoe@store.test'),
    await person(site, 'bea@store.test'),
  ];
  for (const host of [olga, zoe]) await join(site, host, bea, 'workspace_admin');
  const waiting = must(await site.call('POST', '/api/workspaces', { token: zoe.token, body: { name: 'Annex' } }), 201);
  const invite = must(
    await site.call('POST', `/api/workspaces/${waiting.id}/invites`, {
      token: zoe.token,
      body: { email: bea.email, role: 'workspace_viewer' },
    }),
    201,
  );
  const integration = must(await site.call('POST', '/api/tokens', { token: bea.token, body: { name: 'till' } }), 201)
    .token as string;
  must(await reset(site, olga, bea.id));
  const signIn = async (password: string): Promise<Person> => ({
    ...bea,
    token: must(await login(site, bea.email, password)).token,
  });
  /** Signs in with the password that the owner has set, and replaces it by the member's own password. */
  const enter = async (): Promise<Person> => {
    const thief = await signIn(NEW);
    must(
      await site.call('PUT', '/api/auth/me', { token: thief.token, body: { password: OWN, current_password: NEW } }),
    );
    return thief;
  };
  return { site, admin, olga, zoe, bea, invite, integration, signIn, enter };
};
const OWN = 'one of my own';
const join = async (site: Site, host: Person, guest: Person, role: string) => {
  const invite = must(
    await site.call('POST', `/api/workspaces/${host.workspaceId}/invites`, {
      token: host.token,
      body: { email: guest.email, role },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: guest.token }));
};
/** Makes a user an owner of a workspace's organization. */
const own = (site: Site, workspaceId: string | null, { id }: Person) =>
  site.app.db.raw
    .prepare("INSERT INTO organization_members SELECT organization_id, ?, 'org_owner', 1 FROM workspaces WHERE id = ?")
    .run(id, workspaceId);
const reach = async (site: Site, { token }: { token: string }) =>
  (await me(site, token)).accessible_workspaces.map((w: { id: string }) => w.id).toSorted();
const me = async (site: Site, token: string) => must(await site.call('GET', '/api/auth/me', { token }));

test('password set by an organization’s owner gives access to that organization only', async (t) => {
  const { site, olga, zoe, bea, invite, enter, signIn } = await setByOwner(t);
  await enter();
  const thief = await signIn(OWN);
  const known = await me(site, thief.token);
  assert.equal(known.current_workspace_id, olga.workspaceId, 'although another was used last');
  assert.deepEqual([known.password_organization.id, known.is_platform_admin], [known.current_organization.id, false]);
  assert.deepEqual(await reach(site, thief), [olga.workspaceId]);
  const call = (method: string, path: string, body?: unknown) => site.call(method, path, { token: thief.token, body });
  assert.deepEqual(
    must(await call('GET', '/api/workspaces')).map((w: { id: string }) => w.id),
    [olga.workspaceId],
  );
  assert.deepEqual(
    must(await call('GET', '/api/auth/users')).map((u: { id: string }) => u.id),
    [olga.id, bea.id],
  );
  must(await call('GET', '/api/playlists'));
  must(await call('POST', '/api/tokens', { name: 'inside' }), 201);
  for (const elsewhere of [zoe.workspaceId, bea.workspaceId]) {
    assert.equal((await call('POST', '/api/auth/switch-workspace', { workspace_id: elsewhere })).status, 403);
    for (const [method, path, body] of [
      ['GET', 'members'],
      ['GET', 'invites'],
      ['POST', 'invites', { email: 'x@store.test', role: 'workspace_admin' }],
      ['PUT', `members/${bea.id}`, { role: 'workspace_viewer' }],
      ['DELETE', `members/${bea.id}`],
    ] as const)
      assert.equal((await call(method, `/api/workspaces/${elsewhere}/${path}`, body)).status, 404, `${method} ${path}`);
    assert.equal((await call('PUT', `/api/workspaces/${elsewhere}`, { name: 'mine' })).status, 404);
    assert.equal(
      (await call('DELETE', `/api/workspaces/${elsewhere}`)).status,
      403,
      'administers no organization here',
    );
  }
  const refused = await call('POST', `/api/auth/accept-invite/${invite.id}`);
  assert.deepEqual([refused.status, refused.body.code], [403, 'password_unconfirmed']);
  assert.equal(
    (await call('POST', '/api/auth/totp/setup')).status,
    403,
    'nor is the member locked out by a second factor of somebody else’s',
  );
});

test('the member’s own organizations are inaccessible too, including resets there', async (t) => {
  const { site, admin, olga, bea, signIn, enter } = await setByOwner(t);
  must(await reset(site, admin, bea.id, OWN));
  const free = await signIn(OWN);
  must(
    await site.call('PUT', '/api/auth/me', { token: free.token, body: { password: PASSWORD, current_password: OWN } }),
  );
  const there = must(
    await site.call('POST', '/api/auth/switch-workspace', {
      token: free.token,
      body: { workspace_id: bea.workspaceId },
    }),
  ).token;
  const cem = await colleague(site, { ...bea, token: there }, 'cem@store.test', 'workspace_viewer');
  must(await reset(site, olga, bea.id));
  assert.equal((await reset(site, await enter(), cem.id)).status, 403);
});

test('a user’s platform role is ignored while the user has a password that an owner has set', async (t) => {
  const { site, admin, olga, bea, enter } = await setByOwner(t);
  for (const role of ['platform_admin', 'platform_operator']) must(await setRole(site, admin, bea.id, role));
  must(await setRole(site, admin, bea.id, 'platform_admin'));
  const thief = await enter();
  assert.deepEqual(await reach(site, thief), [olga.workspaceId]);
  assert.deepEqual(
    [
      (await me(site, thief.token)).is_platform_admin,
      (await site.call('GET', '/api/server/settings', { token: thief.token })).status,
    ],
    [false, 403],
  );
  assert.equal((await setRole(site, thief, olga.id, 'platform_admin')).status, 403);
  assert.equal((await confirm(site, thief, bea.id)).status, 403, 'nor does it confirm itself');
});

test('a platform administrator can lift the limits of an owner’s password at once, and existing tokens keep working', async (t) => {
  const { site, admin, olga, zoe, bea, integration, enter } = await setByOwner(t);
  const member = await enter();
  const workspaceOf = async () => must(await site.call('GET', '/api/playlists', { token: integration }));
  await workspaceOf();
  assert.deepEqual(await reach(site, member), [olga.workspaceId]);
  assert.equal((await users(site, admin)).find((u) => u['id'] === bea.id)?.['password_organization_id'] !== null, true);
  assert.equal((await confirm(site, olga, bea.id)).status, 403);
  assert.equal((await confirm(site, admin, 'nobody')).status, 404);
  assert.deepEqual(must(await confirm(site, admin, bea.id)), { success: true });
  assert.deepEqual(await reach(site, member), [olga.workspaceId, zoe.workspaceId, bea.workspaceId].toSorted());
  assert.equal((await me(site, member.token)).password_organization, null);
  must(await confirm(site, admin, bea.id));
  await workspaceOf();
});

test('password set by a platform administrator gives access to all organizations, even after an owner’s reset', async (t) => {
  const { site, admin, olga, bea, signIn } = await setByOwner(t);
  own(site, olga.workspaceId, admin);
  must(await reset(site, admin, bea.id, OWN));
  const member = await signIn(OWN);
  assert.equal((await me(site, member.token)).password_organization, null, 'though the administrator owns one, too');
  assert.equal((await reach(site, member)).length, 3);
});

test('an owner of several organizations of a member sets the password for the current organization, else the first', async (t) => {
  const site = await startSite(t);
  await person(site, 'admin@store.test', { createOrg: false });
  const [olga, zoe, bea] = [
    await person(site, 'olga@store.test'),
    await person(site, 'zoe@store.test'),
    await person(site, 'bea@store.test'),
  ];
  for (const host of [olga, zoe]) await join(site, host, bea, 'workspace_viewer');
  await join(site, zoe, olga, 'workspace_viewer');
  own(site, zoe.workspaceId, olga);
  for (const there of [zoe, olga]) {
    const token = must(
      await site.call('POST', '/api/auth/switch-workspace', {
        token: olga.token,
        body: { workspace_id: there.workspaceId },
      }),
    ).token;
    must(await reset(site, { ...olga, token }, bea.id));
    assert.deepEqual(await reach(site, { token: must(await login(site, bea.email, NEW)).token }), [there.workspaceId]);
  }
  must(await reset(site, zoe, olga.id));
  const { token } = must(await login(site, olga.email, NEW));
  must(await site.call('PUT', '/api/auth/me', { token, body: { password: OWN, current_password: NEW } }));
  must(await reset(site, { ...olga, token }, bea.id));
  const reached = await reach(site, { token: must(await login(site, bea.email, NEW)).token });
  assert.deepEqual(reached, [zoe.workspaceId], 'within their own bounds');
});

test('two-factor is still required after a password reset', async (t) => {
  const { site, bea } = await setByOwner(t);
  site.app.db.raw.prepare('UPDATE users SET totp_enabled = 1 WHERE id = ?').run(bea.id);
  assert.equal(must(await login(site, bea.email, NEW)).mfa_required, true);
});

test('a reset revokes personal tokens on request: all for an administrator, the organization’s for an owner', async (t) => {
  const { site, admin, olga, bea, integration, enter } = await setByOwner(t);
  const member = await enter();
  const inside = must(
    await site.call('POST', '/api/tokens', { token: member.token, body: { name: 'inside' } }),
    201,
  ).token;
  const works = async () => [
    (await site.call('GET', '/api/devices', { token: inside })).status,
    (await site.call('GET', '/api/devices', { token: integration })).status,
  ];
  const resetWith = (who: Person, revoke_tokens: unknown) =>
    site.call('PUT', `/api/auth/users/${bea.id}/password`, {
      token: who.token,
      body: { password: NEW, revoke_tokens },
    });
  const after = async (who: Person, revoke: boolean) => {
    must(await resetWith(who, revoke));
    must(
      await site.call('PUT', '/api/auth/me', {
        token: must(await login(site, bea.email, NEW)).token,
        body: { password: OWN, current_password: NEW },
      }),
    );
    return works();
  };
  assert.deepEqual(await after(olga, false), [200, 200]);
  assert.deepEqual(await after(olga, true), [401, 200]);
  assert.deepEqual(await after(admin, true), [401, 401]);
  assert.equal((await resetWith(admin, 'yes')).status, 400);
});
