import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { ownedSite, startSite } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { pairPlayer } from '../../../test/player-client.ts';
import { upload } from '../../../test/uploads.ts';

/** The smallest PNG file: a picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SHA = createHash('sha256').update(PNG).digest('hex');

test('player downloads its program and files, whole and in ranges, and reports when it is ready', async (t) => {
  const { site, token } = await ownedSite(t);
  const player = await pairPlayer(t, site, token);
  const { id: content_id } = must(await upload(site, token, PNG, 'dot.png'), 201);
  must(await site.call('POST', `/api/assignments/device/${player.deviceId}`, { token, body: { content_id } }), 201);
  const pushed = await player.client.next('program');
  const program = await site.call('GET', pushed['url'], { token: player.credential });
  assert.equal(program.status, 200);
  assert.equal(
    createHash('sha256').update(JSON.stringify(program.body)).digest('hex'),
    pushed['id'],
    'named by the hash of its bytes',
  );
  assert.deepEqual(
    program.body.assets.map((asset: any) => asset.sha256),
    [SHA],
  );
  const get = (headers: Record<string, string> = {}) =>
    fetch(`${site.origin}/api/player/assets/${SHA}`, {
      headers: { Authorization: `Bearer ${player.credential}`, ...headers },
    });
  const whole = await get();
  assert.equal(whole.status, 200);
  assert.match(whole.headers.get('cache-control')!, /immutable/);
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), PNG);
  const part = await get({ Range: 'bytes=4-7' });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), PNG.subarray(4, 8));
  assert.equal(
    (await site.call('GET', `/api/player/assets/${SHA.toUpperCase()}`, { token: player.credential })).status,
    404,
  );
  player.client.say({ type: 'program.ready', id: pushed['id'] });
  player.client.say({ type: 'heartbeat' });
  await player.client.next('heartbeat.ack');
  assert.deepEqual(must(await site.call('GET', `/api/devices/${player.deviceId}`, { token })).program, {
    id: pushed['id'],
    state: 'ready',
  });
});

test('server proves with each nonce that it has the key with the known fingerprint', async (t) => {
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
  for (const query of ['', '?nonce=', '?nonce=xyz', `?nonce=${'a'.repeat(129)}`])
    assert.equal((await site.call('GET', `/api/player/identity${query}`)).status, 400, query);
});
