/**
 * Tells players which program to show, and notices when one shows another. Equal messages are serialized once for all.
 */
import type { Placement } from '../../shared/program/program.ts';
import type { PlayerMessage } from '../../shared/protocol/messages.ts';
import type { PlayerFaults } from './fault-log.ts';
import { textFrame } from './frame.ts';
import type { LiveBook } from './live-book.ts';
import type { PlayerHub } from './player-hub.ts';
import type { Wheel } from './wheel.ts';

interface Assigned {
  readonly id: string;
  readonly url: string;
  readonly placement: Placement;
  /** Said back by the player. */
  readonly placement_id: string;
}

/** The programs of all devices (server/programs). */
interface ProgramSource {
  /** What a device is to show now; undefined when there is no such device. */
  assigned(deviceId: string): Assigned | undefined;
  /** The player is gone: what it was told is forgotten. */
  forget(deviceId: string): void;
  /** Calls the one listener with devices whose program or placement is another one now. */
  onChanged(listener: (deviceIds: readonly string[]) => void): void;
}

/** Longer than the newest program takes to reach a player that has just named the one before. */
const DOUBT_MS = 3_000;
const MOST_REPEATS = 5;

interface Told {
  readonly id: string;
  readonly placementId: string;
  /** True when it names the placement it shows, as players do since 0.1; of others only the program is known. */
  namesPlacement: boolean;
  repeats: number;
  cancel: (() => void) | undefined;
}

interface Deps {
  readonly programs: ProgramSource;
  readonly hub: PlayerHub;
  readonly book: LiveBook;
  readonly wheel: Wheel;
  readonly faults: Pick<PlayerFaults, 'add'>;
}

export class ProgramPush {
  readonly #deps: Deps;
  readonly #told = new Map<string, Told>();

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.programs.onChanged((deviceIds) => this.pushProgram(deviceIds));
  }

  /** Tells a player its program, always after `welcome`. @param holds the program that it has already */
  welcome(deviceId: string, holds: string | undefined): void {
    const assigned = this.#deps.programs.assigned(deviceId);
    if (!assigned) return;
    this.#deps.hub.say(deviceId, { type: 'program', ...assigned });
    // The player may have another version by now.
    this.#drop(deviceId);
    this.#remember(deviceId, assigned);
    this.#deps.book.program(deviceId, { id: assigned.id, state: assigned.id === holds ? 'ready' : 'waiting' });
  }

  /** Sends each of these devices its program (and placement) as it is now. */
  pushProgram(deviceIds: readonly string[]): void {
    const { programs, hub, book } = this.#deps;
    const frames = new Map<string, Buffer>();
    for (const deviceId of deviceIds) {
      const assigned = programs.assigned(deviceId);
      if (!assigned) continue;
      const { id, placement_id } = assigned;
      const key = `${id} ${placement_id}`;
      let frame = frames.get(key);
      if (!frame) frames.set(key, (frame = textFrame(JSON.stringify({ type: 'program', ...assigned }))));
      hub.say(deviceId, frame);
      const { namesPlacement } = this.#remember(deviceId, assigned);
      if (namesPlacement || book.get(deviceId)?.program?.id !== id) book.program(deviceId, { id, state: 'waiting' });
    }
  }

  /** Takes the program that a player says it shows. Only the one it was told last counts. */
  ready(deviceId: string, { id, placement_id }: Extract<PlayerMessage, { type: 'program.ready' }>): void {
    const told = this.#told.get(deviceId);
    if (told && placement_id !== undefined) told.namesPlacement = true;
    const isNewest = !told || (id === told.id && (placement_id === undefined || placement_id === told.placementId));
    if (!isNewest) return this.#doubt(deviceId, told);
    if (told) this.#settle(told);
    this.#deps.book.program(deviceId, { id, state: 'ready' });
  }

  failed(deviceId: string, { id, reason }: Extract<PlayerMessage, { type: 'program.failed' }>): void {
    if (id === (this.#told.get(deviceId)?.id ?? id)) this.#deps.book.program(deviceId, { id, state: 'failed', reason });
  }

  forget(deviceId: string): void {
    this.#drop(deviceId);
    this.#deps.programs.forget(deviceId);
  }

  #drop(deviceId: string): void {
    this.#told.get(deviceId)?.cancel?.();
    this.#told.delete(deviceId);
  }

  #remember(deviceId: string, { id, placement_id }: Assigned): Told {
    const before = this.#told.get(deviceId);
    if (before) this.#settle(before);
    const told: Told = {
      id,
      placementId: placement_id,
      namesPlacement: before?.namesPlacement ?? false,
      repeats: 0,
      cancel: undefined,
    };
    this.#told.set(deviceId, told);
    return told;
  }

  #settle(told: Told): void {
    told.cancel?.();
    told.cancel = undefined;
  }

  /** Most likely the newest is on its way. If it is not taken over even then, it is said again, a few times. */
  #doubt(deviceId: string, told: Told): void {
    told.cancel ??= this.#deps.wheel.after(DOUBT_MS, () => {
      told.cancel = undefined;
      const socket = this.#deps.hub.get(deviceId);
      if (!socket || this.#told.get(deviceId) !== told) return;
      if (++told.repeats > MOST_REPEATS) {
        // Once: only what is told next is counted anew.
        told.cancel = () => {};
        const message = `this screen shows something else than it was told, although it was told ${MOST_REPEATS + 1} times: restart its player`;
        return this.#deps.faults.add({ id: deviceId, workspaceId: socket.workspaceId }, 'error', message);
      }
      const assigned = this.#deps.programs.assigned(deviceId);
      if (assigned) socket.say({ type: 'program', ...assigned });
    });
  }
}
