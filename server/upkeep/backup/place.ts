/**
 * Checks where backups may be stored. A backup contains the server's keys, so anybody who can download a backup can
 * impersonate the server. A chosen folder may be on a disk that hangs, so only the upkeep process accesses the folder
 * (process.ts), never the server itself.
 */
import { accessSync, type BigIntStats, constants, existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { DIST } from '../../http/dist-folder.ts';

export interface Place {
  readonly folder: string;
  /** Whether a person chose the folder. False for the folder inside the data folder. */
  readonly chosen: boolean;
  readonly data: string;
}

/**
 * Name of the marker file in a chosen folder. An unplugged disk leaves an empty folder without this file behind, which
 * must not be used by mistake.
 */
const MARK = 'vitrine-backups-here';

/** @throws Error that names the folder when a chosen folder is not available */
export const requirePlace = ({ folder, chosen, data }: Place): void => {
  if (!chosen) return;
  if (!statSync(join(folder, MARK), { throwIfNoEntry: false }))
    throw new Error(`The backup folder ${folder} does not exist. Check whether its disk is connected.`);
  const wrong = placeFault(folder, data);
  if (wrong) throw new Error(wrong);
};

/** Writes the marker file into a chosen folder. Returns the reason when the folder cannot be used. */
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

/**
 * Subfolders of the data folder that must not contain backups: the server serves them, or fills, checks and empties
 * them itself.
 */
const TAKEN = ['media', 'pages', 'updates', 'programs', 'keys', 'logs'];

/** Returns why backups must not be stored in a folder, as a sentence; undefined when they may. */
export const placeFault = (folder: string, data: string): string | undefined => {
  const place = realpathSync.native(nearest(resolve(folder)));
  // Refuses the data folder itself, where the media of backups would be confused with the media of the store.
  if (existsSync(folder) && isSame(place, data))
    return `${folder} is the data folder itself. Choose another folder, best on another disk.`;
  const around = [...TAKEN.map((name) => join(data, name)), DIST].find((taken) => isInside(place, taken));
  return (
    around &&
    `${folder} lies in ${around}, which the server uses or hands out itself. Choose another folder, best on another disk.`
  );
};

/** Returns the nearest existing parent folder. */
const nearest = (folder: string): string => {
  let found = folder;
  while (!existsSync(found) && dirname(found) !== found) found = dirname(found);
  return found;
};

/**
 * Compares folders by their identity in the file system, because links, mounts and letter case can lead to the same
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
    // A parent folder that cannot be read is not one of Vitrine's folders, so isSame returns false for it.
    return undefined;
  }
};
