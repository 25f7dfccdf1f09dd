import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ownedSite, startSite, TestClock } from '../../../test/harness.ts';
import { longestTurn, told } from '../../../test/longest-turn.ts';
import {
  connectPlayer,
  DEVICE,
  hashOf,
  PlayerClient,
  pairPlayer,
  passing,
  playOf,
  reconnect,
} from '../../../test/player-client.ts';

const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  const statusOf = async (id: string) => (await site.call('GET', `/api/devices/${id}`, { token })).body.status;
  const until = async (condition: () => Promise<boolean>) => {
    for (let i = 0; i < 200 && !(await condition()); i++) await new Promise((next) => setTimeout(next, 10));
    assert.ok(await condition());
  };
  return { clock, site, token, statusOf, until };
};

test('server answers message `clock` with its time of receipt and its time of sending', async (t) => {
  const { site, token, clock } = await setUp(t);
  const { client } = await pairPlayer(t, site, token);
  client.say({ type: 'clock', t0: 123.25 });
  const answer = await client.next('clock');
  assert.equal(answer['t0'], 123.25);
  assert.ok(answer['t1'] >= clock.now() && answer['t2'] >= answer['t1'] && answer['t2'] < clock.now() + 1);
});

test('player that waits to be claimed may send only clock and heartbeat', async (t) => {
  const { site } = await setUp(t);
  const client = await connectPlayer(t, site);
  client.say({ type: 'hello', protocol: 1, secret_hash: hashOf('ab'.repeat(32)), device: DEVICE });
  await client.next('pairing');
  client.say({ type: 'clock', t0: 1 });
  await client.next('clock');
  client.say({ type: 'heartbeat', telemetry: { cpu_usage: 3 } });
  await client.next('heartbeat.ack');
  client.say({ type: 'program.ready', id: '0'.repeat(64) });
  assert.equal((await client.closed).code, 4401);
});

