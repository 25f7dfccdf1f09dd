/**
 * One server per data folder. A file with a process id lies after a power cut; a lock that SQLite holds is the
 * operating system's and goes with the process, on every platform.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Unwritable } from './writable.ts';

/** A server is running with this data folder. */
export class FolderInUse extends Error {}

const FILE = 'server.lock';

/** @returns what gives the folder free again. @throws FolderInUse, Unwritable */
export const holdFolder = (data: string): (() => void) => {
  const file = join(data, FILE);
  // SQLite cannot say why a file could not be made. Only where there is none: closing one that this process has locked
  // would lose its lock.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const db = new BetterSqlite3(file, { timeout: 0 });
  try {
    // In memory: a full disk must not keep the lock from being taken.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    // A file that may only be read is locked for reading, whatever was asked for, and the next one gets the same: only
    // a change tells. Never committed.
    db.pragma('user_version = 1');
  } catch (error) {
    db.close();
    const { code } = error as { code: string };
    if (code.startsWith('SQLITE_READONLY')) throw new Unwritable(file, code);
    if (code === 'SQLITE_BUSY')
      throw new FolderInUse(`A Vitrine server is running with the data folder ${data}. Stop it first.`);
    throw error;
  }
  return () => db.close();
};

export const isFolderInUse = (data: string): boolean => {
  if (!existsSync(join(data, FILE))) return false;
  try {
    holdFolder(data)();
    return false;
  } catch (error) {
    if (error instanceof FolderInUse) return true;
    throw error;
  }
};
