import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type Site, startSite, TestClock, tempFolder } from '../../../../test/harness.ts';
import { fromAnywhere, login, must, PASSWORD, type Person, person, register } from '../../../../test/people.ts';
import { type Received, startPost } from '../../../../test/post.ts';

const startWithMail = async (t: TestContext, env: Record<string, string> = {}) => {
  const clock = new TestClock();
  const post = await startPost(t);
  const site = await startSite(t, {
    clock,
    env: { VITRINE_SMTP_URL: post.url, VITRINE_MAIL_FROM: 'Store <store@store.test>', ...env },
  });
  const mailed = async (): Promise<Received[]> => {
    // The server sends the e-mail after its answer, when the transaction that follows the answer is committed.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    await site.app.mailer.idle();
    return post.mails.splice(0);
  };
  return { site, clock, mailed, post };
};

const linkIn = (mail: Received | undefined): string =>
  /http:\/\/\S+\/api\/auth\/verify-email\?token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? 'no link';
const follow = async (site: Site, link: string) => {
  const url = new URL(link);
  return site.call('GET', `${url.pathname}${url.search}`);
};
const resend = (site: Site, email: unknown) =>
  site.call('POST', '/api/auth/resend-verification', { body: { email }, headers: fromAnywhere() });

test('on a self-hosted server a later user gets a session with email_verified 0, and a link that verifies once', async (t) => {
  const { site, mailed } = await startWithMail(t);
  const owner = must(await register(site, { email: 'owner@store.test', password: PASSWORD }), 201);
  assert.equal(owner.user.email_verified, 1, 'the bootstrap user is never gated');
  assert.deepEqual(await mailed(), []);
  const bea = must(await register(site, { email: 'bea@store.test', password: PASSWORD }), 201);
  assert.equal(bea.user.email_verified, 0);
  const [mail] = await mailed();
  assert.equal(mail?.to, 'bea@store.test');
  const link = linkIn(mail);
  assert.equal(new URL(link).origin, site.origin);
  const done = await follow(site, link);
  assert.deepEqual([done.status, done.headers.get('location')], [302, '/#/sign-in?verified=1']);
  assert.equal(must(await site.call('GET', '/api/auth/me', { token: bea.token })).email_verified, 1, 'read live');
  const again = await follow(site, link);
  assert.deepEqual([again.status, again.headers.get('location')], [302, '/#/sign-in?verify_error=1']);
});

test('on a hosted server neither registering nor signing in opens a session before the address is verified', async (t) => {
  const { site, mailed } = await startWithMail(t, { VITRINE_HOSTED: '1' });
  must(await register(site, { email: 'owner@store.test', password: PASSWORD }), 201);
  await mailed();
  const answer = must(await register(site, { email: 'Bea@store.test', password: PASSWORD }), 201);
  assert.deepEqual(answer, { verification_required: true, email: 'bea@store.test' });
  const mails = await mailed();
  assert.deepEqual(must(await login(site, 'bea@store.test')), { verification_required: true, email: 'bea@store.test' });
  assert.equal((await login(site, 'bea@store.test', 'wrong horse')).status, 401);
  assert.deepEqual(await mailed(), [], 'a valid link is on its way already');
  await follow(site, mails.map(linkIn).find((l) => l !== 'no link')!);
  assert.equal('token' in must(await login(site, 'bea@store.test')), true);
});

test('a confirmation link is valid for 24 hours, and signing in to a self-hosted server replaces an expired link', async (t) => {
  const { site, clock, mailed } = await startWithMail(t);
  await person(site, 'owner@store.test');
  await person(site, 'bea@store.test');
  const [first] = await mailed();
  must(await login(site, 'bea@store.test'));
  assert.deepEqual(await mailed(), []);
  clock.advance(24 * 3600_000);
  assert.equal((await follow(site, linkIn(first))).headers.get('location'), '/#/sign-in?verify_error=1');
  const session = must(await login(site, 'bea@store.test'));
  assert.equal(session.user.email_verified, 0);
  const [second] = await mailed();
  assert.equal((await follow(site, linkIn(second))).headers.get('location'), '/#/sign-in?verified=1');
});

