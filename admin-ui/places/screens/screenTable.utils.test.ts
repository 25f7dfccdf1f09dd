import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '../../../shared/contract/devices.ts';
import { nextOrder, orderOf, screenColumns, sortedBy } from './screenTable.utils.ts';

const screen = (name: string, more: Partial<Device> = {}) =>
  ({
    name,
    status: 'online',
    playlist_id: null,
    tags: [],
    version: '',
    local_ip: null,
    ip_address: null,
    storage_free_mb: null,
    last_heartbeat: null,
    ...more,
  }) as unknown as Device;
const screens = [
  screen('Screen 10', { version: '1.10', storage_free_mb: 5, ip_address: '10.0.0.10', playlist_id: 'p' }),
  screen('Screen 2', { version: '1.9', last_heartbeat: 9, local_ip: '10.0.0.2', tags: ['Bar'] }),
  screen('Counter', { status: 'offline', storage_free_mb: 4, last_heartbeat: 8, tags: ['Till'], playlist_id: 'q' }),
];
const names: Record<string, string> = { p: 'Winter', q: 'Autumn' };
const sorted = (text: string) =>
  sortedBy(screens, orderOf(text), { locale: 'en', nameOf: (id) => names[id] }).map(({ name }) => name);

test('a table is sorted by any column, either way; what is not known comes last both times', () => {
  const [ten, two, counter] = ['Screen 10', 'Screen 2', 'Counter'];
  assert.deepEqual(sorted(''), [ten, two, counter]);
  assert.deepEqual(sorted('name'), [counter, two, ten]);
  assert.deepEqual(sorted('-name'), [ten, two, counter]);
  assert.deepEqual(sorted('state'), [counter, two, ten]);
  assert.deepEqual(sorted('playlist'), [counter, ten, two]);
  assert.deepEqual(sorted('-playlist'), [ten, counter, two]);
  assert.deepEqual(sorted('tags'), [two, counter, ten]);
  assert.deepEqual(sorted('version'), [two, ten, counter]);
  assert.deepEqual(sorted('-version'), [ten, two, counter]);
  assert.deepEqual(sorted('address'), [two, ten, counter]);
  assert.deepEqual(sorted('storage'), [counter, ten, two]);
  assert.deepEqual(sorted('-seen'), [two, counter, ten]);
});

test('a head is pressed for up, down, and the order of the wall again', () => {
  for (const by of screenColumns) {
    assert.equal(nextOrder(undefined, by), by);
    assert.equal(nextOrder(orderOf(by), by), `-${by}`);
    assert.equal(nextOrder(orderOf(`-${by}`), by), undefined);
  }
  assert.equal(nextOrder(orderOf('-name'), 'tags'), 'tags');
  assert.equal(orderOf('colour'), undefined);
});
