import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { ownedSite, TestClock } from '../../../test/harness.ts';
import { connectPlayer, DEVICE, pairPlayer, passing } from '../../../test/player-client.ts';

const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  return { clock, ...(await ownedSite(t, { clock })) };
};

test('a paired device has real values in every field, and its telemetry is available at once', async (t) => {
  const { site, token, call } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token, 'Window');
  client.say({
    type: 'heartbeat',
    telemetry: {
      local_ip: '192.168.1.20',
      local_ip6: 'fe80::1',
      wifi_ssid: 'permission',
      wifi_rssi: -60,
      cpu_usage: 12.5,
      storage_free_mb: 1000,
      battery_level: null,
      uptime_seconds: 60,
    },
  });
  await client.next('heartbeat.ack');
  const { status, body, headers } = await call('GET', '/api/devices');
  assert.equal(status, 200);
  assert.equal(headers.get('x-total-count'), '1');
  const [device] = body;
  assert.equal(device.id, deviceId);
  assert.equal(device.name, 'Window');
  assert.equal(device.status, 'online');
  assert.equal(device.local_ip, '192.168.1.20');
  assert.equal(device.local_ip6, null, 'a link-local address is not carried');
  assert.equal(device.wifi_ssid, 'permission');
  assert.equal(device.cpu_usage, 12.5);
  assert.equal(device.battery_level, null);
  assert.equal(device.ip_address, '127.0.0.1');
  assert.equal(device.platform, 'linux');
  assert.deepEqual(device.capabilities, ['screen']);
  assert.equal(device.orientation, '0');
  assert.equal('secret_hash' in device, false);
});

test('an absent telemetry field keeps its value, and a null field clears it', async (t) => {
  const { site, token, call } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  client.say({ type: 'heartbeat', telemetry: { wifi_rssi: -50, cpu_usage: 1 } });
  client.say({ type: 'heartbeat', telemetry: { cpu_usage: null } });
  await client.next('heartbeat.ack');
  await client.next('heartbeat.ack');
  const { body } = await call('GET', `/api/devices/${deviceId}`);
  assert.equal(body.wifi_rssi, -50);
  assert.equal(body.cpu_usage, null);
  assert.deepEqual(
    body.telemetry.map((row: any) => row.cpu_usage),
    [null, 1],
    'newest first',
  );
});

test('the detail contains the latest 20 reports, the status log, the assignments and their source', async (t) => {
  const { site, token, call, clock } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  for (let i = 0; i < 25; i++) {
    client.say({ type: 'heartbeat', telemetry: { uptime_seconds: i } });
    await client.next('heartbeat.ack');
    clock.advance(15_000);
  }
  const { body, headers } = await call('GET', `/api/devices/${deviceId}`);
  assert.equal(body.telemetry.length, 20);
  assert.equal(body.telemetry[0].uptime_seconds, 24);
  assert.equal(body.telemetry[19].uptime_seconds, 5);
  assert.deepEqual(
    body.status_log.map((row: any) => [row.status, row.until]),
    [['online', null]],
  );
  assert.deepEqual(body.assignments, []);
  assert.equal(body.playlist_source, null);
  assert.equal(body.current_playlist_id, null);
  assert.equal(headers.get('etag'), '"1"');
  const playlist = (await call('POST', '/api/playlists', { name: 'Spring' })).body;
  await call('POST', `/api/playlists/${playlist.id}/publish`);
  await call('POST', `/api/playlists/${playlist.id}/assign`, { device_id: deviceId });
  await client.next('program');
  const after = (await call('GET', `/api/devices/${deviceId}`)).body;
  assert.equal(after.playlist_id, playlist.id);
  assert.equal(after.current_playlist_id, playlist.id);
  assert.equal(after.playlist_source, 'device');
  assert.equal((await call('DELETE', `/api/devices/${deviceId}/playlist`)).status, 200);
  assert.equal((await call('GET', `/api/devices/${deviceId}`)).body.playlist_id, null);
});

