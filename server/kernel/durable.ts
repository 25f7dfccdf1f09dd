/** Keeps files over a power cut: a rename is on disk once its folder is. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/** Syncs a folder. Windows cannot do that, and does not need it. */
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
 * Writes a file for this user alone, on disk when this returns. It is there whole or not at all; a failed attempt leaves
 * what was there before.
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
      // The next attempt writes over it.
    }
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
