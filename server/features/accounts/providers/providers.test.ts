import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
// @ts-expect-error: it has no types
import Provider from 'oidc-provider';
import { ownedSite, type Site, startSite, TestClock, tempFolder } from '../../../../test/harness.ts';
import { fromAnywhere, login, must, PASSWORD, person, register } from '../../../../test/people.ts';

const CLIENT = 'vitrine';
const REDIRECT = 'https://vitrine.test/callback';
const PROFILES = 'urn:profiles';

interface Profile {
  email?: string;
  email_verified?: boolean;
  name?: string;
  picture?: string;
}

/** A real OpenID Connect provider on loopback with two clients. People sign in by id. */
const startProvider = async (t: TestContext) => {
  const profiles = new Map<string, Profile>();
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const client = (client_id: string) => ({
    client_id,
    token_endpoint_auth_method: 'none',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code'],
    response_types: ['code'],
  });
  const provider = new Provider(issuer, {
    clients: [client(CLIENT), client('somebody-else')],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['test'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...profiles.get(id) }),
    }),
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'openid',
          audience: PROFILES,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
        }),
        useGrantedResource: () => true,
      },
    },
    interactions: { url: (_ctx: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    ttl: { AccessToken: 300, IdToken: 300, Grant: 300, Interaction: 300, Session: 300 },
  });
  const interact = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { prompt, params } = await provider.interactionDetails(req, res);
    const accountId = params.login_hint;
    if (prompt.name === 'login') return provider.interactionFinished(req, res, { login: { accountId } });
    const grant = new provider.Grant({ accountId, clientId: params.client_id });
    grant.addOIDCScope('openid email profile');
    grant.addResourceScope(PROFILES, 'openid');
    return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
  };
  server.on('request', (req, res) =>
    req.url?.startsWith('/interaction/') ? void interact(req, res) : provider.callback()(req, res),
  );

  /** Goes through the code flow like a browser. */
  const signIn = async (
    id: string,
    profile: Profile,
    options: { client?: string; resource?: string } = {},
  ): Promise<{ id_token: string; access_token: string }> => {
    profiles.set(id, profile);
    const verifier = randomBytes(32).toString('base64url');
    const { client = CLIENT, resource } = options;
    const query = new URLSearchParams({
      client_id: client,
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: REDIRECT,
      login_hint: id,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(resource && { resource }),
    });
    const cookies = new Map<string, string>();
    let url = `${issuer}/auth?${query}`;
    while (!url.startsWith(REDIRECT)) {
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { Cookie: [...cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
      });
      for (const cookie of answer.headers.getSetCookie())
        cookies.set(cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1).split(';')[0]!);
      url = new URL(answer.headers.get('location')!, url).href;
    }
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client,
      code: new URL(url).searchParams.get('code')!,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      ...(resource && { resource }),
    });
    return (await (await fetch(`${issuer}/token`, { method: 'POST', body })).json()) as {
      id_token: string;
      access_token: string;
    };
  };
  return { issuer, signIn, privateKey, publicKey };
};

/** An API that returns a profile for any token. */
const startProfiles = async (t: TestContext, profile: Record<string, unknown>): Promise<string> => {
  const server = createServer((req, res) =>
    res
      .writeHead(req.headers.authorization ? 200 : 401, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(profile)),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/me`;
};

/** A minimal provider: signs with a key and returns its profile for every token. */
const startTrustingProvider = async (t: TestContext, profile: Record<string, unknown>) => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  const answers: Record<string, unknown> = { '/jwks': { keys: [jwk] }, '/me': profile };
  const server = createServer((req, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answers[req.url ?? ''])),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answers['/.well-known/openid-configuration'] = {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/me`,
  };
  return { issuer, privateKey };
};

const setUp = async (t: TestContext, env: Record<string, string> = {}) => {
  const provider = await startProvider(t);
  const site = await startSite(t, {
    env: {
      VITRINE_PROVIDER_A_ISSUER: provider.issuer,
      VITRINE_PROVIDER_A_CLIENT_ID: CLIENT,
      VITRINE_PROVIDER_B_ISSUER: `${provider.issuer}/`,
      VITRINE_PROVIDER_B_CLIENT_ID: CLIENT,
      ...env,
    },
  });
  return { provider, site };
};

