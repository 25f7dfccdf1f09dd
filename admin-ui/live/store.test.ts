import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveStore } from './store.ts';

test('a heartbeat tells those who draw this screen and nobody else; a status also those who count', () => {
  const store = new LiveStore();
  const told: string[] = [];
  store.subscribe(() => told.push('count'));
  store.subscribeDevice('a', () => told.push('a'));
  store.subscribeDevice('b', () => told.push('b'));
  store.patch([{ device_id: 'a', last_heartbeat: 5 }]);
  assert.deepEqual(told, ['a']);
  store.patch([{ device_id: 'a', status: 'offline' }]);
  store.patch([{ device_id: 'a', status: 'offline' }]);
  assert.deepEqual(told, ['a', 'count', 'a', 'a']);
});

test('of many screens that come back at once who counts hears once, and each that is drawn', () => {
  const store = new LiveStore();
  const told: string[] = [];
  const ids = Array.from({ length: 5_000 }, (_, i) => `s${i}`);
  store.patch(ids.map((device_id) => ({ device_id, status: 'offline' as const })));
  store.subscribe(() => told.push(`count ${[...store.statuses().values()].filter((s) => s === 'online').length}`));
  store.subscribeDevice('s7', () => told.push(`s7 ${store.device('s7').status}`));
  store.patch(ids.map((device_id) => ({ device_id, status: 'online' as const })));
  assert.deepEqual(told, ['count 5000', 's7 online']);
});

test('a patch keeps the members it does not name, within telemetry too', () => {
  const store = new LiveStore();
  store.patch([{ device_id: 'a', status: 'online', telemetry: { cpu_usage: 5, ram_free_mb: 100 } }]);
  store.patch([{ device_id: 'a', telemetry: { cpu_usage: 7 } }]);
  assert.deepEqual(store.device('a'), { status: 'online', telemetry: { cpu_usage: 7, ram_free_mb: 100 } });
});

test('a screen nobody has spoken of is the same empty object every time, or React would draw for ever', () => {
  const store = new LiveStore();
  assert.equal(store.device('x'), store.device('x'));
});