test('the API returns the same program of a device as its player gets, with location and time zone', async (t) => {
  const { site, token, call } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  await call('PUT', `/api/devices/${deviceId}`, { timezone: 'Pacific/Auckland', orientation: '90' });
  const playlist = (await call('POST', '/api/playlists', { name: 'Window' })).body;
  await call('POST', `/api/playlists/${playlist.id}/publish`);
  await call('POST', `/api/playlists/${playlist.id}/assign`, { device_id: deviceId });
  const { status, body } = await call('GET', `/api/devices/${deviceId}/program`);
  assert.equal(status, 200);
  assert.deepEqual(body.placement, { orientation: '90', timezone: 'Pacific/Auckland', wall: null });
  assert.deepEqual(body.program.base, { layout_id: null, playlist_id: playlist.id, item: null, source: 'device' });
  const name = createHash('sha256').update(JSON.stringify(body.program)).digest('hex');
  await client.next((said) => said.type === 'program' && said['id'] === name);
  assert.equal((await call('GET', '/api/devices/nobody/program')).status, 404);
});

test('opening hours reach the player with its location, [] or null removes them, and an error names an invalid entry', async (t) => {
  const { site, token, call } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  const path = `/api/devices/${deviceId}`;
  assert.deepEqual((await call('GET', path)).body.opening_hours, []);
  const hours = { days: [6, 1, 1], start: '08:00', end: '24:00', start_date: '', end_date: '2026-12-31' };
  const stored = { days: [1, 6], start: '08:00', end: '24:00', start_date: null, end_date: '2026-12-31' };
  assert.deepEqual((await call('PUT', path, { opening_hours: [hours] })).body.opening_hours, [stored]);
  assert.deepEqual((await client.next('program')).placement.hours, [stored]);
  await call('PUT', path, { name: 'Window' });
  assert.deepEqual(
    (await call('GET', '/api/devices')).body[0].opening_hours,
    [stored],
    'another change leaves them alone',
  );
  for (const none of [[], null]) {
    await call('PUT', path, { opening_hours: [hours] });
    assert.equal((await call('PUT', path, { opening_hours: none })).status, 200);
    assert.deepEqual((await call('GET', path)).body.opening_hours, []);
    await client.next((said) => said.type === 'program' && said['placement'].hours === undefined);
  }
  for (const [wrong, member] of [
    [{ ...hours, end: '08:00' }, 'end'],
    [{ ...hours, start: '8am' }, 'start'],
    [{ ...hours, days: [7] }, 'days'],
    [{ ...hours, days: [] }, 'days'],
    [{ ...hours, start_date: '2027-01-01' }, 'end_date'],
  ] as const) {
    const refused = await call('PUT', path, { opening_hours: [wrong] });
    assert.equal(refused.status, 400);
    assert.match(refused.body.error, new RegExp(`opening_hours.*${member}`));
  }
  assert.equal((await call('PUT', path, { opening_hours: 'always' })).status, 400);
});

test('the panel state is shown as the player reports it, and is unknown while the player is offline', async (t) => {
  const { site, token, call, clock } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  const now = async () => (await call('GET', `/api/devices/${deviceId}`)).body.screen_on;
  assert.equal(await now(), null, 'not told yet');
  for (const screen_on of [false, true, false]) {
    client.say({ type: 'heartbeat', screen_on });
    await client.next('heartbeat.ack');
    assert.equal(await now(), screen_on);
  }
  client.say({ type: 'heartbeat' });
  await client.next('heartbeat.ack');
  assert.equal(await now(), false, 'unchanged');
  client.socket.close();
  await client.closed;
  do {
    clock.advance(5_000);
    await new Promise((next) => setImmediate(next));
  } while ((await call('GET', `/api/devices/${deviceId}`)).body.status === 'online');
  assert.equal(await now(), null);
});

