import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { LiveServerMessage } from '../../../shared/protocol/live.ts';
import { firstUser, type Site, startSite, TestClock } from '../../../test/harness.ts';
import { connectPlayer, DEVICE, hashOf, pairPlayer, type Said } from '../../../test/player-client.ts';

const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  const { token, current_workspace_id } = await firstUser(site);
  return { clock, site, token, workspaceId: current_workspace_id };
};

const connectWindow = async (
  t: TestContext,
  site: Site,
  token: string | null,
  headers: Record<string, string> = {},
  takes?: string[],
) => {
  const socket = new WebSocket(`${site.origin.replace('http', 'ws')}/api/live`, { headers });
  t.after(() => socket.terminate());
  const said: Said[] = [];
  const waiting: { match: (m: Said) => boolean; done: (m: Said) => void }[] = [];
  const closed = new Promise<number>((done) => socket.on('close', done));
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Said;
    LiveServerMessage.parse(message);
    const at = waiting.findIndex((one) => one.match(message));
    if (at >= 0) waiting.splice(at, 1)[0]!.done(message);
    else said.push(message);
  });
  await new Promise<void>((done, failed) => {
    socket.on('open', () => done());
    socket.on('error', failed);
  });
  const next = (match: (m: Said) => boolean): Promise<Said> => {
    const here = said.findIndex(match);
    if (here >= 0) return Promise.resolve(said.splice(here, 1)[0]!);
    return new Promise((done) => waiting.push({ match, done }));
  };
  const type = (name: string) => (m: Said) => m.type === name;
  if (token !== null) socket.send(JSON.stringify({ type: 'auth', token, takes }));
  return { socket, said, next, type, closed };
};

test('admin window receives changes of records in its workspace, and patches (changed fields) of its devices', async (t) => {
  const { site, token, workspaceId, clock } = await setUp(t);
  const window = await connectWindow(t, site, token);
  assert.equal((await window.next(window.type('ready')))['workspace_id'], workspaceId);
  const { client, deviceId, programId: id } = await pairPlayer(t, site, token);
  const stale = await window.next((m) => m.type === 'stale' && m['topic'] === 'devices');
  assert.deepEqual(stale['ids'], [deviceId]);
  client.say({
    type: 'heartbeat',
    telemetry: { cpu_usage: 5, wifi_rssi: -40 },
    showing: [{ zone_id: null, item_id: 1, content_id: 'c', widget_id: null, since: 1 }],
  });
  client.say({ type: 'heartbeat', telemetry: { cpu_usage: 6 } });
  await client.next('heartbeat.ack');
  await client.next('heartbeat.ack');
  clock.advance(300);
  const patch = await window.next((m) => m.type === 'device' && m['telemetry'] !== undefined);
  assert.equal(patch['device_id'], deviceId);
  assert.deepEqual(patch['telemetry'], { cpu_usage: 6, wifi_rssi: -40 }, 'two heartbeats, one patch');
  assert.equal(patch['showing'][0].content_id, 'c');
  assert.equal(patch['status'], 'online');
  client.say({ type: 'program.failed', id: '0'.repeat(64), reason: 'of a program that is no longer wanted' });
  client.say({ type: 'program.failed', id, reason: 'disk full' });
  client.say({ type: 'heartbeat' });
  await client.next('heartbeat.ack');
  clock.advance(300);
  assert.deepEqual((await window.next((m) => m.type === 'device' && m['program']?.state === 'failed'))['program'], {
    id,
    state: 'failed',
    reason: 'disk full',
  });
  client.socket.terminate();
  await client.closed;
  await new Promise((next) => setTimeout(next, 50));
  clock.advance(5_500);
  await new Promise((next) => setTimeout(next, 200));
  clock.advance(300);
  await window.next((m) => m.type === 'device' && m['status'] === 'offline');
});

test('admin window gets patches of several devices in one frame if it supports this, otherwise one frame per patch', async (t) => {
  const { site, token, clock } = await setUp(t);
  const [old, fresh] = [
    await connectWindow(t, site, token, {}, ['what is not known']),
    await connectWindow(t, site, token, {}, ['devices']),
  ];
  const players = [await pairPlayer(t, site, token), await pairPlayer(t, site, token)];
  clock.advance(300);
  for (const window of [old, fresh]) {
    await window.next(window.type('ready'));
    window.said.length = 0;
  }
  for (const [n, { client }] of players.entries()) {
    client.say({ type: 'heartbeat', telemetry: { cpu_usage: n + 1 } });
    await client.next('heartbeat.ack');
  }
  clock.advance(300);
  const ids = players.map(({ deviceId }) => deviceId);
  const { patches } = (await fresh.next(fresh.type('devices'))) as unknown as { patches: Said[] };
  assert.deepEqual(
    patches.map(({ device_id, telemetry }) => [device_id, telemetry]),
    ids.map((id, n) => [id, { cpu_usage: n + 1 }]),
  );
  for (const id of ids) await old.next((m) => m.type === 'device' && m['device_id'] === id);
  assert.deepEqual(
    [fresh.said.some(fresh.type('device')), old.said.some(old.type('devices'))],
    [false, false],
    'nobody hears it twice',
  );
});

