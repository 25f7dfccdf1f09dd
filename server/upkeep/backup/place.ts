/**
 * Knows where backups lie, and where they may not: a backup holds the server's keys, and whoever is served it can be
 * the server. A chosen place is on another disk, which may hang, so the server itself touches none; its upkeep process
 * does (process.ts).
 */
import { accessSync, type BigIntStats, constants, existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { DIST } from '../../http/dist-folder.ts';

export interface Place {
  readonly folder: string;
  /** Says that its owner chose it, and it is not the one in the data folder. */
  readonly chosen: boolean;
  readonly data: string;
}

/**
 * Lies in a chosen folder of backups: an unplugged disk leaves an empty folder behind, which must not be taken for it.
 */
const MARK = 'vitrine-backups-here';

/** @throws Error naming the folder when it is a chosen one and not there now */
export const requirePlace = ({ folder, chosen, data }: Place): void => {
  if (!chosen) return;
  if (!statSync(join(folder, MARK), { throwIfNoEntry: false }))
    throw new Error(`The folder of backups, ${folder}, is not there. Is its disk plugged in?`);
  const wrong = placeFault(folder, data);
  if (wrong) throw new Error(wrong);
};

/** Marks a folder as the one that was chosen. Returns why it cannot be. */
export const choosePlace = ({ folder, data }: Place): string | undefined => {
  if (!isAbsolute(folder)) return 'must be a whole path, from the root of the disk';
  try {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return `${folder} is no folder on the server’s computer. Make it first.`;
    const wrong = placeFault(folder, data);
    if (wrong) return wrong;
    accessSync(folder, constants.W_OK);
    writeFileSync(join(folder, MARK), 'Vitrine makes its backups here.\n');
    return undefined;
  } catch (error) {
    return `${folder} cannot be written (${(error as NodeJS.ErrnoException).code})`;
  }
};

/** Names folders of the data folder that are served, or that the server fills, checks and empties itself. */
const TAKEN = ['media', 'pages', 'updates', 'programs', 'keys', 'logs'];

/** Returns why backups must not lie in a folder, in a sentence; undefined when they may. */
export const placeFault = (folder: string, data: string): string | undefined => {
  const place = realpathSync.native(nearest(resolve(folder)));
  // There the media of the backups would be taken for the store's own.
  if (existsSync(folder) && isSame(place, data))
    return `${folder} is the data folder itself. Choose another folder, best on another disk.`;
  const around = [...TAKEN.map((name) => join(data, name)), DIST].find((taken) => isInside(place, taken));
  return (
    around &&
    `${folder} lies in ${around}, which the server uses or hands out itself. Choose another folder, best on another disk.`
  );
};

/** Returns the nearest folder that is there, in which the others will be made. */
const nearest = (folder: string): string => {
  let found = folder;
  while (!existsSync(found) && dirname(found) !== found) found = dirname(found);
  return found;
};

/**
 * Compares what the file system says they are, not names: links, mounts and upper and lower case lead to the same
 * folder.
 */
const isInside = (place: string, other: string): boolean => {
  for (let at = place; ; at = dirname(at)) {
    if (isSame(at, other)) return true;
    if (dirname(at) === at) return false;
  }
};

const isSame = (a: string, b: string): boolean => {
  const [one, other] = [statOf(a), statOf(b)];
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
};

const statOf = (path: string): BigIntStats | undefined => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder on the way that may not be looked into is none of ours.
    return undefined;
  }
};
