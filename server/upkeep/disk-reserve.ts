/**
 * A file that is worth nothing but its space. On a full disk a server could not even start, nobody could sign in, and
 * nothing could be deleted, since all of it writes a little: then this is given up, once, and what is left is for that
 * alone (disk-room.ts).
 */
import { existsSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'reserve';
const MB = 1024 * 1024;
/** What it is at most, and what it must be to be of use: opening a database and answering for a while takes 4 MB. */
const [MOST, LEAST] = [16 * MB, 4 * MB];
/** Of what is free: on a disk with less the reserve would be part of the trouble. */
const SHARE = 1 / 8;
/** A server that finds less than this when it starts gives the reserve up. */
const NEEDED = 4 * MB;

export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * It stays there, empty: so the next start knows that what is free now was the reserve. Returns how large it was; 0:
 * there was none.
 */
export const giveUpReserve = (data: string): number => {
  const file = join(data, FILE);
  try {
    const { size } = statSync(file);
    if (size > 0) truncateSync(file);
    return size;
  } catch {
    return 0;
  }
};

/** True when it had to be given up for a start. */
export const releaseReserve = (data: string): boolean => freeBytes(data) < NEEDED && giveUpReserve(data) > 0;

export const isGivenUp = (data: string): boolean => {
  const file = join(data, FILE);
  return existsSync(file) && statSync(file).size === 0;
};

/** Makes it where there is room and none is, or one that was made when there was less. Never rejects. */
export const keepReserve = async (data: string): Promise<void> => {
  const file = join(data, FILE);
  const fresh = `${file}.new`;
  try {
    const there = (await stat(file).catch(() => undefined))?.size ?? 0;
    const { bavail, bsize } = await statfs(data);
    const bytes = Math.min(MOST, Math.floor((bavail * bsize * SHARE) / MB) * MB);
    if (bytes < LEAST || bytes <= there) return;
    const handle = await open(fresh, 'w', 0o600);
    try {
      const block = Buffer.alloc(MB);
      for (let done = 0; done < bytes; )
        done += (await handle.write(block, 0, Math.min(block.length, bytes - done))).bytesWritten;
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch {
    // It is a precaution; without it nothing is worse than before.
    await rm(fresh, { force: true }).catch(() => {});
  }
};
