import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSite } from '../../../test/harness.ts';
import { fromAnywhere, must, PASSWORD, person, register } from '../../../test/people.ts';

test('the first user becomes platform_admin with plan enterprise and a Default workspace; later users get user, pro and a trial', async (t) => {
  const site = await startSite(t);
  const first = must(await register(site, { email: 'Owner@Store.test', password: PASSWORD }), 201);
  assert.equal(first.user.role, 'platform_admin');
  assert.equal(first.user.plan_id, 'enterprise');
  assert.equal(first.user.trial_started_at, null);
  assert.equal(first.user.email, 'owner@store.test');
  assert.equal(first.user.name, 'owner', 'the name defaults to the part before the at-sign');
  for (const member of ['payment_customer_id', 'payment_subscription_id', 'subscription_status', 'subscription_ends']) assert.equal(first.user[member], null);
  for (const secret of ['password_hash', 'totp_secret', 'totp_last_step']) assert.equal(secret in first.user, false);
  const me = must(await site.call('GET', '/api/auth/me', { token: first.token }));
  assert.equal(me.current_workspace_id, first.current_workspace_id);
  assert.equal(me.current_workspace.name, 'Default');
  assert.equal(me.current_org_role, 'org_owner');

  const second = must(await register(site, { email: 'b@store.test', password: PASSWORD, name: 'Bea' }), 201);
  assert.equal(second.user.role, 'user');
  assert.equal(second.user.plan_id, 'pro');
  assert.equal(typeof second.user.trial_started_at, 'number');
  assert.equal(second.user.name, 'Bea');
  assert.equal(second.user.email_verified, 1, 'nothing to verify without an e-mail transport');
  assert.notEqual(second.current_workspace_id, first.current_workspace_id);
});

test('on a hosted server the first user is on the pro trial', async (t) => {
  const site = await startSite(t, { env: { VITRINE_HOSTED: '1' } });
  const first = must(await register(site, { email: 'a@store.test', password: PASSWORD }), 201);
  assert.equal(first.user.role, 'platform_admin');
  assert.equal(first.user.plan_id, 'pro');
  assert.equal(typeof first.user.trial_started_at, 'number');
  const me = must(await site.call('GET', '/api/auth/me', { token: first.token }));
  assert.equal(me.hide_billing, false);
});

test('createOrg decides whether a later user gets a workspace; absent, the deployment does', async (t) => {
  const site = await startSite(t);
  await person(site, 'a@store.test', { createOrg: false });
  assert.notEqual((await person(site, 'b@store.test')).workspaceId, null);
  assert.equal((await person(site, 'c@store.test', { createOrg: false })).workspaceId, null);

  const closed = await startSite(t, { env: { VITRINE_CREATE_ORG: '0' } });
  assert.notEqual((await person(closed, 'a@store.test')).workspaceId, null, 'the first user always gets one');
  assert.equal((await person(closed, 'b@store.test')).workspaceId, null);
  assert.notEqual((await person(closed, 'c@store.test', { createOrg: true })).workspaceId, null);
});

test('of two who register at once on an empty server only one becomes platform_admin', async (t) => {
  const site = await startSite(t);
  const both = await Promise.all(['a@store.test', 'b@store.test', 'c@store.test'].map((email) => register(site, { email, password: PASSWORD })));
  assert.deepEqual(
    both.map((b) => b.status),
    [201, 201, 201],
  );
  assert.deepEqual(both.map((b) => b.body.user.role).sort(), ['platform_admin', 'user', 'user']);
});

test('one address registers once, whatever its case, also when two try at once', async (t) => {
  const site = await startSite(t);
  await person(site, 'a@store.test');
  assert.equal((await register(site, { email: 'A@STORE.test', password: PASSWORD })).status, 409);
  const twice = await Promise.all([register(site, { email: 'b@store.test', password: PASSWORD }), register(site, { email: 'B@store.test', password: PASSWORD })]);
  assert.deepEqual(twice.map((b) => b.status).sort(), [201, 409]);
});

