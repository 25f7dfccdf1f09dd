/** Where backups may not lie: a backup holds the server's keys, and whoever is served it can be the server. */
import { type BigIntStats, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DIST } from '../../http/dist-folder.ts';

/** Folders of the data folder that are served, or that the server fills, checks and empties itself. */
const TAKEN = ['media', 'pages', 'updates', 'keys', 'logs'];

/** Why backups must not lie in a folder, in a sentence; undefined: they may. */
export const placeFault = (folder: string, data: string): string | undefined => {
  const place = realpathSync.native(nearest(resolve(folder)));
  // There the media of the backups would be taken for the store's own.
  if (existsSync(folder) && isSame(place, data)) return `${folder} is the data folder itself. Choose another folder, best on another disk.`;
  const around = [...TAKEN.map((name) => join(data, name)), DIST].find((taken) => isInside(place, taken));
  return around && `${folder} lies in ${around}, which the server uses or hands out itself. Choose another folder, best on another disk.`;
};

/** What is not there yet will be made in what is. */
const nearest = (folder: string): string => {
  let found = folder;
  while (!existsSync(found) && dirname(found) !== found) found = dirname(found);
  return found;
};

/** By what the file system says it is, not by name: links, mounts and upper and lower case lead to the same folder. */
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
