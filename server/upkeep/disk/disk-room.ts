/**
 * Decides what is saved on a full disk. From the first write that fails for lack of space until there is space again,
 * only necessary writes are saved: people can sign in, delete, change settings and read. Plays stay with the players.
 * Necessary writes get their space from the reserve, step by step. Another program may be filling the disk at the same
 * time and take any free space at once. So each released step is appended to the WAL of the database in the same turn
 * of the event loop, where SQLite overwrites it. No other program can take space that is allocated to the WAL.
 */
import { statSync } from 'node:fs';
import type { Room } from '../../db/database.ts';
import { freeBytes } from '../../kernel/disk/disk-words.ts';
import type { Log } from '../../kernel/log.ts';
import {
  adoptAsReserve,
  ensureReserve,
  extendFile,
  isGivenUp,
  releaseFromReserve,
  reserveBytes,
} from './disk-reserve.ts';

const KB = 1024;
const MB = 1024 * KB;
/**
 * Size of a complete reserve in bytes, and the usual and the minimum number of bytes that must be free in addition
 * before all writes are saved again.
 */
const [WHOLE, BESIDE, LEAST_BESIDE] = [16 * MB, 8 * MB, 2 * MB];
/** Free space in bytes below which the disk counts as full. */
const ANYTHING = 64 * KB;
/** Bytes released per step. Another program may take a part of each step. */
const STEP = 256 * KB;
/**
 * Number of bytes that are reserved in the WAL for a necessary write; a sign-in takes about 40 kB. Doubled after a
 * write that needed more.
 */
const [WANTED, MOST_WANTED] = [512 * KB, 8 * MB];

interface Deps {
  readonly data: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /**
   * Bytes of the reserve that the start released. If not 0, only necessary writes are saved at first.
   */
  readonly reserveUsed: number;
}

export class DiskRoom implements Room {
  readonly #deps: Deps;
  #isScarce = false;
  /** Size of the reserve in bytes before any release, and number of bytes that must be free in addition. */
  #whole = WHOLE;
  #beside = BESIDE;
  #wanted = WANTED;
  /** Minimum size to which the reserve is restored; 0 before the first release. */
  #restored = 0;
  #keeping: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Called after the start. All writes before this call count as necessary. */
  begin(): void {
    const { data, reserveUsed } = this.#deps;
    if (reserveUsed > 0) this.#enter(this.#reserve() + reserveUsed);
    // Treats an empty reserve as released, because an earlier version of Vitrine released the whole reserve at once.
    else if (isGivenUp(data) && !this.#hasEnough()) this.#enter(WHOLE);
  }

  /**
   * Whether only necessary writes are saved. Checks the disk at each call, so that this state ends as soon as there
   * is space.
   */
  get isScarce(): boolean {
    if (this.#isScarce && this.#hasEnough()) {
      this.#isScarce = false;
      this.#wanted = WANTED;
      this.#deps.log.info('There is room on the disk again: everything is saved');
      void this.restoreReserve();
    }
    return this.#isScarce;
  }

  hasRoom(): boolean {
    return this.#free() > ANYTHING;
  }

  /** Called when a write failed for lack of space. Without a reserve every write is attempted. */
  full(isNecessary: boolean): void {
    const size = this.#reserve();
    if (!this.#isScarce) {
      if (size > 0) this.#enter(size);
      return;
    }
    if (!isNecessary) return;
    // Reserves more space for the next write: the space in the WAL was not enough, or SQLite needed space elsewhere
    // (index of the WAL).
    this.#wanted = Math.min(MOST_WANTED, this.#wanted * 2);
    releaseFromReserve(this.#deps.data, STEP);
  }

  lend(log: string, used: number): void {
    try {
      let { size } = statSync(log);
      const wanted = used + this.#wanted;
      if (size < wanted) size = extendFile(log, wanted);
      while (size < wanted && releaseFromReserve(this.#deps.data, STEP) > 0) size = extendFile(log, wanted);
    } catch {
      // Ignores this error, because the following write reports the problem of the disk.
    }
  }

  /**
   * Uses the space of a file that is about to be deleted for the reserve, while the reserve is incomplete. Returns
   * whether the file was used. Space that the reserve does not need becomes free.
   */
  reuseSpace(path: string): boolean {
    return this.#isScarce && adoptAsReserve(this.#deps.data, path, this.#whole);
  }

  /** Restores the reserve when there is space. Never rejects. */
  restoreReserve(): Promise<void> {
    if (this.isScarce) return Promise.resolve();
    this.#keeping ??= ensureReserve(this.#deps.data, this.#hasEnough() ? this.#restored : 0).finally(() => {
      this.#keeping = undefined;
    });
    return this.#keeping;
  }

  #enter(whole: number): void {
    this.#whole = whole;
    this.#restored = whole;
    this.#beside = Math.max(LEAST_BESIDE, Math.min(BESIDE, whole / 2));
    this.#isScarce = true;
    this.#deps.log.warn(
      'The disk is full: only what signing in and deleting need is saved, from the reserve. Free some space.',
    );
  }

  #hasEnough(): boolean {
    return this.#free() >= Math.max(0, this.#whole - this.#reserve()) + this.#beside;
  }

  #reserve(): number {
    try {
      return reserveBytes(this.#deps.data);
    } catch {
      return 0;
    }
  }

  #free(): number {
    try {
      return freeBytes(this.#deps.data);
    } catch {
      return 0;
    }
  }
}
