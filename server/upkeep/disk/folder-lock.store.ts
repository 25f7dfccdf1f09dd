/**
 * Ensures that only one server uses a data folder. The lock is a file lock of SQLite, so the operating system releases
 * the lock when the process ends, also after a power cut, on every platform.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../db/connect.ts';
import { Unwritable } from './writable.ts';

/** Error: a server is running with this data folder. */
export class FolderInUse extends Error {}

const FILE = 'server.lock';

/** Locks the folder. Returns a function that releases the lock. @throws FolderInUse, Unwritable */
export const lockFolder = (data: string): (() => void) => {
  const file = join(data, FILE);
  // This code creates the file, because SQLite does not say why it could not create a file. An existing file is not
  // opened here: closing a file that this process has locked would release the lock.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const db = connect(file, { timeout: 0 });
  try {
    // The lock uses no journal file, because SQLite could not write one on a full disk.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    // SQLite opens a read-only file without an error. Only a write, which is never committed, reveals that the file is
    // read-only.
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
    lockFolder(data)();
    return false;
  } catch (error) {
    if (error instanceof FolderInUse) return true;
    throw error;
  }
};
