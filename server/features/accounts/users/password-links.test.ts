import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedSite, type Site, startSite } from '../../../../test/harness.ts';
import { colleague, fromAnywhere, login, must, PASSWORD, type Person, person } from '../../../../test/people.ts';
import { sha256 } from '../secrets.ts';

const NEW = 'brand new horse';
const ask = (site: Site, who: Person, id: string) =>
  site.call('POST', `/api/auth/users/${id}/password-link`, { token: who.token, headers: fromAnywhere() });
const make = async (site: Site, who: Person, id: string) => must(await ask(site, who, id)).token as string;
const spend = (site: Site, token: string, password: string = NEW) =>
  site.call('POST', '/api/auth/password-link', { body: { token, password }, headers: fromAnywhere() });
const signsIn = async (site: Site, email: string, password: string) =>
  (await login(site, email, password)).status === 200;
const hashes = (site: Site) => site.app.db.raw.prepare('SELECT hash FROM password_links').pluck().all();

test('a password link sets the password once, ends all sessions, and the person can sign in', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const { token, expires_at } = must(await ask(site, owner, bea.id));
  assert.match(token, /^vtl_[\w-]{43}$/);
  assert.ok(Math.abs(expires_at - Date.now() / 1000 - 86_400) < 60);
  assert.deepEqual(hashes(site), [sha256(token)]);
  // The password and the sessions have not changed so far.
  must(await site.call('GET', '/api/auth/me', { token: bea.token }));
  assert.equal((await spend(site, token, 'short')).status, 400);
  assert.deepEqual(must(await spend(site, token)), { email: bea.email });
  assert.equal((await site.call('GET', '/api/auth/me', { token: bea.token })).status, 401);
  assert.equal(await signsIn(site, bea.email, PASSWORD), false);
  const { user } = must(await login(site, bea.email, NEW));
  assert.equal(user.must_change_password, 0);
  assert.equal((await spend(site, token, 'another one yet')).status, 410);
  assert.equal(await signsIn(site, bea.email, NEW), true);
});

test('a password link becomes invalid after a day, by a new link, by any password change, and with the account', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const call = (token: string) => async (method: string, path: string, body: unknown) =>
    must(await site.call(method, path, { token, body }));
  const isVoid = async (token: string) => assert.equal((await spend(site, token)).status, 410);

  const first = await make(site, owner, bea.id);
  const second = await make(site, owner, bea.id);
  await isVoid(first);
  await call(bea.token)('PUT', '/api/auth/me', { password: 'of my own now', current_password: PASSWORD });
  await isVoid(second);
  const third = await make(site, owner, bea.id);
  await call(owner.token)('PUT', `/api/auth/users/${bea.id}/password`, { password: 'told by telephone' });
  await isVoid(third);
  const fourth = await make(site, owner, bea.id);
  site.app.db.raw.prepare('UPDATE password_links SET expires_at = unixepoch() - 1').run();
  await isVoid(fourth);
  const fifth = await make(site, owner, bea.id);
  must(await site.call('DELETE', `/api/auth/users/${bea.id}`, { token: owner.token }));
  await isVoid(fifth);
  assert.deepEqual(hashes(site), []);
});

test('a user who may set a user’s password may create a password link, but not for themselves or provider accounts', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const admin = await colleague(site, bea, 'dan@store.test', 'workspace_admin');
  const viewer = await colleague(site, bea, 'eva@store.test', 'workspace_viewer');
  const statusOf = async (who: Person, id: string) => (await ask(site, who, id)).status;
  assert.equal(await statusOf(bea, viewer.id), 200);
  assert.equal(await statusOf(admin, viewer.id), 403);
  assert.equal(await statusOf(viewer, admin.id), 403);
  assert.equal(await statusOf(bea, owner.id), 403);
  assert.equal(await statusOf(owner, owner.id), 400);
  assert.equal(await statusOf(owner, 'nobody'), 404);
  site.app.db.raw.prepare("UPDATE users SET auth_provider = 'provider_a' WHERE id = ?").run(viewer.id);
  assert.equal(await statusOf(owner, viewer.id), 400);
});

test('a password link from an owner gives access to the owner’s organization only, until a new password is confirmed', async (t) => {
  const { site } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const eva = await colleague(site, bea, 'eva@store.test', 'workspace_viewer');
  must(await spend(site, await make(site, bea, eva.id)));
  const { user } = must(await login(site, eva.email, NEW));
  assert.equal(user.must_change_password, 1);
  const bound = site.app.db.raw.prepare('SELECT password_organization_id FROM users WHERE id = ?').pluck();
  assert.notEqual(bound.get(eva.id), null);
});

test('setting a password by a link ends a lockout, keeps two-factor, and is logged without the token', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await colleague(site, owner, 'bea@store.test', 'workspace_editor');
  for (let i = 0; i < 10; i++) await login(site, bea.email, 'a wrong password');
  assert.equal((await login(site, bea.email)).status, 429);
  site.app.db.raw.prepare('UPDATE users SET totp_enabled = 1 WHERE id = ?').run(bea.id);
  const token = await make(site, owner, bea.id);
  must(await spend(site, token));
  assert.equal(must(await login(site, bea.email, NEW)).mfa_required, true);
  const log = must(await site.call('GET', '/api/activity', { token: owner.token })) as { action: string }[];
  const said = log.map((row) => row.action);
  assert.ok(said.includes('user.password_link_made') && said.includes('user.password_link_used'), said.join());
  assert.ok(!JSON.stringify(log).includes(token));
});

test('an invalid password link is refused without telling why it is invalid', async (t) => {
  const site = await startSite(t);
  await person(site, 'owner@store.test');
  for (const token of ['vtl_', 'x'.repeat(200), 'vts_x']) assert.equal((await spend(site, token)).status, 410);
  for (const token of ['', 'x'.repeat(201)]) assert.equal((await spend(site, token)).status, 400);
});
