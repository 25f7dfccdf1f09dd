import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { CodeProof } from '../../../shared/protocol/code-proof.ts';
import { ownedSite, type Site, startSite, TestClock } from '../../../test/harness.ts';
import { connectPlayer, DEVICE, hashOf, pairPlayer, passing, reconnect } from '../../../test/player-client.ts';

const setUp = async (t: TestContext, env: Record<string, string> = {}) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock, env });
  const pair = (body: unknown) => site.call('POST', '/api/devices/pair', { token, body });
  return { clock, site, token, pair };
};

const newPlayer = async (t: TestContext, site: Site, secret = randomBytes(32).toString('hex')) => {
  const client = await connectPlayer(t, site);
  client.say({ type: 'hello', protocol: 1, secret_hash: hashOf(secret), device: DEVICE });
  const pairing = await client.next('pairing');
  return { client, secret, code: pairing.code as string, pairing };
};

test('a new player gets a six-character code without look-alikes, and the server’s identity', async (t) => {
  const { site, clock } = await setUp(t);
  const { pairing } = await newPlayer(t, site);
  assert.match(pairing.code, /^[34679ACDEFGHJKMNPQRTUVWXY]{6}$/);
  assert.equal(pairing['expires_at'], clock.now() + 15 * 60_000);
  assert.match(pairing['server'].fingerprint, /^[0-9a-f]{64}$/);
  assert.equal(pairing['server'].id, site.app.identity.id);
});

test('claiming by code answers 201, and the same connection continues as the device', async (t) => {
  const { site, token, pair } = await setUp(t);
  const { client, code, secret } = await newPlayer(t, site);
  const { status, body } = await pair({ code: ` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `, name: 'Window' });
  assert.equal(status, 201);
  assert.deepEqual([body.name, body.platform], ['Window', 'linux']);
  assert.deepEqual(await client.next('paired'), {
    type: 'paired',
    device_id: body.id,
    name: 'Window',
    workspace_id: body.workspace_id,
  });
  const welcome = await client.next('welcome');
  assert.equal(welcome['server'].version.length > 0, true);
  const program = await client.next('program');
  assert.match(program['id'], /^[0-9a-f]{64}$/);
  const bytes = await site.call('GET', program['url'], { token: `${body.id}.${secret}` });
  assert.equal(bytes.status, 200);
  assert.equal(bytes.body.format, 1);
  assert.match(bytes.headers.get('cache-control')!, /immutable/);
  assert.equal((await site.call('GET', '/api/devices', { token })).body[0].status, 'online');
  assert.equal((await pair({ code })).status, 404, 'a code is good once');
});

test('a player on the network appears in the waiting list and is claimed with one click', async (t) => {
  const { site, token, pair, clock } = await setUp(t);
  await newPlayer(t, site);
  const { status, body, headers } = await site.call('GET', '/api/devices/pending', { token });
  assert.equal(status, 200);
  assert.equal(headers.get('x-total-count'), '1');
  assert.deepEqual(Object.keys(body[0]).sort(), [
    'code',
    'ip_address',
    'name',
    'own_code',
    'pending_id',
    'platform',
    'waiting_since',
  ]);
  assert.equal(body[0].waiting_since, Math.floor(clock.now() / 1000));
  assert.equal((await pair({ pending_id: body[0].pending_id })).body.name, 'Till', 'its own name when none is given');
  assert.deepEqual((await site.call('GET', '/api/devices/pending', { token })).body, []);
  assert.equal((await pair({ pending_id: body[0].pending_id })).status, 404);
});

test('only one of two simultaneous claims of a player succeeds', async (t) => {
  const { site, pair } = await setUp(t);
  const { code } = await newPlayer(t, site);
  const answers = await Promise.all([pair({ code }), pair({ code }), pair({ code })]);
  assert.deepEqual(answers.map((a) => a.status).sort(), [201, 404, 404]);
});