const withA = (site: Site, credential: unknown) =>
  site.call('POST', '/api/auth/provider-a', { body: { credential }, headers: fromAnywhere() });
const withB = (site: Site, access_token: unknown) =>
  site.call('POST', '/api/auth/provider-b', { body: { access_token }, headers: fromAnywhere() });

test('an ID token of provider-a creates an account, which is verified, on pro trial, and platform_admin if first', async (t) => {
  const { provider, site } = await setUp(t);
  const tokens = await provider.signIn('anna', {
    email: 'Anna@Store.test',
    email_verified: true,
    name: 'Anna A',
    picture: 'https://idp.test/anna.png',
  });
  const session = must(await withA(site, tokens.id_token));
  assert.equal(session.user.email, 'anna@store.test');
  assert.deepEqual(
    [session.user.role, session.user.plan_id, session.user.email_verified, session.user.auth_provider],
    ['platform_admin', 'pro', 1, 'provider_a'],
  );
  assert.deepEqual(
    [session.user.name, session.user.avatar_url, typeof session.user.trial_started_at],
    ['Anna A', 'https://idp.test/anna.png', 'number'],
  );
  assert.notEqual(session.current_workspace_id, null);
  must(await site.call('GET', '/api/auth/me', { token: session.token }));
  const again = await provider.signIn('anna', { email: 'anna@store.test', email_verified: true });
  assert.equal(must(await withA(site, again.id_token)).user.id, session.user.id);
  const second = await provider.signIn('bea', { email: 'bea@store.test', email_verified: true });
  assert.equal(must(await withA(site, second.id_token)).user.role, 'user');
});

test('provider-a accepts an access token that the provider confirms for this client', async (t) => {
  const { provider, site } = await setUp(t);
  const { access_token } = await provider.signIn('anna', { email: 'anna@store.test', email_verified: true });
  assert.equal(access_token.includes('.'), false, 'an opaque one: the provider is asked');
  assert.equal(must(await withA(site, access_token)).user.email, 'anna@store.test');
});

test('provider-a accepts signed access tokens of this client for any API and type, and none of another client', async (t) => {
  const provider = await startTrustingProvider(t, { sub: 'anna', email: 'anna@store.test', email_verified: true });
  const site = await startSite(t, {
    env: { VITRINE_PROVIDER_A_ISSUER: provider.issuer, VITRINE_PROVIDER_A_CLIENT_ID: CLIENT },
  });
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: 'anna',
    email: 'eve@store.test',
    iss: provider.issuer,
    aud: 'urn:some-api',
    exp: now + 300,
    iat: now,
  };
  const sign = (change: Record<string, unknown>, key = provider.privateKey, typ = 'JWT') =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'RS256', kid: 'k1', typ }).sign(key);
  const ours: [string, string][] = [
    ['azp', await sign({ azp: CLIENT })],
    ['client_id', await sign({ client_id: CLIENT })],
    ['appid', await sign({ appid: CLIENT })],
    ['for several APIs', await sign({ azp: CLIENT, aud: ['urn:some-api', 'urn:other-api'] })],
    ['at+jwt', await sign({ client_id: CLIENT }, provider.privateKey, 'at+jwt')],
  ];
  for (const [what, token] of ours) assert.equal(must(await withA(site, token)).user.email, 'anna@store.test', what);
  const stranger = (await generateKeyPair('RS256')).privateKey;
  const bad: [string, string][] = [
    ['azp of another client', await sign({ azp: 'somebody-else' })],
    ['client_id of another client', await sign({ client_id: 'somebody-else' })],
    ['client_id of another client, at+jwt', await sign({ client_id: 'somebody-else' }, provider.privateKey, 'at+jwt')],
    ['an ID token of another client', await sign({ aud: 'somebody-else' })],
    ['an ID token of another client, with azp', await sign({ aud: 'somebody-else', azp: 'somebody-else' })],
    [
      'said to be for us, too, but issued to another client',
      await sign({ aud: [CLIENT, 'urn:some-api'], azp: 'somebody-else' }),
    ],
    ['for nobody', await sign({ aud: undefined })],
    ['of somebody else than the profile', await sign({ azp: CLIENT, sub: 'eve' })],
    ['another key', await sign({ azp: CLIENT }, stranger)],
    ['another issuer', await sign({ azp: CLIENT, iss: 'http://127.0.0.1:1' })],
    ['expired', await sign({ azp: CLIENT, exp: now - 120 })],
  ];
  for (const [what, token] of bad) assert.equal((await withA(site, token)).status, 401, what);
});

