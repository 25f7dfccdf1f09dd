import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_TELEMETRY, type TelemetryFields } from '../../../shared/protocol/telemetry.ts';
import { rulesFrom } from './alert-watch.ts';
import { causeOf, judgeScreen, networkOf, type SeenScreen } from './judge.ts';

const rules = rulesFrom([]);
const screen = (part: Partial<SeenScreen>): SeenScreen => ({
  id: 's',
  name: 'Window',
  workspaceId: 'w',
  online: true,
  lastHeartbeat: 1_000,
  address: '192.168.1.20',
  telemetry: NO_TELEMETRY as unknown as TelemetryFields,
  clockBehindMs: null,
  program: { state: 'ready' },
  ...part,
});
const kinds = (part: Partial<SeenScreen>, by = rules) =>
  judgeScreen(screen(part), by, () => []).map(({ kind }) => kind);
const reported = (part: Partial<TelemetryFields>) =>
  kinds({ telemetry: { ...NO_TELEMETRY, ...part } as TelemetryFields });

test('a value of a machine (such as load) at its limit or beyond is found as a problem', () => {
  assert.deepEqual(reported({}), []);
  assert.deepEqual(reported({ cpu_usage: 94.9, wifi_rssi: -79 }), []);
  assert.deepEqual(reported({ cpu_usage: 95, wifi_rssi: -80 }), ['screen_cpu', 'screen_wifi']);
  assert.deepEqual(reported({ storage_free_mb: 50, storage_total_mb: 1_000 }), ['screen_disk']);
  assert.deepEqual(reported({ storage_free_mb: 60, storage_total_mb: 1_000 }), []);
  assert.deepEqual(reported({ storage_free_mb: 50, storage_total_mb: 0 }), []);
  assert.deepEqual(reported({ battery_level: 15, battery_charging: 0 }), ['screen_battery']);
  assert.deepEqual(reported({ battery_level: 3, battery_charging: 1 }), []);
  assert.deepEqual(reported({ temperature_c: 84.9 }), []);
  assert.deepEqual(reported({ temperature_c: 85 }), ['screen_hot']);
});

test('an online screen’s clock that is too slow or too fast is found, even without other telemetry', () => {
  assert.deepEqual(kinds({ clockBehindMs: 9_900 }), []);
  for (const clockBehindMs of [10_000, -10_000, 3e10]) assert.deepEqual(kinds({ clockBehindMs }), ['screen_clock']);
  assert.deepEqual(kinds({ clockBehindMs: 60_000, telemetry: null }), ['screen_clock']);
  assert.deepEqual(kinds({ clockBehindMs: 60_000, online: false }), ['screen_dark']);
});

test('an offline screen is reported only as dark, and a screen that was never online is not reported', () => {
  assert.deepEqual(kinds({ online: false, telemetry: null, program: null }), ['screen_dark']);
  assert.deepEqual(kinds({ online: false, telemetry: null, program: null, lastHeartbeat: null }), []);
  assert.deepEqual(kinds({ program: { state: 'failed', reason: 'a file is missing' } }), ['screen_program']);
});

test('a changed rule takes effect, both when it is disabled and when it has another threshold', () => {
  const own = rulesFrom([
    { workspace_id: 'w', kind: 'screen_cpu', enabled: 0, threshold: null, minutes: null, tell: null },
    { workspace_id: 'w', kind: 'screen_wifi', enabled: 1, threshold: -60, minutes: 3, tell: '["mail"]' },
  ]);
  const told = { mail: true, webhook: true, mqtt: true };
  assert.deepEqual(own.screen_wifi, { enabled: true, threshold: -60, minutes: 3, ...told });
  const telemetry = { ...NO_TELEMETRY, cpu_usage: 100, wifi_rssi: -65 } as unknown as TelemetryFields;
  assert.deepEqual(kinds({ telemetry }, own), ['screen_wifi']);
});

test('the likely cause of a dark screen is the network if its neighbours are dark too, else its own machine', () => {
  const gone = { lastHeartbeat: 10_000 };
  const fine = { online: true, lastHeartbeat: 20_000 };
  const along = { online: false, lastHeartbeat: 10_100 };
  assert.equal(causeOf(gone, []), 'unknown');
  assert.equal(causeOf(gone, [fine, fine]), 'alone');
  assert.equal(causeOf(gone, [along]), 'network');
  assert.equal(causeOf(gone, [along, fine]), 'unknown');
  assert.equal(causeOf(gone, [along, along, fine, fine]), 'network');
  assert.equal(causeOf(gone, [along, fine, fine]), 'alone');
  assert.equal(causeOf(gone, [{ online: false, lastHeartbeat: 500 }]), 'unknown');
  assert.equal(causeOf({ lastHeartbeat: null }, [fine]), 'unknown');
});

test('networkOf returns the same network for addresses with the same prefix', () => {
  assert.equal(networkOf('::ffff:10.0.4.7'), '10.0.4');
  assert.equal(networkOf('fd00:1:2:3:4:5:6:7'), 'fd00:1:2:3');
  assert.equal(networkOf('a name'), null);
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), (a, b) => {
      assert.equal(networkOf(a) === networkOf(b), a.replace(/\.\d+$/, '') === b.replace(/\.\d+$/, ''));
    }),
  );
});
