/**
 * Tests this server with players of other versions: recorded messages of each release, and invented messages of later
 * releases.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { firstUser, startSite, TestClock } from '../../test/harness.ts';
import { connectPlayer, type PlayerClient, pairPlayer, type Said } from '../../test/player-client.ts';

const RECORDED = join(import.meta.dirname, 'testing');

const setUp = async (t: TestContext) => {
  const site = await startSite(t, { clock: new TestClock() });
  const { token } = await firstUser(site);
  return {
    site,
    token,
    deviceOf: async (id: string) => (await site.call('GET', `/api/devices/${id}`, { token })).body,
  };
};
/** Returns true when all earlier messages were accepted and the connection is still open. */
const isThere = async (client: PlayerClient) => {
  client.say({ type: 'clock', t0: 4_711 });
  return client.next((said) => said.type === 'clock' && said['t0'] === 4_711);
};

for (const file of readdirSync(RECORDED)) {
  // One list of messages for each connection: first the unpaired player, then the reconnected player.
  const [unpaired = [], back = []] = JSON.parse(readFileSync(join(RECORDED, file), 'utf8')) as Said[][];

  test(`server understands all recorded messages of the player of ${file}, which can pair and reconnect`, {
    timeout: 30_000,
  }, async (t) => {
    const { site, token, deviceOf } = await setUp(t);
    const client = await connectPlayer(t, site);
    const [hello, ...rest] = unpaired;
    client.say(hello!);
    const { code } = await client.next('pairing');
    const { body: device } = await site.call('POST', '/api/devices/pair', { token, body: { code, name: 'Window' } });
    await client.next('welcome');
    const program = await client.next('program');
    const kinds = new Set(rest.map(({ type }) => type));
    for (const type of [
      'clock',
      'heartbeat',
      'program.ready',
      'plays',
      'command.result',
      'overlay.result',
      'screenshot.result',
      'log',
    ])
      assert.ok(kinds.has(type), `no ${type} was recorded`);
    for (const said of rest) client.say(said.type === 'program.ready' ? { ...said, id: program['id'] } : said);
    await isThere(client);
    const plays = rest.findLast(({ type }) => type === 'plays')!;
    assert.equal((await client.next('plays.ack'))['through'], plays['first'] + plays['plays'].length - 1);
    const { status, wifi_ssid, platform } = await deviceOf(device.id);
    assert.deepEqual([status, wifi_ssid, platform], ['online', 'Store', hello!['device'].platform]);

    const again = await connectPlayer(t, site);
    const [signIn, ...more] = back;
    again.say({ ...signIn, device_id: device.id });
    await again.next('welcome');
    for (const said of more) again.say(said);
    await isThere(again);
    assert.equal((await client.closed).code, 4409);
  });
}

const newer: [name: string, frame: object][] = [
  ['an unknown type', { type: 'temperature', celsius: 48 }],
  ['an unknown type that objects have by nature', { type: 'constructor' }],
  ['an unknown status of a command', { type: 'command.result', id: 'x', status: 'postponed' }],
  ['an unknown status of an overlay', { type: 'overlay.result', pip_id: 'x', status: 'minimized' }],
  ['an unknown picture format', { type: 'screenshot.result', id: 'x', mime: 'image/avif', data: 'AAAA' }],
  ['an unknown level of a log', { type: 'log', level: 'fatal', message: 'x' }],
  ['an unknown member', { type: 'heartbeat', telemetry: { cpu_usage: 3, temperature_c: 48 }, mood: 'good' }],
];
for (const [name, frame] of newer) {
  test(`server keeps the connection when a newer player sends ${name}, and handles later messages`, async (t) => {
    const { site, token, deviceOf } = await setUp(t);
    const { client, deviceId } = await pairPlayer(t, site, token, 'Till', { capabilities: ['screen', 'teleport'] });
    for (let repeat = 0; repeat < 3; repeat++) client.say(frame);
    client.say({ type: 'heartbeat', telemetry: { cpu_usage: 7 } });
    await isThere(client);
    const { cpu_usage, status, capabilities } = await deviceOf(deviceId);
    assert.deepEqual([cpu_usage, status, capabilities], [7, 'online', ['screen', 'teleport']]);
  });
}

test('server keeps the connection when a newer player sends unknown messages before pairing, and can claim the player', async (t) => {
  const { site, token } = await setUp(t);
  const client = await connectPlayer(t, site);
  client.say({ type: 'greeting', language: 'de' });
  client.say({ ...unpairedHello, mood: 'good' });
  const { code } = await client.next('pairing');
  client.say({ type: 'temperature', celsius: 48 });
  await isThere(client);
  assert.equal((await site.call('POST', '/api/devices/pair', { token, body: { code, name: 'Till' } })).status, 201);
});
const unpairedHello = {
  type: 'hello',
  protocol: 1,
  secret_hash: 'ab'.repeat(32),
  device: { platform: 'x', version: '9.0.0', capabilities: [], screen: { width: 1, height: 1, depth: 10 } },
};
