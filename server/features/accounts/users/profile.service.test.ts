/** Actions of users on their own accounts, tested at the services. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FROM, openHouse, PASSWORD } from '../../../../test/house.ts';

test('a signed-in user gets their workspace, their rights there, and other accessible workspaces', async (t) => {
  const { register, profile, actor, workspaces, members, db, tokens, users, now } = openHouse(t, {
    headquarters: true,
  });
  const { token, user } = await register('ann@x', { name: 'Ann', language: 'de' });
  const ann = actor(token);
  const here = { id: ann.workspaceId!, organization_id: ann.organizationId! };
  const me = profile.me(ann);
  assert.deepEqual(
    {
      hide_billing: me.hide_billing,
      current_workspace_id: me.current_workspace_id,
      current_workspace: me.current_workspace,
      current_organization: me.current_organization,
      roles: [me.current_workspace_role, me.current_org_role, me.is_platform_admin],
      can: [me.acting_as, me.can_write, me.can_admin, me.needs_approval],
      rights: me.rights,
      places: me.accessible_workspaces,
      password_organization: me.password_organization,
      rest: [me.live_tokens, me.language, me.headquarters],
    },
    {
      hide_billing: true,
      current_workspace_id: here.id,
      current_workspace: { id: here.id, name: 'Default', organization_id: here.organization_id },
      current_organization: { id: here.organization_id, name: 'Ann’s organization' },
      roles: ['workspace_admin', 'org_owner', true],
      can: [false, true, true, false],
      rights: { duty: 'all', folder_ids: null, group_ids: null, regions: null, approves: true },
      places: [
        {
          id: here.id,
          name: 'Default',
          organization_id: here.organization_id,
          organization_name: 'Ann’s organization',
          workspace_role: 'workspace_admin',
          device_count: 0,
          can_admin: true,
        },
      ],
      password_organization: null,
      rest: [0, 'de', true],
    },
  );
  tokens.create(ann, { name: 'till', scope: 'read', expires_at: now() + 1 });
  users.update(user.id, { language: 'tlh' });
  assert.deepEqual([profile.me(ann).live_tokens, profile.me(ann).language], [1, null]);

  const { token: bobs } = await register('bob@x', { createOrg: false });
  const bob = actor(bobs);
  const nowhere = profile.me(bob);
  assert.deepEqual(
    [nowhere.current_workspace_id, nowhere.current_workspace, nowhere.current_organization],
    [null, null, null],
  );
  assert.deepEqual([nowhere.current_workspace_role, nowhere.current_org_role], [null, null]);
  assert.deepEqual([nowhere.acting_as, nowhere.can_write, nowhere.can_admin], [false, false, false]);
  assert.equal(nowhere.needs_approval, false);
  assert.deepEqual(nowhere.rights, { duty: 'all', folder_ids: null, group_ids: null, regions: null, approves: false });
  const of = (role: 'workspace_viewer' | 'workspace_editor', more: object = {}) => {
    db.raw.exec("DELETE FROM workspace_members WHERE user_id <> (SELECT id FROM users WHERE email = 'ann@x')");
    members.insert({ workspace_id: here.id, user_id: bob.userId, role, created_at: 0, ...more });
    workspaces.update(ann, here.id, { approval: 1 });
    const { can_write, can_admin, needs_approval, rights, acting_as } = profile.me({ ...bob, workspaceId: here.id });
    assert.equal(acting_as, false);
    return { can: [can_write, can_admin, needs_approval], rights };
  };
  const all = { duty: 'all', folder_ids: null, group_ids: null, regions: null, approves: false };
  assert.deepEqual(of('workspace_viewer'), { can: [false, false, true], rights: all });
  assert.deepEqual(of('workspace_editor'), { can: [true, false, true], rights: all });
  const region = [{ region: 'north', role: 'workspace_editor' as const }];
  assert.deepEqual(
    of('workspace_editor', { duty: 'upload', folder_ids: ['f'], group_ids: ['g'], regions: region, approves: 1 }),
    {
      can: [true, false, false],
      rights: { duty: 'upload', folder_ids: ['f'], group_ids: ['g'], regions: region, approves: true },
    },
  );
  users.update(bob.userId, { password_organization_id: here.organization_id });
  assert.deepEqual(profile.me(bob).password_organization, { id: here.organization_id, name: 'Ann’s organization' });
  users.update(bob.userId, { password_organization_id: 'gone' });
  assert.deepEqual(profile.me(bob).password_organization, { id: 'gone', name: '' });
  assert.throws(() => profile.me({ ...bob, userId: 'none' }), { status: 404 });
  assert.equal(profile.me({ ...ann, platformRole: 'platform_operator', workspaceId: here.id }).can_admin, true);
});

test('a profile change affects only the given fields, is logged and announced, and refused for headquarters accounts', async (t) => {
  const { register, profile, actor, users, since, acts, heard } = openHouse(t);
  const { token, user } = await register('ann@x');
  const ann = actor(token);
  await since(acts);
  const stored = () => {
    const { name, email_alerts, language, password_hash, must_change_password } = users.find(user.id)!;
    return { name, email_alerts, language, password_hash, must_change_password };
  };
  users.update(user.id, { must_change_password: 1 });
  const expected = stored();
  for (const change of [
    {},
    { name: 'Anna' },
    { email_alerts: 0 as const },
    { language: 'de' as const },
    { language: null },
    {},
  ]) {
    await since(heard);
    Object.assign(expected, change);
    const answer = await profile.update(ann, change);
    assert.deepEqual([stored(), answer.name, answer.email_alerts], [expected, expected.name, expected.email_alerts]);
    assert.deepEqual([await since(acts), await since(heard)], [[`user.updated: ann@x (${FROM.ip})`], ['accounts']]);
  }
});

test('changing the password needs the present password, ends other sessions, and revokes tokens if requested', async (t) => {
  const { register, login, profile, actor, users, since, acts, tokens, lockout, db } = openHouse(t);
  const { token, user } = await register('ann@x');
  const ann = actor(token);
  const { token: other } = await login('ann@x');
  tokens.create(ann, { name: 'till', scope: 'read' });
  await since(acts);
  const refused = (change: { password: string; current_password?: string }, status: number, message: RegExp) =>
    assert.rejects(
      profile.update(ann, change).finally(() => assert.ok(status !== 401 || db.durable() === undefined)),
      { status, message },
    );
  await refused({ password: 'another horse' }, 400, /^current_password: is required/);
  await refused({ password: 'another horse', current_password: 'wrong' }, 401, /^current_password: is wrong/);
  assert.deepEqual([actor(other).userId, await since(acts)], [user.id, []]);
  users.update(user.id, { must_change_password: 1 });
  await refused({ password: PASSWORD, current_password: PASSWORD }, 400, /must differ/);
  await profile.update(ann, { password: 'another horse', current_password: PASSWORD });
  assert.deepEqual(await since(acts), [`user.password_changed: ann@x (${FROM.ip})`]);
  assert.deepEqual([users.find(user.id)?.must_change_password, actor(token).userId], [0, user.id]);
  assert.throws(() => actor(other), { status: 401 });
  assert.ok((await login('ann@x', 'another horse')).token);
  // The same password again is allowed if nobody else knows it.
  await profile.update(ann, { password: 'another horse', current_password: 'another horse' });
  const both = await Promise.allSettled(
    ['one horse more', 'two horses more'].map((password) =>
      profile.update(ann, { password, current_password: 'another horse' }),
    ),
  );
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const won = ['one horse more', 'two horses more'][both.findIndex(({ status }) => status === 'fulfilled')]!;
  assert.equal(profile.me(ann).live_tokens, 1);
  await profile.update(ann, { password: PASSWORD, current_password: won, revoke_tokens: true });
  assert.equal(profile.me(ann).live_tokens, 0);
  for (let i = 0; i < 10; i++) await refused({ password: 'another horse', current_password: 'wrong' }, 401, /is wrong/);
  assert.equal(lockout.isLocked('ann@x'), true);
  lockout.forget('ann@x');
  users.update(user.id, { password_hash: null });
  await profile.update(ann, { password: PASSWORD });
  assert.ok((await login('ann@x')).token, 'who had none needs none');
  users.update(user.id, { auth_provider: 'provider_b' });
  await refused({ password: 'another horse', current_password: PASSWORD }, 400, /sign-in provider/);
});

test('a user can switch to an accessible workspace, which is no proof of identity', async (t) => {
  const { register, profile, actor, workspaces, sessions, clock } = openHouse(t);
  const { token } = await register('ann@x');
  const bob = actor((await register('bob@x')).token);
  const ann = actor(token);
  const second = workspaces.create(ann, { name: 'Second' }).id;
  const began = sessions.since(ann.credentialHash);
  clock.advance(60_000);
  const there = profile.switchTo(ann, second);
  assert.deepEqual([there.current_workspace_id, actor(there.token).workspaceId], [second, second]);
  assert.equal(sessions.since(actor(there.token).credentialHash), began);
  assert.throws(() => profile.switchTo(bob, 'none'), { status: 404 });
  assert.throws(() => profile.switchTo(bob, second), { status: 403 });
});

test('a session under 15 minutes old is proof of identity, and later the password or a new sign-in is required', async (t) => {
  const { register, profile, actor, clock, users, lockout, db } = openHouse(t);
  const { token, user } = await register('ann@x');
  const ann = actor(token);
  await profile.requireProof(ann, undefined);
  await assert.rejects(profile.requireProof(ann, 'wrong'), { status: 401, code: 'wrong_password' });
  assert.equal(profile.proofOf({ ...ann, via: 'token' }), 'password');
  clock.doubtful = true;
  assert.equal(profile.proofOf(ann), 'password', 'who knows what time it is');
  clock.doubtful = false;
  clock.advance(15 * 60_000 - 1_000);
  assert.equal(profile.proofOf(ann), 'none');
  clock.advance(1_000);
  assert.equal(profile.proofOf(ann), 'password');
  await assert.rejects(profile.requireProof(ann, undefined), { status: 400, code: 'password_required' });
  await profile.requireProof(ann, PASSWORD);
  for (let i = 0; i < 10; i++)
    await assert.rejects(
      profile.requireProof(ann, 'wrong').finally(() => assert.equal(db.durable(), undefined)),
      { status: 401, code: 'wrong_password' },
    );
  await assert.rejects(profile.requireProof(ann, PASSWORD), { status: 429 });
  lockout.forget('ann@x');
  users.update(user.id, { password_hash: null });
  assert.equal(profile.proofOf(ann), 'sign_in');
  await assert.rejects(profile.requireProof(ann, PASSWORD), { status: 401, code: 'sign_in_again' });
  clock.advance(-60_000);
  assert.equal(profile.proofOf(ann), 'none');
  await profile.requireProof(ann, PASSWORD);
});
