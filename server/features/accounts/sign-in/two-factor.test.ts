import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generateSync } from 'otplib';
import { ownedSite, type Site, startSite, TestClock, tempFolder } from '../../../../test/harness.ts';
import { fromAnywhere, login, must, PASSWORD, type Person, person } from '../../../../test/people.ts';

const STEP = 30_000;

const codeAt = (secret: string, ms: number) => generateSync({ secret, epoch: Math.floor(ms / 1000) });
const wrongCode = (secret: string, ms: number) => {
  const right = new Set([-2, -1, 0, 1, 2].map((d) => codeAt(secret, ms + d * STEP)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code))!;
};

const withTwoFactor = async (t: TestContext, data = tempFolder(t)) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock, data });
  const call = (path: string, body?: unknown) =>
    site.call('POST', `/api/auth/totp/${path}`, { token: owner.token, body });
  const { secret } = must(await call('setup'));
  const { recovery_codes } = must(await call('enable', { code: codeAt(secret, clock.now()) }));
  clock.advance(STEP);
  return {
    site,
    clock,
    owner,
    call,
    secret,
    recovery_codes: recovery_codes as string[],
    code: () => codeAt(secret, clock.now()),
    wrong: () => wrongCode(secret, clock.now()),
  };
};

const mfaToken = async (site: Site, owner: Person): Promise<string> => must(await login(site, owner.email)).mfa_token;
const verify = (site: Site, mfa_token: string, code: string) =>
  site.call('POST', '/api/auth/totp/verify', { body: { mfa_token, code }, headers: fromAnywhere() });

test('setup returns secret, URI with the server’s host, and QR code, and changes nothing before enable', async (t) => {
  const { site, owner } = await ownedSite(t);
  const status = async () => must(await site.call('GET', '/api/auth/totp/status', { token: owner.token }));
  assert.deepEqual(await status(), { enabled: false, eligible: true, recovery_codes_remaining: 0 });
  const setup = must(await site.call('POST', '/api/auth/totp/setup', { token: owner.token }));
  assert.match(setup.secret, /^[A-Z2-7]{32}$/);
  const uri = new URL(setup.otpauth_uri);
  assert.equal(uri.protocol, 'otpauth:');
  assert.match(decodeURIComponent(uri.pathname), /127\.0\.0\.1.*owner@store\.test/);
  assert.equal(uri.searchParams.get('secret'), setup.secret);
  assert.match(setup.qr_data_url, /^data:image\/png;base64,/);
  assert.deepEqual(await status(), { enabled: false, eligible: true, recovery_codes_remaining: 0 });
  assert.equal('token' in must(await login(site, owner.email)), true, 'a pending secret asks for no second step');
});

test('enable answers 400 before setup or for a wrong code, else ten recovery codes, and further setup answers 409', async (t) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock });
  const call = (path: string, body?: unknown) =>
    site.call('POST', `/api/auth/totp/${path}`, { token: owner.token, body });
  assert.equal((await call('enable', { code: '123456' })).status, 400);
  const first = must(await call('setup')).secret;
  const { secret } = must(await call('setup'));
  assert.notEqual(secret, first);
  assert.equal((await call('enable', { code: wrongCode(secret, clock.now()) })).status, 400);
  assert.equal((await call('enable', {})).status, 400);
  const { enabled, recovery_codes } = must(await call('enable', { code: codeAt(secret, clock.now()) }));
  assert.equal(enabled, true);
  assert.equal(new Set(recovery_codes).size, 10);
  for (const code of recovery_codes)
    assert.match(code, /^[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){3}$/, '100 bits');
  assert.deepEqual(must(await site.call('GET', '/api/auth/totp/status', { token: owner.token })), {
    enabled: true,
    eligible: true,
    recovery_codes_remaining: 10,
  });
  assert.equal((await call('setup')).status, 409);
  assert.equal((await call('enable', { code: '123456' })).status, 409);
  assert.equal(must(await site.call('GET', '/api/auth/me', { token: owner.token })).totp_enabled, 1);
});

test('with two-factor enabled, a password gives an mfa_token, which is not a session', async (t) => {
  const { site, owner, code } = await withTwoFactor(t);
  const step = must(await login(site, owner.email));
  assert.deepEqual(Object.keys(step).sort(), ['mfa_required', 'mfa_token']);
  const me = await site.call('GET', '/api/auth/me', { token: step.mfa_token });
  assert.deepEqual([me.status, me.body.code], [401, 'mfa_required']);
  assert.equal((await site.call('GET', '/api/playlists', { token: step.mfa_token })).status, 401);
  const session = must(await verify(site, step.mfa_token, code()));
  assert.equal(session.user.id, owner.id);
  assert.equal(session.current_workspace_id, owner.workspaceId);
  assert.deepEqual([session.via_recovery, session.recovery_codes_remaining], [false, 10]);
  must(await site.call('GET', '/api/auth/me', { token: session.token }));
  assert.equal((await verify(site, owner.token, code())).status, 401, 'a session is no mfa_token');
});

test('an app code works once: not again in its time step, nor after it enabled two-factor', async (t) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock });
  const { secret } = must(await site.call('POST', '/api/auth/totp/setup', { token: owner.token }));
  const code = codeAt(secret, clock.now());
  must(await site.call('POST', '/api/auth/totp/enable', { token: owner.token, body: { code } }));
  const token = await mfaToken(site, owner);
  assert.equal((await verify(site, token, code)).status, 401);
  clock.advance(STEP);
  const next = codeAt(secret, clock.now());
  must(await verify(site, token, next));
  assert.equal((await verify(site, await mfaToken(site, owner), next)).status, 401);
});

