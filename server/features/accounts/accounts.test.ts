/** What must hold of accounts, said to the services themselves: no server is started, no mail leaves. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { generateSync } from 'otplib';
import { FROM, openHouse, PASSWORD } from '../../../test/house.ts';
import { wordsIn } from '../../mails/words.ts';
import { SESSION_SECONDS } from './actor-source.ts';
import { Passwords } from './passwords.ts';

const SERVER = { server: 'Vitrine' };
const welcomeOf = (name: string, language: 'en' | 'de' = 'en') =>
  wordsIn(language).texts.welcome({ name, ...SERVER, link: `${FROM.origin}/#/sign-in` });
const newUserOf = (name: string, email: string, language: 'en' | 'de' = 'en') =>
  wordsIn(language).texts.newUser({ name, email, ...SERVER });

test('the first of a server administers it, and owns it unless it is hosted or a provider vouches; the others are on trial', async (t) => {
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

test('the first has a workspace of its own; others as they say, else as the server does, and by an invite that of their host', async (t) => {
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

test('who may not register is told so before anything is hashed', async (t) => {
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
  // Of two at once one is late, and finds out after the costly part.
  const both = await Promise.allSettled([register('eve@x'), register('eve@x')]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.equal(users.list().length, 3);
});

test('where mails can be sent an address is to be confirmed, but that of the first; hosted, nobody comes in before', async (t) => {
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

test('a hosted server welcomes who is new, and tells its administrators who want to know, each in the own language', async (t) => {
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

test('an account signs in with its present password and no other, by its address in any spelling, and it is recorded', async (t) => {
  const { register, login, users, acts, since, db, now, actor, sessions, passwords, clock } = openHouse(t);
  const { user } = await register('ann@x');
  users.insert({ id: 'old', email: 'zoe@xn--bcher-kva.test', name: 'Zoe', plan_id: '', created_at: 0 });
  users.update('old', { password_hash: users.find(user.id)!.password_hash });
  await since(acts);
  clock.advance(5_000);
  const { token, user: told } = await login('ann@x');
  assert.deepEqual([told.id, told.last_login_at, actor(token).userId], [user.id, now(), user.id]);
  assert.equal(sessions.since(actor(token).credentialHash), now());
  assert.equal((await login('zoe@bücher.test')).user.id, 'old');
  assert.deepEqual(await since(acts), [`user.signed_in: ann@x (${FROM.ip})`]);
  const message = 'The e-mail address or the password is wrong.';
  const refused = (email: string, password?: string) =>
    // What was written of it is on disk before anybody learns of it.
    assert.rejects(
      login(email, password).finally(() => assert.equal(db.durable(), undefined)),
      { status: 401, message },
    );
  await refused('ann@x', 'wrong horse');
  await refused('nobody@x');
  assert.deepEqual(await since(acts), [`user.sign_in_failed: ann@x: wrong password (${FROM.ip})`]);
  users.update(user.id, { auth_provider: 'provider_a' });
  await refused('ann@x');
  assert.deepEqual(await since(acts), [
    `user.sign_in_failed: ann@x: by password, but it signs in with an identity provider (${FROM.ip})`,
  ]);
  users.update(user.id, { auth_provider: 'local' });
  // What happens to the account while the password is being looked at.
  const during = async (happens: () => void) => {
    const attempt = refused('ann@x');
    db.write(happens);
    await attempt;
  };
  const { password_hash } = users.find(user.id)!;
  await during(() => users.update(user.id, { password_hash: 'another' }));
  users.update(user.id, { password_hash });
  await during(() => users.delete(user.id));
  const { user: bob } = await register('bob@x');
  users.update(bob.id, {
    password_hash: await new Passwords({ memoryCost: 1_024, timeCost: 3, parallelism: 1 }).hash(PASSWORD),
  });
  passwords.hash = async () => {
    users.delete(bob.id);
    return 'new';
  };
  await assert.rejects(login('bob@x'), { status: 401, message });
});

test('a hash of another effort than today’s is made anew by the right password alone', async (t) => {
  const { register, login, users } = openHouse(t);
  const { user } = await register('ann@x');
  const stored = () => users.find(user.id)!.password_hash;
  const today = stored();
  await login('ann@x');
  assert.equal(stored(), today);
  const cheaper = await new Passwords({ memoryCost: 1_024, timeCost: 3, parallelism: 1 }).hash(PASSWORD);
  users.update(user.id, { password_hash: cheaper });
  await assert.rejects(login('ann@x', 'wrong horse'), { status: 401 });
  assert.equal(stored(), cheaper);
  await login('ann@x');
  assert.notEqual(stored(), cheaper);
  await login('ann@x');
});

test('guesses from elsewhere lock nobody out at the server’s own machine, where guesses lock as well, and the right password opens both', async (t) => {
  const { register, login, lockout, lockoutHere, acts, since } = openHouse(t);
  await register('ann@x');
  const statusOf = (password: string, here: boolean) =>
    login('ann@x', password, { here }).then(
      () => 200,
      ({ status }) => status,
    );
  const times = async (count: number, password: string, here: boolean) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push(await statusOf(password, here));
    return statuses;
  };
  const locked = () => [lockout.isLocked('ann@x'), lockoutHere.isLocked('ann@x')];
  assert.deepEqual(await times(10, 'wrong', false), Array(10).fill(401));
  assert.deepEqual([await statusOf(PASSWORD, false), locked()], [429, [true, false]]);
  assert.equal(await statusOf('wrong', true), 429, 'a wrong one here is told as elsewhere');
  assert.equal(await statusOf(PASSWORD, true), 200);
  assert.deepEqual([locked(), await statusOf(PASSWORD, false)], [[false, false], 200]);
  await since(acts);
  assert.deepEqual(await times(10, 'wrong', true), Array(10).fill(401));
  assert.deepEqual(locked(), [true, true], 'they count for both');
  assert.deepEqual([await statusOf(PASSWORD, true), await statusOf(PASSWORD, false)], [429, 429]);
  const failures = (await since(acts)).filter((act) => act.includes('too many'));
  assert.deepEqual(failures, Array(2).fill(`user.sign_in_failed: ann@x: too many wrong passwords (${FROM.ip})`));
});

const withTwoFactor = async (t: TestContext) => {
  const house = openHouse(t);
  const { twoFactor, register, actor, clock } = house;
  const { token, user } = await register('ann@x');
  const who = actor(token);
  const { secret } = await twoFactor.setup(who, 'store.test');
  const code = () => generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) });
  const wrong = () => ['000000', '111111', '222222', '333333'].find((one) => one !== code())!;
  const { recovery_codes } = await twoFactor.enable(who, code());
  clock.advance(30_000);
  await house.since(house.acts);
  return { ...house, who, user, code, wrong, recovery_codes, id: user.id as string };
};

test('the second step is taken once, within five minutes, by a code of the app or for recovery, and each is recorded', async (t) => {
  const { login, signIn, code, wrong, recovery_codes, acts, since, actor, id, sessions, clock } =
    await withTwoFactor(t);
  const step = async () => {
    const answer = await login('ann@x');
    assert.deepEqual([answer.mfa_required, 'token' in answer], [true, false]);
    return answer.mfa_token as string;
  };
  const verify = (mfa_token: string, said: string) => signIn.verify({ mfa_token, code: said }, FROM);
  const expired = { status: 401, message: /expired/ };
  const first = await step();
  assert.deepEqual(await since(acts), [], 'nobody is in yet');
  await assert.rejects(verify('none', code()), expired);
  await assert.rejects(verify(first, wrong()), { status: 401, message: /wrong/ });
  assert.deepEqual(await since(acts), [`user.sign_in_failed: ann@x: wrong code (${FROM.ip})`]);
  const session = await verify(first, code());
  assert.deepEqual([session.via_recovery, session.recovery_codes_remaining, session.user.id], [false, 10, id]);
  await assert.rejects(verify(first, code()), expired, 'the step is taken');
  await assert.rejects(verify(session.token, code()), expired, 'a session is no step');
  const recovered = await verify(await step(), recovery_codes[0]!);
  assert.deepEqual([recovered.via_recovery, recovered.recovery_codes_remaining], [true, 9]);
  assert.deepEqual(await since(acts), Array(2).fill(`user.signed_in: ann@x (${FROM.ip})`));
  const late = await step();
  assert.equal(sessions.since(late), undefined);
  clock.advance(5 * 60_000 - 1_000);
  assert.equal(sessions.secondStepOf(late)?.id, id);
  clock.advance(1_000);
  await assert.rejects(verify(late, code()), expired);
  assert.equal(actor(session.token).userId, id);
});

test('too many wrong codes lock the second step, of which the first refusal is recorded; a right one forgets them', async (t) => {
  const { login, signIn, code, wrong, acts, since, twoFactor, who, db, clock } = await withTwoFactor(t);
  const { mfa_token } = await login('ann@x');
  const verify = (said: string) =>
    signIn.verify({ mfa_token, code: said }, FROM).then(
      () => 200,
      ({ status }) => {
        assert.ok(status === 429 || db.durable() === undefined, 'told once it is on disk');
        return status;
      },
    );
  for (let i = 0; i < 4; i++) assert.equal(await verify(wrong()), 401);
  await twoFactor.regenerate(who, code());
  await since(acts);
  clock.advance(30_000);
  for (let i = 0; i < 5; i++) assert.equal(await verify(wrong()), 401);
  for (let i = 0; i < 3; i++) assert.equal(await verify(code()), 429);
  assert.deepEqual(
    await since(acts),
    [...Array(5).fill('wrong code'), 'too many wrong codes'].map(
      (why) => `user.sign_in_failed: ann@x: ${why} (${FROM.ip})`,
    ),
  );
  clock.advance(15 * 60_000);
  const again = (await login('ann@x')).mfa_token;
  assert.ok((await signIn.verify({ mfa_token: again, code: code() }, FROM)).token);
});

test('two-factor is set up, enabled, renewed and ended by the right code, recorded each time, and asked of nobody else', async (t) => {
  const { twoFactor, who, code, wrong, recovery_codes, acts, since, users, id, login, clock } = await withTwoFactor(t);
  const ten = { enabled: true, eligible: true, recovery_codes_remaining: 10 };
  assert.deepEqual(twoFactor.status(who), ten);
  await assert.rejects(twoFactor.setup(who, 'h'), { status: 409 });
  await assert.rejects(twoFactor.enable(who, code()), { status: 409 });
  await assert.rejects(twoFactor.regenerate(who, wrong()), { status: 400 });
  await assert.rejects(twoFactor.regenerate(who, recovery_codes[0]!), { status: 400 }, 'no recovery code makes more');
  const renewed = (await twoFactor.regenerate(who, code().replace(/(...)/, '$1 '))).recovery_codes;
  assert.equal(new Set([...renewed, ...recovery_codes]).size, 20);
  await assert.rejects(twoFactor.disable(who, recovery_codes[1]!), { status: 400 }, 'the earlier are void');
  await assert.rejects(twoFactor.disable(who, code()), { status: 400 }, 'it was used');
  clock.advance(30_000);
  assert.deepEqual(await twoFactor.disable(who, renewed[3]!), { enabled: false });
  assert.deepEqual(twoFactor.status(who), { enabled: false, eligible: true, recovery_codes_remaining: 0 });
  assert.deepEqual(
    await since(acts),
    ['recovery_codes_renewed', 'two_factor_disabled'].map((action) => `user.${action}: ann@x (${FROM.ip})`),
  );
  const { totp_secret, totp_last_step } = users.find(id)!;
  assert.deepEqual([totp_secret, totp_last_step], [null, 0]);
  for (const act of [() => twoFactor.disable(who, code()), () => twoFactor.regenerate(who, code())])
    await assert.rejects(act(), { status: 400, message: 'Two-factor is not on' });
  await assert.rejects(twoFactor.enable(who, code()), { status: 400, message: /setup/ });
  assert.ok((await login('ann@x')).token);
  const { secret, otpauth_uri } = await twoFactor.setup(who, 'store.test');
  assert.ok(otpauth_uri.includes(secret));
  assert.ok((await login('ann@x')).token, 'what is not enabled is not asked for');
  await assert.rejects(twoFactor.enable(who, 'abcdef'), { status: 400, message: /app shows/ });
  await assert.rejects(twoFactor.setup({ ...who, confinedTo: 'o' }, 'h'), { status: 403 });
  users.update(id, { auth_provider: 'provider_a' });
  assert.equal(twoFactor.status(who).eligible, false);
  await assert.rejects(twoFactor.setup(who, 'h'), {
    status: 400,
    message: /^Two-factor is for accounts with a password/,
  });
});

test('after a restart codes are good as before, and without the key those for recovery are', async (t) => {
  const { restarted, who, code, wrong, recovery_codes, login, users, id, db, clock } = await withTwoFactor(t);
  const step = async () => (await login('ann@x')).mfa_token as string;
  const mfa_token = await step();
  assert.ok((await restarted().signIn.verify({ mfa_token, code: code() }, FROM)).token);
  clock.advance(30_000);
  assert.equal((await restarted().twoFactor.regenerate(who, code())).recovery_codes.length, 10);
  clock.advance(30_000);
  await assert.rejects(
    restarted()
      .twoFactor.disable(who, wrong())
      .finally(() => assert.equal(db.durable(), undefined)),
    { status: 400, message: /wrong or was used/ },
  );
  const [recovery, more] = (await restarted().twoFactor.regenerate(who, code())).recovery_codes;
  assert.equal(recovery_codes.includes(recovery!), false);
  users.update(id, { totp_secret: 'sealed under another key' });
  clock.advance(30_000);
  const { signIn } = restarted();
  const lost = await step();
  await assert.rejects(signIn.verify({ mfa_token: lost, code: code() }, FROM), { status: 401 });
  assert.equal((await signIn.verify({ mfa_token: lost, code: recovery! }, FROM)).via_recovery, true);
  await restarted().twoFactor.disable(who, more!);
  const { secret } = await restarted().twoFactor.setup(who, 'store.test');
  const said = generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) });
  assert.equal((await restarted().twoFactor.enable(who, said)).enabled, true);
});

test('who signs in to an address that is not confirmed is reminded once, and hosted not let in', async (t) => {
  for (const hosted of [false, true]) {
    const { register, login, mails, since, users, verification, actor, clock } = openHouse(t, {
      hosted,
      posts: true,
    });
    await register('ann@x');
    await register('bob@x');
    const { id } = users.findByEmail('bob@x')!;
    const verifying = async () => (await since(mails)).filter(({ text }) => text.includes('verify-email'));
    const linkIn = ([mail]: { text: string }[]) => /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    const signsIn = async () => assert.equal('token' in (await login('bob@x')), !hosted);
    const first = linkIn(await verifying());
    await signsIn();
    assert.deepEqual(await verifying(), [], 'one is on its way');
    clock.advance(24 * 3_600_000);
    assert.equal(verification.confirm(first, FROM.ip), 'invalid');
    await signsIn();
    const second = linkIn(await verifying());
    assert.notEqual(second, '');
    assert.equal(verification.confirm(second, FROM.ip), 'done');
    assert.equal(verification.confirm(second, FROM.ip), 'invalid');
    const { token } = await login('bob@x');
    assert.equal(actor(token).userId, id);
    assert.deepEqual(await verifying(), []);
    users.update(id, { password_organization_id: 'o', must_change_password: 0 });
    assert.ok((await login('bob@x')).token, 'hosted too: the address is known');
    const third = await verifying();
    assert.equal(third.length, 1, 'the password is to be confirmed');
    assert.equal(verification.confirm(linkIn(third), FROM.ip), 'done');
    assert.equal(users.find(id)?.password_organization_id, null);
  }
});

test('a session begins in the workspace used last, else in the first, and is remembered as that', async (t) => {
  const { register, workspaces, actor, users, sessions, db, now } = openHouse(t);
  const { token, user } = await register('ann@x');
  const ann = actor(token);
  const second = workspaces.create(ann, { name: 'Annex' }).id;
  const open = () => db.write(() => sessions.open(users.find(user.id)!)).current_workspace_id;
  assert.equal(open(), ann.workspaceId);
  const since = now() - 100;
  const there = db.write(() => sessions.openIn(user, second, since));
  assert.deepEqual([sessions.since(actor(there.token).credentialHash), open()], [since, second]);
  users.update(user.id, { last_workspace_id: 'gone' });
  assert.equal(open(), second, 'Annex comes before Default');
  assert.equal(sessions.place(users.find(user.id)!, second)?.workspace_id, second);
  assert.equal(sessions.place(users.find(user.id)!, 'none'), undefined);
  assert.equal(db.write(() => sessions.openIn(user, null)).current_workspace_id, null);
  assert.equal(users.find(user.id)?.last_workspace_id, second, 'nowhere is not remembered');
});

test('sessions that are over go with the next that begins, unless the clock is doubted; whatever ends one is told', async (t) => {
  const { register, sessions, db, clock, heard, since, actor, signIn, acts, login } = openHouse(t);
  const { user, token } = await register('ann@x');
  const count = () => db.raw.prepare('SELECT count(*) FROM sessions').pluck().get();
  const begin = () => db.write(() => sessions.openIn(user, null));
  clock.advance(SESSION_SECONDS * 1_000 - 1_000);
  begin();
  assert.equal(count(), 2);
  clock.advance(1_000);
  clock.doubtful = true;
  begin();
  assert.equal(count(), 3);
  clock.doubtful = false;
  const { token: kept } = begin();
  assert.equal(count(), 3);
  assert.throws(() => actor(token), { status: 401 });
  const { credentialHash } = actor(kept);
  await since(heard);
  db.write(() => {
    sessions.endAllOf(user.id, credentialHash);
    assert.deepEqual(heard, [], 'not before it is on disk');
  });
  assert.deepEqual([await since(heard), count(), actor(kept).userId], [['accounts'], 1, user.id]);
  await since(acts);
  const { token: other } = await login('ann@x');
  signIn.logout(actor(kept));
  assert.deepEqual([await since(heard), count()], [['accounts'], 1]);
  assert.deepEqual((await since(acts)).at(-1), `user.signed_out: ann@x (${FROM.ip})`);
  assert.equal(actor(other).userId, user.id);
  db.write(() => sessions.end({ secret: other }));
  assert.equal(count(), 0);
});

test('who is signed in is told where they are, what they may do there, and where else they can go', async (t) => {
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

test('what is not named of an account stays; what is, is recorded and told; what headquarters keeps is not changed here', async (t) => {
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
  await assert.rejects(profile.update({ ...ann, visits: true }, { name: 'X' }), { status: 403 });
  assert.deepEqual(stored(), expected);
});

test('another password needs the present one, ends all other sessions, and takes tokens along where it is to', async (t) => {
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
  // The same again is no fault where nobody else knows it.
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
  await refused({ password: 'another horse', current_password: PASSWORD }, 400, /identity provider/);
});

test('one goes to another workspace where there is a way in, and proves nothing by it', async (t) => {
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

test('a session that began within a quarter of an hour proves who it is; after that the password does, or another sign-in', async (t) => {
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

test('an administrator changes roles and deletes accounts, never the own, and each is recorded where both are', async (t) => {
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

/** Ann administers the server; Bob owns an organization in which Cem is a member. */
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

