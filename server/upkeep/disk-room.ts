/**
 * Decides what is saved on a full disk. The first write that finds no room gives up the reserve; from then on, until
 * there is room, only necessary things are saved: people can sign in, delete, change settings and look. Plays stay with
 * the players.
 */
import type { Room } from '../db/database.ts';
import { freeBytes } from '../kernel/disk-words.ts';
import type { Log } from '../kernel/log.ts';
import { giveUpReserve, isGivenUp, keepReserve } from './disk-reserve.ts';

const MB = 1024 * 1024;
/** A reserve cannot be this large: so much is free only when somebody made room. */
const ROOM_AGAIN = 24 * MB;
/** Less than this counts as no room at all. */
const ANYTHING = 64 * 1024;

interface Deps {
  readonly data: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class DiskRoom implements Room {
  readonly #deps: Deps;
  #isScarce = false;
  /** Counts the bytes that must be free until everything is saved again. */
  #enough = ROOM_AGAIN;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Called once the server is up: all that it writes before is necessary. */
  begin(): void {
    if (isGivenUp(this.#deps.data) && this.#free() < ROOM_AGAIN) this.#enter(ROOM_AGAIN);
  }

  /**
   * True while only necessary things are saved. It looks at the disk each time, so that it ends as soon as there is
   * room.
   */
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
