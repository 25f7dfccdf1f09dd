/** Tests signing in, its second step and sessions, at the services. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { generateSync } from 'otplib';
import { FROM, openHouse, PASSWORD } from '../../../../test/house.ts';
import { SESSION_SECONDS } from './actor-source.ts';
import { Passwords } from './passwords.ts';

test('an account signs in with its present password only, with any spelling of its address, and the sign-in is logged', async (t) => {
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
    // Checks that the log entry is on disk before the answer.
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
    `user.sign_in_failed: ann@x: a password was used, but this account uses a sign-in provider (${FROM.ip})`,
  ]);
  users.update(user.id, { auth_provider: 'local' });
  // The account changes while the password is being checked.
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

test('a hash with outdated parameters is replaced only after a correct password', async (t) => {
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

test('wrong passwords lock remote sign-in, local ones also lock local sign-in, and a local success unlocks both', async (t) => {
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

test('the second step succeeds once within five minutes, by an app code or a recovery code, and is logged', async (t) => {
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

test('wrong codes lock the second step, the lock is logged once, and a right code resets the count', async (t) => {
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

test('users set up, enable, renew and disable their own two-factor with a valid code, and each step is logged', async (t) => {
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
    await assert.rejects(act(), { status: 400, message: 'Two-factor sign-in is not on' });
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
    message: /^Two-factor sign-in is only for accounts with a password/,
  });
});

test('two-factor works after a restart, and after the loss of the key file only recovery codes are accepted', async (t) => {
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

test('signing in with an unconfirmed address sends one reminder, and is refused on a hosted server', async (t) => {
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

test('a session begins in the workspace that the user used last, else in the first by name', async (t) => {
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

test('expired sessions are deleted at the next sign-in unless the clock is untrusted, and the end of a session is announced', async (t) => {
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