test('provider-b signs in with an access token and the provider’s profile', async (t) => {
  const { provider, site } = await setUp(t);
  const { access_token } = await provider.signIn('anna', {
    email: 'Anna@store.test',
    email_verified: true,
    name: 'Anna',
  });
  const session = must(await withB(site, access_token));
  assert.deepEqual(
    [session.user.email, session.user.auth_provider, session.user.name],
    ['anna@store.test', 'provider_b', 'Anna'],
  );
});

test('provider-b reads the profile from VITRINE_PROVIDER_B_PROFILE_URL with a signed access token of this client', async (t) => {
  const url = await startProfiles(t, { mail: 'Anna@store.test', displayName: 'Anna B' });
  const { provider, site } = await setUp(t, {
    VITRINE_PROVIDER_B_PROFILE_URL: url,
    VITRINE_PROVIDER_B_OWNS_ADDRESSES: '1',
  });
  const { access_token } = await provider.signIn('anna', {}, { resource: PROFILES });
  assert.equal(access_token.split('.').length, 3);
  const session = must(await withB(site, access_token));
  assert.deepEqual([session.user.email, session.user.name], ['anna@store.test', 'Anna B']);
});

test('a token that was issued to another client is refused with 401', async (t) => {
  const { provider, site } = await setUp(t);
  const tokens = await provider.signIn(
    'anna',
    { email: 'anna@store.test', email_verified: true },
    { client: 'somebody-else' },
  );
  assert.equal((await withA(site, tokens.id_token)).status, 401);
  assert.equal((await withA(site, tokens.access_token)).status, 401);
  assert.equal((await withB(site, tokens.access_token)).status, 401);
  const signed = await provider.signIn(
    'anna',
    { email: 'anna@store.test', email_verified: true },
    { client: 'somebody-else', resource: PROFILES },
  );
  assert.equal((await withB(site, signed.access_token)).status, 401);
  assert.equal(must(await site.call('GET', '/api/auth/config')).needsSetup, true);
});

test('an ID token is checked for signature, iss, aud, azp and exp', async (t) => {
  const { provider, site } = await setUp(t);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: 'eve',
    email: 'eve@store.test',
    email_verified: true,
    iss: provider.issuer,
    aud: CLIENT as string | string[],
    exp: now + 300,
    iat: now,
  };
  const sign = (change: Record<string, unknown>, key = provider.privateKey, header: Record<string, string> = {}) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(key);
  const stranger = (await generateKeyPair('RS256')).privateKey;
  const bad: [string, string][] = [
    ['another key', await sign({}, stranger)],
    ['another issuer', await sign({ iss: 'http://127.0.0.1:1' })],
    ['another audience', await sign({ aud: 'somebody-else' })],
    ['several audiences without azp', await sign({ aud: [CLIENT, 'somebody-else'] })],
    ['azp of another client', await sign({ aud: [CLIENT, 'somebody-else'], azp: 'somebody-else' })],
    ['expired', await sign({ exp: now - 120 })],
    ['no expiry', await sign({ exp: undefined })],
    ['no address', await sign({ email: undefined })],
    ['an address with a character that nobody sees', await sign({ email: 'an\u200bna@store.test' })],
    ['address not verified', await sign({ email_verified: false })],
    [
      'not signed',
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
    ],
    [
      'signed with the public key as a secret',
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
        .sign(Buffer.from(JSON.stringify(await exportJWK(provider.publicKey)))),
    ],
    ['nonsense', 'nonsense'],
  ];
  for (const [what, token] of bad) assert.equal((await withA(site, token)).status, 401, what);
  must(await withA(site, await sign({ aud: [CLIENT, 'somebody-else'], azp: CLIENT })));
});