const hello = (over: object = {}) => ({
  type: 'hello',
  protocol: 1,
  secret_hash: hashOf(randomBytes(32).toString('hex')),
  device: DEVICE,
  ...over,
});
const hostile: [name: string, frame: object | string | Buffer, code: number][] = [
  ['no JSON', '{"type":', 4400],
  ['an empty frame', '', 4400],
  ['null', 'null', 4400],
  ['an array', '[]', 4400],
  ['a number', '1', 4400],
  ['no type', {}, 4400],
  ['a type that is no string', { type: 1 }, 4400],
  ['a binary frame', Buffer.from('{}'), 4400],
  ['a frame over 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, 1009],
  ['deeply nested brackets', '['.repeat(500_000), 4400],
  ['invalid UTF-8 in a text frame', '\ud800', 4400],
  ['a heartbeat before hello', { type: 'heartbeat' }, 4401],
  ['a clock before hello', { type: 'clock', t0: 1 }, 4401],
  ['plays before hello', { type: 'plays', first: 1, plays: [] }, 4400],
  ['another protocol', hello({ protocol: 2 }), 4400],
  ['a hello without device', hello({ device: undefined }), 4400],
  ['a hash that is none', hello({ secret_hash: 'abc' }), 4400],
  ['a secret that is none', { type: 'hello', protocol: 1, device_id: 'x', secret: 'abc', device: DEVICE }, 4400],
  ['a name of ten thousand characters', hello({ device: { ...DEVICE, name: 'x'.repeat(10_000) } }), 4400],
  ['a screen of negative size', hello({ device: { ...DEVICE, screen: { width: -1, height: 1 } } }), 4400],
  ['a prototype', '{"type":"hello","__proto__":{"protocol":1}}', 4400],
];
for (const [name, frame, code] of hostile) {
  test(`server closes the socket with ${code} after ${name}, and keeps running`, async (t) => {
    const { site } = await setUp(t);
    const client = await connectPlayer(t, site);
    client.say(frame);
    assert.equal((await client.closed).code, code);
    assert.equal((await site.call('GET', '/api/health')).status, 200);
  });
}

test('refused `hello` is answered with the reason', async (t) => {
  const { site } = await setUp(t);
  for (const [frame, reason] of [
    [hello({ protocol: 2 }), /protocol/],
    [{ type: 'hello', protocol: 1, secret_hash: '0'.repeat(64) }, /device/],
    [{ type: 'hello', protocol: 1, device_id: 'x', secret: 'abc', device: DEVICE }, /secret/],
  ] as const) {
    const client = await connectPlayer(t, site);
    client.say(frame);
    const { code, reason: said } = await client.closed;
    assert.equal(code, 4400);
    assert.match(said, reason);
  }
});

const malformed: [name: string, frame: object][] = [
  ['a second hello', hello()],
  ['a clock of infinity', JSON.parse('{"type":"clock","t0":1e999}') as object],
  ['telemetry of the wrong type', { type: 'heartbeat', telemetry: { wifi_rssi: 'strong' } }],
  ['plays without plays', { type: 'plays', first: 1, plays: [] }],
  ['plays from zero', { type: 'plays', first: 0, plays: [{}] }],
  ['a program that is no hash', { type: 'program.ready', id: 'x' }],
  [
    'a screenshot beyond 700 KiB',
    { type: 'screenshot.result', id: 'x', mime: 'image/png', data: 'x'.repeat(700 * 1024 + 1) },
  ],
  ['a log without message', { type: 'log', level: 'error' }],
];
for (const [name, frame] of malformed) {
  test(`server closes the socket of a paired player with 4400 after ${name}, and the device can reconnect`, async (t) => {
    const { site, token } = await setUp(t);
    const player = await pairPlayer(t, site, token);
    player.client.say(name.includes('infinity') ? '{"type":"clock","t0":1e999}' : frame);
    assert.equal((await player.client.closed).code, 4400);
    await reconnect(t, site, player);
  });
}

test('server ignores results of commands, overlays and screenshots that it did not request', async (t) => {
  const { site, token } = await setUp(t);
  const { client } = await pairPlayer(t, site, token);
  client.say({ type: 'command.result', id: 'x', status: 'done' });
  client.say({ type: 'overlay.result', pip_id: 'x', status: 'shown' });
  client.say({ type: 'screenshot.result', id: 'x', mime: 'image/png', data: 'AAAA' });
  client.say({ type: 'program.ready', id: '0'.repeat(64), extra: 'ignored' });
  client.say({ type: 'heartbeat' });
  await client.next('heartbeat.ack');
});

test('connection without the WebSocket subprotocol is refused', async (t) => {
  const { site } = await setUp(t);
  const client = new PlayerClient(site.origin, { subprotocol: null });
  await assert.rejects(client.opened, /400/);
});

test('connection that sends no message for 10 s is closed with 4408', async (t) => {
  const { site, clock } = await setUp(t);
  const client = await connectPlayer(t, site);
  clock.advance(9_000);
  await new Promise((next) => setTimeout(next, 250));
  assert.equal(client.socket.readyState, 1);
  clock.advance(1_500);
  assert.equal((await client.closed).code, 4408);
});

test('second connection of a device closes the first connection with 4409, and the device stays online', async (t) => {
  const { site, token, statusOf, clock } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  await reconnect(t, site, player);
  assert.equal((await player.client.closed).code, 4409);
  clock.advance(6_000);
  await new Promise((next) => setTimeout(next, 250));
  assert.equal(await statusOf(player.deviceId), 'online');
});

test('device counts as offline only 5 s after its socket closes, so that a short interruption is no outage', async (t) => {
  const { site, token, clock, statusOf, until } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  player.client.socket.terminate();
  await until(async () => (site.app as any) && player.client.socket.readyState === 3);
  await new Promise((next) => setTimeout(next, 50));
  clock.advance(4_500);
  await new Promise((next) => setTimeout(next, 250));
  assert.equal(await statusOf(player.deviceId), 'online');
  const again = await reconnect(t, site, player);
  clock.advance(4_500);
  await new Promise((next) => setTimeout(next, 250));
  assert.equal(await statusOf(player.deviceId), 'online');
  again.socket.terminate();
  await new Promise((next) => setTimeout(next, 50));
  clock.advance(5_500);
  await until(async () => (await statusOf(player.deviceId)) === 'offline');
  const { body } = await site.call('GET', `/api/devices/${player.deviceId}`, { token });
  assert.deepEqual(
    body.status_log.map((row: any) => row.status),
    ['online', 'offline'],
  );
  assert.equal(body.status_log[0].until, body.status_log[1].since);
  assert.equal(body.status_log[0].until - body.status_log[0].since, 14);
});

test('device counts as offline and its socket is closed with 4408 when no message arrives for 45 s', async (t) => {
  const { site, token, clock, statusOf } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  for (let i = 0; i < 4; i++) {
    clock.advance(40_000);
    client.say({ type: 'heartbeat' });
    await client.next('heartbeat.ack');
  }
  assert.equal(await statusOf(deviceId), 'online');
  clock.advance(46_000);
  assert.equal((await client.closed).code, 4408);
  assert.equal(await statusOf(deviceId), 'offline');
});

test('socket is closed with 4429 after 5 s with more than 50 messages per second, but not after a short burst', async (t) => {
  const { site, token, clock } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  const beat = JSON.stringify({ type: 'heartbeat' });
  const burst = async (client: PlayerClient, n: number) => {
    for (let i = 0; i < n; i++) client.say(beat);
    for (let i = 0; i < n; i++) await client.next('heartbeat.ack');
  };
  for (let second = 0; second < 3; second++) {
    await burst(player.client, 150);
    clock.advance(1_000);
  }
  clock.advance(3_000);
  await burst(player.client, 10);
  const again = await reconnect(t, site, player);
  for (let second = 0; second < 5; second++) {
    await burst(again, 60);
    clock.advance(1_000);
  }
  again.say(beat);
  assert.equal((await again.closed).code, 4429);
});

test('server pauses reading for the rest of the second when a player sends too many messages', async (t) => {
  const { site, token, clock } = await setUp(t);
  const { client } = await pairPlayer(t, site, token);
  for (let i = 0; i < 20_000; i++) client.say('{"type":"clock","t0":1}');
  await client.next('clock');
  await new Promise((next) => setTimeout(next, 300));
  assert.ok(client.heard.length < 10_000, `${client.heard.length} answered`);
  await passing(clock, 1_000, client.closed);
  assert.equal((await client.closed).code, 4429);
});

test('stopping server closes sockets with 1001, and after its restart devices are offline since their last message', async (t) => {
  const { site, token, clock } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  clock.advance(10_000);
  const stopped = performance.now();
  await site.app.stop();
  assert.ok(performance.now() - stopped < 1_500);
  assert.equal((await player.client.closed).code, 1001);
  clock.advance(100_000);
  const again = await startSite(t, { clock, data: site.data });
  const { body } = await again.call('GET', `/api/devices/${player.deviceId}`, { token });
  assert.deepEqual(
    body.status_log.map((row: any) => [row.status, row.until === null]),
    [
      ['online', false],
      ['offline', true],
    ],
  );
  await reconnect(t, again, player);
  assert.equal((await again.call('GET', `/api/devices/${player.deviceId}`, { token })).body.status_log.length, 3);
});

test('device is offline since its last heartbeat after a crash of the server', async (t) => {
  const { site, token, clock } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  clock.advance(15_000);
  client.say({ type: 'heartbeat' });
  await client.next('heartbeat.ack');
  const heard = Math.floor(clock.now() / 1000);
  await site.call('GET', `/api/devices/${deviceId}`, { token });
  const image = site.app.db.raw.serialize();
  await site.app.stop();
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${site.data}/vitrine.db`, image);
  clock.advance(100_000);
  const again = await startSite(t, { clock, data: site.data });
  const { body } = await again.call('GET', `/api/devices/${deviceId}`, { token });
  assert.deepEqual(
    body.status_log.map((row: any) => [row.status, row.since, row.until]),
    [
      ['online', heard - 15, heard],
      ['offline', heard, null],
    ],
  );
});

test('partial handshake or invalid bytes on the port do not affect other connections', async (t) => {
  const { site } = await setUp(t);
  const port = Number(new URL(site.origin).port);
  for (const bytes of [
    'GET /api/player HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: vitrine.v1\r\n\r\n',
    'rubbish\r\n\r\n',
    'GET /api/player HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n',
  ]) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    await new Promise((next) => setTimeout(next, 30));
    socket.destroy();
  }
  assert.equal((await site.call('GET', '/api/health')).status, 200);
});

test('message that consists of a megabyte of commas or brackets delays no other player', async (t) => {
  const { site, token } = await setUp(t);
  const kib = 1000 * 1024;
  const crowded: Record<string, string> = {
    'a list of numbers': `{"type":"heartbeat","showing":[0${',0'.repeat(kib / 2)}]}`,
    'a list of objects': `{"type":"plays","first":1,"plays":[{}${',{}'.repeat(kib / 3)}]}`,
    'lists in lists': `{"type":"log","level":"info","message":"m","detail":${'['.repeat(kib / 2)}${']'.repeat(kib / 2)}}`,
    'members by the ten thousand': `{"type":"heartbeat"${Array.from({ length: 80_000 }, (_, i) => `,"m${i}":1`).join('')}}`,
    'numbers of a million digits': `{"type":"clock","t0":${'9'.repeat(kib)}}`,
    'one long text': `{"type":"log","level":"info","message":"${'m'.repeat(kib)}"}`,
    'keys of a hello': `{"type":"hello","protocol":1${',"a":{}'.repeat(kib / 7)}}`,
  };
  for (const [what, text] of Object.entries(crowded)) {
    const player =
      what === 'keys of a hello' ? { client: await connectPlayer(t, site) } : await pairPlayer(t, site, token);
    player.client.say(text);
    const held = await longestTurn(
      Promise.race([player.client.closed, new Promise((next) => setTimeout(next, 1_000))]),
    );
    t.diagnostic(`${what}: ${told(held)}`);
    assert.ok(held.worked < 50, `${what}: ${told(held)}`);
    const { code, reason } = await player.client.closed;
    assert.deepEqual(
      [code, /^(numbers|one)/.test(what) || /has more than 12000 values|is nested more than 32 deep/.test(reason)],
      [4400, true],
      `${what}: ${reason}`,
    );
  }
  const { client, deviceId } = await pairPlayer(t, site, token);
  const plays = Array.from({ length: 500 }, (_, i) => ({
    ...playOf({ id: `${deviceId} ${i}` }),
    boot_id: 'b',
    uncertainty_ms: 1,
  }));
  client.say({ type: 'plays', first: 1, plays });
  assert.equal((await client.next('plays.ack'))['through'], 500);
});

test('page of another origin cannot connect as a player, but the server’s own page and other programs can', async (t) => {
  const site = await startSite(t);
  const { host } = new URL(site.origin);
  for (const [origin, opens] of [
    ['http://evil.example', false],
    ['null', false],
    [`http://${host}`, true],
  ] as const) {
    const client = new PlayerClient(site.origin, { headers: { Origin: origin } });
    t.after(() => client.socket.terminate());
    const opened = await client.opened.then(
      () => true,
      () => false,
    );
    assert.equal(opened, opens, origin);
  }
});
