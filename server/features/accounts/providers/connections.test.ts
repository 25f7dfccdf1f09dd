/**
 * Tests the settings for mail server, sign-in providers and allowed hosts: they apply at once, the environment
 * overrides them, and no secret is disclosed.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { ownedSite } from '../../../../test/harness.ts';
import { must, register } from '../../../../test/people.ts';

const PASSWORD = 'smtp-secret-7';

/** A mail server on loopback that requires a password. */
const startPost = async (t: TestContext) => {
  const mails: { from: string; to: string[]; text: string; user: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD ? done(null, { user: username }) : done(new Error('Wrong password')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((r) => r.address),
          text: Buffer.concat(chunks).toString(),
          user: String(session.user),
        });
        done();
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => new Promise<void>((done) => server.close(done)));
  return { mails, port: (server.server.address() as AddressInfo).port };
};

const startWeb = async (
  t: TestContext,
  answer: (path: string, origin: string) => { type: string; body: string | Buffer } | undefined,
) => {
  const server = createServer((req, res) => {
    const found = answer(req.url ?? '/', origin);
    if (!found) return void res.writeHead(404).end();
    res.writeHead(200, { 'Content-Type': found.type }).end(found.body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return origin;
};

const owned = async (t: TestContext, env: Record<string, string> = {}) => {
  const { site, token } = await ownedSite(t, { env });
  const call = (method: string, path: string, body?: unknown) =>
    site.call(method, `/api/server/connections${path}`, { token, ...(body !== undefined && { body }) });
  return { site, token, call };
};

const mailsBy = (post: { port: number }) => ({
  mail_host: '127.0.0.1',
  mail_port: post.port,
  mail_security: 'none',
  mail_user: 'shop',
  mail_password: PASSWORD,
  mail_from: 'Shop <shop@store.test>',
});

test('a mail server is set, tested and used at once, and its password is encrypted and never returned', async (t) => {
  const post = await startPost(t);
  const { site, token, call } = await owned(t);
  assert.deepEqual(must(await call('POST', '/test-mail')), {
    ok: false,
    text: 'No mail server is configured. Enter one in Settings, Server.',
  });
  const view = must(await call('PUT', '', mailsBy(post)));
  assert.deepEqual(
    [view.mail_host, view.mail_password_set, view.mail_password, view.fixed],
    ['127.0.0.1', 1, undefined, []],
  );
  const tried = must(await call('POST', '/test-mail'));
  assert.match(tried.text, /^owner@store\.test: 250/);
  assert.deepEqual(
    [tried.ok, post.mails.length, post.mails[0]?.from, post.mails[0]?.to, post.mails[0]?.user],
    [true, 1, 'shop@store.test', ['owner@store.test'], 'shop'],
  );

  // E-mails that the server sends by itself use the same mail server.
  assert.equal((await register(site, { email: 'b@store.test', password: 'correct horse', name: 'B' })).status, 201);
  await site.app.mailer.idle();
  assert.ok(post.mails.some((mail) => mail.to[0] === 'b@store.test'));

  const everything = JSON.stringify([
    must(await call('GET', '')),
    must(await site.call('GET', '/api/activity', { token })),
    site.app.db.raw.prepare('SELECT * FROM settings').all(),
  ]);
  assert.equal(everything.includes(PASSWORD), false);
  assert.equal(readFileSync(join(site.data, 'vitrine.db')).includes(PASSWORD), false);
});

test('a wrong password and an unreachable mail server are explained', async (t) => {
  const post = await startPost(t);
  const { call } = await owned(t);
  must(await call('PUT', '', { ...mailsBy(post), mail_password: 'wrong' }));
  const wrong = must(await call('POST', '/test-mail'));
  assert.equal(wrong.ok, false);
  assert.match(wrong.text, /Wrong password|Invalid login/);
  must(await call('PUT', '', { mail_port: 1 }));
  const away = must(await call('POST', '/test-mail'));
  assert.deepEqual([away.ok, /ECONNREFUSED/.test(away.text)], [false, true]);
});

test('environment settings take precedence, are shown without the password, and cannot be changed', async (t) => {
  const post = await startPost(t);
  const { call } = await owned(t, {
    VITRINE_SMTP_URL: `smtp://shop:${PASSWORD}@127.0.0.1:${post.port}`,
    VITRINE_PROVIDER_B_ISSUER: 'https://idp.test/{tenant}',
    VITRINE_PROVIDER_B_CLIENT_ID: 'b',
    VITRINE_ALLOWED_HOSTS: 'nas.store.test',
  });
  const view = must(await call('GET', ''));
  assert.deepEqual(
    [view.mail_host, view.mail_port, view.mail_user, view.mail_password_set],
    ['127.0.0.1', post.port, 'shop', 1],
  );
  assert.deepEqual(
    [view.fixed, view.fixed_hosts, view.provider_b_client_id],
    [['mail', 'provider_b'], ['nas.store.test'], 'b'],
  );
  assert.equal(JSON.stringify(view).includes(PASSWORD), false);
  const refused = await call('PUT', '', { mail_host: 'elsewhere.test' });
  assert.deepEqual([refused.status, /VITRINE_SMTP_URL/.test(refused.body.error)], [409, true]);
  assert.equal((await call('PUT', '', { provider_b_client_id: 'c' })).status, 409);
  assert.equal(
    must(await call('PUT', '', { mail_from: 'shop@store.test', provider_a_client_id: 'a' })).mail_from,
    'shop@store.test',
  );
  assert.equal(must(await call('POST', '/test-mail')).ok, true);
  assert.equal(post.mails[0]?.from, 'shop@store.test');
});

test('a sign-in provider is enabled when set, disabled when cleared, and can be tested', async (t) => {
  const issuer = await startWeb(t, (path, origin) =>
    path === '/.well-known/openid-configuration'
      ? { type: 'application/json', body: JSON.stringify({ issuer: origin, jwks_uri: `${origin}/keys` }) }
      : undefined,
  );
  const { site, call } = await owned(t);
  const config = async () => must(await site.call('GET', '/api/auth/config'));
  assert.equal(must(await call('POST', '/test-provider', { provider: 'provider_a' })).ok, false);
  must(await call('PUT', '', { provider_a_issuer: issuer, provider_a_client_id: 'vitrine' }));
  assert.deepEqual(
    [(await config()).providerAEnabled, (await config()).providerAIssuer, (await config()).providerBEnabled],
    [true, issuer, false],
  );
  assert.deepEqual(must(await call('POST', '/test-provider', { provider: 'provider_a' })), {
    ok: true,
    text: `${issuer} answers as it should.`,
  });
  must(await call('PUT', '', { provider_a_issuer: `${issuer}/elsewhere` }));
  const wrong = must(await call('POST', '/test-provider', { provider: 'provider_a' }));
  assert.deepEqual([wrong.ok, /404/.test(wrong.text)], [false, true]);
  must(await call('PUT', '', { provider_a_client_id: '' }));
  assert.equal((await config()).providerAEnabled, false);
  const inTheClear = await call('PUT', '', { provider_a_issuer: 'http://idp.store.test' });
  assert.deepEqual([inTheClear.status, /provider_a_issuer/.test(inTheClear.body.error)], [400, true]);
});

test('a host in the network can be fetched from only while it is allowed', async (t) => {
  const origin = await startWeb(t, () => ({
    type: 'image/png',
    body: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    ),
  }));
  const { site, token, call } = await owned(t);
  const add = () =>
    site.call('POST', '/api/content/remote', { token, body: { url: `${origin}/picture.png`, name: 'Picture' } });
  assert.equal((await add()).status, 400);
  const host = new URL(origin).host;
  assert.deepEqual(must(await call('PUT', '', { allowed_hosts: [` ${host} `, host] })).allowed_hosts, [host]);
  assert.equal((await add()).status, 201);
  must(await call('PUT', '', { allowed_hosts: [] }));
  assert.equal((await add()).status, 400);
  for (const bad of ['http://nas.local', 'a b', '', 'nas.local/pictures'])
    assert.equal((await call('PUT', '', { allowed_hosts: [bad] })).status, 400, bad);
});
