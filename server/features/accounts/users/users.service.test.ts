/** Tests the administration of other users' accounts and passwords, at the services. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FROM, openHouse } from '../../../../test/house.ts';
import { wordsIn } from '../../../mails/words.ts';

const SERVER = { server: 'Vitrine' };

test('an administrator changes roles and deletes accounts of other users, logged in the workspaces of both users', async (t) => {
  const { register, admin, actor, users, since, acts, heard, workspaces, members } = openHouse(t);
  const ann = actor((await register('ann@x')).token);
  const bob = actor((await register('bob@x', { createOrg: false })).token);
  members.insert({ workspace_id: ann.workspaceId!, user_id: bob.userId, role: 'workspace_viewer', created_at: 0 });
  const cem = actor((await register('cem@x')).token);
  await since(acts);
  await since(heard);
  const told = async () => [await since(acts), await since(heard)];
  admin.setRole(ann, bob.userId, 'platform_operator');
  assert.deepEqual(await told(), [[`user.role_changed: bob@x: platform_operator (${FROM.ip})`], ['accounts']]);
  assert.equal(users.find(bob.userId)?.role, 'platform_operator');
  assert.throws(() => admin.setRole(ann, ann.userId, 'user'), { status: 400 });
  admin.setRole(ann, ann.userId, 'platform_admin');
  assert.throws(() => admin.setRole(ann, 'none', 'user'), { status: 404 });
  await told();
  const listed = admin.list({ ...bob, platformRole: 'platform_operator' });
  assert.deepEqual(
    listed.map((user) => [user.email, user.workspace_count, user.workspace_name, user.organization_name]),
    [
      ['ann@x', 1, 'Default', 'ann’s organization'],
      ['bob@x', 1, 'Default', 'ann’s organization'],
      ['cem@x', 1, 'Default', 'cem’s organization'],
    ],
  );
  assert.deepEqual(
    listed.map(({ workspace_id }) => workspace_id),
    [ann.workspaceId, ann.workspaceId, cem.workspaceId],
  );
  workspaces.create(ann, { name: 'Second' });
  assert.equal('workspace_id' in admin.list(ann)[0]!, false, 'which one, where it is in two');
  assert.deepEqual(
    admin.list({ ...cem, platformRole: 'user' }).map(({ email }) => email),
    ['cem@x'],
  );
  await told();

  assert.throws(() => admin.delete(ann, ann.userId), { status: 400 });
  assert.throws(() => admin.delete(ann, 'none'), { status: 404 });
  assert.throws(() => admin.delete(cem, ann.userId), { status: 409, message: /owns ann’s organization/ });
  assert.deepEqual(await told(), [[], []]);
  admin.delete(ann, bob.userId);
  assert.deepEqual(await told(), [[`user.deleted: bob@x (${FROM.ip})`], ['accounts']]);
  admin.delete(ann, cem.userId);
  assert.deepEqual(await told(), [[`user.deleted: cem@x (${FROM.ip})`], ['accounts', 'accounts']], 'and what it owned');
  assert.deepEqual(
    users.list().map(({ row }) => row.email),
    ['ann@x'],
  );
  assert.equal(workspaces.exists(cem.workspaceId!), false);
});

/** Ann administers the server; Bob owns an organization with the member Cem. */
const withTeam = async (t: TestContext) => {
  const house = openHouse(t, { posts: true });
  const { register, actor, members, since, acts, heard, mails } = house;
  const ann = actor((await register('ann@x')).token);
  const bob = actor((await register('bob@x')).token);
  const cem = actor((await register('cem@x', { createOrg: false })).token);
  members.insert({ workspace_id: bob.workspaceId!, user_id: cem.userId, role: 'workspace_viewer', created_at: 0 });
  for (const list of [acts, heard, mails]) await since(list as unknown[]);
  const locks = () => [house.lockout.isLocked('cem@x'), house.lockoutHere.isLocked('cem@x')];
  const lockOut = () => {
    for (let i = 0; i < 10; i++) for (const each of [house.lockout, house.lockoutHere]) each.failed('cem@x');
    assert.deepEqual(locks(), [true, true]);
  };
  return { ...house, ann, bob, cem, locks, lockOut };
};

