import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceQuery } from '../../../shared/contract/screens/devices.ts';
import { findDevices, textOf } from './device-query.ts';
import type { DeviceRow } from './devices.store.ts';
import type { LiveState } from './devices.view.ts';

const row = (id: string, more: Partial<DeviceRow> = {}) =>
  ({
    id,
    name: id,
    notes: '',
    tags: [],
    playlist_id: null,
    layout_id: null,
    version: '1',
    ip_address: null,
    local_ip: null,
    last_heartbeat: null,
    storage_free_mb: null,
    created_at: 0,
    ...more,
  }) as unknown as DeviceRow;
const live = (more: object = {}) =>
  ({
    status: 'online',
    lastHeartbeat: 5,
    telemetry: { storage_free_mb: 50, local_ip: '10.0.0.7' },
    info: { version: '2', ip_address: '192.168.1.9' },
    program: null,
    showing: [{}],
    screenOn: true,
    ...more,
  }) as unknown as LiveState;

const rows = [
  row('Screen 10', { playlist_id: 'b', tags: ['Window'], last_heartbeat: 9, storage_free_mb: 10, created_at: 3 }),
  row('Screen 2', { playlist_id: 'a', notes: 'Beside the Till', created_at: 2 }),
  row('Counter', { layout_id: 'l', created_at: 1 }),
];
const now = new Map([
  ['Counter', live()],
  ['Screen 2', live({ program: { id: 'p', state: 'failed' }, lastHeartbeat: 7 })],
]);
const find = (query: Partial<DeviceQuery>, members?: ReadonlySet<string>, others?: ReadonlySet<string>) =>
  findDevices(
    rows.map((one) => ({ row: one, text: textOf(one) })),
    { direction: 'asc', ...query },
    { live: (id) => now.get(id), members, others, playlistName: (id) => ({ a: 'Autumn', b: 'Bakery' })[id] },
  ).map((one) => one.row.id);
const [TEN, TWO, COUNTER] = ['Screen 10', 'Screen 2', 'Counter'];

test('a query without filters returns all devices in the order of the list', () =>
  assert.deepEqual(find({}), [TEN, TWO, COUNTER]));

test('a query finds a device by name, notes, tags and addresses, regardless of case', () => {
  assert.deepEqual(find({ q: ' SCREEN ' }), [TEN, TWO]);
  assert.deepEqual(find({ q: 'till' }), [TWO]);
  assert.deepEqual(find({ q: 'window' }), [TEN]);
  assert.deepEqual(find({ q: '10.0.0.7' }), [TWO, COUNTER]);
  assert.deepEqual(find({ q: '192.168.1.9' }), [TWO, COUNTER]);
  assert.deepEqual(find({ q: '2beside' }), []);
});

test('filters by tag, version, group and state narrow the result together', () => {
  assert.deepEqual(find({ tag: 'wINDOW' }), [TEN]);
  assert.deepEqual(find({ tag: 'wind' }), []);
  assert.deepEqual(find({ version: '2' }), [TWO, COUNTER]);
  assert.deepEqual(find({ version: '1' }), [TEN]);
  assert.deepEqual(find({}, new Set([COUNTER!, TEN!])), [TEN, COUNTER]);
  assert.deepEqual(find({}, undefined, new Set([COUNTER!, TEN!])), [TWO]);
  assert.deepEqual(find({ ids: [TWO!, 'nobody'] }), [TWO]);
  assert.deepEqual(find({ layout_id: 'l' }), [COUNTER]);
  assert.deepEqual(find({ status: 'offline' }), [TEN]);
  assert.deepEqual(find({ status: 'online' }), [TWO, COUNTER]);
  assert.deepEqual(find({ status: 'problems' }), [TEN, TWO]);
  assert.deepEqual(find({ status: 'problems', q: 'till' }), [TWO]);
});

test('sorting is natural in both directions, with unknown values last and equal values by name', () => {
  assert.deepEqual(find({ sort: 'name' }), [COUNTER, TWO, TEN]);
  assert.deepEqual(find({ sort: 'name', direction: 'desc' }), [TEN, TWO, COUNTER]);
  assert.deepEqual(find({ sort: 'status' }), [TEN, TWO, COUNTER]);
  assert.deepEqual(find({ sort: 'last_seen' }), [COUNTER, TWO, TEN]);
  assert.deepEqual(find({ sort: 'last_seen', direction: 'desc' }), [TEN, TWO, COUNTER]);
  assert.deepEqual(find({ sort: 'storage' }), [TEN, COUNTER, TWO]);
  assert.deepEqual(find({ sort: 'version', direction: 'desc' }), [COUNTER, TWO, TEN]);
  assert.deepEqual(find({ sort: 'playlist' }), [TWO, TEN, COUNTER]);
  assert.deepEqual(find({ sort: 'playlist', direction: 'desc' }), [TEN, TWO, COUNTER]);
  assert.deepEqual(find({ sort: 'tags' }), [TEN, COUNTER, TWO]);
  assert.deepEqual(find({ sort: 'address' }), [COUNTER, TWO, TEN]);
  assert.deepEqual(find({ sort: 'created' }), [COUNTER, TWO, TEN]);
  now.delete(COUNTER!);
  assert.deepEqual(find({ sort: 'last_seen', direction: 'desc' }), [TEN, TWO, COUNTER], 'never heard is last');
});
