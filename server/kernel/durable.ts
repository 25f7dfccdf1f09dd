/** What survives a power cut: a rename is on disk once its folder is. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Windows cannot sync folders and does not need to. */
export const syncFolder = (path: string): void => {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/**
 * Whole under its name or not there, and on disk when this returns; for this user alone. A failed attempt leaves what
 * was there before, and no part.
 */
export const writeWhole = (file: string, text: string): void => {
  const part = `${file}.new`;
  try {
    writeFileSync(part, text, { mode: 0o600, flush: true });
    renameSync(part, file);
  } catch (error) {
    try {
      rmSync(part, { force: true });
    } catch {
      // A disk that takes nothing lets nothing go either: the next attempt writes over it.
    }
    throw error;
  }
  syncFolder(dirname(file));
};
