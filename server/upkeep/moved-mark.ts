/**
 * Tells by two notes that belong together that a store was moved: one stays in the old folder, its twin lies in the
 * copy. The first counts only once the copy has its name, which is one step of the disk, so that a store is never in
 * two places.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../kernel/durable.ts';

/** Lies in the old folder, and the other in the new one. */
export const MOVED_TO = 'moved-to.json';
export const MOVED_HERE = 'moved-here.json';

const Mark = z.object({ to: z.string(), move: z.uuid() });
export type Mark = z.infer<typeof Mark>;

const readMark = (file: string): Mark | undefined => {
  try {
    return Mark.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder that this user may not read exists all the same.
    if (code === 'EACCES' || code === 'EPERM') throw error;
    return undefined;
  }
};

export const writeMark = (folder: string, name: typeof MOVED_TO | typeof MOVED_HERE, mark: Mark): void =>
  writeWhole(join(folder, name), JSON.stringify(mark));

/** Returns where the store of this folder is now, undefined when it is here. */
export const movedTo = (folder: string): string | undefined => {
  const left = readMark(join(folder, MOVED_TO));
  if (!left) return undefined;
  try {
    return readMark(join(left.to, MOVED_HERE))?.move === left.move ? left.to : undefined;
  } catch {
    // Only the user of the service may read the folder. It exists, since nothing else makes such a folder.
    return left.to;
  }
};

/** Tells whether a folder holds a store, or what is left of one. */
export const isStore = (folder: string): boolean =>
  existsSync(join(folder, 'vitrine.db')) || existsSync(join(folder, 'keys'));
