/**
 * Turns errors of Node.js and SQLite about a full, read-only, failing or inaccessible disk into one sentence for the
 * person who started the program.
 */
import { statfsSync } from 'node:fs';
import { diskTrouble } from './disk-trouble.ts';

/** Number of free bytes below which SQLite cannot map its shared memory and reports an I/O error. */
const NEXT_TO_NOTHING = 1024 * 1024;

/** Returns the free bytes on the disk that holds a folder. */
export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const isNearlyFull = (path: string): boolean => {
  try {
    return freeBytes(path) < NEXT_TO_NOTHING;
  } catch {
    return false;
  }
};

/**
 * Returns the sentence about a disk error; undefined when the error does not concern the disk.
 * @param at working path
 * of the program, for errors that name no path
 */
export const wordsOfDisk = (error: unknown, at: string): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, path = at } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') return undefined;
  const trouble = diskTrouble(error, () => !isNearlyFull(at));
  if (trouble === 'full') return `${path}: the disk is full. Free some space, then try again.`;
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY'))
    return `${path} cannot be written (${code}): the disk or the file is read-only. Make the disk or file writable, or choose another folder.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'SQLITE_CANTOPEN')
    return `${path} cannot be used (${code}). Run this as the user to whom it belongs, or as administrator.`;
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return `The database in ${path} is damaged (${error.message}). Restore a backup ("vitrine restore FILE").`;
  if (trouble === 'failing' || code === 'ETIMEDOUT' || code === 'SQLITE_PROTOCOL')
    return `${path} cannot be read or written (${code}): the disk fails, or is no longer there. Nothing more was tried.`;
  if (code === 'EMFILE' || code === 'ENFILE')
    return `${path} cannot be opened (${code}): this computer has too many files open. Close other programs, then try again.`;
  if (
    [
      'ENOENT',
      'ENOTDIR',
      'EISDIR',
      'EEXIST',
      'ELOOP',
      'ENAMETOOLONG',
      'EBUSY',
      'EINVAL',
      'EFBIG',
      'EXDEV',
      'ENOTEMPTY',
    ].includes(code) &&
    'syscall' in error
  )
    return `${path} cannot be used (${code}).`;
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED')
    return `The database in ${path} is in use by another program (${code}). Try again when that has ended.`;
  return undefined;
};