test('resending a confirmation link answers ok for any address, but sends only to an unverified local account', async (t) => {
  const { site, mailed } = await startWithMail(t);
  await person(site, 'owner@store.test');
  await person(site, 'bea@store.test');
  const [first] = await mailed();
  for (const email of ['owner@store.test', 'nobody@store.test', 'no address', '', undefined]) {
    assert.deepEqual(must(await resend(site, email)), { ok: true });
  }
  assert.deepEqual(await mailed(), []);
  must(await resend(site, ' BEA@store.test '));
  const [second] = await mailed();
  assert.equal((await follow(site, linkIn(first))).headers.get('location'), '/#/sign-in?verify_error=1');
  assert.equal((await follow(site, linkIn(second))).headers.get('location'), '/#/sign-in?verified=1');
  must(await resend(site, 'bea@store.test'));
  assert.deepEqual(await mailed(), [], 'verified by now');
  assert.equal((await resend(site, 7)).status, 400);
});

test('a link with a missing or invalid token redirects to the sign-in page with an error flag', async (t) => {
  const site = await startSite(t);
  for (const query of ['', '?token=', '?token=made-up', `?token=${'x'.repeat(3000)}`]) {
    const answer = await site.call('GET', `/api/auth/verify-email${query}`);
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/#/sign-in?verify_error=1']);
  }
});

test('tokens of confirmation links are stored as hashes', async (t) => {
  const { site, mailed } = await startWithMail(t);
  await person(site, 'owner@store.test');
  await person(site, 'bea@store.test');
  const token = new URL(linkIn((await mailed())[0])).searchParams.get('token')!;
  const row = site.app.db.raw.prepare('SELECT hash FROM email_tokens').get() as { hash: string };
  assert.match(row.hash, /^[0-9a-f]{64}$/);
  assert.notEqual(row.hash, token);
});