test('of two simultaneous requests with one code only one succeeds', async (t) => {
  const { site, owner, code } = await withTwoFactor(t);
  const tokens = [await mfaToken(site, owner), await mfaToken(site, owner)];
  const answers = await Promise.all(tokens.map((token) => verify(site, token, code())));
  assert.deepEqual(answers.map((a) => a.status).sort(), [200, 401]);
});

test('a recovery code works once, in any spelling', async (t) => {
  const { site, owner, recovery_codes } = await withTwoFactor(t);
  const [code] = recovery_codes as [string];
  const session = must(await verify(site, await mfaToken(site, owner), ` ${code.toUpperCase().replaceAll('-', ' ')} `));
  assert.deepEqual([session.via_recovery, session.recovery_codes_remaining], [true, 9]);
  assert.equal((await verify(site, await mfaToken(site, owner), code)).status, 401);
});

test('a recovery code does not work for another account', async (t) => {
  const { site, clock, recovery_codes } = await withTwoFactor(t);
  const other = await person(site, 'other@store.test');
  const { secret } = must(await site.call('POST', '/api/auth/totp/setup', { token: other.token }));
  must(
    await site.call('POST', '/api/auth/totp/enable', {
      token: other.token,
      body: { code: codeAt(secret, clock.now()) },
    }),
  );
  assert.equal((await verify(site, await mfaToken(site, other), recovery_codes[0]!)).status, 401);
});

test('disable needs a code or recovery code, and deletes the secret and the recovery codes', async (t) => {
  const { site, owner, call, wrong, recovery_codes } = await withTwoFactor(t);
  assert.equal((await call('disable', { code: wrong() })).status, 400);
  assert.deepEqual(must(await call('disable', { code: recovery_codes[3] })), { enabled: false });
  assert.deepEqual(must(await site.call('GET', '/api/auth/totp/status', { token: owner.token })), {
    enabled: false,
    eligible: true,
    recovery_codes_remaining: 0,
  });
  assert.equal('token' in must(await login(site, owner.email)), true);
  const row = site.app.db.raw.prepare('SELECT totp_secret FROM users').get();
  assert.deepEqual(row, { totp_secret: null });
});

test('an mfa_token (proof of the first sign-in step) is invalid once two-factor is disabled', async (t) => {
  const { site, owner, call, code } = await withTwoFactor(t);
  const token = await mfaToken(site, owner);
  must(await call('disable', { code: code() }));
  assert.equal((await verify(site, token, '123456')).status, 401);
});

test('5 wrong codes in all endpoints together lock for 15 minutes, even for right codes and after a restart', async (t) => {
  const data = tempFolder(t);
  const { site: before, clock, owner, call, secret, wrong, recovery_codes } = await withTwoFactor(t, data);
  const token = await mfaToken(before, owner);
  assert.equal((await verify(before, token, wrong())).status, 401);
  assert.equal((await verify(before, token, 'not-a-recovery-code')).status, 401);
  assert.equal((await call('disable', { code: wrong() })).status, 400);
  assert.equal((await call('disable', { code: wrong() })).status, 400);
  assert.equal((await call('recovery-codes/regenerate', { code: wrong() })).status, 400);
  await before.app.stop();

  const site = await startSite(t, { clock, data });
  const code = () => codeAt(secret, clock.now());
  const locked = await verify(site, await mfaToken(site, owner), code());
  assert.deepEqual([locked.status, locked.headers.get('retry-after')], [429, '900']);
  for (const path of ['disable', 'recovery-codes/regenerate'])
    assert.equal(
      (await site.call('POST', `/api/auth/totp/${path}`, { token: owner.token, body: { code: code() } })).status,
      429,
    );
  assert.equal((await verify(site, await mfaToken(site, owner), recovery_codes[0]!)).status, 429);
  clock.advance(15 * 60_000);
  must(await verify(site, await mfaToken(site, owner), code()));
});

test('API tokens bypass two-factor', async (t) => {
  const { site, owner } = await withTwoFactor(t);
  const { token } = must(await site.call('POST', '/api/tokens', { token: owner.token, body: { name: 'till' } }), 201);
  must(await site.call('GET', '/api/playlists', { token }));
});

test('the two-factor secret is encrypted with a key file (mode 600), and recovery codes need no key', async (t) => {
  const data = tempFolder(t);
  const { site: before, clock, owner, secret, recovery_codes, code } = await withTwoFactor(t, data);
  const file = join(data, 'keys', 'secrets.key');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const row = before.app.db.raw.prepare('SELECT totp_secret FROM users').get() as { totp_secret: string };
  assert.doesNotMatch(Buffer.from(row.totp_secret, 'base64').toString('latin1'), new RegExp(secret));
  for (const stored of before.app.db.raw.prepare('SELECT hash FROM recovery_codes').all() as { hash: string }[])
    assert.match(stored.hash, /^[0-9a-f]{64}$/);
  const key = readFileSync(file);
  await before.app.stop();

  chmodSync(file, 0o600);
  rmSync(file);
  const site = await startSite(t, { clock, data });
  assert.equal((await verify(site, await mfaToken(site, owner), code())).status, 401);
  must(await verify(site, await mfaToken(site, owner), recovery_codes[0]!));
  // No new key was created, so the old one can be restored from a backup.
  assert.equal(existsSync(file), false);
  writeFileSync(file, key, { mode: 0o600 });
  clock.advance(60_000);
  must(await verify(site, await mfaToken(site, owner), code()));
});

test('a password change ends every sign-in in progress', async (t) => {
  const { site, owner, code } = await withTwoFactor(t);
  const token = await mfaToken(site, owner);
  must(
    await site.call('PUT', '/api/auth/me', {
      token: owner.token,
      body: { password: 'another horse', current_password: PASSWORD },
    }),
  );
  assert.equal((await verify(site, token, code())).status, 401);
});
