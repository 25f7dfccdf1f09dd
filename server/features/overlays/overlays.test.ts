import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { NewOverlay } from '../../../shared/contract/screens/overlays.ts';
import { must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';
import { openDatabase } from '../../db/open.ts';
import { Bus } from '../../kernel/bus.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { OverlaysService } from './overlays.service.ts';

const shops = openShops();
const uri = 'http://till.store.test/sale.png';

test('a player gets an overlay with the values of the request, and with the default values of the contract', async (t) => {
  const { call, screen } = await shops.open(t);
  const { deviceId, client } = await screen();
  const show = async (more = {}) => {
    const { pip_id } = must(await call('POST', '/api/pip', { device_id: deviceId, type: 'image', uri, ...more }));
    const { type: _t, pip_id: told, until, begin_by, ...shown } = await client.next('device:pip-show');
    assert.equal(told, pip_id);
    return { ...shown, until, begin_by };
  };
  const defaults = await show();
  assert.deepEqual(await show({ title: null, title_color: null, background_color: null }), defaults);
  assert.deepEqual(defaults, {
    kind: 'image',
    uri,
    position: 'top-right',
    width: 480,
    height: 360,
    duration: 0,
    opacity: 1,
    border_radius: 0,
    close_button: false,
    until: undefined,
    begin_by: undefined,
  });
  const all = {
    position: 'center',
    width: 40,
    height: 3840,
    duration: 86_400,
    title: 'Sale',
    title_color: '#112233',
    background_color: '#445566',
    opacity: 0.5,
    border_radius: 512,
    close_button: true,
  };
  const { until, begin_by, ...shown } = await show({ ...all, type: 'web', uri: 'https://store.test/' });
  assert.deepEqual(shown, { kind: 'web', uri: 'https://store.test/', ...all });
  assert.equal(typeof until, 'number');
  assert.equal(begin_by, until);
});

test('an invalid type, uri scheme, position, number or colour answers 400', async (t) => {
  const { call, screen } = await shops.open(t);
  const { deviceId } = await screen();
  const wrong: Record<string, unknown[]> = {
    device_id: ['', 7, null],
    type: ['video', '', 1],
    uri: ['ftp://x/y', 'javascript:alert(1)', 'file:///etc/passwd', '/a.png', 'data:text/html,x', 'http://', ''],
    position: ['middle', 'TOP-LEFT', 1],
    width: [39, 3841, 100.5, '100'],
    height: [39, 3841, -1],
    duration: [-1, 86_401, 0.5],
    title_color: ['red', '#fff', '#12345678'],
    background_color: ['#1234567', 'transparent'],
    opacity: [-0.1, 1.1, '1'],
    border_radius: [-1, 513, 1.5],
    close_button: ['yes', 1],
  };
  for (const [member, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { status, body } = await call('POST', '/api/pip', {
        device_id: deviceId,
        type: 'image',
        uri,
        [member]: value,
      });
      assert.equal(status, 400, `${member} ${value}`);
      assert.ok(body.error.startsWith(member), body.error);
    }
  }
  for (const edge of [
    { width: 40, height: 3840, duration: 0, opacity: 0, border_radius: 0 },
    { width: 3840, height: 40, opacity: 1 },
  ])
    must(await call('POST', '/api/pip', { device_id: deviceId, type: 'image', uri, ...edge }));
});

test('a group’s id addresses its screens, and the result counts players that are online and offline', async (t) => {
  const { call, screen, make } = await shops.open(t);
  const [on, off] = [await screen('On'), await screen('Off')];
  const group = (await make('/api/groups', { name: 'G' })).id;
  for (const { deviceId } of [on, off]) await make(`/api/groups/${group}/devices`, { device_id: deviceId });
  off.client.socket.close();
  await off.client.closed;
  const { pip_id, ...answer } = must(await call('POST', '/api/pip', { device_id: group, type: 'image', uri }));
  assert.equal(typeof pip_id, 'string');
  assert.deepEqual(answer, {
    success: true,
    target: 'group',
    sent: 1,
    offline: 1,
    total: 2,
    results: [
      { device_id: on.deviceId, name: 'On', status: 'shown' },
      { device_id: off.deviceId, name: 'Off', status: 'offline' },
    ],
  });
  assert.equal(must(await call('POST', '/api/pip', { device_id: on.deviceId, type: 'image', uri })).target, 'device');
});

test('showing or clearing an overlay answers 200 with zeros for an empty group, and 404 for an unknown target', async (t) => {
  const { call, make } = await shops.open(t);
  const group = (await make('/api/groups', { name: 'G' })).id;
  const zeros = { success: true, target: 'group', sent: 0, offline: 0, total: 0, results: [] };
  for (const [method, path, body] of [
    ['POST', '/api/pip', { type: 'image', uri }],
    ['DELETE', '/api/pip', {}],
    ['POST', '/api/pip/clear', {}],
  ] as const) {
    const { pip_id: _id, ...answer } = must(await call(method, path, { device_id: group, ...body }));
    assert.deepEqual(answer, zeros);
    assert.equal((await call(method, path, { device_id: 'nothing', ...body })).status, 404);
    assert.equal((await call(method, path, body)).status, 400);
  }
});

test('DELETE /pip and POST /pip/clear clear the named overlay, or any overlay when none is named', async (t) => {
  const { call, screen } = await shops.open(t);
  const { deviceId, client } = await screen();
  for (const [method, path] of [
    ['DELETE', '/api/pip'],
    ['POST', '/api/pip/clear'],
  ] as const) {
    const { pip_id } = must(await call('POST', '/api/pip', { device_id: deviceId, type: 'image', uri }));
    assert.deepEqual(must(await call(method, path, { device_id: deviceId, pip_id })), {
      success: true,
      target: 'device',
      sent: 1,
      offline: 0,
      total: 1,
      results: [{ device_id: deviceId, name: 'Window', status: 'sent' }],
    });
    assert.equal((await client.next('device:pip-clear'))['pip_id'], pip_id);
    must(await call('POST', '/api/pip', { device_id: deviceId, type: 'image', uri }));
    must(await call(method, path, { device_id: deviceId }));
    assert.equal((await client.next('device:pip-clear'))['pip_id'], undefined);
  }
});

test('showing and clearing are logged and announced, with the names of the group and of the overlay', async () => {
  const db = openDatabase(':memory:');
  const bus = new Bus(() => {});
  const announced = mock.fn();
  bus.on('changed', announced);
  const activity = { add: mock.fn() };
  const show = mock.fn(async () => []);
  const service = new OverlaysService({
    db,
    bus,
    activity,
    devices: { nameOf: (_workspace, id) => (id === 'window' ? 'Window' : undefined) },
    groups: { target: (_workspace, id) => (id === 'tills' ? { name: 'Tills', memberIds: ['a', 'b'] } : undefined) },
    overlays: { show, clear: async () => [] },
  });
  const actor = { workspaceId: 'here', userId: 'anna' } as WorkspaceActor;
  const overlay = { type: 'image', uri, title: '' } as NewOverlay;
  await service.show(actor, { ...overlay, device_id: 'window', title: 'Sale' });
  await service.show(actor, { ...overlay, device_id: 'tills' });
  await service.clear(actor, 'window', undefined);
  await service.clear(actor, 'tills', undefined);
  await db.durable();
  const by = { workspaceId: 'here', actor };
  assert.deepEqual(
    activity.add.mock.calls.map((call) => call.arguments[0]),
    [
      { ...by, action: 'overlay.shown', details: 'Sale', deviceId: 'window' },
      { ...by, action: 'overlay.shown', details: 'image: Tills', deviceId: null },
      { ...by, action: 'overlay.cleared', details: 'Window', deviceId: 'window' },
      { ...by, action: 'overlay.cleared', details: 'Tills', deviceId: null },
    ],
  );
  const told = (ids: string[]) => ({ workspaceId: 'here', by: 'anna', topic: 'overlays', ids });
  assert.deepEqual(
    announced.mock.calls.map((call) => call.arguments[0]),
    [told(['window']), told(['a', 'b']), told(['window']), told(['a', 'b'])],
  );
  // An empty title counts as no title.
  assert.deepEqual(
    show.mock.calls.map((call) => 'title' in (call.arguments as unknown[] as [string, string[], object])[2]),
    [true, false],
  );
});
