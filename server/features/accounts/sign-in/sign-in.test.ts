import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedSite, startSite, TestClock, tempFolder } from '../../../../test/harness.ts';
import { fromAnywhere, login, must, PASSWORD, person } from '../../../../test/people.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('signing in returns a session, the user and the workspace, ignoring the case of the address', async (t) => {
  const { site, owner } = await ownedSite(t);
  const body = must(await login(site, ' Owner@STORE.test '));
  assert.equal(body.user.id, owner.id);
  assert.equal(body.current_workspace_id, owner.workspaceId);
  assert.match(body.token, /^vts_[\w-]{43}$/);
  assert.equal(must(await site.call('GET', '/api/auth/me', { token: body.token })).id, owner.id);
  assert.equal(typeof body.user.last_login_at, 'number');
});

test('an unknown address and a wrong password get the same answer', async (t) => {
  const { site } = await ownedSite(t);
  const wrong = await login(site, 'owner@store.test', 'wrong horse');
  const unknown = await login(site, 'nobody@store.test');
  assert.deepEqual([wrong.status, wrong.body], [401, unknown.body]);
  assert.deepEqual(wrong.body, { error: 'The e-mail address or the password is wrong.' });
  assert.equal(unknown.status, 401);
  assert.equal(wrong.headers.get('www-authenticate'), 'Bearer');
  for (const body of [{ email: 'owner@store.test' }, { password: PASSWORD }, {}])
    assert.equal((await site.call('POST', '/api/auth/login', { body, headers: fromAnywhere() })).status, 400);
});

test('10 failures for an account lock it for 15 minutes, even for the right password and after a restart', async (t) => {
  const clock = new TestClock();
  const data = tempFolder(t);
  const before = await startSite(t, { clock, data });
  await person(before, 'owner@store.test');
  for (let i = 0; i < 10; i++) assert.equal((await login(before, 'owner@store.test', 'wrong horse')).status, 401);
  assert.equal((await login(before, 'owner@store.test')).status, 429);
  await before.app.stop();

  const site = await startSite(t, { clock, data });
  const locked = await login(site, 'OWNER@store.test');
  assert.equal(locked.status, 429);
  assert.equal(Number(locked.headers.get('retry-after')), 900);
  clock.advance(15 * MINUTE - 1000);
  assert.equal((await login(site, 'owner@store.test')).status, 429);
  clock.advance(1000);
  must(await login(site, 'owner@store.test'));
});

test('at the server’s own machine the right password opens a locked account, but not remotely or through a local proxy', async (t) => {
  const { site } = await ownedSite(t, { clock: new TestClock() });
  const lockOut = async () => {
    for (let i = 0; i < 10; i++) assert.equal((await login(site, 'owner@store.test', 'wrong horse')).status, 401);
  };
  const attempt = async (password: string, headers: Record<string, string>) =>
    (await site.call('POST', '/api/auth/login', { body: { email: 'owner@store.test', password }, headers })).status;
  await lockOut();
  for (const [name, value] of [
    ['X-Forwarded-For', '192.168.1.7'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['Forwarded', 'for=127.0.0.1'],
    ['X-Real-IP', '127.0.0.1'],
    ['Via', '1.1 proxy'],
  ] as const)
    assert.equal(await attempt(PASSWORD, { [name]: value }), 429, `${name}: ${value}`);
  assert.equal(await attempt('wrong horse', {}), 429, 'a wrong one here too');
  assert.equal(await attempt(PASSWORD, {}), 200);
  assert.equal((await login(site, 'owner@store.test')).status, 200, 'which lifts the lockout');
});

test('a password reset ends both lockouts', async (t) => {
  const { site, owner } = await ownedSite(t, { clock: new TestClock() });
  const bea = await person(site, 'bea@store.test');
  const here = async (password: string) =>
    (await site.call('POST', '/api/auth/login', { body: { email: bea.email, password } })).status;
  for (const kind of ['password', 'password-here'])
    site.app.db.raw.prepare('INSERT INTO limits VALUES (?, 10, 99999999999)').run(`${kind}:${bea.email}`);
  assert.equal(await here(PASSWORD), 429);
  must(
    await site.call('PUT', `/api/auth/users/${bea.id}/password`, {
      token: owner.token,
      body: { password: 'brand new horse' },
    }),
  );
  assert.equal(await here('brand new horse'), 200);
});

test('the lockout does not disclose which addresses exist', async (t) => {
  const { site } = await ownedSite(t);
  for (let i = 0; i < 10; i++) assert.equal((await login(site, 'nobody@store.test')).status, 401);
  assert.equal((await login(site, 'nobody@store.test')).status, 429);
});

test('a successful sign-in resets the count of failures', async (t) => {
  const { site } = await ownedSite(t);
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 9; i++) assert.equal((await login(site, 'owner@store.test', 'wrong horse')).status, 401);
    must(await login(site, 'owner@store.test'));
  }
});