test('what is missing or malformed is 400 naming it', async (t) => {
  const site = await startSite(t);
  const cases: [Record<string, unknown>, string][] = [
    [{ password: PASSWORD }, 'email'],
    [{ email: 'a@store.test' }, 'password'],
    [{ email: '', password: PASSWORD }, 'email'],
    [{ email: 'no address', password: PASSWORD }, 'email'],
    [{ email: 'two@at@signs', password: PASSWORD }, 'email'],
    [{ email: `${'x'.repeat(250)}@store.test`, password: PASSWORD }, 'email'],
    [{ email: 1, password: PASSWORD }, 'email'],
    [{ email: 'a@store.test', password: 'seven77' }, 'password'],
    [{ email: 'a@store.test', password: 'x'.repeat(1025) }, 'password'],
    [{ email: 'a@store.test', password: 12345678 }, 'password'],
    [{ email: 'a@store.test', password: PASSWORD, name: 'x'.repeat(201) }, 'name'],
    [{ email: 'a@store.test', password: PASSWORD, name: 'a\u0000b' }, 'name'],
    [{ email: 'a@store.test', password: PASSWORD, createOrg: 'yes' }, 'createOrg'],
  ];
  for (const [body, member] of cases) {
    const answer = await register(site, body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.error, new RegExp(`^${member}: `));
  }
  assert.equal(must(await site.call('GET', '/api/auth/config')).needsSetup, true, 'nobody was made');
});

test('closed registration is 403 once somebody exists, unless the address is invited', async (t) => {
  const site = await startSite(t, { env: { VITRINE_REGISTRATION: 'closed' } });
  const config = async () => must(await site.call('GET', '/api/auth/config'));
  assert.deepEqual([(await config()).needsSetup, (await config()).registration_enabled], [true, true]);
  const owner = await person(site, 'owner@store.test');
  assert.deepEqual([(await config()).needsSetup, (await config()).registration_enabled], [false, false]);
  assert.equal((await register(site, { email: 'b@store.test', password: PASSWORD })).status, 403);
  must(await site.call('POST', `/api/workspaces/${owner.workspaceId}/invites`, { token: owner.token, body: { email: 'B@store.test', role: 'workspace_viewer' } }), 201);
  await person(site, 'b@store.test');
  assert.equal((await register(site, { email: 'c@store.test', password: PASSWORD })).status, 403);
});

test('the stored setting wins over the environment, and is the platform administrator’s', async (t) => {
  const site = await startSite(t, { env: { VITRINE_REGISTRATION: 'closed' } });
  const owner = await person(site, 'owner@store.test');
  assert.deepEqual(must(await site.call('GET', '/api/server/settings', { token: owner.token })), { name: 'Vitrine', registration: 'closed' });
  const open = must(await site.call('PUT', '/api/server/settings', { token: owner.token, body: { name: 'Corner Shop', registration: 'open' } }));
  assert.deepEqual(open, { name: 'Corner Shop', registration: 'open' });
  const other = await person(site, 'b@store.test');
  assert.equal((await site.call('GET', '/api/server/settings', { token: other.token })).status, 403);
  assert.equal((await site.call('PUT', '/api/server/settings', { token: other.token, body: { registration: 'closed' } })).status, 403);
  assert.equal(must(await site.call('GET', '/api/auth/config')).server_name, 'Corner Shop');
  for (const body of [{ name: '' }, { name: 'ä'.repeat(32) }, { registration: 'maybe' }]) {
    assert.equal((await site.call('PUT', '/api/server/settings', { token: owner.token, body })).status, 400);
  }
});

test('registering is limited to 5 a minute and client address', async (t) => {
  const site = await startSite(t);
  const headers = fromAnywhere();
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push((await site.call('POST', '/api/auth/register', { body: {}, headers })).status);
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429]);
});
