/**
 * Tests with drivers that are slow, hang, crash or are unavailable: the player keeps working, and reports the values
 * that Node knows.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { PlayerMessage } from '../../../shared/protocol/messages.ts';
import type { Telemetry } from '../../../shared/protocol/telemetry.ts';
import { createFaults, whyNoFaults } from '../../../test/faults/hooks/faults.ts';
import { longestTurn, told } from '../../../test/longest-turn.ts';
import { until } from '../../../test/until.ts';
import { FakeTime } from '../../core/testing/fakes.ts';
import { nodeTime } from '../node-ports.ts';
import { agentRig } from '../testing/agents.ts';
import { FakeSite } from '../testing/fake-server.ts';
import { folderFor } from '../testing/folder.ts';
import { kiosk } from '../testing/kiosk.ts';
import { type HardwareChild, HardwareQuestion } from './hardware.ts';
import type { Hardware } from './hardware.worker.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'the programs that are asked here are those of Linux' };

/** Replaces the programs that read Wi-Fi data on Linux. */
function programs(t: TestContext, script: string): string {
  const folder = folderFor(t);
  for (const name of ['iw', 'nmcli', 'iwconfig', 'wpa_cli']) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const { PATH } = process.env;
  process.env['PATH'] = `${folder}${delimiter}${PATH}`;
  t.after(() => {
    process.env['PATH'] = PATH;
  });
  return folder;
}

const telemetryOf = (message: PlayerMessage): Telemetry =>
  message.type === 'heartbeat' ? (message.telemetry ?? {}) : {};
const hasTelemetry = (message: PlayerMessage): boolean => typeof telemetryOf(message).ram_total_mb === 'number';

/** Returns the process ids that run a program of this folder. */
const running = (folder: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && existsSync(`/proc/${pid}/cmdline`) && commandOf(pid).includes(folder));
const commandOf = (pid: number): string => {
  try {
    return `${readlinkSync(`/proc/${pid}/exe`)} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`;
  } catch {
    return '';
  }
};

test('telemetry does not block the event loop of the player when its programs are slow', onLinux, async (t) => {
  programs(t, 'sleep 1');
  const { site, boot } = await agentRig(t);
  await boot();
  const turn = await longestTurn(site.heard('telemetry', hasTelemetry));
  t.diagnostic(`longest turn of the player: ${told(turn)}`);
  assert.ok(turn.lasted < 500, told(turn));
});

test('hardware data of a real machine comes from a separate process, which then ends', async () => {
  const question = new HardwareQuestion({ time: nodeTime });
  const found = await question.read();
  assert.deepEqual(Object.keys(found).sort(), ['battery', 'memory', 'temperature', 'wifi', 'wireless']);
  assert.equal(typeof found.battery?.hasBattery, 'boolean');
  assert.ok(Array.isArray(found.wifi) && Array.isArray(found.wireless));
  await until('it has ended', 10_000, () => question.read().catch(() => undefined));
});

test('hardware process that hangs is killed after 30 s with its child programs, and started again later', {
  ...onLinux,
  timeout: 30_000,
}, async (t) => {
  const folder = programs(t, 'tail -f "$0" >/dev/null');
  const time = new FakeTime();
  const question = new HardwareQuestion({ time });
  t.after(() => question.stop());
  const asked = question.read();
  const refused = assert.rejects(asked, /did not answer within 30 s/);
  await until('something is asked', 10_000, () => running(folder).length > 0);
  await assert.rejects(question.read(), /has not ended yet/, 'there are never two');
  await time.advance(29_999);
  assert.ok(running(folder).length > 0);
  await time.advance(1);
  await refused;
  await until('what hung is gone', 10_000, () => running(folder).length === 0);
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '#!/bin/sh\n');
  await until('what hung is gone', 10_000, () => running(folder).length === 0);
  const found = await until('they answer', 10_000, () => question.read().catch(() => undefined));
  assert.ok(found.battery);
});

test('hardware process that crashes or cannot start rejects at once, and the next request starts a new one', async () => {
  let ends = (): void => {};
  let launch = (): HardwareChild => {
    throw new Error('EAGAIN');
  };
  const question = new HardwareQuestion({ time: new FakeTime(), launch: () => launch() });
  await assert.rejects(question.read(), /EAGAIN/);
  launch = () => ({
    onFound: () => {},
    onEnd: (listener) => {
      ends = listener;
    },
    kill: () => {},
  });
  const asked = assert.rejects(question.read(), /could not be checked/);
  ends();
  await asked;
  const found: Hardware = { wifi: null, wireless: null, battery: null, memory: null };
  launch = () => ({ onFound: (listener) => listener(found), onEnd: () => {}, kill: () => {} });
  assert.equal(await question.read(), found);
});

test('machine that cannot start processes reports the values from Node', { skip: whyNoFaults }, async (t) => {
  const faults = createFaults(t);
  faults.noFork();
  const site = await FakeSite.open(t);
  await kiosk(t, site.origin, join(folderFor(t), 'data'), faults.env);
  const { ram_free_mb, storage_total_mb, uptime_seconds, local_ip, cpu_usage, wifi_ssid, battery_level } = telemetryOf(
    await site.heard('telemetry', hasTelemetry),
  );
  for (const value of [ram_free_mb, storage_total_mb, uptime_seconds, cpu_usage]) assert.equal(typeof value, 'number');
  assert.ok(typeof local_ip === 'string' || local_ip === null);
  assert.deepEqual([wifi_ssid, battery_level], [null, null]);
});
