import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayerMessage, Showing } from '../../../shared/protocol/messages.ts';
import type { Telemetry } from '../../../shared/protocol/telemetry.ts';
import { FakeCrypto, FakeTime, MemoryLog, settle } from '../testing/fakes.ts';
import { Heartbeat } from './heartbeat.ts';

const showing = (zone_id: string): Showing => ({ zone_id, item_id: 1, content_id: 'c', widget_id: null, since: 0 });
const start = () => {
  const [time, crypto, log] = [new FakeTime(), new FakeCrypto(), new MemoryLog()];
  const state = {
    telemetry: { uptime_seconds: 5, cpu_usage: null } as Telemetry,
    showing: [] as Showing[],
    screenOn: true,
    open: true,
    glimpses: [] as { window: number; zone_id: string; pictures: [] }[],
    sync: undefined as { offset_ms: number; uncertainty_ms: number } | undefined,
  };
  time.wall = () => 7;
  const began = time.mono();
  const beats: Extract<PlayerMessage, { type: 'heartbeat' }>[] = [];
  const at: number[] = [];
  const heartbeat = new Heartbeat({
    time,
    crypto,
    log,
    machine: { telemetry: async () => state.telemetry },
    showing: () => state.showing,
    screenOn: () => state.screenOn,
    sync: () => state.sync,
    glimpses: () => state.glimpses,
    send: (message) => {
      if (!state.open || message.type !== 'heartbeat') return false;
      beats.push(message);
      at.push(time.mono() - began);
      return true;
    },
  });
  return { time, crypto, log, state, beats, at, heartbeat };
};

test('Heartbeat sends at once and every 15 s ± 1 s until it is stopped', async () => {
  const { time, crypto, at, heartbeat } = start();
  crypto.next = 0.75;
  heartbeat.start();
  await time.advance(40_000);
  assert.deepEqual(at, [0, 15_500, 31_000]);
  heartbeat.start();
  await time.advance(20_000);
  assert.deepEqual(at.slice(3), [40_000, 55_500], 'anew, and not twice');
  heartbeat.hurry();
  heartbeat.stop();
  await settle();
  heartbeat.hurry();
  heartbeat.shown();
  await time.advance(60_000);
  for (let i = 0; i < 2; i++) {
    heartbeat.start();
    heartbeat.hurry();
    heartbeat.stop();
  }
  await settle();
  assert.equal(at.length, 5, 'what was on its way when it was stopped is not said either');
  for (let i = 0; i < 3; i++) heartbeat.start();
  await settle();
  assert.equal(at.length, 6, 'nor what was on its way when it began anew');
});

test('only changed telemetry is sent, again after a failed send, and all of it after a restart', async () => {
  const { time, state, beats, heartbeat, log } = start();
  const next = async () => {
    const before = beats.length;
    await time.advance(15_000);
    return beats.slice(before).map(({ telemetry }) => telemetry);
  };
  heartbeat.start();
  await settle();
  assert.deepEqual(beats[0], {
    type: 'heartbeat',
    showing: [],
    screen_on: true,
    own_time: 7,
    telemetry: { uptime_seconds: 5, cpu_usage: null },
  });
  assert.deepEqual(await next(), [undefined]);
  state.telemetry = { uptime_seconds: 20, cpu_usage: null, wifi_rssi: -50 };
  state.open = false;
  assert.deepEqual(await next(), []);
  state.open = true;
  assert.deepEqual(await next(), [{ uptime_seconds: 20, wifi_rssi: -50 }]);
  state.telemetry = { ...state.telemetry, wifi_rssi: undefined };
  assert.deepEqual(await next(), [undefined], 'what is not known for once is no news');
  heartbeat.start();
  await settle();
  assert.deepEqual(beats.at(-1)?.telemetry, { uptime_seconds: 20, cpu_usage: null });
  state.sync = { offset_ms: 1, uncertainty_ms: 2 };
  state.glimpses = [{ window: 1, zone_id: 'full', pictures: [] }];
  await next();
  assert.deepEqual([beats.at(-1)?.sync, beats.at(-1)?.glimpses], [state.sync, state.glimpses]);
  Object.defineProperty(state, 'telemetry', { get: () => assert.fail('no machine') });
  await next();
  assert.equal(log.lines.length, 1);
});

test('heartbeat reports at most 100 zones, none while the panel is off, and is sent at once for the first content', async () => {
  const { state, beats, heartbeat } = start();
  heartbeat.shown();
  await settle();
  assert.equal(beats.length, 0);
  heartbeat.start();
  await settle();
  state.showing = Array.from({ length: 120 }, (_, n) => showing(`${n}`));
  for (let i = 0; i < 2; i++) {
    heartbeat.shown();
    await settle();
  }
  assert.deepEqual([beats.length, beats[1]?.showing?.length], [2, 100]);
  state.screenOn = false;
  heartbeat.hurry();
  await settle();
  assert.deepEqual([beats[2]?.showing, beats[2]?.screen_on], [[], false]);
});