test('admin window is notified of playlists when their items lose a zone', async (t) => {
  const { site, token } = await setUp(t);
  const make = async (path: string, body: unknown) => (await site.call('POST', path, { token, body })).body;
  const layout = await make('/api/layouts', { name: 'L', zones: [{}] });
  const widget = await make('/api/widgets', { widget_type: 'clock', name: 'Clock' });
  const playlist = await make('/api/playlists', { name: 'P' });
  await make(`/api/playlists/${playlist.id}/items`, { widget_id: widget.id, zone_id: layout.zones[0].id });
  const window = await connectWindow(t, site, token);
  await window.next(window.type('ready'));
  await site.call('DELETE', `/api/layouts/${layout.id}`, { token });
  assert.deepEqual((await window.next((m) => m.type === 'stale' && m['topic'] === 'playlists'))['ids'], [playlist.id]);
});

test('change in an event has the id of the admin window that made the change, and an invalid id is ignored', async (t) => {
  const { site, token } = await setUp(t);
  const window = await connectWindow(t, site, token);
  await window.next(window.type('ready'));
  const make = async (headers: Record<string, string>) => {
    await site.call('POST', '/api/groups', { token, headers, body: { name: 'G' } });
    return (await window.next((m) => m.type === 'stale' && m['topic'] === 'groups'))['window'];
  };
  assert.equal(await make({ 'X-Vitrine-Window': 'a-window_1' }), 'a-window_1');
  assert.equal(await make({}), undefined);
  for (const name of ['', 'two words', 'x'.repeat(41), '<b>'])
    assert.equal(await make({ 'X-Vitrine-Window': name }), undefined);
});

test('admin window of another workspace receives no changes', async (t) => {
  const { site, token, clock } = await setUp(t);
  const other = (
    await site.call('POST', '/api/auth/register', { body: { email: 'two@store.test', password: 'correct horse' } })
  ).body;
  const window = await connectWindow(t, site, other.token);
  await window.next(window.type('ready'));
  const { client } = await pairPlayer(t, site, token);
  client.say({ type: 'heartbeat', telemetry: { cpu_usage: 5 } });
  await client.next('heartbeat.ack');
  await site.call('POST', '/api/playlists', { token, body: { name: 'x' } });
  clock.advance(2_000);
  window.socket.send('{"type":"ping"}');
  await window.next(window.type('pong'));
  assert.deepEqual(
    window.said.filter((m) => m.type !== 'pending'),
    [],
  );
});

test('players that wait for pairing are announced to editors', async (t) => {
  const { site, token, clock } = await setUp(t);
  const window = await connectWindow(t, site, token);
  await window.next(window.type('ready'));
  const player = await connectPlayer(t, site);
  player.say({ type: 'hello', protocol: 1, secret_hash: hashOf('cd'.repeat(32)), device: DEVICE });
  await player.next('pairing');
  clock.advance(1_100);
  await window.next(window.type('pending'));
});

test('connection of an admin window is closed when the credential is wrong, absent or expired', async (t) => {
  const { site, token, clock } = await setUp(t);
  assert.equal(await (await connectWindow(t, site, 'wrong')).closed, 4401);
  const impatient = await connectWindow(t, site, null);
  impatient.socket.send('{"type":"ping"}');
  assert.equal(await impatient.closed, 4401);
  const rubbish = await connectWindow(t, site, null);
  rubbish.socket.send('rubbish');
  assert.equal(await rubbish.closed, 4400);
  const silent = await connectWindow(t, site, null);
  clock.advance(10_100);
  await new Promise((next) => setTimeout(next, 250));
  clock.advance(1_100);
  assert.equal(await silent.closed, 4408);
  const access = (await site.call('POST', '/api/tokens', { token, body: { name: 'live', scope: 'read' } })).body;
  const window = await connectWindow(t, site, access.token);
  await window.next(window.type('ready'));
  assert.equal((await site.call('DELETE', `/api/tokens/${access.id}`, { token })).status, 200);
  assert.equal(await window.closed, 4401);
});

test('connection is refused from a page of another origin, and accepted from the server’s own page', async (t) => {
  const { site, token } = await setUp(t);
  await assert.rejects(connectWindow(t, site, token, { Origin: 'http://evil.example' }), /403/);
  await assert.rejects(connectWindow(t, site, token, { Origin: 'null' }), /403/);
  const own = await connectWindow(t, site, token, { Origin: site.origin });
  await own.next(own.type('ready'));
});

test('stopping server closes connections of admin windows with 1001', async (t) => {
  const { site, token } = await setUp(t);
  const window = await connectWindow(t, site, token);
  await window.next(window.type('ready'));
  await site.app.stop();
  assert.equal(await window.closed, 1001);
});
