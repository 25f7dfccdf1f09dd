import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { aspectOf, isDrawable, signalOf, spellCode, withLive } from './screens.utils.ts';

const shown = [{ zone_id: null, item_id: 1, content_id: 'c', widget_id: null, since: 0 }];

test('live values replace fetched values, and an offline screen shows nothing', () => {
  const device = {
    status: 'online',
    showing: shown,
    screenshot_at: 50,
    last_heartbeat: 1,
    program: null,
    cpu_usage: 5,
  } as unknown as Device;
  const now = withLive(device, { status: 'offline', screenshot_at: 40, telemetry: { cpu_usage: 9 } });
  assert.deepEqual([now.status, now.showing, now.screenshot_at, now.cpu_usage], ['offline', [], 50, 9]);
});

test('picture of a panel rotated by a quarter is tall, and is 16:9 without reported pixels', () => {
  assert.equal(aspectOf({ screen_width: 1920, screen_height: 1080, orientation: '90' }), 1080 / 1920);
  assert.equal(aspectOf({ screen_width: 1920, screen_height: 1080, orientation: '180' }), 1920 / 1080);
  assert.equal(aspectOf({ screen_width: 0, screen_height: 0, orientation: '0' }), 16 / 9);
});

test('code is spelled in groups of three, and -60 dBm is a good signal', () => {
  assert.equal(spellCode('K7P2QX'), 'K7P 2QX');
  assert.equal(signalOf(-60), 'good');
  assert.equal(signalOf(-76), 'weak');
});

test('drawing is used for a screen that plays and cannot take screenshots', () => {
  const screen = {
    status: 'online',
    capabilities: [],
    screen_on: true,
    showing: [{ zone_id: null, item_id: 1, content_id: 'c', widget_id: null, since: 0 }],
  } as const;
  const judge = (change: object) => isDrawable({ ...screen, ...change } as unknown as Parameters<typeof isDrawable>[0]);
  assert.equal(judge({}), true);
  for (const change of [{ status: 'offline' }, { capabilities: ['screenshot'] }, { screen_on: false }, { showing: [] }])
    assert.equal(judge(change), false);
});
