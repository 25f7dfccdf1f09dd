/** Members with a role in some regions neither see nor change anything in other regions, through any endpoint. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listStores } from '../../shared/contract/headquarters/stores.ts';
import { callAs, colleague, must } from '../people.ts';
import { until } from '../until.ts';
import { enrol, openHq, openScreen, openStore } from './rig.ts';

const WAIT_MS = 20_000;
const LOCK = { command: { type: 'screen_off' } };

test('editor of a region sees only the stores of this region, in lists, reports, commands and admin windows', async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const north = await enrol(hq, mill, { name: 'Mill', region: 'North' });
  const south = await enrol(hq, dock, { name: 'Dock', region: 'South' });
  for (const store of [mill, dock]) await (await openScreen(t, store, 'Till')).show(3);
  for (const { site } of [mill, dock]) site.app.chain.hurry();
  await until(
    'all plays are at headquarters',
    WAIT_MS,
    async () => (await hq.get('/api/stores/plays/totals')).plays === 6,
  );
  const cara = await colleague(hq.site, hq.owner, 'cara@hq.test', 'workspace_editor');
  const call = callAs(hq.site, cara.token);
  const get = async (path: string) => must(await call('GET', path));
  const names = async () => (await get('/api/stores')).map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(), ['Dock', 'Mill']);
  const give = async (regions: unknown, role = 'workspace_editor') =>
    must(await hq.call('PUT', `/api/workspaces/${hq.owner.workspaceId}/members/${cara.id}`, { role, regions }));
  await give([{ region: 'North', role: 'workspace_editor' }]);
  assert.deepEqual((await get('/api/auth/me')).rights.regions, [{ region: 'North', role: 'workspace_editor' }]);

  assert.deepEqual(await names(), ['Mill']);
  const { stores, regions } = await get('/api/stores/counts');
  assert.deepEqual([stores, regions], [1, ['North']]);
  assert.equal((await get('/api/stores/plays/totals')).plays, 3);
  assert.deepEqual(
    (await get('/api/stores/plays/sums?by=store')).map(({ name }: { name: string }) => name),
    ['Mill'],
  );
  for (const path of ['', '/incidents']) {
    assert.equal((await call('GET', `/api/stores/${south}${path}`)).status, 404, path);
    assert.equal((await call('GET', `/api/stores/${north}${path}`)).status, 200, path);
  }
  assert.equal((await call('GET', `/api/stores/plays?store_id=${south}`)).status, 404);
  const order = (stores: object) => call('POST', '/api/stores/orders', { ...LOCK, stores });
  assert.equal((await order({ which: 'named', ids: [south] })).status, 404);
  const all = must(await order({ which: 'all' }), 201);
  assert.deepEqual(
    (await get(`/api/stores/orders/${all.id}/stores`)).map(({ store_name }: { store_name: string }) => store_name),
    ['Mill'],
  );
  const other = must(await hq.call('POST', '/api/stores/orders', { ...LOCK, stores: { which: 'all' } }), 201);
  assert.equal((await call('GET', `/api/stores/orders/${other.id}`)).status, 404, 'it names stores of others');
  assert.deepEqual((await get('/api/stores/orders')).length, 1);

  // The log leaves out entries of other members that name a store. The editor's own command stays in the list.
  const log = await get('/api/activity?limit=200');
  const about = log.filter(({ action }: { action: string }) => /^(store|campaign)[.]/.test(action));
  assert.deepEqual(
    about.map(({ user_id, action }: { user_id: string; action: string }) => [user_id, action]),
    [[cara.id, 'store.commanded']],
  );
  assert.doesNotMatch(JSON.stringify(log), /Dock/);
  const { headers } = await call('GET', '/api/activity?limit=1');
  assert.equal(Number(headers.get('x-total-count')), log.length);
  assert.match(JSON.stringify(await hq.get('/api/activity?limit=200')), /Dock/);

  const window = (store: string) => callAs(hq.site, cara.token)('GET', `/store/${store}/api/auth/me`);
  await until('the store listens', WAIT_MS, async () => (await window(north)).status === 200);
  assert.equal((await window(south)).status, 404);
  assert.equal(must(await window(north)).can_admin, false);

  // A member's role in the stores of a region may be higher or lower than the member's role at headquarters.
  await give(
    [
      { region: 'North', role: 'workspace_admin' },
      { region: 'South', role: 'workspace_viewer' },
    ],
    'workspace_editor',
  );
  assert.equal(must(await window(north)).can_admin, true);
  const refused = await order({ which: 'named', ids: [south] });
  assert.equal(refused.status, 403);
  assert.match(refused.body.error, /You can view stores in the region South, but not change them\. Dock is/);
  await give([]);
  assert.deepEqual(await names(), []);
  await give(null);
  assert.deepEqual(await names(), ['Dock', 'Mill']);
});

test('administrators see every region, even if their membership names none', async (t) => {
  const hq = await openHq(t);
  must(await hq.call('POST', '/api/stores', { name: 'Mill', region: 'North' }), 201);
  const cara = await colleague(hq.site, hq.owner, 'cara@hq.test', 'workspace_admin');
  const path = `/api/workspaces/${hq.owner.workspaceId}/members/${cara.id}`;
  must(await hq.call('PUT', path, { role: 'workspace_admin', regions: [] }));
  assert.equal(must(await callAs(hq.site, cara.token)('GET', listStores.path)).length, 1);
  for (const regions of [
    [{ region: 'North' }],
    [{ region: 'N', role: 'king' }],
    'North',
    Array(2).fill({ region: 'N', role: 'workspace_viewer' }),
  ])
    assert.equal((await hq.call('PUT', path, { role: 'workspace_editor', regions })).status, 400);
});