test('sign-in by access token (provider-b) is 401 if the profile has no address or the tenant is wrong', async (t) => {
  const { provider, site } = await setUp(t, { VITRINE_PROVIDER_B_TENANT_ID: 'ours' });
  const nameless = await provider.signIn('anna', { name: 'Anna' });
  assert.equal((await withB(site, nameless.access_token)).status, 401);
  const now = Math.floor(Date.now() / 1000);
  const sign = (tid: string) =>
    new SignJWT({ sub: 'x', iss: provider.issuer, client_id: CLIENT, tid, exp: now + 60 })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'at+jwt' })
      .sign(provider.privateKey);
  assert.equal((await withB(site, await sign('theirs'))).status, 401);
  const url = await startProfiles(t, { email: 'anna@store.test', email_verified: true });
  const other = await startSite(t, {
    env: {
      VITRINE_PROVIDER_B_ISSUER: provider.issuer,
      VITRINE_PROVIDER_B_CLIENT_ID: CLIENT,
      VITRINE_PROVIDER_B_TENANT_ID: 'ours',
      VITRINE_PROVIDER_B_PROFILE_URL: url,
    },
  });
  assert.equal((await withB(other, await sign('theirs'))).status, 401);
  must(await withB(other, await sign('ours')));
});

test('a profile with another user id than the token is refused', async (t) => {
  const url = await startProfiles(t, { sub: 'somebody', email: 'owner@store.test' });
  const { provider, site } = await setUp(t, { VITRINE_PROVIDER_B_PROFILE_URL: url });
  const { access_token } = await provider.signIn('anna', {});
  assert.equal((await withB(site, access_token)).status, 401);
});

test('provider sign-in to an account with a password answers 409, and other accounts link to the provider last used', async (t) => {
  const { provider, site } = await setUp(t);
  await person(site, 'owner@store.test');
  const owner = await provider.signIn('o', { email: 'OWNER@store.test', email_verified: true });
  assert.equal((await withA(site, owner.id_token)).status, 409);
  const bea = await provider.signIn('bea', { email: 'bea@store.test', email_verified: true });
  const first = must(await withA(site, bea.id_token));
  const second = must(await withB(site, bea.access_token));
  assert.equal(second.user.id, first.user.id);
  assert.deepEqual([first.user.auth_provider, second.user.auth_provider], ['provider_a', 'provider_b']);
});

test('a sign-in by the wrong method (password or provider) is logged, but not more often than wrong passwords', async (t) => {
  const { provider, site } = await setUp(t);
  const owner = await person(site, 'owner@store.test');
  const failures = async (token: string) =>
    must(await site.call('GET', '/api/activity', { token }))
      .filter((entry: any) => entry.action === 'user.sign_in_failed')
      .map((entry: any) => entry.details);
  const { id_token } = await provider.signIn('o', { email: 'owner@store.test', email_verified: true });
  for (let i = 0; i < 12; i++) assert.equal((await withA(site, id_token)).status, 409);
  assert.deepEqual(
    await failures(owner.token),
    Array(10).fill('owner@store.test: a sign-in provider was used, but this account uses a password'),
  );
  must(await login(site, owner.email));

  const { token } = must(
    await withA(site, (await provider.signIn('bea', { email: 'bea@store.test', email_verified: true })).id_token),
  );
  assert.equal((await login(site, 'bea@store.test', PASSWORD)).status, 401);
  assert.deepEqual(await failures(token), [
    'bea@store.test: a password was used, but this account uses a sign-in provider',
  ]);
});

test('while registration is closed, provider sign-in answers 403 to a stranger and admits an invited user', async (t) => {
  const { provider, site } = await setUp(t, { VITRINE_REGISTRATION: 'closed' });
  const owner = await person(site, 'owner@store.test');
  const { id_token } = await provider.signIn('bea', { email: 'bea@store.test', email_verified: true });
  assert.equal((await withA(site, id_token)).status, 403);
  must(
    await site.call('POST', `/api/workspaces/${owner.workspaceId}/invites`, {
      token: owner.token,
      body: { email: 'bea@store.test', role: 'workspace_viewer' },
    }),
    201,
  );
  const bea = must(await withA(site, id_token));
  assert.equal(bea.current_workspace_id, owner.workspaceId, 'into the workspace of the invite');
  assert.equal(
    must(await site.call('GET', '/api/auth/me', { token: bea.token })).current_org_role,
    null,
    'without an organization of its own',
  );
});

