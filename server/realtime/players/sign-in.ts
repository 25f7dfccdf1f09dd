/**
 * Identifies a player that connects. The player is paired and proves its identity, was claimed a moment ago, or is new
 * and waits to be claimed.
 */
import {
  CloseCode,
  type DeviceInfo,
  GONE_MS,
  type Hello,
  PROGRAM_BODY,
  type ServerMessage,
} from '../../../shared/protocol/messages.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { MinuteCounts } from '../../kernel/time/minute-counts.ts';
import type { ProgramPush } from '../screens/program-push.ts';
import type { PlayerInfo } from '../state/live.store.ts';
import type { LiveRegistry } from '../state/live-registry.ts';
import { plainText } from '../state/telemetry.ts';
import type { Wheel } from '../wheel.ts';
import type { PlayerHub } from './player-hub.ts';
import type { PlayerSocket } from './player-socket.ts';
import type { PlayerRow, PlayersStore } from './players.store.ts';
import { provesIdentity } from './secret-guard.ts';
import type { Waiting, WaitingPlayers } from './waiting-players.ts';

/**
 * Maximum number of wrong secrets per address and minute. Above the maximum, a player is refused at once (player
 * protocol).
 */
const MAX_WRONG = 20;
/** Delay in milliseconds of the refusal for a player that cannot prove its identity, whatever the reason. */
const REFUSAL_MS = 500;
/** Time in seconds within which a player that was claimed while disconnected must reconnect to be notified. */
const MISSED_PAIRING_S = 15 * 60;

export interface ServerIdentity {
  readonly id: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly version: string;
}

/** Sends commands and overlays that wait for the device. */
interface CatchUp {
  catchUp(deviceId: string): void;
}

interface Deps extends Pick<Parts, 'bus' | 'clock'> {
  readonly store: PlayersStore;
  readonly wheel: Wheel;
  readonly waitingPlayers: WaitingPlayers;
  readonly hub: PlayerHub;
  readonly registry: LiveRegistry;
  readonly programs: ProgramPush;
  readonly waitingFor: readonly CatchUp[];
  readonly identity: () => ServerIdentity;
  /**
   * Returns whether a missing row proves that the device does not exist. True if all pages of the database were read
   * without a fault.
   */
  readonly isStoreWhole: () => boolean;
}

