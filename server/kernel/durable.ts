/** Keeps files over a power cut: a rename is on disk once its folder is. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** Writes a file to the disk. @param flags open it: Windows syncs only what may be written */
export const syncFile = (path: string, flags: 'r' | 'r+'): void => {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Syncs a folder. Windows cannot do that, and does not need it. */
export const syncFolder = (path: string): void => {
  if (process.platform !== 'win32') syncFile(path, 'r');
};

/** Removes a file or a folder. A disk that takes nothing may let nothing go either: the next attempt clears it away. */
export const removeIfPossible = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
};

/**
 * Writes a file for this user alone, on disk when this returns. It is there whole or not at all; a failed attempt
 * leaves what was there before.
 */
export const writeWhole = (file: string, text: string): void => {
  const part = `${file}.new`;
  try {
    writeFileSync(part, text, { mode: 0o600, flush: true });
    renameSync(part, file);
  } catch (error) {
    removeIfPossible(part);
    throw error;
  }
  syncFolder(dirname(file));
};

/** Returns what a JSON file holds, and undefined when there is none or it cannot be read as that. */
export const readStored = <T>(file: string, schema: z.ZodType<T>): T | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
};