test('a password that the server’s administrator sets opens everything, an owner’s that organization alone; it ends sessions and lockouts', async (t) => {
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

test('a link for a password is good once, for a day, and as long as who made it may', async (t) => {
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
  // What a password opens, it opens for who made the link as well.
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

test('a password that an owner has set is confirmed by its own member alone, after another was chosen', async (t) => {
  const { bob, cem, admin, users, since, mails, verification, profile, acts, heard, clock } = await withTeam(t);
  const linkIn = async () => /token=([\w-]+)/.exec((await since(mails)).at(-1)?.text ?? '')?.[1] ?? '';
  verification.ask(users.find(cem.userId)!, FROM.origin);
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

test('who asks for the link again gets it where there is one to send, and learns nothing else; the last one sent is good', async (t) => {
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
  // As often as anybody’s address gets mails, and no oftener: then the link that is on its way stays good.
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
  without.verification.ask(without.users.find(user.id)!, FROM.origin);
  await new Promise(setImmediate);
  assert.ok((await without.login('bob@x')).token);
  assert.deepEqual([await without.since(without.mails), without.users.hasEmailToken(user.id, 0)], [[], false]);
});

test('what was decided of the server wins over its environment, and a write that is lost decides nothing', async (t) => {
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

test('where its first has said no language, the server’s is that of the machine, as far as we speak it', async (t) => {
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
