import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Device } from '../../../shared/contract/screens/devices.ts';
import { NO_TELEMETRY } from '../../../shared/protocol/telemetry.ts';
import type { DeviceRow } from './devices.store.ts';
import { type LiveState, toDevice } from './devices.view.ts';

const row: DeviceRow = {
  ...(Object.fromEntries(Object.keys(Device.shape).map((key) => [key, null])) as unknown as DeviceRow),
  id: 'd',
  platform: 'old',
  capabilities: ['audio'],
  tags: ['Window'],
  last_heartbeat: 1,
  cpu_usage: 5,
  screenshot_at: 3,
  secret_hash: 'secret',
  signing_key: 'key',
  revision: 7,
};
const live: LiveState = {
  status: 'online',
  lastHeartbeat: 2,
  telemetry: { ...NO_TELEMETRY, uptime_seconds: 9 },
  showing: [],
  screenOn: true,
  sync: null,
  program: null,
  screenshotAt: null,
  formats: null,
  info: {
    platform: 'new',
    version: '2',
    capabilities: '["screen"]',
    screen_width: 1,
    screen_height: 2,
    ip_address: null,
  },
};

test('the device view contains exactly the fields of the contract, in the same order and without secrets', () => {
  for (const view of [toDevice(row, undefined), toDevice(row, live)])
    assert.deepEqual(Object.keys(view), Object.keys(Device.shape));
});

test('live values of a device replace the stored ones', () => {
  const before = toDevice(row, undefined);
  assert.deepEqual(
    [before.status, before.platform, before.capabilities, before.tags, before.cpu_usage, before.last_heartbeat],
    ['offline', 'old', ['audio'], ['Window'], 5, 1],
  );
  const now = toDevice(row, live);
  assert.deepEqual(
    [now.status, now.platform, now.capabilities, now.cpu_usage, now.last_heartbeat],
    ['online', 'new', ['screen'], null, 2],
  );
  assert.deepEqual([now.uptime_seconds, now.screen_on, now.screenshot_at], [9, true, 3]);
});
