/**
 * Records the WebSocket messages of this version's player, in order: `node test/records/record-frames.ts`. Run once for each
 * release, so that later servers are tested with these messages (server/realtime/versions.test.ts).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { nodeCrypto } from '../../player/agent/node-ports.ts';
import { Player } from '../../player/core/player.ts';
import {
  FakeAddresses,
  FakeCrypto,
  FakeMachine,
  FakeServer,
  FakeTime,
  MemoryAssets,
  MemoryDocuments,
  MemoryJournal,
  MemoryLog,
  programOf,
  settle,
} from '../../player/core/testing/fakes.ts';

const time = new FakeTime();
const server = new FakeServer(time);
const machine = new FakeMachine();
machine.telemetry = async () => ({
  local_ip: '192.168.1.9',
  local_ip6: null,
  wifi_ssid: 'Store',
  wifi_rssi: -61,
  battery_level: null,
  battery_charging: null,
  storage_free_mb: 9_000,
  storage_total_mb: 32_000,
  ram_free_mb: 700,
  ram_total_mb: 2_000,
  cpu_usage: 12.5,
  uptime_seconds: 86_400,
});
const parts = {
  time,
  machine,
  assetStore: new MemoryAssets(),
  journalStore: new MemoryJournal(),
  documents: new MemoryDocuments(),
  addresses: new FakeAddresses(),
  log: new MemoryLog(),
};
const boot = async () => {
  const player = new Player({
    ...parts,
    // Skips the check of the server's identity, because the server is simulated.
    crypto: { ...nodeCrypto, verify: new FakeCrypto().verify },
    connect: server.connect,
    get: server.get,
    device: { name: 'kiosk-1', platform: 'Linux 6.1 x64', version: manifest.version },
    quotaBytes: 1e9,
    awaitScreenMs: 0,
    clockStepped: () => {},
  });
  await player.start();
  await settle();
  return player;
};

const first = await boot();
server.claim();
await settle();
server.push(programOf([server.addAsset('picture')]), {}, 'placement-1');
await time.advance(1_000);
const turn = {
  type: 'shown',
  turn: 'a',
  zone_id: 'full',
  item_id: 1,
  playlist_id: 'p',
  content_id: 'c',
  widget_id: null,
  content_name: 'photo.jpg',
  late_ms: 0,
} as const;
await first.report({ ...turn, started_at: first.now(), planned_end: first.now() + 10_000 });
await time.advance(10_000);
await first.report({ type: 'ended', turn: 'a', ended_at: first.now(), completed: true });
server.say({ type: 'command', id: 'command-1', command: 'screen_off', payload: {}, expires_at: server.now + 60_000 });
server.say({ type: 'command', id: 'command-2', command: 'screen_on', payload: {}, expires_at: server.now + 60_000 });
server.say({ type: 'screenshot', id: 'screenshot-1' });
const box = { width: 400, height: 300, duration: 0, opacity: 1, border_radius: 0, close_button: false } as const;
server.say({
  type: 'device:pip-show',
  pip_id: 'pip-1',
  kind: 'web',
  uri: 'http://till.test/',
  position: 'center',
  ...box,
});
await settle();
await first.report({ type: 'overlay', pip_id: 'pip-1', status: 'shown' });
server.say({ type: 'device:pip-clear', pip_id: 'pip-1' });
first.sendToOperator('the disk was full');
server.push({ ...programOf([]), bytes: new Uint8Array(3) });
await time.advance(60_000);
await first.stop();
await boot();
server.welcome();
await time.advance(1_000);

const folder = join(import.meta.dirname, '../../server/realtime/testing');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, `frames-${manifest.version}.json`),
  `${JSON.stringify(
    server.sockets.map(({ received }) => received),
    null,
    2,
  )}\n`,
);
process.exit(0);