test('a claim with an invalid body answers 400', async (t) => {
  const { pair } = await setUp(t);
  for (const body of [
    {},
    { code: '' },
    { code: '', pending_id: '' },
    { code: 5 },
    { code: 'ABCDEF', name: 'x'.repeat(201) },
    { code: 'ABCDEF', name: 'a\u0000b' },
  ])
    assert.equal((await pair(body)).status, 400, JSON.stringify(body));
});

test('a hosted server accepts claims only by code', async (t) => {
  const { site, token, pair } = await setUp(t, { VITRINE_HOSTED: '1' });
  const { code } = await newPlayer(t, site);
  assert.equal((await site.call('GET', '/api/devices/pending', { token })).status, 403);
  assert.equal((await pair({ pending_id: 'any' })).status, 403);
  assert.equal((await pair({ code })).status, 201);
});

test('ten wrong codes lock a user out for 15 minutes, even with the right code and after a restart', async (t) => {
  const { site, pair, clock, token } = await setUp(t);
  const { code } = await newPlayer(t, site);
  for (let i = 0; i < 10; i++) assert.equal((await pair({ code: 'AAAAAA' })).status, 404);
  const locked = await pair({ code });
  assert.equal(locked.status, 429);
  assert.ok(Number(locked.headers.get('retry-after')) > 0);
  await site.app.stop();
  const again = await startSite(t, { clock, data: site.data });
  const player = await newPlayer(t, again);
  const claim = () => again.call('POST', '/api/devices/pair', { token, body: { code: player.code } });
  assert.equal((await claim()).status, 429);
  clock.advance(15 * 60_000 + 1000);
  const { code: fresh } = await player.client.next('pairing');
  assert.equal((await again.call('POST', '/api/devices/pair', { token, body: { code: fresh } })).status, 201);
});

test('player gets a fresh code before the old code expires, and both codes are valid meanwhile', async (t) => {
  const { site, pair, clock } = await setUp(t);
  const first = await newPlayer(t, site);
  clock.advance(14 * 60_000 + 500);
  const second = await first.client.next('pairing');
  assert.notEqual(second['code'], first.code);
  assert.equal((await pair({ code: first.code })).status, 201);
});

test('claiming with an expired code answers 404', async (t) => {
  const { site, pair, clock } = await setUp(t);
  const { client, code } = await newPlayer(t, site);
  clock.advance(16 * 60_000);
  const fresh = await client.next('pairing');
  assert.equal((await pair({ code })).status, 404);
  assert.equal((await pair({ code: fresh['code'] })).status, 201);
});

test('player that reconnects at once keeps its code, and is notified of a claim that was made meanwhile', async (t) => {
  const { site, pair, token } = await setUp(t);
  const first = await newPlayer(t, site);
  first.client.socket.terminate();
  const second = await newPlayer(t, site, first.secret);
  assert.equal(second.code, first.code);
  second.client.socket.terminate();
  const empty = async () => (await site.call('GET', '/api/devices/pending', { token })).body.length === 0;
  while (!(await empty())) await new Promise((next) => setTimeout(next, 5));
  const { body } = await pair({ code: first.code, name: 'Away' });
  assert.equal(body.status, 'offline');
  const third = await connectPlayer(t, site);
  third.say({ type: 'hello', protocol: 1, secret_hash: hashOf(first.secret), device: DEVICE });
  const paired = await third.next('paired');
  assert.deepEqual([paired['device_id'], paired['server'].fingerprint], [body.id, site.app.identity.fingerprint]);
  assert.equal((await third.closed).code, 1000);
  assert.deepEqual(third.heard, [], 'the hash opens nothing: it has to come back with the secret');
  await reconnect(t, site, { deviceId: body.id, secret: first.secret });
});

test('the hash of a secret, seen on the network, neither opens a claimed screen nor ends its connection', async (t) => {
  const { site, token, clock } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  for (const seconds of [0, 30, 30]) {
    clock.advance(seconds * 1_000);
    const thief = await connectPlayer(t, site);
    thief.say({ type: 'hello', protocol: 1, secret_hash: hashOf(player.secret), device: DEVICE });
    await thief.closed;
    assert.deepEqual(
      thief.heard.filter(({ type }) => type !== 'paired'),
      [],
    );
    player.client.say({ type: 'clock', t0: 1 });
    await player.client.next('clock');
  }
});

