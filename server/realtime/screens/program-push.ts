/**
 * Sends players their assigned program and detects players that show another program. Players that accept programs by
 * socket get the program first; a download by each player would cost fifty times as much. Equal messages are serialized
 * once.
 */
import { LRUCache } from 'lru-cache';
import type { Placement } from '../../../shared/program/program.ts';
import {
  MAX_PROGRAM_BODY_BYTES,
  type PlayerMessage,
  PROGRAM_BODY,
  type ServerMessage,
} from '../../../shared/protocol/messages.ts';
import { textFrame } from '../players/frame.ts';
import type { PlayerHub } from '../players/player-hub.ts';
import type { PlayerSocket } from '../players/player-socket.ts';
import type { PlayerFaults } from '../state/fault-log.ts';
import type { LiveRegistry } from '../state/live-registry.ts';
import type { Wheel } from '../wheel.ts';

interface Assigned {
  readonly id: string;
  readonly url: string;
  readonly placement: Placement;
  /** Id that the player reports back when it shows this placement. */
  readonly placement_id: string;
}

/** The programs of all devices (server/programs). */
interface ProgramSource {
  /** Returns the assignment of a device; undefined when the device does not exist. */
  assigned(deviceId: string): Assigned | undefined;
  /**
   * Returns the text of a program; undefined when the program has been replaced. All devices with this program share
   * the buffer.
   */
  bytes(deviceId: string, programId: string): Buffer | undefined;
  /** Removes the assignment of a player. Called when the player has disconnected. */
  forget(deviceId: string): void;
  /** Sets the only listener for devices whose program or placement has changed. */
  onChanged(listener: (deviceIds: readonly string[]) => void): void;
}

/**
 * Delay in milliseconds before a program is sent again. Longer than the newest program needs to reach a player that has
 * just reported the previous program.
 */
const DOUBT_MS = 3_000;
const MOST_REPEATS = 5;
/** Cache size in bytes of frames, for players that get the same message a moment later. */
const MAX_FRAMES_BYTES = 4 * 1024 * 1024;

interface Told {
  id: string;
  placementId: string;
  /**
   * Whether the player reports which placement it shows (all players since version 0.1 do). Older players report only
   * the program.
   */
  namesPlacement: boolean;
  /** Id of the program that the player has or was sent last, so that its text need not be sent again. */
  sent: string | undefined;
  repeats: number;
  cancel: (() => void) | undefined;
}

interface Deps {
  readonly programs: ProgramSource;
  readonly hub: PlayerHub;
  readonly registry: LiveRegistry;
  readonly wheel: Wheel;
  readonly faults: Pick<PlayerFaults, 'add' | 'programTaken'>;
}

