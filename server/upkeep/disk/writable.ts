/** Checks that this user may write in a data folder, before anything is opened. */
import { accessSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Error: this user may not write to a file or folder in the data folder. */
export class Unwritable extends Error {
  constructor(path: string, code: string) {
    super(`${path} cannot be written (${code}). ${remedyOf(code)}`);
  }
}

const remedyOf = (code: string): string => {
  if (code === 'EROFS') return 'The disk is mounted to be read only: choose another folder with --data.';
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return 'It is a file, and a folder is needed: choose another with --data.';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full: free some space, then start again.';
  if (code !== 'EACCES' && code !== 'EPERM' && !code.startsWith('SQLITE_'))
    return 'The disk fails, or is no longer there: choose another folder with --data.';
  return 'Give this user the right to write there (a start as administrator may have left files that belong to the administrator), or choose another folder with --data.';
};

/** Folders in which every entry is checked. Folders with thousands of files are not in this list. */
const DEEP = new Set(['keys', 'logs']);

/**
 * Creates a missing folder, and checks that this user may write in it.
 * @throws Unwritable that names what cannot be
 * written
 */
export const requireWritable = (data: string): void => {
  attempt(data, () => mkdirSync(data, { recursive: true }));
  requireAll(data);
};

const requireAll = (folder: string): void => {
  attempt(folder, () => accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK));
  for (const entry of attempt(folder, () => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && DEEP.has(entry.name)) requireAll(path);
    else attempt(path, () => accessSync(path, constants.R_OK | constants.W_OK | (isFolder(path) ? constants.X_OK : 0)));
  }
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const attempt = <T>(path: string, work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Ignores an entry that was removed after it was listed, for example by a server that is stopping.
    if (code !== 'ENOENT') throw new Unwritable(path, code);
    return undefined;
  }
};
