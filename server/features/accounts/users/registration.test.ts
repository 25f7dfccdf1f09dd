import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedSite, type Site, startSite, TestClock } from '../../../../test/harness.ts';
import { login, must, PASSWORD, type Person, person, register } from '../../../../test/people.ts';

test('the first user becomes platform_admin on enterprise with a Default workspace, and later users get user, pro and a trial', async (t) => {
  const site = await startSite(t);
  const first = must(await register(site, { email: 'Owner@Store.test', password: PASSWORD }), 201);
  assert.equal(first.user.role, 'platform_admin');
  assert.equal(first.user.plan_id, 'enterprise');
  assert.equal(first.user.trial_started_at, null);
  assert.equal(first.user.email, 'owner@store.test');
  assert.equal(first.user.name, 'owner', 'the name defaults to the part before the at-sign');
  for (const member of ['payment_customer_id', 'payment_subscription_id', 'subscription_status', 'subscription_ends'])
    assert.equal(first.user[member], null);
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

test('of two simultaneous registrations on an empty server only one becomes platform_admin', async (t) => {
  const site = await startSite(t);
  const both = await Promise.all(
    ['a@store.test', 'b@store.test', 'c@store.test'].map((email) => register(site, { email, password: PASSWORD })),
  );
  assert.deepEqual(
    both.map((b) => b.status),
    [201, 201, 201],
  );
  assert.deepEqual(both.map((b) => b.body.user.role).sort(), ['platform_admin', 'user', 'user']);
});

test('an address registers once, in any case, even simultaneously', async (t) => {
  const site = await startSite(t);
  await person(site, 'a@store.test');
  assert.equal((await register(site, { email: 'A@STORE.test', password: PASSWORD })).status, 409);
  const twice = await Promise.all([
    register(site, { email: 'b@store.test', password: PASSWORD }),
    register(site, { email: 'B@store.test', password: PASSWORD }),
  ]);
  assert.deepEqual(twice.map((b) => b.status).sort(), [201, 409]);
});

test('look-alike addresses can neither register nor be invited, and a non-ASCII domain is one account in every form', async (t) => {
  const { site, owner } = await ownedSite(t);
  for (const email of [
    'own\u200ber@store.test',
    'owner\u2060@store.test',
    'owner@st\u00adore.test',
    'owner@store.test\u202e',
    '\u043ewner@store.test',
    '\uff4fwner@store.test',
  ]) {
    const answers = [
      await register(site, { email, password: PASSWORD }),
      await site.call('POST', `/api/workspaces/${owner.workspaceId}/invites`, {
        token: owner.token,
        body: { email, role: 'workspace_viewer' },
      }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 400, JSON.stringify(email));
      assert.match(answer.body.error, /^email: /);
    }
  }
  const made = must(await register(site, { email: 'Info@B\u00fccher.test', password: PASSWORD }), 201);
  assert.equal(made.user.email, 'info@xn--bcher-kva.test');
  for (const email of ['info@bu\u0308cher.test', 'INFO@XN--BCHER-KVA.test']) {
    assert.equal((await register(site, { email, password: PASSWORD })).status, 409);
    assert.equal(must(await login(site, email)).user.id, made.user.id);
  }
  for (let i = 0; i < 10; i++)
    await login(site, i % 2 ? 'info@b\u00fccher.test' : 'info@xn--bcher-kva.test', 'wrong horse');
  assert.equal((await login(site, 'info@b\u00fccher.test')).status, 429, 'its failures are counted together');
});

test('an account whose address is no longer allowed still signs in and accepts invites', async (t) => {
  const { site, owner } = await ownedSite(t);
  const odd = await person(site, 'odd@store.test', { createOrg: false });
  for (const email of ['o\u200bdd@store.test', 'odd@b\u00fccher.test']) {
    site.app.db.raw.prepare('UPDATE users SET email = ? WHERE id = ?').run(email, odd.id);
    assert.equal(must(await login(site, email)).user.id, odd.id);
  }
  const link = await invite(site, owner, 'odd@b\u00fccher.test');
  must(
    await site.call('POST', `/api/auth/accept-invite/${link}`, {
      token: must(await login(site, 'odd@b\u00fccher.test')).token,
    }),
  );
});

test('a registration with a missing or malformed field is 400 with the name of the field', async (t) => {
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

const invite = async (site: Site, who: Person, email: string, role = 'workspace_viewer'): Promise<string> =>
  must(
    await site.call('POST', `/api/workspaces/${who.workspaceId}/invites`, { token: who.token, body: { email, role } }),
    201,
  ).id;
const me = async (site: Site, token: string) => must(await site.call('GET', '/api/auth/me', { token }));

test('closed registration answers 403 after the first user, unless an invited address registers with its link', async (t) => {
  const site = await startSite(t, { env: { VITRINE_REGISTRATION: 'closed' } });
  const config = async () => must(await site.call('GET', '/api/auth/config'));
  assert.deepEqual([(await config()).needsSetup, (await config()).registration_enabled], [true, true]);
  const owner = await person(site, 'owner@store.test');
  assert.deepEqual([(await config()).needsSetup, (await config()).registration_enabled], [false, false]);
  assert.equal((await register(site, { email: 'b@store.test', password: PASSWORD })).status, 403);
  const link = await invite(site, owner, 'B@store.test');
  for (const without of [{}, { invite: null }, { invite: '' }, { createOrg: true }])
    assert.equal(
      (await register(site, { email: 'b@store.test', password: PASSWORD, ...without })).status,
      403,
      'knowing the address is not enough',
    );
  must(await register(site, { email: 'B@store.test', password: PASSWORD, invite: link }), 201);
  assert.equal((await register(site, { email: 'c@store.test', password: PASSWORD })).status, 403);
});

test('an invite’s link is a secret that does not depend on its creation time', async (t) => {
  const { site, owner } = await ownedSite(t);
  const links = [await invite(site, owner, 'b@store.test'), await invite(site, owner, 'c@store.test')];
  for (const link of links)
    assert.match(link, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, '122 random bits');
  assert.deepEqual(
    must(await site.call('GET', `/api/workspaces/${owner.workspaceId}/invites`, { token: owner.token })).map(
      (i: { id: string }) => i.id,
    ),
    links,
    'listed oldest first all the same',
  );
});

test('registering with an invite joins its workspace with its role, makes no organization, and uses up the invite', async (t) => {
  for (const registration of ['open', 'closed']) {
    const site = await startSite(t, { env: { VITRINE_REGISTRATION: registration } });
    const owner = await person(site, 'owner@store.test', { name: 'Olga' });
    for (const createOrg of [undefined, true, false]) {
      const email = `b-${createOrg}@store.test`;
      const link = await invite(site, owner, email, 'workspace_editor');
      const made = must(
        await register(site, {
          email,
          password: PASSWORD,
          invite: link,
          ...(createOrg !== undefined && { createOrg }),
        }),
        201,
      );
      assert.equal(made.current_workspace_id, owner.workspaceId);
      const known = await me(site, made.token);
      assert.deepEqual(
        [known.current_workspace_role, known.current_org_role, known.accessible_workspaces.length],
        ['workspace_editor', null, 1],
      );
      assert.equal((await site.call('POST', `/api/auth/accept-invite/${link}`, { token: made.token })).status, 404);
      const [entry] = must(await site.call('GET', '/api/activity', { token: owner.token })).filter(
        (e: { action: string }) => e.action === 'invite.accepted',
      );
      assert.equal(entry.user_id, made.user.id);
    }
  }
});

test('registering with an invalid invite is refused like accepting it, and creates no account', async (t) => {
  for (const registration of ['open', 'closed']) {
    const clock = new TestClock();
    const { site, owner } = await ownedSite(t, { clock, env: { VITRINE_REGISTRATION: registration } });
    const second = must(
      await site.call('POST', '/api/workspaces', { token: owner.token, body: { name: 'Second' } }),
      201,
    );
    const orphan = await invite(site, { ...owner, workspaceId: second.id }, 'b@store.test');
    must(await site.call('DELETE', `/api/workspaces/${second.id}`, { token: owner.token }));
    const others = await invite(site, owner, 'c@store.test');
    const tries: [string, number][] = [
      ['unknown', 404],
      [others, 403],
      [orphan, 410],
    ];
    for (const [link, status] of tries)
      assert.equal((await register(site, { email: 'b@store.test', password: PASSWORD, invite: link })).status, status);
    const late = await invite(site, owner, 'b@store.test');
    clock.advance(7 * 24 * 3600_000);
    assert.equal((await register(site, { email: 'b@store.test', password: PASSWORD, invite: late })).status, 410);
    assert.equal((await login(site, 'b@store.test')).status, 401);
    assert.equal((await register(site, { email: 'b@store.test', password: PASSWORD, invite: 7 })).status, 400);
  }
});

test('registering with an invite answers 409 for an existing account, and makes only one account per invite', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const link = await invite(site, owner, bea.email);
  assert.equal((await register(site, { email: bea.email, password: PASSWORD, invite: link })).status, 409);
  must(await site.call('POST', `/api/auth/accept-invite/${link}`, { token: bea.token }));
  const once = await invite(site, owner, 'cem@store.test');
  const both = await Promise.all(
    [1, 2].map(() => register(site, { email: 'cem@store.test', password: PASSWORD, invite: once })),
  );
  assert.deepEqual(both.map((b) => b.status).sort(), [201, 404]);
});

test('while registration is open an invited address may register without its link, and the invite stays', async (t) => {
  const { site, owner } = await ownedSite(t);
  const link = await invite(site, owner, 'bea@store.test');
  const bea = await person(site, 'bea@store.test');
  assert.notEqual(bea.workspaceId, owner.workspaceId);
  assert.equal(
    must(await site.call('POST', `/api/auth/accept-invite/${link}`, { token: bea.token })).workspace_id,
    owner.workspaceId,
  );
});

test('the stored setting overrides the environment, and only the platform administrator may change it', async (t) => {
  const { site, owner } = await ownedSite(t, { env: { VITRINE_REGISTRATION: 'closed' } });
  assert.deepEqual(must(await site.call('GET', '/api/server/settings', { token: owner.token })), {
    name: 'Vitrine',
    registration: 'closed',
    names: [],
    language: 'en',
  });
  const open = must(
    await site.call('PUT', '/api/server/settings', {
      token: owner.token,
      body: { name: 'Corner Shop', registration: 'open' },
    }),
  );
  assert.deepEqual(open, { name: 'Corner Shop', registration: 'open', names: [], language: 'en' });
  const other = await person(site, 'b@store.test');
  assert.equal((await site.call('GET', '/api/server/settings', { token: other.token })).status, 403);
  assert.equal(
    (await site.call('PUT', '/api/server/settings', { token: other.token, body: { registration: 'closed' } })).status,
    403,
  );
  assert.equal(must(await site.call('GET', '/api/auth/config')).server_name, 'Corner Shop');
  for (const body of [{ name: '' }, { name: 'ä'.repeat(32) }, { registration: 'maybe' }]) {
    assert.equal((await site.call('PUT', '/api/server/settings', { token: owner.token, body })).status, 400);
  }
});
