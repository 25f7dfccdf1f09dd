import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { ownedSite, type Site, startSite, TestClock, tempFolder } from '../../../test/harness.ts';
import { colleague, must, person } from '../../../test/people.ts';

const create = (site: Site, token: string, body: unknown) => site.call('POST', '/api/tokens', { token, body });
const list = async (site: Site, token: string) =>
  must(await site.call('GET', '/api/tokens', { token })) as Record<string, unknown>[];

test('a token is returned only when it is created, and only its SHA-256 is stored', async (t) => {
  const { site, owner } = await ownedSite(t);
  const made = must(await create(site, owner.token, { name: ' till ' }), 201);
  assert.match(made.token, /^vtr_[\w-]{43}$/);
  assert.deepEqual(
    [made.name, made.scope, made.workspace_id, made.last_used_at, made.revoked_at, made.expires_at],
    ['till', 'read', owner.workspaceId, null, null, null],
  );
  assert.equal(made.token.startsWith(made.prefix), true);
  const [row] = await list(site, owner.token);
  for (const member of ['id', 'prefix', 'name', 'scope', 'workspace_id', 'created_at', 'last_used_at', 'revoked_at'])
    assert.equal(member in row!, true, member);
  assert.equal(JSON.stringify(row).includes(made.token), false);
  assert.deepEqual(site.app.db.raw.prepare('SELECT hash FROM tokens').get(), {
    hash: hash('sha256', made.token, 'hex'),
  });
});

test('a missing or malformed field of a token is 400', async (t) => {
  const { site, owner } = await ownedSite(t);
  const past = Math.floor(Date.now() / 1000) - 10;
  for (const body of [
    {},
    { name: '' },
    { name: 'x'.repeat(101) },
    { name: 'x', scope: 'admin' },
    { name: 'x', scope: null },
    { name: 'x', expires_at: past },
    { name: 'x', expires_at: 'tomorrow' },
    { name: 'x', expires_at: 0 },
  ]) {
    assert.equal((await create(site, owner.token, body)).status, 400, JSON.stringify(body));
  }
  must(await create(site, owner.token, { name: 'x'.repeat(100), expires_at: null }), 201);
});

