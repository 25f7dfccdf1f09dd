import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { firstUser, type Site, startSite } from '../../test/harness.ts';
import { pairPlayer } from '../../test/player-client.ts';

/** The smallest PNG: one pixel. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const SHA = createHash('sha256').update(PNG).digest('hex');

const upload = async (site: Site, token: string) => {
  const form = new FormData();
  form.set('file', new Blob([PNG], { type: 'image/png' }), 'dot.png');
  const response = await fetch(`${site.origin}/api/content`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
  assert.equal(response.status, 201);
  return (await response.json()) as { id: string };
};

const setUp = async (t: TestContext) => {
  const site = await startSite(t);
  const { token } = await firstUser(site);
  return { site, token, player: await pairPlayer(t, site, token) };
};

test('a player fetches its program and the files of it, whole and in ranges', async (t) => {
  const { site, token, player } = await setUp(t);
  const content = await upload(site, token);
  await site.call('POST', `/api/assignments/device/${player.deviceId}`, { token, body: { content_id: content.id } });
  const pushed = await player.client.next('program');
  const program = await site.call('GET', pushed['url'], { token: player.credential });
  assert.equal(program.status, 200);
  assert.equal(createHash('sha256').update(JSON.stringify(program.body)).digest('hex'), pushed['id'], 'named by the hash of its bytes');
  assert.deepEqual(
    program.body.assets.map((asset: any) => asset.sha256),
    [SHA],
  );
  const get = (headers: Record<string, string> = {}) => fetch(`${site.origin}/api/player/assets/${SHA}`, { headers: { Authorization: `Bearer ${player.credential}`, ...headers } });
  const whole = await get();
  assert.equal(whole.status, 200);
  assert.match(whole.headers.get('cache-control')!, /immutable/);
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), PNG);
  const part = await get({ Range: 'bytes=4-7' });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), PNG.subarray(4, 8));
});

test('without a device’s secret there is nothing, with it nothing of another workspace', async (t) => {
  const { site, token, player } = await setUp(t);
  const content = await upload(site, token);
  await site.call('POST', `/api/assignments/device/${player.deviceId}`, { token, body: { content_id: content.id } });
  const { url } = (await player.client.next('program')) as unknown as { url: string };
  const wrong = `${player.deviceId}.${'0'.repeat(64)}`;
  for (const credential of [undefined, token, wrong, `nobody.${player.secret}`, player.deviceId, `${player.credential}0`]) {
    assert.equal((await site.call('GET', url, { token: credential })).status, 401);
    assert.equal((await site.call('GET', `/api/player/assets/${SHA}`, { token: credential })).status, 401);
  }
  const other = (await site.call('POST', '/api/auth/register', { body: { email: 'two@store.test', password: 'correct horse' } })).body;
  const stranger = await pairPlayer(t, site, other.token);
  assert.equal((await site.call('GET', url, { token: stranger.credential })).status, 404);
  assert.equal((await site.call('GET', `/api/player/assets/${SHA}`, { token: stranger.credential })).status, 404);
  for (const name of ['..%2f..%2fvitrine.db', 'x', '0'.repeat(64), SHA.toUpperCase()])
    assert.equal((await site.call('GET', `/api/player/assets/${name}`, { token: player.credential })).status, 404);
  assert.equal((await site.call('GET', '/api/devices', { token: player.credential })).status, 401, 'a player is no user');
});

test('a new program reaches the player when something is published, and only then', async (t) => {
  const { site, token, player } = await setUp(t);
  const content = await upload(site, token);
  const playlist = (await site.call('POST', '/api/playlists', { token, body: { name: 'Spring' } })).body;
  await site.call('POST', `/api/playlists/${playlist.id}/items`, { token, body: { content_id: content.id } });
  await site.call('POST', `/api/playlists/${playlist.id}/publish`, { token });
  await site.call('POST', `/api/playlists/${playlist.id}/assign`, { token, body: { device_id: player.deviceId } });
  const first = await player.client.next('program');
  await site.call('POST', `/api/playlists/${playlist.id}/items`, { token, body: { content_id: content.id } });
  player.client.say({ type: 'heartbeat' });
  await player.client.next('heartbeat.ack');
  assert.deepEqual(player.client.heard, [], 'a draft changes no screen');
  await site.call('POST', `/api/playlists/${playlist.id}/publish`, { token });
  const second = await player.client.next('program');
  assert.notEqual(second['id'], first['id']);
  player.client.say({ type: 'program.ready', id: second['id'] });
  player.client.say({ type: 'heartbeat' });
  await player.client.next('heartbeat.ack');
  assert.deepEqual((await site.call('GET', `/api/devices/${player.deviceId}`, { token })).body.program, { id: second['id'], state: 'ready' });
});

test('muting an item reaches the players that play it at once, and no other', async (t) => {
  const { site, token, player } = await setUp(t);
  const content = await upload(site, token);
  const other = await pairPlayer(t, site, token, 'Other');
  const item = (await site.call('POST', `/api/assignments/device/${player.deviceId}`, { token, body: { content_id: content.id } })).body;
  await site.call('PUT', `/api/assignments/${item.id}`, { token, body: { muted: true } });
  assert.deepEqual(await player.client.next('device:mute-changed'), { type: 'device:mute-changed', item_id: item.id, content_id: content.id, widget_id: null, muted: true });
  other.client.say({ type: 'heartbeat' });
  await other.client.next('heartbeat.ack');
  assert.deepEqual(other.client.heard, []);
});

test('the server proves with every nonce that it holds the key whose fingerprint players know', async (t) => {
  const site = await startSite(t);
  const { fingerprint } = site.app.identity;
  for (const nonce of ['ab'.repeat(16), 'cd'.repeat(32)]) {
    const { status, body } = await site.call('GET', `/api/player/identity?nonce=${nonce}`);
    assert.equal(status, 200);
    const spki = Buffer.from(body.public_key, 'hex');
    assert.deepEqual([body.fingerprint, createHash('sha256').update(spki).digest('hex')], [fingerprint, fingerprint]);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    assert.ok(verify(null, Buffer.from(`vitrine identity\n${nonce}`), key, Buffer.from(body.signature, 'hex')));
  }
  for (const query of ['', '?nonce=', '?nonce=xyz', `?nonce=${'a'.repeat(129)}`]) assert.equal((await site.call('GET', `/api/player/identity${query}`)).status, 400, query);
});