test('simultaneous sign-in attempts cannot exceed the limit of failures', async (t) => {
  const { site } = await ownedSite(t);
  const answers = await Promise.all(Array.from({ length: 30 }, () => login(site, 'owner@store.test', 'wrong horse')));
  assert.equal(answers.filter((a) => a.status === 401).length, 10);
  assert.equal(answers.filter((a) => a.status === 429).length, 20);
});

test('sign-ins and failures are in the activity of the account’s workspaces', async (t) => {
  const { site, owner } = await ownedSite(t);
  const headers = { 'X-Forwarded-For': '192.0.2.7' };
  await site.call('POST', '/api/auth/login', { body: { email: owner.email, password: 'wrong horse' }, headers });
  await site.call('POST', '/api/auth/login', { body: { email: owner.email, password: PASSWORD }, headers });
  const [success, failure] = must(await site.call('GET', '/api/activity', { token: owner.token }));
  assert.deepEqual([success.action, failure.action], ['user.signed_in', 'user.sign_in_failed']);
  assert.deepEqual([failure.user_id, failure.ip_address], [owner.id, '192.0.2.7']);
  assert.doesNotMatch(JSON.stringify([success, failure]), /horse/);
});

test('a session lasts 7 days from its last use', async (t) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock });
  const me = () => site.call('GET', '/api/auth/me', { token: owner.token });
  for (let day = 0; day < 21; day += 6) {
    clock.advance(6 * DAY);
    assert.equal((await me()).status, 200);
  }
  clock.advance(7 * DAY);
  assert.equal((await me()).status, 401);
});

test('the last use of a session survives a restart', async (t) => {
  const clock = new TestClock();
  const data = tempFolder(t);
  const before = await startSite(t, { clock, data });
  const owner = await person(before, 'owner@store.test');
  clock.advance(6 * DAY);
  must(await before.call('GET', '/api/auth/me', { token: owner.token }));
  await before.app.stop();
  clock.advance(6 * DAY);
  const site = await startSite(t, { clock, data });
  must(await site.call('GET', '/api/auth/me', { token: owner.token }));
});

test('logout ends this session at once and no other', async (t) => {
  const { site, owner } = await ownedSite(t);
  const other = must(await login(site, owner.email)).token;
  must(await site.call('POST', '/api/auth/logout', { token: owner.token }));
  assert.equal((await site.call('GET', '/api/auth/me', { token: owner.token })).status, 401);
  assert.equal((await site.call('GET', '/api/auth/me', { token: other })).status, 200);
});

test('signing in opens the last used workspace, else the first by organization and name', async (t) => {
  const site = await startSite(t);
  const anna = await person(site, 'anna@store.test', { name: 'Anna' });
  const zoe = await person(site, 'zoe@store.test', { name: 'Zoe' });
  const invite = must(
    await site.call('POST', `/api/workspaces/${anna.workspaceId}/invites`, {
      token: anna.token,
      body: { email: zoe.email, role: 'workspace_viewer' },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: zoe.token }));
  assert.equal(must(await login(site, zoe.email)).current_workspace_id, zoe.workspaceId, 'used last');
  must(
    await site.call('POST', '/api/auth/switch-workspace', {
      token: zoe.token,
      body: { workspace_id: anna.workspaceId },
    }),
  );
  assert.equal(must(await login(site, zoe.email)).current_workspace_id, anna.workspaceId);
  must(await site.call('DELETE', `/api/workspaces/${anna.workspaceId}/members/${zoe.id}`, { token: anna.token }));
  assert.equal(
    must(await login(site, zoe.email)).current_workspace_id,
    zoe.workspaceId,
    'the last one is closed to her',
  );
});

test('a user can sign in again after an administrator has confirmed a clock that expired all sessions', async (t) => {
  const clock = new TestClock(Date.now());
  const { site, token } = await ownedSite(t, { clock });
  clock.jump(2 * 365 * DAY);
  const { clock: doubted } = must(await site.call('GET', '/api/server/status', { token }));
  must(await site.call('POST', '/api/server/clock', { token, body: { doubt: doubted.doubt.id } }));
  must(await login(site, 'owner@store.test'));
});
