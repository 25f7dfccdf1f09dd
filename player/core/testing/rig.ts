/** A player with all parts, on fakes of server, disk, machine and time. */
import assert from 'node:assert/strict';
import type { PipShow } from '../../../shared/protocol/messages.ts';
import type { ScreenReport } from '../../screen/host/host.ts';
import { Player } from '../player.ts';
import type { PlayerDeps } from '../player-deps.ts';
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
} from './fakes.ts';

export function rig() {
  const time = new FakeTime();
  const kit = {
    time,
    server: new FakeServer(time),
    documents: new MemoryDocuments(),
    assetStore: new MemoryAssets(),
    journalStore: new MemoryJournal(),
    machine: new FakeMachine(),
    addresses: new FakeAddresses(),
    crypto: new FakeCrypto(),
    log: new MemoryLog(),
  };
  /** Starts another run of the player on the same state, as after a restart. */
  const boot = async (over: Partial<PlayerDeps> = {}) => {
    const player = new Player({
      ...kit,
      connect: kit.server.connect,
      get: kit.server.get,
      device: { name: 'kiosk-1', platform: 'test', version: '0.1.0' },
      quotaBytes: 1e9,
      awaitScreenMs: 0,
      screenDue: () => false,
      clockStepped: () => {},
      ...over,
    });
    await player.start();
    await settle();
    return player;
  };
  return { ...kit, boot };
}

export type Rig = ReturnType<typeof rig>;
export async function playing(kit: Rig, assets = ['one', 'two'], over: Partial<PlayerDeps> = {}) {
  const player = await kit.boot(over);
  kit.server.claim();
  await settle();
  const program = programOf(assets.map((text) => kit.server.addAsset(text)));
  kit.server.push(program);
  await kit.time.advance(100);
  return { player, program };
}

export const shown = (turn: string, started_at: number, seconds = 10): ScreenReport => ({
  type: 'shown',
  turn,
  zone_id: 'full',
  item_id: 1,
  playlist_id: 'playlist-1',
  content_id: 'content-1',
  widget_id: null,
  content_name: 'photo.jpg',
  started_at,
  late_ms: 0,
  planned_end: started_at + seconds * 1_000,
});
export const ALIVE: ScreenReport = { type: 'alive', width: 1, height: 1, frames: 1 };
export const stateOf = ({ state }: Player) => (state.phase === 'playing' ? state : assert.fail(state.phase));

/** An overlay of one minute. */
export const pip = (kit: Rig, pip_id: string): PipShow => ({
  type: 'device:pip-show',
  pip_id,
  kind: 'web',
  uri: 'http://x/',
  position: 'center',
  width: 400,
  height: 300,
  duration: 60,
  opacity: 1,
  border_radius: 0,
  close_button: false,
  until: kit.server.now + 60_000,
});
export const command = (kit: Rig, name: string, payload = {}, id = name) =>
  kit.server.say({ type: 'command', id, command: name, payload, expires_at: kit.server.now + 60_000 });

/** Breaks the connection and lets the server accept the player again. */
export const reconnect = async (kit: Rig) => {
  kit.server.close(1006);
  await kit.time.advance(3_000);
  kit.server.welcome();
  await settle();
};

/** The test server's time is 22:13:20 UTC on Tuesday, 14 November 2023. */
export const openUntil = (end: string) => ({
  timezone: 'UTC',
  hours: [{ days: [0, 1, 2, 3, 4, 5, 6], start: '08:00', end, start_date: null, end_date: null }],
});
export const MINUTES = 60_000;
export const HOURS = 60 * MINUTES;
export const screenOn = ({ state }: Player) => state.phase === 'playing' && state.screen_on;