test('a year of heartbeats leaves about a thousand status reports per device', async (t) => {
  const { site, token, clock } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  // Inserts three days of reports, one per minute. A socket could not send that many within the flood limit.
  const insert = site.app.db.raw.prepare('INSERT INTO telemetry (device_id, reported_at) VALUES (?, ?)');
  const now = Math.floor(clock.now() / 1000);
  for (let minute = 3 * 1440; minute > 0; minute--) insert.run(deviceId, now - minute * 60);
  insert.run(deviceId, now - 31 * 86_400);
  client.say({ type: 'heartbeat', telemetry: { uptime_seconds: 1 } });
  await client.next('heartbeat.ack');
  await site.call('GET', `/api/devices/${deviceId}`, { token });
  const count = (from: number, to: number) =>
    (
      site.app.db.raw
        .prepare('SELECT count(*) AS n FROM telemetry WHERE device_id = ? AND reported_at >= ? AND reported_at < ?')
        .get(deviceId, now - from, now - to) as {
        n: number;
      }
    ).n;
  assert.equal(count(40 * 86_400, 30 * 86_400), 0, 'nothing older than 30 days');
  assert.ok(count(3 * 86_400, 86_400) <= 49, 'one an hour beyond a day');
  const { body } = await site.call('GET', `/api/devices/${deviceId}/telemetry?hours=24`, { token });
  assert.ok(body.length > 1000, 'the last day is untouched by this sweep');
  assert.ok(body[0].reported_at < body.at(-1).reported_at, 'oldest first');
});

test('beyond the latest 20 reports, one report per five minutes is kept', async (t) => {
  const { site, token, clock, call } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  for (let i = 0; i < 100; i++) {
    client.say({ type: 'heartbeat', telemetry: { uptime_seconds: i } });
    await client.next('heartbeat.ack');
    clock.advance(15_000);
    if (i % 10 === 0) await call('GET', `/api/devices/${deviceId}`);
  }
  const { body } = await call('GET', `/api/devices/${deviceId}/telemetry`);
  const older = body.slice(0, -20).map((row: any) => Math.floor(row.reported_at / 300));
  assert.equal(new Set(older).size, older.length);
  assert.ok(older.length >= 4 && older.length <= 5, `${older.length}`);
});

test('editing a device answers 404 for references outside the workspace, and 400 with the name of an invalid field', async (t) => {
  const { site, token, call } = await setUp(t);
  const { client, deviceId } = await pairPlayer(t, site, token);
  const path = `/api/devices/${deviceId}`;
  const { status, body } = await call('PUT', path, {
    name: ' Entrance ',
    notes: 'left\nof the door',
    timezone: 'America/New_York',
    orientation: 'portrait',
    layout_id: '',
    default_content_id: null,
  });
  assert.equal(status, 200);
  assert.deepEqual(
    [body.name, body.notes, body.timezone, body.orientation, body.layout_id],
    ['Entrance', 'left\nof the door', 'America/New_York', '90', null],
  );
  const program = await client.next('program');
  assert.equal(program.placement.orientation, '90');
  assert.equal(program.placement.timezone, 'America/New_York');
  for (const [member, value] of [
    ['name', ''],
    ['name', 5],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+01:00'],
    ['orientation', '45'],
    ['notes', 7],
    ['layout_id', 3],
  ] as const) {
    const refused = await call('PUT', path, { [member]: value });
    assert.equal(refused.status, 400, member);
    assert.match(refused.body.error, new RegExp(member));
  }
  assert.equal((await call('PUT', path, { layout_id: 'nope' })).status, 404);
  assert.equal((await call('PUT', path, { default_content_id: 'nope' })).status, 404);
  assert.equal((await call('GET', path)).body.name, 'Entrance', 'a refused change changes nothing');
  assert.equal((await call('PUT', path, { name: 'Late' }, { 'If-Match': '"1"' })).status, 412);
  assert.equal((await call('PUT', '/api/devices/none', { name: 'x' })).status, 404);
});