export class SignIn implements Lifecycle {
  readonly name = 'sign-in';
  readonly #deps: Deps;
  readonly #wrong: MinuteCounts;
  readonly #going = new Map<string, () => void>();
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#wrong = new MinuteCounts({ mono: () => deps.wheel.now() });
  }

  start(): void {
    this.#undo = [
      this.#deps.bus.on('deviceRemoved', ({ deviceId }) => this.#unpair(deviceId)),
      this.#deps.bus.on('workspaceGone', (workspaceId) => {
        for (const deviceId of [...this.#deps.hub.connected(workspaceId)]) this.#unpair(deviceId);
      }),
    ];
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    for (const cancel of this.#going.values()) cancel();
    this.#going.clear();
  }

  hello(socket: PlayerSocket, hello: Hello): void {
    socket.signingKey = hello.signing_key;
    socket.takesBodies = hello.takes?.includes(PROGRAM_BODY) ?? false;
    if ('secret_hash' in hello) return this.#new(socket, hello);
    const row = this.#deps.store.find(hello.device_id);
    if (provesIdentity(hello.secret, row?.secret_hash))
      return this.#claimed(socket, row!, hello.device, hello.program_id);
    if (this.#wrong.add(socket.ip).count > MAX_WRONG)
      return socket.end(CloseCode.tooFast, 'too many wrong secrets from this address');
    this.#refuse(socket);
  }

  /**
   * Called when a person has claimed the player. The connection stays open and belongs to the claimed device from now
   * on.
   */
  claimed(waiting: Waiting, deviceId: string): void {
    const { socket } = waiting;
    this.#deps.waitingPlayers.claimed(waiting);
    const row = this.#deps.store.find(deviceId);
    if (!socket || !row || socket.phase !== 'waiting') return;
    socket.sendMessage(waiting.ownCode ? this.#pairedMessage(row) : pairedMessage(row));
    this.#claimed(socket, row, waiting.info, undefined);
  }

  /** Called when the connection was closed. */
  left(socket: PlayerSocket): void {
    const { waitingPlayers, hub, programs, wheel, registry } = this.#deps;
    waitingPlayers.left(socket);
    const { deviceId } = socket;
    if (!deviceId || !hub.remove(socket)) return;
    programs.forget(deviceId);
    this.#going.get(deviceId)?.();
    this.#going.set(
      deviceId,
      wheel.after(GONE_MS, () => {
        this.#going.delete(deviceId);
        if (!hub.get(deviceId)) registry.offline(deviceId);
      }),
    );
  }

  /** Called when the connection was silent for too long. */
  silent(socket: PlayerSocket): void {
    this.#deps.hub.remove(socket);
    this.#deps.programs.forget(socket.deviceId);
    this.#deps.registry.offline(socket.deviceId);
  }

  sweep(): void {
    this.#deps.waitingPlayers.sweep();
  }

  #new(socket: PlayerSocket, { secret_hash, device, own_code }: Extract<Hello, { secret_hash: string }>): void {
    const row = this.#deps.store.findBySecretHash(secret_hash);
    if (row) return this.#claimedBefore(socket, row);
    socket.phase = 'waiting';
    const waiting = this.#deps.waitingPlayers.enter(socket, secret_hash, device, { ownCode: own_code });
    if (!waiting) return socket.end(CloseCode.tooFast, 'too many players wait to be claimed');
    if (waiting.ownCode) socket.sendMessage({ type: 'waiting', server: this.#self() });
  }

  #self(): Omit<ServerIdentity, 'version'> {
    const { id, name, fingerprint } = this.#deps.identity();
    return { id, name, fingerprint };
  }

  /** Returns the message that the player is paired, with this server's identity, which the player may not know yet. */
  #pairedMessage(row: PlayerRow): ServerMessage {
    return { ...pairedMessage(row), server: this.#self() };
  }

  /**
   * Sends the message about the claim again to a player that was claimed but did not receive it. The player must then
   * reconnect with its secret. The hash alone grants nothing and ends no other connection, because anyone who saw the
   * hash could send it.
   */
  #claimedBefore(socket: PlayerSocket, row: PlayerRow): void {
    const heard = this.#deps.registry.get(row.id)?.lastHeartbeat ?? row.last_heartbeat;
    if (heard !== null && seconds(this.#deps.clock) - row.created_at >= MISSED_PAIRING_S) return this.#refuse(socket);
    socket.sendMessage(this.#pairedMessage(row));
    socket.end(1000, 'claimed: say hello again, with the secret');
  }

  #claimed(socket: PlayerSocket, row: PlayerRow, info: DeviceInfo, holds: string | undefined): void {
    const { store, hub, registry, clock, identity, programs, bus, waitingFor } = this.#deps;
    socket.phase = 'running';
    socket.deviceId = row.id;
    socket.workspaceId = row.workspace_id;
    // The first key that a player reports is never replaced. A player with another key is a different player, whose
    // plays must not count as signed by this player.
    if (socket.signingKey && row.signing_key === null) store.setSigningKey(row.id, socket.signingKey);
    hub.add(socket)?.end(CloseCode.replaced, 'another connection of this device replaces it');
    this.#going.get(row.id)?.();
    this.#going.delete(row.id);
    const isNew = registry.online(row, toInfo(info, socket.shownAs));
    const welcome: ServerMessage = {
      type: 'welcome',
      device_id: row.id,
      name: row.name,
      server_time: clock.now(),
      server: identity(),
    };
    socket.together(() => {
      socket.sendMessage(welcome);
      programs.welcome(row.id, holds);
    });
    if (isNew)
      bus.emit('changed', {
        workspaceId: row.workspace_id,
        topic: 'devices',
        ids: [row.id],
        screens: false,
        by: null,
      });
    for (const one of waitingFor) one.catchUp(row.id);
  }

  #refuse(socket: PlayerSocket): void {
    socket.phase = 'held';
    this.#deps.wheel.after(REFUSAL_MS, () => {
      if (socket.phase !== 'held') return;
      // Does not answer "unknown" because of an unreadable database page: a player that receives "unknown" deletes its
      // pairing and content.
      if (!this.#deps.isStoreWhole())
        return socket.end(CloseCode.notNow, 'the database is being checked, or is damaged; come back');
      socket.sendMessage({ type: 'unpaired', reason: 'unknown' });
      socket.end(CloseCode.notPaired, 'unknown device');
    });
  }

  #unpair(deviceId: string): void {
    this.#going.get(deviceId)?.();
    this.#going.delete(deviceId);
    const socket = this.#deps.hub.get(deviceId);
    if (!socket) return;
    this.#deps.hub.remove(socket);
    this.#deps.programs.forget(deviceId);
    socket.sendMessage({ type: 'unpaired', reason: 'removed' });
    socket.end(CloseCode.notPaired, 'removed');
  }
}

/**
 * Converts values that the player reports to plain text. Replaces the reported network address by the address that the
 * server sees.
 */
const toInfo = (info: DeviceInfo, ip: string): PlayerInfo => ({
  platform: plainText(info.platform),
  version: plainText(info.version),
  capabilities: JSON.stringify(info.capabilities.map((name) => plainText(name, 50))),
  screen_width: Math.round(info.screen.width),
  screen_height: Math.round(info.screen.height),
  ip_address: ip,
});

const pairedMessage = (row: PlayerRow) => ({
  type: 'paired' as const,
  device_id: row.id,
  name: row.name,
  workspace_id: row.workspace_id,
});
