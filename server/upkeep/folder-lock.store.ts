/**
 * Ensures that only one server uses a data folder. The lock is SQLite's, and so the operating system's: it ends with
 * the process, also after a power cut, on every platform.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../db/connect.ts';
import { Unwritable } from './writable.ts';

/** A server is running with this data folder. */
export class FolderInUse extends Error {}

const FILE = 'server.lock';

/** Returns a function that releases the folder. @throws FolderInUse, Unwritable */
export const holdFolder = (data: string): (() => void) => {
  const file = join(data, FILE);
  // The file is created here, because SQLite does not say why it could not create one. Only a missing file is opened:
  // closing a file that this process has locked would release the lock.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const db = connect(file, { timeout: 0 });
  try {
    // A journal file could not be written on a full disk, which would prevent locking.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    // SQLite opens a read-only file without an error; only a write, never committed, reveals it.
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