test('the device list is sorted by name, its pages contain the total, and an unchanged list answers 304', async (t) => {
  const { site, token, call } = await setUp(t);
  for (const name of ['Till 2', 'Über uns', 'till 10']) await pairPlayer(t, site, token, name);
  const all = await call('GET', '/api/devices');
  assert.deepEqual(
    all.body.map((d: any) => d.name),
    ['Till 2', 'till 10', 'Über uns'],
  );
  const page = await call('GET', '/api/devices?limit=1&offset=1');
  assert.deepEqual([page.body.length, page.body[0].name, page.headers.get('x-total-count')], [1, 'till 10', '3']);
  const etag = page.headers.get('etag')!;
  assert.equal((await call('GET', '/api/devices?limit=1&offset=1', undefined, { 'If-None-Match': etag })).status, 304);
  await call('PUT', `/api/devices/${page.body[0].id}`, { name: 'Till 11' });
  const changed = await call('GET', '/api/devices?limit=1&offset=1', undefined, { 'If-None-Match': etag });
  assert.deepEqual([changed.status, changed.body[0].name], [200, 'Till 11']);
});

test('deleting a device un-pairs its player at once, and the credential becomes invalid', async (t) => {
  const { site, token, call, clock } = await setUp(t);
  const { client, deviceId, credential, secret } = await pairPlayer(t, site, token);
  assert.equal((await call('DELETE', `/api/devices/${deviceId}`)).status, 200);
  assert.equal((await client.next('unpaired')).reason, 'removed');
  assert.equal((await client.closed).code, 4401);
  assert.equal((await call('GET', `/api/devices/${deviceId}`)).status, 404);
  assert.equal((await site.call('GET', `/api/player/programs/${'0'.repeat(64)}`, { token: credential })).status, 401);
  const back = await connectPlayer(t, site);
  back.say({ type: 'hello', protocol: 1, device_id: deviceId, secret, device: DEVICE });
  const answer = back.next('unpaired');
  await passing(clock, 600, answer);
  assert.equal((await answer).reason, 'unknown');
  assert.equal((await call('GET', '/api/devices')).body.length, 0);
});

test('identify shows name and location on the screen, and is not sent to a player that is too old for it', async (t) => {
  const { site, token, call } = await setUp(t);
  const { client: old, deviceId: oldId } = await pairPlayer(t, site, token, 'Old');
  assert.deepEqual((await call('POST', `/api/devices/${oldId}/identify`, {})).body, {
    success: true,
    status: 'unsupported',
  });
  const { client, deviceId } = await pairPlayer(t, site, token, 'New', { capabilities: ['screen', 'identify'] });
  const group = (await call('POST', '/api/groups', { name: 'Entrance' })).body.id;
  for (const id of [oldId, deviceId]) await call('POST', `/api/groups/${group}/devices`, { device_id: id });
  assert.deepEqual((await call('POST', `/api/devices/${deviceId}/identify`, { seconds: 45 })).body, {
    success: true,
    status: 'sent',
  });
  assert.deepEqual(await client.next('identify'), { type: 'identify', seconds: 45, groups: ['Entrance'] });
  const { body } = await call('POST', `/api/groups/${group}/identify`, {});
  assert.deepEqual([body.sent, body.offline, body.total], [1, 1, 2]);
  assert.deepEqual(
    body.results.map((row: any) => [row.name, row.status]),
    [
      ['Old', 'unsupported'],
      ['New', 'sent'],
    ],
  );
  assert.equal((await client.next('identify')).seconds, 20, 'unless told otherwise');
  for (const seconds of [9, 61, 12.5, '20']) {
    const { status, body } = await call('POST', `/api/devices/${deviceId}/identify`, { seconds });
    assert.equal(status, 400);
    assert.match(body.error, /seconds/);
  }
  client.socket.terminate();
  for (;;) {
    const { status } = (await call('POST', `/api/devices/${deviceId}/identify`, {})).body;
    if (status === 'offline') break;
  }
  assert.ok(!old.heard.some(({ type }) => type === 'identify'));
});