test('player that sends the secret hash of another player gets neither the connection nor the code of that player', async (t) => {
  const { site, token, pair } = await setUp(t);
  const real = await newPlayer(t, site);
  const thief = await newPlayer(t, site, real.secret);
  assert.notEqual(thief.code, real.code);
  assert.equal((await site.call('GET', '/api/devices/pending', { token })).body.length, 2);
  const [first, second] = await Promise.all([pair({ code: real.code }), pair({ code: thief.code })]);
  assert.deepEqual([first.status, second.status], [201, 404], 'one player is one device');
  await real.client.next('welcome');
  assert.equal((await thief.client.closed).code, 4409);
});

// — tests of players that show a code of their own, for networks with more than one server —

const ownCoded = async (t: TestContext, site: Site, code: string, secret = randomBytes(32).toString('hex')) => {
  const client = await connectPlayer(t, site);
  client.say({ type: 'hello', protocol: 1, secret_hash: hashOf(secret), device: DEVICE, own_code: true });
  const { server } = await client.next('waiting');
  /** Answers a claim like a player does. Resolves with whether the player accepted the server. */
  const answer = async (fingerprint = server.fingerprint as string) => {
    const { id, share } = await client.next('claim');
    const proof = new CodeProof(
      'player',
      code,
      { id, fingerprint, secretHash: hashOf(secret) },
      randomBytes(64).toString('hex'),
    );
    client.say({ type: 'claim.share', id, share: proof.share });
    const { tag } = await client.next('claim.proof');
    const tags = proof.tags(share)!;
    const believes = tag === tags.server;
    client.say({ type: 'claim.result', id, ...(believes && { tag: tags.player }) });
    return believes;
  };
  return { client, secret, answer };
};

test('a player that made its own code is claimed by typing the code for this player or for no particular player', async (t) => {
  const { site, token, pair } = await setUp(t);
  for (const named of [true, false]) {
    const { client, secret, answer } = await ownCoded(t, site, 'ABC346');
    const [waiting] = (await site.call('GET', '/api/devices/pending', { token })).body;
    assert.deepEqual([waiting.own_code, waiting.code], [true, '']);
    const alone = await pair({ pending_id: waiting.pending_id });
    assert.deepEqual([alone.status, alone.body.code], [409, 'needs_code']);
    const [claim, believed] = await Promise.all([
      pair({ code: 'abc-346', ...(named && { pending_id: waiting.pending_id }) }),
      answer(),
    ]);
    assert.deepEqual([claim.status, believed], [201, true]);
    assert.equal((await client.next('paired'))['device_id'], claim.body.id);
    client.socket.terminate();
    await reconnect(t, site, { deviceId: claim.body.id, secret });
  }
});

test('a wrong code answers 404 and counts as an attempt, and the player can still be claimed with the right code', async (t) => {
  const { site, pair } = await setUp(t);
  const { client, answer } = await ownCoded(t, site, 'ABC346');
  for (let i = 0; i < 9; i++)
    assert.deepEqual(
      (await Promise.all([pair({ code: 'ABC347' }), answer()])).map((a) => (typeof a === 'object' ? a.status : a)),
      [404, false],
    );
  const [claim] = await Promise.all([pair({ code: 'ABC346' }), answer()]);
  assert.equal(claim.status, 201);
  await client.next('paired');
});

