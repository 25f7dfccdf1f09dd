/** Tests the creation of accounts and the server settings, at the services. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FROM, openHouse } from '../../../test/house.ts';
import { wordsIn } from '../../mails/words.ts';

const SERVER = { server: 'Vitrine' };
const welcomeOf = (name: string, language: 'en' | 'de' = 'en') =>
  wordsIn(language).texts.welcome({ name, ...SERVER, link: `${FROM.origin}/#/sign-in` });
const newUserOf = (name: string, email: string, language: 'en' | 'de' = 'en') =>
  wordsIn(language).texts.newUser({ name, email, ...SERVER });

test('the first user is administrator, and every user but the local first user of a self-hosted server is on trial', async (t) => {
  for (const hosted of [false, true])
    for (const auth_provider of ['local', 'provider_a'] as const) {
      const { accounts, db, users, now } = openHouse(t, { hosted });
      const make = (email: string) =>
        db.write(() => accounts.create({ email }, { auth_provider, password_hash: null, email_verified: 1 }, FROM));
      assert.equal(accounts.needsSetup, true);
      const [first, second] = [make('ann@x'), make('bob@x')];
      assert.equal(accounts.needsSetup, false);
      const isOwner = !hosted && auth_provider === 'local';
      assert.deepEqual(
        [first, second].map(({ role, plan_id, trial_started_at, name }) => [role, plan_id, trial_started_at, name]),
        [
          ['platform_admin', isOwner ? 'enterprise' : 'pro', isOwner ? null : now(), 'ann'],
          ['user', 'pro', now(), 'bob'],
        ],
      );
      assert.equal(users.find(first.id)?.created_at, now());
    }
});

test('the first user gets a workspace, later users by request or setting, and invited users join the inviter’s', async (t) => {
  for (const createOrg of [true, false]) {
    const { register, actor, invites, members, workspaces } = openHouse(t, { createOrg });
    const homeOf = async (email: string, more: object) => (await register(email, more)).current_workspace_id as string;
    const first = await homeOf('ann@x', { createOrg: false });
    assert.ok(first);
    for (const [n, said] of [undefined, null, true, false].entries())
      assert.equal((await homeOf(`u${n}@x`, { createOrg: said })) !== null, said ?? createOrg);
    invites.set('link', { email: 'bob@x', workspaceId: first });
    const { token } = await register('bob@x', { invite: 'link', createOrg: true });
    const bob = actor(token);
    assert.deepEqual([bob.workspaceId, workspaces.list(bob).length], [first, 1]);
    assert.equal(members.find(first, bob.userId)?.role, 'workspace_editor');
    assert.equal(invites.size, 0);
  }
});

test('a user who may not register is refused before the password is hashed', async (t) => {
  const { register, passwords, invites, settings, actor, users, accounts } = openHouse(t);
  const { token } = await register('ann@x');
  invites.set('link', { email: 'bob@x', workspaceId: actor(token).workspaceId! });
  passwords.hashed = 0;
  const refused = async (email: string, status: number, more: object = {}) => {
    await assert.rejects(register(email, more), { status });
    assert.equal(passwords.hashed, 0);
  };
  await refused('ann@x', 409);
  await refused('zoe@x', 404, { invite: 'link' });
  settings.update(actor(token), { registration: 'closed' });
  assert.equal(accounts.registrationEnabled, false);
  await refused('bob@x', 403);
  await refused('bob@x', 403, { invite: '' });
  assert.throws(() => accounts.requireMayRegister('zoe@x'), { status: 403 });
  assert.ok(accounts.requireMayRegister('bob@x'), 'a provider vouches for the address that was invited');
  assert.ok((await register('bob@x', { invite: 'link' })).token);
  settings.update(actor(token), { registration: 'open' });
  assert.equal(accounts.requireMayRegister('zoe@x'), undefined);
  // The later of two simultaneous registrations fails after its password was hashed.
  const both = await Promise.allSettled([register('eve@x'), register('eve@x')]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.equal(users.list().length, 3);
});

test('with a mail server, every user but the first must confirm the address, on a hosted server before sign-in', async (t) => {
  for (const hosted of [false, true]) {
    const { register, mails, since, users, acts } = openHouse(t, { hosted, posts: true });
    const { user } = await register('ann@x');
    assert.equal(user.email_verified, 1);
    await since(mails);
    await since(acts);
    const answer = await register('bob@x');
    assert.equal(users.findByEmail('bob@x')?.email_verified, 0);
    assert.deepEqual(await since(acts), [`user.registered: bob@x (${FROM.ip})`]);
    const [mail] = (await since(mails)).filter(({ text }) => text.includes('verify-email'));
    assert.equal(mail?.to, 'bob@x');
    if (hosted) assert.deepEqual(answer, { verification_required: true, email: 'bob@x' });
    else assert.deepEqual([answer.user.email_verified, typeof answer.token], [0, 'string']);
  }
  const { register, users } = openHouse(t, { hosted: true });
  await register('ann@x');
  assert.equal((await register('bob@x')).user.email_verified, 1, 'without mails nobody waits for one');
  assert.equal(users.findByEmail('bob@x')?.email_verified, 1);
});

test('a hosted server welcomes new users and notifies interested administrators, each in their language', async (t) => {
  const { register, mails, since, users, settings, actor } = openHouse(t, { hosted: true, posts: true });
  const sent = async () =>
    (await since(mails)).filter(({ text }) => !text.includes('verify-email')).map(({ to, ...letter }) => [to, letter]);
  const { token, user } = await register('ann@x', { language: 'de', name: 'Ann' });
  assert.deepEqual(await sent(), [['ann@x', welcomeOf('Ann', 'de')]], 'not told of itself');
  assert.equal(settings.language, 'de', 'the server’s is that of its first');
  await register('bob@x', { language: 'en' });
  assert.equal(settings.language, 'de');
  assert.deepEqual(await sent(), [
    ['bob@x', welcomeOf('bob', 'en')],
    ['ann@x', newUserOf('bob', 'bob@x', 'de')],
  ]);
  settings.update(actor(token), { language: 'en' });
  users.update(user.id, { language: null });
  await register('cem@x');
  assert.deepEqual(await sent(), [
    ['cem@x', welcomeOf('cem')],
    ['ann@x', newUserOf('cem', 'cem@x')],
  ]);
  const own = openHouse(t, { posts: true });
  await own.register('ann@x');
  assert.deepEqual(await own.since(own.mails), [], 'on a server of one’s own nobody is greeted');
});

test('stored settings override the environment, and a failed write transaction changes no setting', async (t) => {
  for (const language of ['de', undefined] as const) {
    const { settings, register, actor, since, acts, heard, db } = openHouse(t, {
      registration: 'closed',
      ...(language && { language }),
    });
    const known = { name: 'Vitrine', registration: 'closed', names: [] };
    assert.deepEqual([settings.current(), settings.name], [known, 'Vitrine']);
    const ann = actor((await register('ann@x', { language: 'en' })).token);
    assert.equal(settings.language, language ?? 'en', 'said by the environment, else by the first');
    assert.deepEqual(settings.view(), { ...known, language: settings.language });
    assert.throws(() =>
      db.write(() => {
        settings.update(ann, { name: 'Lost' });
        assert.equal(settings.name, 'Lost');
        throw new Error('full');
      }),
    );
    assert.equal(settings.name, 'Vitrine');
    await since(acts);
    await since(heard);
    const changed = settings.update(ann, { name: 'Shop', names: ['a', 'b', 'a'], registration: undefined });
    assert.deepEqual(changed, { ...known, name: 'Shop', names: ['a', 'b'], language: settings.language });
    assert.deepEqual(
      [await since(acts), await since(heard)],
      [[`server.updated: Shop, a,b (${FROM.ip})`], ['settings']],
    );
    assert.deepEqual(settings.view(), changed);
    assert.equal(settings.name, 'Shop');
    db.write(() => settings.begin('de'));
    assert.equal(settings.language, changed.language, 'of an owner alone who was the first to say one');
    await db.durable();
    assert.equal(settings.name, 'Shop');
    db.raw.exec("UPDATE settings SET value = '\"none\"' WHERE key = 'server'");
    assert.equal(settings.name, 'Shop', 'it is asked for with each answer, and read when it changes');
    settings.update(ann, { name: 'Lost' });
    db.raw.exec(
      "PRAGMA defer_foreign_keys = ON; INSERT INTO views (id, workspace_id, user_id, name, query, created_at) VALUES ('v', 'none', 'none', '', '{}', 0)",
    );
    assert.equal(settings.name, 'Lost');
    await assert.rejects(db.durable()!);
    assert.deepEqual(settings.current(), known, 'it is read again, and what cannot be is as if nothing was decided');
  }
});

test('the server’s language is that of the first user, else that of the machine if it is supported', async (t) => {
  for (const [locale, language] of [
    ['de-AT', 'de'],
    ['en-GB', 'en'],
    ['fr-FR', 'en'],
    ['de', 'de'],
  ] as const) {
    t.mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', () => ({ locale }));
    const { settings, register } = openHouse(t);
    assert.equal(settings.language, language);
    await register('ann@x');
    await register('bob@x', { language: language === 'de' ? 'en' : 'de' });
    assert.equal(settings.language, language, 'whatever others speak');
    t.mock.restoreAll();
  }
});
