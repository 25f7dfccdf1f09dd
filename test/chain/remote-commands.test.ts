/** A command from headquarters to screens of stores: real servers, a real connection, and a player that executes it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../people.ts';
import { pairPlayer } from '../player-client.ts';
import { until } from '../until.ts';
import { enrol, openHq, openStore } from './rig.ts';

const WAIT_MS = 20_000;

test("store's screen executes a command of headquarters, unless the store permits no actions", async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const { client, deviceId } = await pairPlayer(t, mill.site, mill.owner.token, 'Till');
  await pairPlayer(t, mill.site, mill.owner.token, 'Door');
  must(await mill.call('PUT', `/api/devices/${deviceId}`, { tags: ['window'] }));
  const millId = await enrol(hq, mill, { name: 'Mill', region: 'North' });
  const dockId = await enrol(hq, dock, { name: 'Dock', region: 'South' });
  must(await dock.call('PUT', '/api/chain', { may: 'workspace_viewer' }));
  await pairPlayer(t, dock.site, dock.owner.token, 'Gate');

  const given = must(
    await hq.call('POST', '/api/stores/orders', {
      command: { type: 'screen_off' },
      stores: { which: 'all' },
      tag: null,
    }),
    201,
  );
  const become = async (state: string, store: string) => {
    const rows = must(await hq.call('GET', `/api/stores/orders/${given.id}/stores?state=${state}`));
    return rows.find((row: { store_id: string }) => row.store_id === store);
  };
  const told = await client.next('command');
  assert.equal(told['command'], 'screen_off');
  client.say({ type: 'command.result', id: told['id'], status: 'done' });
  await until('Mill has answered', WAIT_MS, async () => (await become('done', millId)) !== undefined);
  await until('Dock has refused', WAIT_MS, async () => (await become('refused', dockId)) !== undefined);

  const order = await hq.get(`/api/stores/orders/${given.id}`);
  // One of the two screens has acknowledged, because the other screen of the store has not answered.
  assert.deepEqual([order.screens, order.acked, order.failed], [2, 1, 0]);
  assert.deepEqual(order.states, { refused: 1, expired: 0, taken_back: 0, waiting: 0, told: 0, done: 1 });
  const { error, store_name, region } = await become('refused', dockId);
  assert.deepEqual([store_name, region, error], ['Dock', 'South', 'Only an editor of the workspace may do this']);

  const me = await hq.get('/api/auth/me');
  const entries = (await mill.get('/api/activity')).slice(0, 2);
  assert.deepEqual(
    entries.map((entry: { action: string; details: string }) => `${entry.action} ${entry.details}`).sort(),
    ['device.command screen_off: Door', 'device.command screen_off: Till'],
  );
  for (const { user_name } of entries) assert.ok(user_name.startsWith(`${me.name} (`), user_name);
  const [here] = await hq.get('/api/activity');
  assert.deepEqual([here.action, here.details], ['store.commanded', 'screen_off: 2 stores']);
});