test('of many players only the player that shows the code is claimed, even if other players answer falsely', async (t) => {
  const { site, pair } = await setUp(t);
  const codes = ['ABC346', 'DEF346', 'GHJ346'];
  // The server asks these two players first, because they have waited longest.
  const liar = await ownCoded(t, site, 'YYY346');
  const deaf = await ownCoded(t, site, 'XXX346');
  const players = await Promise.all(codes.map((code) => ownCoded(t, site, code)));
  const lies = (async () => {
    const { id, share } = await liar.client.next('claim');
    liar.client.say({ type: 'claim.share', id, share });
    const { tag } = await liar.client.next('claim.proof');
    liar.client.say({ type: 'claim.result', id, tag });
  })();
  // The server waits three seconds for the player that does not answer.
  const claiming = pair({ code: 'DEF346' });
  const believed = await Promise.all(players.map(({ answer }) => answer()));
  await lies;
  await deaf.client.next('claim');
  deaf.client.socket.terminate();
  assert.deepEqual(believed, [false, true, false]);
  assert.equal((await claiming).status, 201);
  await players[1]!.client.next('paired');
  assert.ok([players[0], players[2], liar].every((one) => !one!.client.heard.some(({ type }) => type === 'paired')));
});

test('a message that a waiting player must not send ends its connection', async (t) => {
  const { site } = await setUp(t);
  for (const message of [{ type: 'claim.share', id: 'x', share: 'y' }, { type: 'claim.result' }]) {
    const { client } = await ownCoded(t, site, 'ABC346');
    client.say(message);
    assert.equal((await client.closed).code, 4400, JSON.stringify(message));
  }
  const { client } = await ownCoded(t, site, 'ABC346');
  client.say({ type: 'claim', id: '0'.repeat(32), share: '0'.repeat(64) });
  client.say({ type: 'claim.share', id: '0'.repeat(32), share: '0'.repeat(64) });
  client.say({ type: 'clock', t0: 1 });
  await client.next('clock');
});

test('after pairing, a client that knows only the hash of a secret is refused', async (t) => {
  const { site, token, clock } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  clock.advance(16 * 60_000);
  const thief = await connectPlayer(t, site);
  thief.say({ type: 'hello', protocol: 1, secret_hash: hashOf(player.secret), device: DEVICE });
  const answer = thief.next('unpaired');
  await passing(clock, 600, answer);
  assert.equal((await answer)['reason'], 'unknown');
  assert.equal((await thief.closed).code, 4401);
});

test('a wrong secret is answered like an unknown device, 21 a minute close the socket, and the right secret works', async (t) => {
  const { site, token, clock } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  const attempt = async (device_id: string) => {
    const client = await connectPlayer(t, site);
    client.say({ type: 'hello', protocol: 1, device_id, secret: randomBytes(32).toString('hex'), device: DEVICE });
    return client;
  };
  const clients = await Promise.all(
    Array.from({ length: 20 }, (_, i) => attempt(i % 2 ? player.deviceId : 'no-such-device')),
  );
  await passing(clock, 600, Promise.all(clients.map((c) => c.closed)));
  for (const client of clients) {
    assert.deepEqual((await client.closed).code, 4401);
    assert.deepEqual(client.heard, [{ type: 'unpaired', reason: 'unknown' }]);
  }
  assert.equal((await (await attempt(player.deviceId)).closed).code, 4429);
  await reconnect(t, site, player);
  clock.advance(61_000);
  const later = await attempt(player.deviceId);
  await passing(clock, 600, later.closed);
  assert.equal((await later.closed).code, 4401);
});

test('the name that a player reports is treated as plain text', async (t) => {
  const { site, token } = await setUp(t);
  const client = await connectPlayer(t, site);
  const nasty = '<img src=x onerror=alert(1)>\u0000\u0007';
  client.say({
    type: 'hello',
    protocol: 1,
    secret_hash: hashOf(randomBytes(32).toString('hex')),
    device: { ...DEVICE, name: nasty, platform: nasty, capabilities: [nasty] },
  });
  const { code } = await client.next('pairing');
  const { body } = await site.call('POST', '/api/devices/pair', { token, body: { code } });
  assert.equal(body.name, '<img src=x onerror=alert(1)>');
  assert.equal(body.platform, '<img src=x onerror=alert(1)>');
});
