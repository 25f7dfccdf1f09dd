/**
 * A file that is worth nothing but its space: on a full disk a server could not even start, since the database needs a little to
 * be opened. Then this goes, and screens are served.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'reserve';
const BYTES = 16 * 1024 * 1024;
/** On a disk with less the reserve would be part of the trouble. */
const ROOM_FOR_IT = 8 * BYTES;
/** What opening a database and answering for a while takes. */
const NEEDED = 4 * 1024 * 1024;

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/** True when it had to be given up. */
export const releaseReserve = (data: string): boolean => {
  const file = join(data, FILE);
  if (!existsSync(file) || freeBytes(data) >= NEEDED) return false;
  rmSync(file, { force: true });
  return true;
};

/** Makes it where there is room and none is. */
export const keepReserve = (data: string): void => {
  const file = join(data, FILE);
  if (existsSync(file) || freeBytes(data) < ROOM_FOR_IT) return;
  const fresh = `${file}.new`;
  try {
    const handle = openSync(fresh, 'w', 0o600);
    const block = Buffer.alloc(1024 * 1024);
    for (let done = 0; done < BYTES; ) done += writeSync(handle, block, 0, Math.min(block.length, BYTES - done));
    fsyncSync(handle);
    closeSync(handle);
    renameSync(fresh, file);
  } catch {
    // It is a precaution; without it nothing is worse than before.
    rmSync(fresh, { force: true });
  }
};
