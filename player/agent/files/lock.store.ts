/**
 * Lock for one player per data folder. A file with a process id remains after a power cut, and the id may then belong
 * to another process. A lock of SQLite belongs to the operating system and ends with the process, on every platform.
 */
import { closeSync, openSync, truncateSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Log } from '../../core/ports.ts';
import { isDamage } from './database-files.ts';

export class FolderInUse extends Error {
  readonly code = 'FOLDER_IN_USE';
}

/** Error codes that mean that nothing can be stored: the folder belongs to another user, or its disk is read-only. */
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
   * Throws if the folder is in use or not writable. After any other failure (a full disk) the player runs without a
   * lock, so that the screen does not stay dark.
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
      // No other process holds the lock; otherwise SQLite would have reported the lock first. The file is emptied and
      // not replaced, so that two players that start at once lock the same file.
      truncateSync(this.#path);
      return locked(this.#path);
    }
  }
}

function locked(path: string): Database.Database {
  const db = new Database(path, { timeout: 0 });
  try {
    // The rollback journal is in memory, so that a full disk does not prevent the lock.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    // A read-only file gets only a read lock, which several processes can hold. Only a change detects this. The change
    // is never committed.
    db.pragma('user_version = 1');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Returns the error of opening the file. SQLite does not distinguish a missing permission from a full disk; the
 * operating system does.
 */
function whyNotOpen(path: string): unknown {
  try {
    closeSync(openSync(path, 'a'));
    return undefined;
  } catch (error) {
    return error;
  }
}