test('the link in an e-mail never uses a forged Host header, but VITRINE_PUBLIC_URL if set', async (t) => {
  // The forged name is configured as valid, because any other would be refused earlier.
  const { site, mailed } = await startWithMail(t, { VITRINE_NAMES: 'evil.test' });
  await person(site, 'owner@store.test');
  // Uses node:http, because fetch cannot send a forged Host header.
  const { port } = new URL(site.origin);
  await new Promise<void>((done, failed) => {
    const req = request(
      {
        port,
        method: 'POST',
        path: '/api/auth/register',
        headers: { 'Content-Type': 'application/json', Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' },
      },
      (res) => res.resume().on('end', done),
    );
    req.on('error', failed).end(JSON.stringify({ email: 'bea@store.test', password: PASSWORD }));
  });
  assert.equal(new URL(linkIn((await mailed())[0])).origin, site.origin);

  const named = await startWithMail(t, { VITRINE_PUBLIC_URL: 'http://signage.store.test/' });
  await person(named.site, 'owner@store.test');
  await person(named.site, 'bea@store.test');
  assert.match(linkIn((await named.mailed())[0]), /^http:\/\/signage\.store\.test\/api\/auth\/verify-email\?token=/);
});

test('an invite is sent with its link', async (t) => {
  const { site, mailed } = await startWithMail(t);
  const owner = await person(site, 'owner@store.test', { name: 'Olga' });
  const invite = must(
    await site.call('POST', `/api/workspaces/${owner.workspaceId}/invites`, {
      token: owner.token,
      body: { email: 'Bea@store.test', role: 'workspace_viewer' },
    }),
    201,
  );
  const [mail] = await mailed();
  assert.equal(mail?.to, 'bea@store.test');
  assert.match(mail!.text, new RegExp(`/#/invite/${invite.id}`));
});

test('a member whose password an owner set gets a link that lifts the restriction after a password change', async (t) => {
  const { site, clock, mailed } = await startWithMail(t);
  await person(site, 'admin@store.test', { createOrg: false });
  const olga = await person(site, 'olga@store.test', { name: 'Olga' });
  const bea = await person(site, 'bea@store.test');
  const invite = must(
    await site.call('POST', `/api/workspaces/${olga.workspaceId}/invites`, {
      token: olga.token,
      body: { email: bea.email, role: 'workspace_viewer' },
    }),
    201,
  );
  must(await site.call('POST', `/api/auth/accept-invite/${invite.id}`, { token: bea.token }));
  const ownAddress = linkIn((await mailed()).find((mail) => mail.to === bea.email));
  clock.advance(3600_000);

  must(
    await site.call('PUT', `/api/auth/users/${bea.id}/password`, {
      token: olga.token,
      body: { password: 'brand new horse' },
    }),
  );
  const mails = await mailed();
  assert.deepEqual(
    mails.map((mail) => mail.to),
    [bea.email],
  );
  assert.match(mails[0]!.text, /Olga.+s organization/);
  const link = linkIn(mails[0]);
  const outcome = async (at: string) => (await follow(site, at)).headers.get('location');
  assert.equal(await outcome(ownAddress), '/#/sign-in?verify_error=1', 'an older link does not know of it');
  // A mail filter opens the link before anybody has signed in, while the owner still knows the password.
  assert.equal(await outcome(link), '/#/sign-in?verify_error=1&change_first=1');
  const { token } = must(await login(site, bea.email, 'brand new horse'));
  must(
    await site.call('PUT', '/api/auth/me', {
      token,
      body: { password: PASSWORD, current_password: 'brand new horse' },
    }),
  );
  const bounds = async () => must(await site.call('GET', '/api/auth/me', { token })).accessible_workspaces.length;
  assert.equal(await bounds(), 1);
  assert.deepEqual(await mailed(), [], 'a valid link is on its way already');

  clock.advance(24 * 3600_000);
  assert.equal(await outcome(link), '/#/sign-in?verify_error=1');
  must(await login(site, bea.email));
  const [again] = await mailed();
  assert.match(again!.text, /Olga.+s organization/, 'signing in sends it anew');
  assert.equal(await outcome(linkIn(again)), '/#/sign-in?verified=1');
  assert.equal(await bounds(), 2, 'read live');
  assert.equal(await outcome(linkIn(again)), '/#/sign-in?verify_error=1');
  must(await login(site, bea.email));
  assert.deepEqual(await mailed(), []);
});

test('an address gets three e-mails per hour and ten per day from all senders, and another invite is refused with 429', async (t) => {
  const { site, clock, mailed } = await startWithMail(t);
  const hosts: Person[] = [];
  for (const email of ['anna@store.test', 'bea@store.test', 'cem@store.test', 'dan@store.test'])
    hosts.push(await person(site, email));
  await mailed();
  clock.advance(3600_000);
  const invite = (host: Person, email: string) =>
    site.call('POST', `/api/workspaces/${host.workspaceId}/invites`, {
      token: host.token,
      body: { email, role: 'workspace_viewer' },
      headers: fromAnywhere(),
    });
  const round = async (victim = 'victim@else.test') => {
    const answers = await Promise.all(hosts.map((host) => invite(host, victim)));
    return answers.map((a) => a.status).toSorted();
  };
  assert.deepEqual(await round(), [201, 201, 201, 429], 'four workspaces at once');
  assert.equal((await mailed()).length, 3);
  const over = await invite(hosts[3]!, 'victim+1@else.test');
  assert.deepEqual(
    [over.status, Number(over.headers.get('retry-after'))],
    [429, 3600],
    'the same mailbox by another name',
  );
  assert.match(over.body.error, /too many e-mails/);
  assert.equal(
    (await site.call('GET', `/api/workspaces/${hosts[3]!.workspaceId}/invites`, { token: hosts[3]!.token })).body
      .length,
    0,
  );
  assert.equal(
    (await register(site, { email: 'victim@else.test', password: PASSWORD })).status,
    201,
    'an account is made all the same',
  );
  must(await resend(site, 'victim@else.test'));
  assert.deepEqual(await mailed(), [], 'of every kind together');
  assert.deepEqual((await round('other@else.test'))[0], 201, 'others are not concerned');
  await mailed();
  let sent = 3;
  for (let hour = 1; hour < 24; hour++) {
    clock.advance(3600_000);
    await round();
    sent += (await mailed()).filter((mail) => mail.to === 'victim@else.test').length;
  }
  assert.equal(sent, 10);
  clock.advance(3600_000);
  await round();
  assert.equal((await mailed()).length, 3);
});

test('inviting again within ten minutes sends no second e-mail, and the link has the new role', async (t) => {
  const { site, clock, mailed } = await startWithMail(t);
  const owner = await person(site, 'owner@store.test');
  const invite = async (role: string) =>
    must(
      await site.call('POST', `/api/workspaces/${owner.workspaceId}/invites`, {
        token: owner.token,
        body: { email: 'bea@store.test', role },
      }),
      201,
    );
  const first = await invite('workspace_viewer');
  const again = await invite('workspace_admin');
  assert.deepEqual([again.id, again.role], [first.id, 'workspace_admin']);
  for (let i = 0; i < 40; i++) await invite('workspace_editor');
  assert.equal((await mailed()).length, 1);
  clock.advance(10 * 60_000);
  const later = await invite('workspace_viewer');
  assert.notEqual(later.id, first.id);
  assert.equal((await mailed()).length, 1);
});

test('the count of e-mails per address survives a restart', async (t) => {
  const post = await startPost(t);
  const [clock, data] = [new TestClock(), tempFolder(t)];
  const env = { VITRINE_SMTP_URL: post.url, VITRINE_MAIL_FROM: 'Store <store@store.test>' };
  let site = await startSite(t, { clock, data, env });
  await person(site, 'owner@store.test');
  await person(site, 'bea@store.test');
  for (let i = 0; i < 4; i++) must(await resend(site, 'bea@store.test'));
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  await site.app.mailer.idle();
  assert.equal(post.mails.length, 3);
  await site.app.stop();
  site = await startSite(t, { clock, data, env });
  must(await resend(site, 'bea@store.test'));
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  await site.app.mailer.idle();
  assert.equal(post.mails.length, 3);
});

test('on a hosted server the link admits a user whose owner set the password, and lifts the restriction later', async (t) => {
  const { site, clock, mailed } = await startWithMail(t, { VITRINE_HOSTED: '1' });
  await person(site, 'admin@store.test', { createOrg: false });
  must(await register(site, { email: 'olga@store.test', password: PASSWORD }), 201);
  await follow(site, (await mailed()).map(linkIn).find((link) => link !== 'no link')!);
  const olga = must(await login(site, 'olga@store.test'));
  const invite = must(
    await site.call('POST', `/api/workspaces/${olga.current_workspace_id}/invites`, {
      token: olga.token,
      body: { email: 'bea@store.test', role: 'workspace_viewer' },
    }),
    201,
  );
  must(await register(site, { email: 'bea@store.test', password: PASSWORD, invite: invite.id }), 201);
  await mailed();
  clock.advance(3600_000);
  const { id } = must(await site.call('GET', '/api/auth/users', { token: olga.token })).find(
    (user: { email: string }) => user.email === 'bea@store.test',
  );
  must(
    await site.call('PUT', `/api/auth/users/${id}/password`, {
      token: olga.token,
      body: { password: 'brand new horse' },
    }),
  );
  const link = linkIn((await mailed())[0]);
  assert.equal('verification_required' in must(await login(site, 'bea@store.test', 'brand new horse')), true);
  assert.equal((await follow(site, link)).headers.get('location'), '/#/sign-in?verify_error=1&change_first=1');
  const { token } = must(await login(site, 'bea@store.test', 'brand new horse'));
  must(
    await site.call('PUT', '/api/auth/me', {
      token,
      body: { password: PASSWORD, current_password: 'brand new horse' },
    }),
  );
  assert.equal((await follow(site, link)).headers.get('location'), '/#/sign-in?verified=1');
  assert.equal(must(await site.call('GET', '/api/auth/me', { token })).password_organization, null);
});

test('e-mails are in the language of the account, and the first account sets the server’s language', async (t) => {
  const { site, mailed } = await startWithMail(t);
  const owner = must(await register(site, { email: 'owner@store.test', password: PASSWORD, language: 'de' }), 201);
  const settings = () => site.call('GET', '/api/server/settings', { token: owner.token });
  assert.equal(must(await settings()).language, 'de');
  const subjects = async () => (await mailed()).map(({ to, subject }) => `${to}: ${subject}`);
  must(await register(site, { email: 'bea@store.test', password: PASSWORD, language: 'en' }), 201);
  const cid = must(await register(site, { email: 'cid@store.test', password: PASSWORD }), 201);
  assert.deepEqual(await subjects(), [
    'bea@store.test: Confirm your address for Vitrine',
    'cid@store.test: Bestätigen Sie Ihre Adresse für Vitrine',
  ]);
  const me = async (language: unknown) =>
    (await site.call('PUT', '/api/auth/me', { token: cid.token, body: { language } })).status;
  assert.deepEqual([await me('en'), await me('fr'), await me(1)], [200, 400, 400]);
  const chosen = async () => must(await site.call('GET', '/api/auth/me', { token: cid.token })).language;
  assert.equal(await chosen(), 'en');
  await resend(site, 'cid@store.test');
  assert.deepEqual(await subjects(), ['cid@store.test: Confirm your address for Vitrine']);
  assert.equal(await me(null), 200);
  assert.equal(await chosen(), null);
  must(await site.call('PUT', '/api/server/settings', { token: owner.token, body: { language: 'en' } }));
  const invited = { email: 'dora@store.test', role: 'workspace_viewer' };
  const invite = () =>
    site.call('POST', `/api/workspaces/${owner.current_workspace_id}/invites`, { token: owner.token, body: invited });
  must(await invite(), 201);
  assert.match((await subjects()).join(), /^dora@store\.test: owner invites you to owner’s organization on Vitrine$/);
});
