/** Tells players which program to show. Equal messages are serialized once for all. */
import type { Placement } from '../../shared/program/program.ts';
import { textFrame } from './frame.ts';
import type { LiveBook } from './live-book.ts';
import type { PlayerHub } from './player-hub.ts';

/** The programs of all devices (server/programs). */
export interface ProgramSource {
  /** What a device is to show now; undefined when there is no such device. */
  assigned(deviceId: string): { readonly id: string; readonly url: string; readonly placement: Placement } | undefined;
  /** The player is gone: what it was told is forgotten. */
  forget(deviceId: string): void;
}

export class ProgramPush {
  readonly #hub: PlayerHub;
  readonly #book: LiveBook;
  #source: ProgramSource | undefined;

  constructor(deps: { hub: PlayerHub; book: LiveBook }) {
    this.#hub = deps.hub;
    this.#book = deps.book;
  }

  /** The two know each other: set once by the composition root. */
  attach(source: ProgramSource): void {
    this.#source = source;
  }

  connected(workspaceId: string): Iterable<string> {
    return this.#hub.connected(workspaceId);
  }

  /** After welcome, always. @param holds the program that the player has already */
  welcome(deviceId: string, holds: string | undefined): void {
    const assigned = this.#source?.assigned(deviceId);
    if (!assigned) return;
    this.#hub.say(deviceId, { type: 'program', ...assigned });
    this.#book.program(deviceId, { id: assigned.id, state: assigned.id === holds ? 'ready' : 'waiting' });
  }

  /** Sends each of these devices its program (and placement) as it is now. */
  pushProgram(deviceIds: readonly string[]): void {
    const frames = new Map<string, Buffer>();
    for (const deviceId of deviceIds) {
      const assigned = this.#source?.assigned(deviceId);
      if (!assigned) continue;
      const text = JSON.stringify({ type: 'program', ...assigned });
      let frame = frames.get(text);
      if (!frame) frames.set(text, (frame = textFrame(text)));
      this.#hub.say(deviceId, frame);
      const known = this.#book.get(deviceId)?.program;
      if (known?.id !== assigned.id) this.#book.program(deviceId, { id: assigned.id, state: 'waiting' });
    }
  }

  forget(deviceId: string): void {
    this.#source?.forget(deviceId);
  }
}
