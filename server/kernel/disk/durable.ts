/** File operations that survive a power cut: a rename is on disk only after its folder is synced. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** Syncs a file to the disk. @param flags mode in which to open the file; Windows syncs only files open for writing */
export const syncFile = (path: string, flags: 'r' | 'r+'): void => {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Syncs a folder. Does nothing on Windows, which neither supports nor needs this. */
export const syncFolder = (path: string): void => {
  if (process.platform !== 'win32') syncFile(path, 'r');
};

/**
 * Removes a file or folder, ignoring errors: a full disk may also refuse deletions. The next attempt removes the rest.
 */
export const removeIfPossible = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
};

/**
 * Writes a file and syncs it to disk. Only this user can read the file. The write is atomic: a failed attempt leaves
 * the previous file in place.
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

/** Returns the content of a JSON file; undefined when the file is missing or does not match the schema. */
export const readStored = <T>(file: string, schema: z.ZodType<T>): T | undefined => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
};
