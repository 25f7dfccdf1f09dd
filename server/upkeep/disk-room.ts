/**
 * What is left when a disk is full. The first write that finds no room gives up the reserve; from then on, until
 * somebody has made room, only what is necessary is saved: who signs in can delete, change settings and look. Plays
 * stay with the players meanwhile.
 */
import type { Room } from '../db/database.ts';
import type { Log } from '../kernel/log.ts';
import { freeBytes, giveUpReserve, isGivenUp, keepReserve } from './disk-reserve.ts';

const MB = 1024 * 1024;
/** More than a reserve can be: so much is free only when somebody has made room. */
const ROOM_AGAIN = 24 * MB;
/** Anything fits. */
const ANYTHING = 64 * 1024;

interface Deps {
  readonly data: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class DiskRoom implements Room {
  readonly #deps: Deps;
  #isScarce = false;
  /** How much must be free for it to be over. */
  #enough = ROOM_AGAIN;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Once a server is up: what it writes to get there is necessary. */
  begin(): void {
    if (isGivenUp(this.#deps.data) && this.#free() < ROOM_AGAIN) this.#enter(ROOM_AGAIN);
  }

  /** Looked at anew each time while it is, so that it is over at once when there is room. */
  get isScarce(): boolean {
    if (this.#isScarce && this.#free() >= this.#enough) {
      this.#isScarce = false;
      this.#deps.log.info('There is room on the disk again: everything is saved');
      void keepReserve(this.#deps.data);
    }
    return this.#isScarce;
  }

  hasRoom(): boolean {
    return this.#free() > ANYTHING;
  }

  full(): void {
    if (this.#isScarce) return;
    const given = giveUpReserve(this.#deps.data);
    if (given > 0) this.#enter(given + given / 2);
  }

  #enter(enough: number): void {
    this.#enough = enough;
    this.#isScarce = true;
    this.#deps.log.warn(
      'The disk is full: the reserve was given up, and what it left is for signing in and for deleting',
    );
  }

  #free(): number {
    try {
      return freeBytes(this.#deps.data);
    } catch {
      return 0;
    }
  }
}
