/**
 * One player per data folder. A file with a process id lies after a power cut (the id may belong to somebody else by
 * then); a lock that SQLite holds is the operating system's and goes with the process, on every platform.
 */
import { closeSync, openSync, truncateSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Log } from '../core/ports.ts';
import { isDamage } from './database-files.ts';

export class FolderInUse extends Error {
  readonly code = 'FOLDER_IN_USE';
}

/** The folder is somebody else's, or its disk may only be read: nothing could be kept in it. */
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);

export class FolderLock {
  readonly #path: string;
  readonly #log: Log;
  #db: Database.Database | undefined;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /**
   * Refuses a folder that is in use or cannot be written. Without a lock for any other reason (a full disk) the screen
   * is not to stay dark.
   */
  start(): void {
    try {
      this.#db = this.#taken();
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code.startsWith('SQLITE_BUSY'))
        throw new FolderInUse('another player is already running with this data folder');
      if (UNWRITABLE.has(code)) throw error;
      this.#log.warn(
        `${this.#path} could not be locked: take care that no second player is started with this data folder`,
        error,
      );
    }
  }

  stop(): void {
    this.#db?.close();
    this.#db = undefined;
  }

  #taken(): Database.Database {
    try {
      return locked(this.#path);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'SQLITE_CANTOPEN') throw whyNotOpen(this.#path) ?? error;
      if (code?.startsWith('SQLITE_READONLY'))
        throw Object.assign(new Error(`${this.#path} cannot be written`), { code: 'EACCES', path: this.#path });
      if (!isDamage(error)) throw error;
      // Nobody holds it: that would have been said first. Emptied and not replaced: of two players that come here at
      // once, both must lock the same file.
      truncateSync(this.#path);
      return locked(this.#path);
    }
  }
}

function locked(path: string): Database.Database {
  const db = new Database(path, { timeout: 0 });
  try {
    // In memory: a full disk must not keep the lock from being taken.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    // A file that may only be read is locked for reading, whatever was asked for, and the next one gets the same: only
    // a change tells. Never committed.
    db.pragma('user_version = 1');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite does not tell a missing right from a full disk; the operating system does. */
function whyNotOpen(path: string): unknown {
  try {
    closeSync(openSync(path, 'a'));
    return undefined;
  } catch (error) {
    return error;
  }
}
