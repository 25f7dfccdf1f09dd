import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login, must } from '../people.ts';
import { openShops } from '../shop.ts';

const shops = openShops();

test('activity log says who did what, when and from where, the newest first, as list pages with a total', async (t) => {
  const { call, make, owner, clock } = await shops.open(t);
  await make('/api/folders', { name: 'Spring' });
  must(await call('POST', '/api/groups', { name: 'Ground floor' }, { 'X-Forwarded-For': '10.1.2.3' }), 201);
  const { body, headers } = await call('GET', '/api/activity?limit=1');
  assert.ok(Number(headers.get('x-total-count')) >= 2);
  const [{ id, ...entry }] = body;
  assert.equal(typeof id, 'string');
  assert.deepEqual(entry, {
    user_id: owner.id,
    user_name: owner.email.split('@')[0],
    device_id: null,
    action: 'group.created',
    details: 'Ground floor',
    ip_address: '10.1.2.3',
    workspace_id: owner.workspaceId,
    created_at: Math.floor(clock.now() / 1000),
  });
  assert.equal(must(await call('GET', '/api/activity?limit=1&offset=1'))[0].action, 'folder.created');
});

test('every change of a group names the group in its details', async (t) => {
  const { call, make, get, screen, image, playlist } = await shops.open(t);
  const { deviceId: device_id } = await screen();
  const content_id = await image();
  const playlist_id = await playlist([content_id]);
  const { id } = await make('/api/groups', { name: 'Before' });
  const path = `/api/groups/${id}`;
  const plan = {
    group_id: id,
    content_id,
    title: 'Plan',
    start_time: '2026-03-10T09:00',
    end_time: '2026-03-10T10:00',
  };
  const overlay = { device_id: id, type: 'image', uri: 'http://x.test/a.png', title: 'Sale' };
  let schedule = '';
  const acts: readonly [what: string, act: () => Promise<{ status: number }>][] = [
    ['group.updated', () => call('PUT', path, { name: 'Ground floor' })],
    ['group.device_added', () => call('POST', `${path}/devices`, { device_id })],
    ['group.playlist_assigned', () => call('POST', `${path}/assign-playlist`, { playlist_id })],
    ['group.content_assigned', () => call('POST', `${path}/assign-content`, { content_id })],
    ['group.command', () => call('POST', `${path}/command`, { type: 'screen_on' })],
    ['group.identify', () => call('POST', `${path}/identify`, {})],
    ['overlay.shown', () => call('POST', '/api/pip', overlay)],
    ['overlay.shown', () => call('POST', '/api/pip', { ...overlay, title: undefined })],
    ['message.sent', () => call('POST', '/api/messages', { text: 'Sale', targets: [{ kind: 'group', id }] })],
    ['overlay.cleared', () => call('DELETE', '/api/pip', { device_id: id })],
    ['overlay.cleared', () => call('POST', '/api/pip/clear', { device_id: id })],
    [
      'schedule.created',
      async () => {
        const answer = await call('POST', '/api/schedules', plan);
        schedule = answer.body.id;
        return answer;
      },
    ],
    ['schedule.updated', () => call('PUT', `/api/schedules/${schedule}`, { title: '' })],
    ['schedule.deleted', () => call('DELETE', `/api/schedules/${schedule}`)],
    ['group.device_removed', () => call('DELETE', `${path}/devices/${device_id}`)],
    ['group.deleted', () => call('DELETE', path)],
  ];
  for (const [what, act] of acts) {
    assert.ok((await act()).status < 300, what);
    const entries = (await get('/api/activity?limit=5')).filter((entry: any) => entry.action === what);
    assert.match(entries[0]?.details ?? 'nothing', /Ground floor/, what);
  }
  // An entry names a single screen by its field device_id.
  must(await call('POST', '/api/pip', { ...overlay, device_id }));
  const [entry] = await get('/api/activity?limit=1');
  assert.deepEqual([entry.details, entry.device_id], ['Sale', device_id]);
});

test('filter device_id lists the entries about a device, also a deleted device, and gives 404 for an unknown id', async (t) => {
  const { call, get, screen } = await shops.open(t);
  const [one, two] = [await screen('1'), await screen('2')];
  must(await call('PUT', `/api/devices/${one.deviceId}`, { name: 'Door' }));
  must(await call('PUT', `/api/devices/${two.deviceId}`, { name: 'Hall' }));
  const actions = async () => (await get(`/api/activity?device_id=${one.deviceId}`)).map((entry: any) => entry.action);
  assert.deepEqual(await actions(), ['device.updated', 'device.paired']);
  must(await call('DELETE', `/api/devices/${one.deviceId}`));
  assert.deepEqual(await actions(), ['device.deleted', 'device.updated', 'device.paired']);
  assert.equal((await call('GET', '/api/activity?device_id=nothing')).status, 404);
});

test('details in the activity log contain no password, token, code or key', async (t) => {
  const { call, make, get, site, owner } = await shops.open(t);
  const { token } = await make('/api/tokens', { name: 'Till' });
  const { secret } = must(await call('POST', '/api/auth/totp/setup'));
  await login(site, owner.email, 'a wrong password of mine');
  must(await call('PUT', '/api/auth/me', { password: 'another secret horse', current_password: 'correct horse' }));
  const text = JSON.stringify(await get('/api/activity'));
  for (const hidden of ['a wrong password', 'another secret', 'correct horse', secret, token, owner.token])
    assert.equal(text.includes(hidden), false, hidden);
});