test('a token must expire in the future, and a workspace has at most a thousand valid tokens', async (t) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock });
  const now = Math.floor(clock.now() / 1000);
  assert.equal((await create(site, owner.token, { name: 'x', expires_at: now })).status, 400);
  const { prefix } = must(await create(site, owner.token, { name: 'x', expires_at: now + 1 }), 201);
  assert.match(prefix, /^vtr_[\w-]{4}$/);
  const fill = site.app.db.raw.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
     INSERT INTO tokens (id, workspace_id, user_id, name, scope, hash, prefix, created_at)
     SELECT 'full' || i, workspace_id, user_id, 'x', 'read', 'full' || i, '', 0 FROM n, tokens WHERE name = 'x'`,
  );
  site.app.db.write(() => fill.run());
  const full = await create(site, owner.token, { name: 'y' });
  assert.deepEqual(
    [full.status, full.body.error],
    [400, 'A workspace can have at most 1000 tokens. Revoke tokens that are not needed, then try again.'],
  );
  must(await site.call('DELETE', '/api/tokens/full1', { token: owner.token }));
  must(await create(site, owner.token, { name: 'y' }), 201);
});

test('a revoked token fails with its next request, and stays in the list with its first revocation time', async (t) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock });
  const { id, token } = must(await create(site, owner.token, { name: 'till' }), 201);
  must(await site.call('GET', '/api/playlists', { token }));
  assert.deepEqual(must(await site.call('DELETE', `/api/tokens/${id}`, { token: owner.token })), { success: true });
  assert.equal((await site.call('GET', '/api/playlists', { token })).status, 401);
  const revokedAt = async () => (await list(site, owner.token))[0]!['revoked_at'];
  const at = Math.floor(clock.now() / 1000);
  assert.equal(await revokedAt(), at);
  clock.advance(5_000);
  must(await site.call('DELETE', `/api/tokens/${id}`, { token: owner.token }));
  assert.equal(await revokedAt(), at);
  assert.equal((await site.call('DELETE', '/api/tokens/unknown', { token: owner.token })).status, 404);
});

test('a token is invalid from the instant of its expires_at on', async (t) => {
  const clock = new TestClock();
  const { site, owner } = await ownedSite(t, { clock });
  const { token } = must(
    await create(site, owner.token, { name: 'till', expires_at: Math.floor(clock.now() / 1000) + 60 }),
    201,
  );
  must(await site.call('GET', '/api/playlists', { token }));
  clock.advance(59_000);
  must(await site.call('GET', '/api/playlists', { token }));
  clock.advance(1_000);
  assert.equal((await site.call('GET', '/api/playlists', { token })).status, 401);
});

test('a token acts only in its own workspace, without the platform role, regardless of its owner’s sessions', async (t) => {
  const { site, owner } = await ownedSite(t);
  const bea = await person(site, 'bea@store.test');
  const { token } = must(await create(site, owner.token, { name: 'till', scope: 'write' }), 201);
  const there = must(
    await site.call('POST', '/api/auth/switch-workspace', {
      token: owner.token,
      body: { workspace_id: bea.workspaceId },
    }),
  ).token;
  const made = must(await site.call('POST', '/api/playlists', { token, body: { name: 'P' } }), 201);
  assert.equal(made.workspace_id, owner.workspaceId);
  const refused = await create(site, there, { name: 'as staff' });
  assert.equal(refused.status, 403, 'staff are no members: the token would be dead from the start');
  assert.deepEqual(await list(site, there), []);
});

test('a token has the current role of its owner in the workspace', async (t) => {
  const { site, owner } = await ownedSite(t);
  const cem = await colleague(site, owner, 'cem@store.test', 'workspace_admin');
  const { token } = must(await create(site, cem.token, { name: 'till', scope: 'full' }), 201);
  must(await site.call('POST', '/api/playlists', { token, body: { name: 'P' } }), 201);
  must(
    await site.call('PUT', `/api/workspaces/${owner.workspaceId}/members/${cem.id}`, {
      token: owner.token,
      body: { role: 'workspace_viewer' },
    }),
  );
  must(await site.call('GET', '/api/playlists', { token }));
  assert.equal((await site.call('POST', '/api/playlists', { token, body: { name: 'P' } })).status, 403);
});

test('administrators list and revoke all tokens of their workspace, and none of another workspace', async (t) => {
  const { site, owner } = await ownedSite(t);
  const cem = await colleague(site, owner, 'cem@store.test', 'workspace_admin');
  const stranger = await person(site, 'stranger@store.test');
  const { id } = must(await create(site, cem.token, { name: 'till' }), 201);
  assert.deepEqual(
    (await list(site, owner.token)).map((r) => [r['id'], r['user_id']]),
    [[id, cem.id]],
  );
  assert.deepEqual(await list(site, stranger.token), []);
  assert.equal((await site.call('DELETE', `/api/tokens/${id}`, { token: stranger.token })).status, 404);
  must(await site.call('DELETE', `/api/tokens/${id}`, { token: owner.token }));
});

test('last_used_at is accurate to about a minute, also after a restart', async (t) => {
  const clock = new TestClock();
  const data = tempFolder(t);
  const before = await startSite(t, { clock, data });
  const owner = await person(before, 'owner@store.test');
  const { token } = must(await create(before, owner.token, { name: 'till' }), 201);
  clock.advance(5000);
  must(await before.call('GET', '/api/playlists', { token }));
  await before.app.stop();
  const site = await startSite(t, { clock, data });
  assert.equal((await list(site, owner.token))[0]!['last_used_at'], Math.floor(clock.now() / 1000));
});
