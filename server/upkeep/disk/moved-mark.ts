/**
 * Two notes with the same content record that a store was moved: one stays in the old folder, the other is in the copy.
 * The note in the old folder becomes valid when the copy gets its final name. This is a single step on the disk, so a
 * store is never in two folders.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../../kernel/disk/durable.ts';

/** File names: note in the old folder, and note in the new folder. */
export const MOVED_TO = 'moved-to.json';
export const MOVED_HERE = 'moved-here.json';

const Mark = z.object({ to: z.string(), move: z.uuid() });
export type Mark = z.infer<typeof Mark>;

const readMark = (file: string): Mark | undefined => {
  try {
    return Mark.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Error: the folder exists, but this user may not read the folder.
    if (code === 'EACCES' || code === 'EPERM') throw error;
    return undefined;
  }
};

export const writeMark = (folder: string, name: typeof MOVED_TO | typeof MOVED_HERE, mark: Mark): void =>
  writeWhole(join(folder, name), JSON.stringify(mark));

/** Returns the new folder of a store that was moved; undefined when the store was not moved. */
export const movedTo = (folder: string): string | undefined => {
  const left = readMark(join(folder, MOVED_TO));
  if (!left) return undefined;
  try {
    return readMark(join(left.to, MOVED_HERE))?.move === left.move ? left.to : undefined;
  } catch {
    // Treats a folder without read access as the new folder: only the service's user may read it, and nothing else
    // creates such a folder.
    return left.to;
  }
};

/** Returns whether a folder contains a store, or remains of a store. */
export const isStore = (folder: string): boolean =>
  existsSync(join(folder, 'vitrine.db')) || existsSync(join(folder, 'keys'));