test('an account of a provider has no password and no second factor on this server', async (t) => {
  const { provider, site } = await setUp(t);
  const admin = await person(site, 'owner@store.test');
  const { token, user } = must(
    await withA(site, (await provider.signIn('bea', { email: 'bea@store.test', email_verified: true })).id_token),
  );
  const call = (method: string, path: string, body?: unknown) =>
    site.call(method, `/api/auth/${path}`, { token, body });
  assert.deepEqual(must(await call('GET', 'totp/status')), {
    enabled: false,
    eligible: false,
    recovery_codes_remaining: 0,
  });
  assert.equal((await call('POST', 'totp/setup')).status, 400);
  assert.equal((await call('POST', 'totp/enable', { code: '123456' })).status, 400);
  assert.equal((await call('PUT', 'me', { password: 'another horse' })).status, 400);
  assert.equal(
    (
      await site.call('PUT', `/api/auth/users/${user.id}/password`, {
        token: admin.token,
        body: { password: 'another horse' },
      })
    ).status,
    400,
  );
  assert.equal((await login(site, 'bea@store.test', PASSWORD)).status, 401, 'only local accounts match');
  assert.equal((await register(site, { email: 'bea@store.test', password: PASSWORD })).status, 409);
});

test('provider sign-in answers 400 without a credential, and 401 if the provider is not configured or unreachable', async (t) => {
  const site = await startSite(t, {
    env: { VITRINE_PROVIDER_A_ISSUER: 'http://127.0.0.1:1', VITRINE_PROVIDER_A_CLIENT_ID: CLIENT },
  });
  assert.equal((await withA(site, undefined)).status, 400);
  assert.equal((await withB(site, '')).status, 400);
  assert.equal((await withA(site, 'a.b.c')).status, 401);
  assert.equal((await withB(site, 'opaque')).status, 401);
  const insecure = await startSite(t, {
    env: { VITRINE_PROVIDER_A_ISSUER: 'http://idp.store.test', VITRINE_PROVIDER_A_CLIENT_ID: CLIENT },
  });
  assert.equal((await withA(insecure, 'a.b.c')).status, 401, 'never in the clear over the network');
});

test('the config endpoint tells a sign-in page which ways to sign in are enabled', async (t) => {
  const plain = await startSite(t);
  const none = must(await plain.call('GET', '/api/auth/config'));
  assert.deepEqual(
    [
      none.providerAEnabled,
      none.providerAClientId,
      none.providerBEnabled,
      none.providerBClientId,
      none.providerBTenantId,
      none.localEnabled,
    ],
    [false, '', false, '', '', true],
  );
  const site = await startSite(t, {
    env: {
      VITRINE_PROVIDER_B_ISSUER: 'https://idp.test/{tenant}/v2',
      VITRINE_PROVIDER_B_CLIENT_ID: 'b',
      VITRINE_PROVIDER_B_TENANT_ID: 'ten',
    },
  });
  const some = must(await site.call('GET', '/api/auth/config'));
  assert.deepEqual(
    [
      some.providerAEnabled,
      some.providerBEnabled,
      some.providerBClientId,
      some.providerBTenantId,
      some.providerBIssuer,
    ],
    [false, true, 'b', 'ten', 'https://idp.test/ten/v2'],
  );
});