test('after an administrator sets a password, the user has full access, after an owner only to the organization', async (t) => {
  const {
    ann,
    bob,
    cem,
    admin,
    users,
    since,
    acts,
    mails,
    login,
    actor,
    tokens,
    profile,
    members,
    locks,
    lockOut,
    passwords,
  } = await withTeam(t);
  const set = (by: typeof ann, password: string, more: object = {}) =>
    admin.resetPassword(by, cem.userId, { password, ...more }, FROM.origin);
  for (const [by, id, status] of [
    [cem, bob.userId, 403],
    [bob, ann.userId, 403],
    [ann, ann.userId, 400],
    [ann, 'none', 404],
  ] as const) {
    passwords.hashed = 0;
    await assert.rejects(admin.resetPassword(by, id, { password: 'new' }, FROM.origin), { status });
    assert.equal(passwords.hashed, 0);
  }
  members.update(bob.workspaceId!, cem.userId, { role: 'workspace_admin' });
  tokens.create({ ...cem, workspaceId: bob.workspaceId }, { name: 'till', scope: 'read' });
  const facts = () => {
    const { must_change_password, password_organization_id } = users.find(cem.userId)!;
    return [must_change_password, password_organization_id, profile.me(cem).live_tokens];
  };
  await since(acts);
  lockOut();
  await set(ann, 'by the server');
  assert.deepEqual([facts(), locks(), await since(mails)], [[1, null, 1], [false, false], []]);
  assert.deepEqual(await since(acts), Array(2).fill(`user.password_reset: cem@x (${FROM.ip})`), 'in both workspaces');
  const { token: first } = await login('cem@x', 'by the server');
  await since(mails);
  await set(bob, 'by the owner', { revoke_tokens: true });
  assert.throws(() => actor(first), { status: 401 });
  assert.deepEqual(facts(), [1, bob.organizationId, 0]);
  const [mail] = await since(mails);
  assert.ok(mail?.to === 'cem@x' && mail.text.includes('bob’s organization'));
  await since(acts);
  const { token: second } = await login('cem@x', 'by the owner');
  assert.equal(actor(second).confinedTo, bob.organizationId);
  await since(acts);
  admin.confirmPassword(ann, cem.userId);
  assert.deepEqual(await since(acts), Array(2).fill(`user.password_confirmed: cem@x (${FROM.ip})`));
  assert.deepEqual([actor(second).confinedTo, facts()], [null, [1, null, 0]]);
  admin.confirmPassword(ann, cem.userId);
  assert.deepEqual(await since(acts), [], 'there was nothing to confirm');
  assert.throws(() => admin.confirmPassword(ann, 'none'), { status: 404 });
});

