import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveStore } from './store.ts';

test('heartbeat notifies only subscribers of its screen, and a status change also notifies subscribers of the counts', () => {
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

test('many screens that return at once cause one notification for the counts, and one for each rendered screen', () => {
  const store = new LiveStore();
  const told: string[] = [];
  const ids = Array.from({ length: 5_000 }, (_, i) => `s${i}`);
  store.patch(ids.map((device_id) => ({ device_id, status: 'offline' as const })));
  store.subscribe(() => told.push(`count ${[...store.statuses().values()].filter((s) => s === 'online').length}`));
  store.subscribeDevice('s7', () => told.push(`s7 ${store.device('s7').status}`));
  store.patch(ids.map((device_id) => ({ device_id, status: 'online' as const })));
  assert.deepEqual(told, ['count 5000', 's7 online']);
});

test('patch changes only the fields that it contains, including fields inside telemetry', () => {
  const store = new LiveStore();
  store.patch([{ device_id: 'a', status: 'online', telemetry: { cpu_usage: 5, ram_free_mb: 100 } }]);
  store.patch([{ device_id: 'a', telemetry: { cpu_usage: 7 } }]);
  assert.deepEqual(store.device('a'), { status: 'online', telemetry: { cpu_usage: 7, ram_free_mb: 100 } });
});

test('unknown screen is always the same empty object, because a new object would cause endless renders', () => {
  const store = new LiveStore();
  assert.equal(store.device('x'), store.device('x'));
});