/** A provider that signs any token that a test wants, valid or not. */
const startSigner = async (t: TestContext, env: Record<string, string> = {}) => {
  const provider = await startTrustingProvider(t, {});
  const clock = new TestClock();
  const data = tempFolder(t);
  const settings = { VITRINE_PROVIDER_A_ISSUER: provider.issuer, VITRINE_PROVIDER_A_CLIENT_ID: CLIENT, ...env };
  const start = () => startSite(t, { clock, data, env: settings });
  const now = () => Math.floor(clock.now() / 1000);
  const sign = (change: Record<string, unknown> = {}) =>
    new SignJWT({
      sub: 'anna',
      email: 'anna@store.test',
      email_verified: true,
      iss: provider.issuer,
      aud: CLIENT,
      iat: now(),
      exp: now() + 3600,
      n: randomBytes(8).toString('hex'),
      ...change,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign(provider.privateKey);
  return { provider, clock, start, site: await start(), sign };
};

test('the first sign-in binds the account to the provider’s user id, and another user id is 401 until released', async (t) => {
  const { site, sign } = await startSigner(t);
  const admin = await person(site, 'owner@store.test');
  const anna = must(await withA(site, await sign()));
  assert.equal(must(await withA(site, await sign())).user.id, anna.user.id, 'the same one');
  const other = await withA(site, await sign({ sub: 'eve' }));
  assert.equal(other.status, 401);
  assert.match(other.body.error, /administrator of this server can disconnect/);
  assert.equal(other.body.code, 'identity_bound');
  const log = must(await site.call('GET', '/api/activity', { token: anna.token }));
  assert.ok(
    log.some(
      (entry: any) =>
        entry.action === 'user.sign_in_failed' && /another account of the sign-in provider/.test(entry.details),
    ),
  );

  const release = (token: string, id: string) => site.call('DELETE', `/api/auth/users/${id}/identities`, { token });
  assert.equal((await release(anna.token, anna.user.id)).status, 403);
  assert.equal((await release(admin.token, 'nobody')).status, 404);
  must(await release(admin.token, anna.user.id));
  assert.equal((await site.call('GET', '/api/auth/me', { token: anna.token })).status, 401, 'signed out');
  const bound = must(await withA(site, await sign({ sub: 'anna-2' })));
  assert.equal(bound.user.id, anna.user.id);
  assert.ok(
    must(await site.call('GET', '/api/activity', { token: bound.token })).some(
      (entry: any) => entry.action === 'user.identity_released',
    ),
  );
  assert.equal((await withA(site, await sign())).status, 401, 'the one from before');
});

test('an account without a bound user id is bound at the next sign-in, and can be bound at both providers', async (t) => {
  const b = await startTrustingProvider(t, { id: 4711, mail: 'anna@store.test', client_id: CLIENT });
  const { site, sign } = await startSigner(t, {
    VITRINE_PROVIDER_B_ISSUER: b.issuer,
    VITRINE_PROVIDER_B_CLIENT_ID: CLIENT,
    VITRINE_PROVIDER_B_OWNS_ADDRESSES: '1',
  });
  const anna = must(await withA(site, await sign()));
  site.app.db.raw.exec('DELETE FROM identities');
  must(await withA(site, await sign()));
  assert.equal((await withA(site, await sign({ sub: 'eve' }))).status, 401);
  const moved = must(await withB(site, 'opaque-1'));
  assert.deepEqual([moved.user.id, moved.user.auth_provider], [anna.user.id, 'provider_b']);
  assert.deepEqual(site.app.db.raw.prepare('SELECT issuer, subject FROM identities ORDER BY subject').all(), [
    { issuer: b.issuer, subject: '4711' },
    {
      issuer: site.app.db.raw.prepare("SELECT issuer FROM identities WHERE subject = 'anna'").pluck().get(),
      subject: 'anna',
    },
  ]);
  assert.equal(must(await withA(site, await sign())).user.auth_provider, 'provider_a', 'and back');
  assert.equal((await withA(site, await sign({ sub: 'eve' }))).status, 401, 'the first binding holds');
});

test('sign-in with a profile that has no user id answers 401 and binds nothing', async (t) => {
  for (const [who, status] of [
    [{}, 401],
    [{ sub: 's' }, 200],
    [{ id: 'i' }, 200],
    [{ oid: 'o' }, 200],
    [{ id: '' }, 401],
  ] as const) {
    const b = await startTrustingProvider(t, {
      ...who,
      email: 'anna@store.test',
      email_verified: true,
      client_id: CLIENT,
    });
    const site = await startSite(t, {
      env: { VITRINE_PROVIDER_B_ISSUER: b.issuer, VITRINE_PROVIDER_B_CLIENT_ID: CLIENT },
    });
    assert.equal((await withB(site, 'opaque')).status, status, JSON.stringify(who));
  }
});

test('an address is trusted if the provider marks it as verified, or issues only its own addresses', async (t) => {
  const cases: [claims: Record<string, unknown>, asIs: number, ownsAddresses: number][] = [
    [{ email_verified: true }, 200, 200],
    [{ email_verified: 'true' }, 200, 200],
    [{ email_verified: undefined }, 401, 200],
    [{ email_verified: null }, 401, 200],
    [{ email_verified: false }, 401, 401],
    [{ email_verified: 'false' }, 401, 401],
    [{ email_verified: 'False' }, 401, 401],
    [{ email_verified: 0 }, 401, 401],
    [{ email_verified: [] }, 401, 401],
    // The claim `email_verified` is about `email` only, so an address in `mail` is not trusted.
    [{ email_verified: true, email: 'none', mail: 'anna@store.test' }, 401, 200],
    [{ email_verified: true, email: undefined, userPrincipalName: 'anna@store.test' }, 401, 200],
  ];
  const asIs = await startSigner(t);
  const owns = await startSigner(t, { VITRINE_PROVIDER_A_OWNS_ADDRESSES: '1' });
  for (const [claims, plain, own] of cases) {
    assert.equal((await withA(asIs.site, await asIs.sign(claims))).status, plain, `${JSON.stringify(claims)} as it is`);
    assert.equal(
      (await withA(owns.site, await owns.sign(claims))).status,
      own,
      `${JSON.stringify(claims)} of a provider with addresses of its own`,
    );
  }
});

test('a token is accepted only once, even with another encoding of its signature or after a restart', async (t) => {
  const { site, start, sign, clock } = await startSigner(t);
  /** Changes unused bits in the last character of a signature. */
  const respelled = (token: string) => token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1);
  const [named, nameless, sameName] = [await sign({ jti: 'one' }), await sign(), await sign({ jti: 'one' })];
  must(await withA(site, named));
  must(await withA(site, nameless));
  const again: [string, string][] = [
    ['by its jti', named],
    ['by what it signs', nameless],
    ['spelled otherwise', respelled(nameless)],
    ['another of the same jti', sameName],
  ];
  for (const [what, token] of again) assert.equal((await withA(site, token)).status, 401, what);
  const both = await sign();
  const answers = await Promise.all([withA(site, both), withA(site, both)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401], 'two at once');
  await site.app.stop();
  const later = await start();
  for (const [what, token] of again) assert.equal((await withA(later, token)).status, 401, `${what}, after a restart`);
  assert.equal(later.app.db.raw.prepare('SELECT count(*) FROM used_id_tokens').pluck().get(), 3);
  clock.advance(7 * 60_000);
  must(await withA(later, await sign()));
  assert.equal(
    later.app.db.raw.prepare('SELECT count(*) FROM used_id_tokens').pluck().get(),
    1,
    'what has expired is forgotten',
  );
});

test('used tokens are kept while the clock is untrusted, because with the correct time they would be valid again', async (t) => {
  const { site, start, sign, clock } = await startSigner(t);
  const used = await sign();
  must(await withA(site, used));
  await site.app.stop();
  const years = 730 * 86_400_000;
  clock.jump(years);
  const ahead = await start();
  assert.ok(ahead.app.clock.doubtful);
  must(await withA(ahead, await sign()));
  await ahead.app.stop();
  clock.jump(-years);
  const right = await start();
  assert.equal((await withA(right, used)).status, 401);
});

test('a token stays usable after a sign-in that was refused because registration was closed', async (t) => {
  const { site, sign } = await startSigner(t, { VITRINE_REGISTRATION: 'closed' });
  const owner = await person(site, 'owner@store.test');
  const token = await sign();
  assert.equal((await withA(site, token)).status, 403);
  must(
    await site.call('POST', `/api/workspaces/${owner.workspaceId}/invites`, {
      token: owner.token,
      body: { email: 'anna@store.test', role: 'workspace_viewer' },
    }),
    201,
  );
  must(await withA(site, token));
  assert.equal((await withA(site, token)).status, 401);
});

test('an access token is accepted once as well, with or without a known expiry', async (t) => {
  const { provider, site } = await setUp(t);
  const { access_token } = await provider.signIn('anna', { email: 'anna@store.test', email_verified: true });
  must(await withB(site, access_token));
  assert.equal((await withB(site, access_token)).status, 401);
  assert.equal((await withA(site, access_token)).status, 401, 'nor by the other way in');

  const b = await startTrustingProvider(t, {
    sub: 's',
    email: 'bea@store.test',
    email_verified: true,
    client_id: CLIENT,
  });
  const clock = new TestClock();
  const other = await startSite(t, {
    clock,
    env: { VITRINE_PROVIDER_B_ISSUER: b.issuer, VITRINE_PROVIDER_B_CLIENT_ID: CLIENT },
  });
  must(await withB(other, 'opaque'));
  clock.advance(86_400_000);
  assert.equal((await withB(other, 'opaque')).status, 401);
  must(await withB(other, 'another'));
});

test('a token must be at most five minutes old, whatever its expiry', async (t) => {
  const { site, sign, clock } = await startSigner(t);
  const now = Math.floor(clock.now() / 1000);
  const cases: [string, Record<string, unknown>, number][] = [
    ['just now', { iat: now }, 200],
    ['five minutes old', { iat: now - 300 }, 200],
    ['a second older', { iat: now - 301 }, 401],
    ['six minutes old', { iat: now - 360 }, 401],
    ['of a clock that is a little ahead', { iat: now + 50 }, 200],
    ['of the future', { iat: now + 600 }, 401],
    ['of no time', { iat: undefined }, 401],
    ['of a time that is no number', { iat: 'now' }, 401],
    ['for ever', { exp: 1e300 }, 200],
    ['an access token six minutes old', { aud: 'urn:api', azp: CLIENT, iat: now - 360 }, 401],
  ];
  for (const [what, change, status] of cases)
    assert.equal((await withA(site, await sign(change))).status, status, what);
});

test('keys are fetched over HTTPS or from this machine, without redirects and with a size limit', async (t) => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] });
  let asked = 0;
  let uri = '';
  const server = createServer((req, res) => {
    if (req.url === '/.well-known/openid-configuration') return res.end(JSON.stringify({ issuer, jwks_uri: uri }));
    asked++;
    if (req.url === '/redirect') return res.writeHead(302, { Location: '/keys' }).end();
    return res.end(req.url === '/huge' ? keys + ' '.repeat(300_000) : keys);
  });
  await new Promise<void>((ready) => server.listen(0, '0.0.0.0', ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  for (const [from, status, times] of [
    [`${issuer}/keys`, 200, 1],
    [`http://localhost:${port}/keys`, 200, 1],
    [`http://127.0.0.2:${port}/keys`, 401, 0],
    [`http://keys.store.test/keys`, 401, 0],
    [`ftp://127.0.0.1:${port}/keys`, 401, 0],
    [`data:application/json,${encodeURIComponent(keys)}`, 401, 0],
    [`${issuer}/redirect`, 401, 1],
    [`${issuer}/huge`, 401, 1],
  ] as const) {
    uri = from;
    asked = 0;
    const { site, owner } = await ownedSite(t, {
      env: { VITRINE_PROVIDER_A_ISSUER: issuer, VITRINE_PROVIDER_A_CLIENT_ID: CLIENT },
    });
    const now = Math.floor(Date.now() / 1000);
    const token = await new SignJWT({
      sub: 'a',
      email: 'a@store.test',
      email_verified: true,
      iss: issuer,
      aud: CLIENT,
      iat: now,
      exp: now + 60,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign(privateKey);
    assert.equal((await withA(site, token)).status, status, from);
    assert.equal(asked, times, from);
    const tried = must(
      await site.call('POST', '/api/server/connections/test-provider', {
        token: owner.token,
        body: { provider: 'provider_a' },
      }),
    );
    if (times === 0) assert.deepEqual([tried.ok, /must be https/.test(tried.text)], [false, true], from);
  }
});