test('a password link is valid once, for a day, and while its creator has the right', async (t) => {
  const {
    ann,
    bob,
    actor,
    cem,
    links,
    users,
    since,
    acts,
    mails,
    login,
    locks,
    lockOut,
    now,
    passwords,
    admin,
    clock,
  } = await withTeam(t);
  const make = (by: typeof ann) => links.make(by, cem.userId);
  const spend = (token: string, password = 'new horse') => links.spend(token, password, FROM);
  const isVoid = async (token: string) => {
    passwords.hashed = 0;
    await assert.rejects(spend(token), { status: 410, message: /^This link was used, replaced, or is older/ });
    assert.equal(passwords.hashed, 0);
  };
  const { token, expires_at } = make(ann);
  assert.equal(expires_at, now() + 24 * 3_600);
  assert.deepEqual(await since(acts), Array(2).fill(`user.password_link_made: cem@x (${FROM.ip})`));
  await isVoid('none');
  clock.advance(24 * 3_600_000 - 1_000);
  lockOut();
  assert.deepEqual(await spend(token), { email: 'cem@x' });
  const facts = () => {
    const { must_change_password, password_organization_id } = users.find(cem.userId)!;
    return [must_change_password, password_organization_id];
  };
  assert.deepEqual([facts(), locks(), await since(mails)], [[0, null], [false, false], []]);
  assert.deepEqual(await since(acts), [`user.password_link_used: cem@x (${FROM.ip})`]);
  await isVoid(token);
  const { token: session } = await login('cem@x', 'new horse');
  await since(mails);
  await spend(make(bob).token, 'by the owner');
  assert.deepEqual(facts(), [1, bob.organizationId]);
  assert.equal((await since(mails)).length, 1);
  assert.throws(() => actor(session), { status: 401 });
  assert.ok((await login('cem@x', 'by the owner')).token);

  const late = make(ann).token;
  clock.advance(24 * 3_600_000);
  await isVoid(late);
  const earlier = make(ann).token;
  const later = make(ann).token;
  await isVoid(earlier);
  const both = await Promise.allSettled([spend(later, 'one horse'), spend(later, 'two horses')]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const own = make(bob).token;
  // Restricts the creator to another organization: the restriction also applies to the link.
  users.update(bob.userId, { password_organization_id: 'another' });
  await isVoid(own);
  users.update(bob.userId, { password_organization_id: bob.organizationId });
  await spend(own);
  assert.equal(facts()[1], bob.organizationId);
  users.update(ann.userId, { password_organization_id: null });
  const confined = make(ann).token;
  users.update(ann.userId, { password_organization_id: bob.organizationId });
  await isVoid(confined);
  users.update(ann.userId, { password_organization_id: null });
  const provided = make(ann).token;
  users.update(cem.userId, { auth_provider: 'provider_a' });
  await isVoid(provided);
  users.update(cem.userId, { auth_provider: 'local' });
  const gone = make(bob).token;
  users.update(cem.userId, { role: 'platform_admin' });
  admin.setRole(ann, bob.userId, 'user');
  await isVoid(gone);
  const makerless = make(ann).token;
  users.delete(ann.userId);
  await isVoid(makerless);
});

test('a password set by an owner is confirmed only by the member, after changing it', async (t) => {
  const { bob, cem, admin, users, since, mails, verification, profile, acts, heard, clock } = await withTeam(t);
  const linkIn = async () => /token=([\w-]+)/.exec((await since(mails)).at(-1)?.text ?? '')?.[1] ?? '';
  verification.requestAgain(users.find(cem.userId)!, FROM.origin);
  const before = await linkIn();
  await admin.resetPassword(bob, cem.userId, { password: 'by the owner' }, FROM.origin);
  const link = await linkIn();
  assert.equal(verification.confirm(before, FROM.ip), 'invalid', 'it knows nothing of that password');
  await since(acts);
  await since(heard);
  const facts = () => {
    const { email_verified, password_organization_id } = users.find(cem.userId)!;
    return [email_verified, password_organization_id];
  };
  assert.deepEqual(facts(), [0, bob.organizationId]);
  assert.equal(verification.confirm(link, FROM.ip), 'change_first');
  assert.deepEqual([facts(), await since(heard)], [[1, bob.organizationId], []]);
  await profile.update(cem, { password: 'my own horse', current_password: 'by the owner' });
  await since(acts);
  await since(heard);
  clock.doubtful = true;
  clock.advance(24 * 3_600_000);
  assert.equal(verification.confirm(link, FROM.ip), 'invalid');
  clock.advance(-1_000);
  assert.equal(verification.confirm(link, FROM.ip), 'done', 'a clock that is doubted makes nothing void for good');
  assert.deepEqual([facts(), await since(heard)], [[1, null], ['accounts']]);
  assert.deepEqual(await since(acts), [`user.password_confirmed: cem@x (${FROM.ip})`]);
  assert.equal(verification.confirm(link, FROM.ip), 'invalid');
});

test('requesting a confirmation link again discloses nothing, and only the last link that was sent is valid', async (t) => {
  const { verification, mails, since, users, cem, db, clock } = await withTeam(t);
  const resend = async (email: string) => {
    await db.durable();
    verification.resend(email, FROM.origin);
    assert.equal(db.durable(), undefined, 'nothing is written before the answer');
    await new Promise(setImmediate);
    return (await since(mails)).map(({ to, ...letter }) => ({
      to,
      letter,
      link: /token=([\w-]+)/.exec(letter.text)![1]!,
    }));
  };
  const confirm = (link: string) => verification.confirm(link, FROM.ip);
  const [first] = await resend('cem@x');
  assert.deepEqual([first?.to, await resend('none@x'), await resend('ann@x')], ['cem@x', [], []]);
  users.update(cem.userId, { auth_provider: 'provider_a' });
  assert.deepEqual(await resend('cem@x'), []);
  users.update(cem.userId, { auth_provider: 'local' });
  // The limit of e-mails per address applies. After the limit is reached, the last link stays valid.
  const [second] = await resend('cem@x');
  assert.deepEqual(await resend('cem@x'), []);
  assert.equal(confirm(first!.link), 'invalid');
  users.update(cem.userId, { must_change_password: 1 });
  assert.equal(confirm(second!.link), 'done', 'also where the server’s administrator has set the password');
  users.update(cem.userId, { email_verified: 0, password_organization_id: 'gone' });
  clock.advance(3_600_000);
  const [third] = await resend('cem@x');
  const facts = { name: 'cem', ...SERVER, link: `${FROM.origin}/api/auth/verify-email?token=${third!.link}` };
  assert.deepEqual(third!.letter, wordsIn('en').texts.passwordSet({ ...facts, organization: '' }));
  clock.advance(24 * 3_600_000);
  assert.equal(confirm(third!.link), 'invalid', 'it is over, whatever is to come first');
  assert.equal(users.find(cem.userId)?.email_verified, 0);
  const without = openHouse(t);
  await without.register('ann@x');
  const { user } = await without.register('bob@x');
  without.users.update(user.id, { email_verified: 0, password_organization_id: 'o' });
  without.verification.resend('bob@x', FROM.origin);
  without.verification.requestAgain(without.users.find(user.id)!, FROM.origin);
  await new Promise(setImmediate);
  assert.ok((await without.login('bob@x')).token);
  assert.deepEqual([await without.since(without.mails), without.users.hasEmailToken(user.id, 0)], [[], false]);
});