export class ProgramPush {
  readonly #deps: Deps;
  readonly #told = new Map<string, Told>();
  /** Encoded frames by their content: an assignment, or the text of a program. */
  readonly #frames = new LRUCache<Assigned | Buffer, Buffer>({
    maxSize: MAX_FRAMES_BYTES,
    sizeCalculation: (frame) => frame.length,
  });
  /** Players that get the newest program when they have read everything that was sent before. */
  readonly #behind = new WeakSet<PlayerSocket>();

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.programs.onChanged((deviceIds) => this.pushProgram(deviceIds));
  }

  /**
   * Sends a player its program, always after the message `welcome`.
   * @param holds id of the program that the player
   * already has
   */
  welcome(deviceId: string, holds: string | undefined): void {
    const assigned = this.#deps.programs.assigned(deviceId);
    if (!assigned) return;
    // Forgets what was sent to this player before, because the player may run another version now.
    this.#drop(deviceId);
    const told = this.#remember(deviceId, assigned);
    told.sent = holds;
    this.#send(deviceId, assigned, told);
    this.#deps.registry.program(deviceId, { id: assigned.id, state: assigned.id === holds ? 'ready' : 'waiting' });
  }

  /** Sends each of these devices its current program and placement. */
  pushProgram(deviceIds: readonly string[]): void {
    const { programs, registry } = this.#deps;
    for (const deviceId of deviceIds) {
      const assigned = programs.assigned(deviceId);
      if (!assigned) continue;
      const { id } = assigned;
      const told = this.#remember(deviceId, assigned);
      this.#send(deviceId, assigned, told);
      if (told.namesPlacement || registry.get(deviceId)?.program?.id !== id)
        registry.program(deviceId, { id, state: 'waiting' });
    }
  }

  /** Handles a player's report of its program. Only a report about the program that was sent last counts. */
  ready(deviceId: string, { id, placement_id }: Extract<PlayerMessage, { type: 'program.ready' }>): void {
    const told = this.#told.get(deviceId);
    if (told && placement_id !== undefined) told.namesPlacement = true;
    const isNewest = !told || (id === told.id && (placement_id === undefined || placement_id === told.placementId));
    if (!isNewest) return this.#doubt(deviceId, told);
    if (told) this.#settle(told);
    this.#deps.faults.programTaken(deviceId);
    this.#deps.registry.program(deviceId, { id, state: 'ready' });
  }

  failed(deviceId: string, { id, reason }: Extract<PlayerMessage, { type: 'program.failed' }>): void {
    if (id === (this.#told.get(deviceId)?.id ?? id))
      this.#deps.registry.program(deviceId, { id, state: 'failed', reason });
  }

  forget(deviceId: string): void {
    this.#drop(deviceId);
    this.#deps.programs.forget(deviceId);
  }

  #send(deviceId: string, assigned: Assigned, told: Told): void {
    const socket = this.#deps.hub.get(deviceId);
    if (!socket) return;
    if (socket.isBehind) return this.#later(socket);
    const { id } = assigned;
    const body = socket.takesBodies && told.sent !== id ? this.#body(deviceId, id) : undefined;
    told.sent = id;
    const tells = this.#frame(assigned, () => ({ type: 'program', ...assigned }));
    if (!body) return void socket.sendMessage(tells);
    socket.together(() => {
      socket.sendMessage(body);
      socket.sendMessage(tells);
    });
  }

  /** Returns the frame with the program; undefined when the player must download it. */
  #body(deviceId: string, id: string): Buffer | undefined {
    const bytes = this.#deps.programs.bytes(deviceId, id);
    if (!bytes || bytes.length > MAX_PROGRAM_BODY_BYTES) return undefined;
    return this.#frame(bytes, () => ({ type: PROGRAM_BODY, id, body: bytes.toString() }));
  }

  #frame(of: Assigned | Buffer, message: () => ServerMessage): Buffer {
    let frame = this.#frames.get(of);
    if (!frame) this.#frames.set(of, (frame = textFrame(JSON.stringify(message()))));
    return frame;
  }

  /** Sends only the newest program, even if the program has changed several times since. */
  #later(socket: PlayerSocket): void {
    if (this.#behind.has(socket)) return;
    this.#behind.add(socket);
    socket.onceCaughtUp(() => {
      this.#behind.delete(socket);
      const { deviceId } = socket;
      const told = this.#told.get(deviceId);
      const assigned = this.#deps.hub.get(deviceId) === socket && this.#deps.programs.assigned(deviceId);
      if (told && assigned) this.#send(deviceId, assigned, told);
    });
  }

  #drop(deviceId: string): void {
    this.#told.get(deviceId)?.cancel?.();
    this.#told.delete(deviceId);
  }

  #remember(deviceId: string, { id, placement_id: placementId }: Assigned): Told {
    const known = this.#told.get(deviceId);
    if (known) {
      this.#settle(known);
      return Object.assign(known, { id, placementId, repeats: 0 });
    }
    const told = { id, placementId, namesPlacement: false, sent: undefined, repeats: 0, cancel: undefined };
    this.#told.set(deviceId, told);
    return told;
  }

  #settle(told: Told): void {
    told.cancel?.();
    told.cancel = undefined;
  }

  /**
   * Waits before sending again, because the newest program may still be on its way to the player. If the player then
   * still reports another program, the newest program is sent again, a few times.
   */
  #doubt(deviceId: string, told: Told): void {
    told.cancel ??= this.#deps.wheel.after(DOUBT_MS, () => {
      told.cancel = undefined;
      const socket = this.#deps.hub.get(deviceId);
      if (!socket || this.#told.get(deviceId) !== told) return;
      if (++told.repeats > MOST_REPEATS) {
        // The fault is logged once per assignment. A new assignment starts counting again.
        told.cancel = () => {};
        const message = `this screen shows something else than it was told, although it was told ${MOST_REPEATS + 1} times: restart its player`;
        return this.#deps.faults.add({ id: deviceId, workspaceId: socket.workspaceId }, 'error', message, 'program');
      }
      const assigned = this.#deps.programs.assigned(deviceId);
      if (assigned) this.#send(deviceId, assigned, told);
    });
  }
}
