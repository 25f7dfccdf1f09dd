/** Access by each kind of credential: requests to every endpoint. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Endpoint, isStream } from '../../shared/contract/endpoint.ts';
import { type Answer, callAs, fromAnywhere, must } from '../people.ts';
import { NOWHERE, nowhere, paramsIn, rightful, send } from './examples.ts';
import { isError, openWalk } from './walk.ts';

const walk = openWalk();
const { each } = walk;

const is = (kind: Endpoint['access']['kind']) => (endpoint: Endpoint) => endpoint.access.kind === kind;
const guarded = (endpoint: Endpoint) => endpoint.access.kind !== 'public';
const unauthorized = (answer: Answer) =>
  answer.status !== 401
    ? 'not 401'
    : answer.headers.get('www-authenticate') !== 'Bearer'
      ? 'no WWW-Authenticate: Bearer'
      : !isError(answer) && 'no {error}';
const writes = ({ access }: Endpoint) => access.kind === 'token' && access.scope !== 'read';

test('every endpoint that is not public answers 401 with WWW-Authenticate without a credential', async () => {
  await each(guarded, (e) => send(walk.store, e), unauthorized);
});

test('invalid credential (unknown, expired, revoked, of an ended session …) gives 401 on every endpoint', async () => {
  for (const [what, token] of Object.entries(walk.store.tokens.dead)) {
    await each(
      guarded,
      (e) => send(walk.store, e, { token }),
      (answer) => {
        const fault = unauthorized(answer);
        return fault && `${what}: ${fault}`;
      },
    );
  }
  const { full } = walk.store.tokens;
  for (const Authorization of [
    '',
    'Basic dXNlcjpwYXNz',
    'Bearer',
    'Bearer ',
    'Bearer 1 2 3',
    `Token ${full}`,
    full,
    `Bearer ${full}x`,
    `Bearer ${'x'.repeat(5000)}`,
  ]) {
    await each(
      (e) => guarded(e) && e.method === 'GET',
      (e) => send(walk.store, e, { headers: { Authorization } }),
      unauthorized,
    );
  }
});

test('mfa_token of a sign-in that waits for its second step gives 401 mfa_required everywhere', async () => {
  await each(
    (e) => guarded(e) && !is('device')(e),
    (e) => send(walk.store, e, { token: walk.store.tokens.mfa }),
    (answer) => unauthorized(answer) || (answer.body.code !== 'mfa_required' && 'not mfa_required'),
  );
});

test('token whose scope is lower than the endpoint needs gives 403 that names both scopes', async () => {
  for (const [scope, tooHigh] of [
    ['read', ['write', 'full']],
    ['write', ['full']],
  ] as const) {
    for (const needed of tooHigh) {
      await each(
        ({ access }) => access.kind === 'token' && access.scope === needed,
        (e) => send(walk.store, e, { token: walk.store.tokens[scope] }),
        (answer) =>
          answer.status !== 403
            ? 'not 403'
            : !(answer.body.error.includes(scope) && answer.body.error.includes(needed)) && 'does not name both scopes',
      );
    }
  }
});

test('each scope includes the lower scopes', async () => {
  await each(
    ({ access }) => access.kind === 'token' && access.scope === 'read',
    (e) => send(walk.store, e, { token: walk.store.tokens.full }),
    ({ status }) => (status === 401 || status === 403) && 'refused',
  );
});

test('personal access token gives 401 on endpoints that need a session, such as accounts, tokens and pairing', async () => {
  await each(is('session'), (e) => send(walk.store, e, { token: walk.store.tokens.full }), unauthorized);
});

test('viewer can read everything and write nothing, by session and by token alike', async () => {
  const viewers = [walk.store.people.viewer.token, walk.store.tokens.viewers];
  for (const token of viewers) {
    await each(
      writes,
      (e) => send(walk.store, e, { token }),
      ({ status }) => status !== 403 && 'not 403',
    );
    await each(
      ({ access }) => access.kind === 'token' && access.scope === 'read',
      (e) => send(walk.store, e, { token }),
      // getOriginal gives 404, because no content in this test was converted.
      ({ status }, { name }) => (name === 'getOriginal' ? status !== 404 : status >= 400) && 'refused',
    );
  }
});

test('role below the required role gives 403, also when the named record does not exist', async () => {
  const { viewer, editor, admin, owner, operator, loner } = walk.store.people;
  const below = {
    editor: [viewer, loner],
    viewer: [loner],
    manager: [viewer, editor, loner],
    org_admin: [viewer, editor, admin, loner],
    admin: [viewer, editor, loner],
    platform_admin: [viewer, editor, admin, owner, operator, loner],
    user: [],
  };
  for (const [role, people] of Object.entries(below)) {
    for (const { token, email } of people) {
      const among = ({ access }: Endpoint) => access.kind === 'session' && access.role === role;
      if (!walk.endpoints.some(among)) continue;
      await each(
        among,
        (e) => send(walk.store, e, { token }),
        (answer) => (answer.status !== 403 || !isError(answer)) && `${email} is not refused`,
      );
      await each(
        among,
        (e) =>
          send(walk.store, e, {
            token,
            params: Object.fromEntries(
              Object.entries(paramsIn(e, walk.store.a)).map(([name, id]) => [name, nowhere(name, id)]),
            ),
          }),
        ({ status }) => status !== 403 && `${email} is not refused for ${NOWHERE}`,
      );
    }
  }
});

test('user without a workspace gets 403 on every resource', async () => {
  await each(
    is('token'),
    (e) => send(walk.store, e, { token: walk.store.people.loner.token }),
    (answer) => (answer.status !== 403 || !isError(answer)) && 'not 403',
  );
});

test('user who must change the password gets 403 password_change_required except for GET and PUT /auth/me', async () => {
  const refused = (answer: Answer) =>
    (answer.status !== 403 || answer.body.code !== 'password_change_required') && 'not 403 password_change_required';
  await each(
    (e) =>
      guarded(e) &&
      !is('device')(e) &&
      e.path !== '/api/auth/me' &&
      !(e.access.kind === 'session' && ['platform_admin', 'org_admin'].includes(e.access.role)),
    (e) => send(walk.store, e, { token: walk.store.people.gated.token }),
    refused,
  );
  await each(is('token'), (e) => send(walk.store, e, { token: walk.store.tokens.gated }), refused);
  await each(
    (e) => e.path === '/api/auth/me',
    (e) => send(walk.store, e, { token: walk.store.people.gated.token }),
    ({ status }) => status !== 200 && 'not 200',
  );
});

test('public endpoints ignore credentials, valid or not', async () => {
  const reads = (e: Endpoint) => !guarded(e) && e.method === 'GET' && e.name !== 'getHealth';
  for (const token of [undefined, 'garbage', walk.store.tokens.full, walk.store.people.gated.token]) {
    const plain = new Map<string, string>();
    await each(
      reads,
      async (e) => {
        const answer = await send(walk.store, e);
        plain.set(e.name, JSON.stringify(answer.body));
        return send(walk.store, e, { token });
      },
      (answer, e) =>
        answer.status >= 400
          ? 'refused'
          : !isStream(e.response) && JSON.stringify(answer.body) !== plain.get(e.name) && 'answers something else',
    );
  }
});

test("player's credential is accepted only by the endpoints for players, and no other credential is accepted there", async () => {
  await each(
    is('device'),
    (e) => send(walk.store, e, { token: walk.store.a.player.credential }),
    ({ status }) => status !== 200 && 'not 200',
  );
  await each(
    (e) => guarded(e) && !is('device')(e),
    (e) => send(walk.store, e, { token: walk.store.a.player.credential }),
    unauthorized,
  );
  const { device, player } = walk.store.a;
  const wrong = [
    device,
    `${device}.${'0'.repeat(64)}`,
    `${player.credential}0`,
    `nobody.${player.secret}`,
    `${walk.store.b.device}.${player.secret}`,
  ];
  for (const token of [walk.store.people.owner.token, walk.store.tokens.full, ...wrong]) {
    await each(is('device'), (e) => send(walk.store, e, { token }), unauthorized);
  }
});

test('each GET endpoint accepts the lowest credential that it declares', async () => {
  const absent = ['getContentThumbnail', 'getContentFile', 'getOriginal', 'fetchChainStick', 'fetchStoreStick'];
  await each(
    (e) => e.method === 'GET',
    (e) => send(walk.store, e, { token: rightful(walk.store, e) }),
    ({ status }, e) => status >= 400 && !absent.includes(e.name) && 'refused',
  );
});

test('editor can write, administrator manages tokens and invites, and the word Bearer may be in lower case', async () => {
  const { site, people, tokens, a } = walk.store;
  const playlist = (token: string) => callAs(site, token)('POST', '/api/playlists', { name: 'P' });
  for (const token of [people.editor.token, tokens.write, tokens.full]) must(await playlist(token), 201);
  for (const path of ['/api/tokens', `/api/workspaces/${a.workspaceId}/invites`])
    must(await callAs(site, people.admin.token)('GET', path));
  must(await site.call('GET', '/api/auth/me', { headers: { Authorization: `bearer ${people.admin.token}` } }));
});

const PER_MINUTE: Readonly<Record<string, number>> = {
  register: 5,
  enrolStore: 10,
  enrolByFile: 10,
  resendVerification: 5,
  login: 10,
  totpVerify: 10,
  makePasswordLink: 10,
  spendPasswordLink: 10,
  signInWithProviderA: 60,
  signInWithProviderB: 60,
  pairDevice: 60,
  startDryRun: 10,
  previewWidget: 60,
  previewMessage: 240,
  previewKioskPage: 120,
  testMail: 12,
  testProvider: 12,
};

test('endpoint with a limit per minute and address answers 429 with Retry-After beyond the limit', async () => {
  const limited = walk.endpoints.filter((e) => e.perMinute !== undefined);
  assert.deepEqual(limited.map((e) => e.name).toSorted(), Object.keys(PER_MINUTE).toSorted());
  for (const endpoint of limited) {
    const ask = (headers = fromAnywhere()) =>
      send(walk.store, endpoint, { token: rightful(walk.store, endpoint), body: {}, headers });
    // All requests come from the same address, and the server counts each route separately.
    const here = { 'X-Forwarded-For': '10.201.0.1' };
    for (let i = 0; i < PER_MINUTE[endpoint.name]!; i++)
      assert.notEqual((await ask(here)).status, 429, `${endpoint.name} ${i}`);
    const { status, headers, body } = await ask(here);
    assert.equal(status, 429, endpoint.name);
    const after = Number(headers.get('retry-after'));
    assert.ok(after >= 1 && after <= 60, endpoint.name);
    assert.match(body.error, /Try again in \d+ s/);
    assert.notEqual((await ask()).status, 429, `${endpoint.name} from another address`);
  }
});
