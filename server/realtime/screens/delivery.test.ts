import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ownedSite, TestClock } from '../../../test/harness.ts';
import { type PlayerClient, pairPlayer, passing, reconnect } from '../../../test/player-client.ts';

const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  const command = (id: string, body: unknown) => site.call('POST', `/api/devices/${id}/command`, { token, body });
  return { clock, site, token, command };
};

/** Disconnects the player and waits until the server has noticed. */
const gone = async (client: PlayerClient, clock: TestClock) => {
  client.socket.terminate();
  await client.closed;
  await new Promise((next) => setTimeout(next, 50));
  clock.advance(5_100);
  await new Promise((next) => setTimeout(next, 250));
};

test('command reaches the player, and the player’s result is returned', async (t) => {
  const { site, token, command, clock } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  for (const [status, error] of [
    ['done', undefined],
    ['failed', 'no panel'],
    ['unsupported', undefined],
  ] as const) {
    const answer = command(deviceId, { type: 'launch', payload: { url: 'http://till.local/' } });
    const pushed = await client.next('command');
    assert.deepEqual(
      { ...pushed, id: '' },
      {
        type: 'command',
        id: '',
        command: 'launch',
        payload: { url: 'http://till.local/' },
        expires_at: clock.now() + 60_000,
      },
    );
    client.say({ type: 'command.result', id: pushed['id'], status, ...(error && { error }) });
    assert.deepEqual((await answer).body, { success: true, id: pushed['id'], status, ...(error && { error }) });
  }
});

test('command is "sent" if its player is silent for 2 s, and "offline" and sent later if its player is disconnected', async (t) => {
  const { site, token, command, clock } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  const silent = command(player.deviceId, { type: 'screen_off' });
  const first = await player.client.next('command');
  await passing(clock, 500, silent);
  assert.equal((await silent).body.status, 'sent');
  await gone(player.client, clock);
  const away = await command(player.deviceId, { type: 'screen_on' });
  assert.equal(away.body.status, 'offline');
  const back = await reconnect(t, site, player);
  const again = [await back.next('command'), await back.next('command')];
  assert.deepEqual(
    again.map((c) => [c['id'], c['command']]),
    [
      [first['id'], 'screen_off'],
      [away.body.id, 'screen_on'],
    ],
    'in order, with the same id',
  );
  for (const one of again) back.say({ type: 'command.result', id: one['id'], status: 'done' });
  back.say({ type: 'heartbeat' });
  await back.next('heartbeat.ack');
  const third = await reconnect(t, site, player);
  third.say({ type: 'heartbeat' });
  await third.next('heartbeat.ack');
  assert.deepEqual(third.heard, [], 'what was answered is not sent again');
});

test('command expires after 60 s, except an update command, which expires after 24 hours', async (t) => {
  const { site, token, command, clock } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  await gone(player.client, clock);
  await command(player.deviceId, { type: 'reboot' });
  await command(player.deviceId, { type: 'update', payload: { version: '2.0.0' } });
  clock.advance(61_000);
  const back = await reconnect(t, site, player);
  back.say({ type: 'heartbeat' });
  await back.next('heartbeat.ack');
  assert.deepEqual(
    back.heard.map((said) => said['command']),
    ['update'],
  );
  await gone(back, clock);
  clock.advance(24 * 3_600_000);
  const late = await reconnect(t, site, player);
  late.say({ type: 'heartbeat' });
  await late.next('heartbeat.ack');
  assert.deepEqual(late.heard, []);
});

test('player that reconnects while the caller waits for its result gets the command at once', async (t) => {
  const { site, token, command } = await setUp(t);
  const player = await pairPlayer(t, site, token);
  const answer = command(player.deviceId, { type: 'reboot' });
  const { id } = (await player.client.next('command')) as unknown as { id: string };
  const back = await reconnect(t, site, player);
  assert.equal((await back.next('command'))['id'], id);
  back.say({ type: 'command.result', id, status: 'done' });
  assert.equal((await answer).body.status, 'done');
});

test('invalid command is answered with 400, and the error names the wrong field', async (t) => {
  const { site, token, command } = await setUp(t);
  const { deviceId } = await pairPlayer(t, site, token);
  for (const [body, member] of [
    [{}, 'type'],
    [{ type: 'explode' }, 'type'],
    [{ type: 'reboot', payload: { now: true } }, 'payload.now'],
    [{ type: 'launch', payload: { url: 'file:///etc/passwd' } }, 'payload.url'],
    [{ type: 'launch', payload: { uri: 'http://x/' } }, 'payload.uri'],
    [{ type: 'update', payload: { version: 2 } }, 'payload.version'],
    [{ type: 'launch', payload: 'http://x/' }, 'payload'],
  ] as const) {
    const { status, body: answer } = await command(deviceId, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(answer.error, new RegExp(`^${member}`), answer.error);
  }
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

test('concurrent requests for a fresh screenshot send one request to the player, and the screenshot is stored', async (t) => {
  const { site, token } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  const path = `/api/devices/${deviceId}/screenshot`;
  assert.equal((await site.call('GET', path, { token })).status, 404);
  const fetchFresh = () => fetch(`${site.origin}${path}?fresh=true`, { headers: { Authorization: `Bearer ${token}` } });
  const both = [fetchFresh(), fetchFresh()];
  const { id } = (await client.next('screenshot')) as unknown as { id: string };
  client.say({ type: 'screenshot.result', id: 'another', mime: 'image/png', data: PNG.toString('base64') });
  await new Promise((next) => setTimeout(next, 50));
  client.say({ type: 'screenshot.result', id, mime: 'image/png', data: PNG.toString('base64') });
  for (const response of await Promise.all(both)) {
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), PNG);
  }
  assert.deepEqual(client.heard, []);
  assert.equal((await site.call('GET', path, { token })).status, 200);
  assert.notEqual((await site.call('GET', '/api/devices', { token })).body[0].screenshot_at, null);
});

test('request for a screenshot gets 503 when the screenshot is late, fails or is not a picture', async (t) => {
  const { site, token, clock } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  const fresh = () => site.call('GET', `/api/devices/${deviceId}/screenshot?fresh=true`, { token });
  const late = fresh();
  await client.next('screenshot');
  await passing(clock, 1_000, late);
  assert.equal((await late).status, 503);
  for (const answer of [
    { error: 'no display' },
    { mime: 'image/png', data: Buffer.from('<script>').toString('base64') },
    { mime: 'image/jpeg', data: PNG.toString('base64') },
  ]) {
    const asked = fresh();
    const { id } = (await client.next('screenshot')) as unknown as { id: string };
    client.say({ type: 'screenshot.result', id, ...answer });
    assert.equal((await asked).status, 503);
  }
  await gone(client, clock);
  assert.equal((await fresh()).status, 503);
  assert.equal((await site.call('GET', `/api/devices/${deviceId}/screenshot?fresh=maybe`, { token })).status, 400);
});
