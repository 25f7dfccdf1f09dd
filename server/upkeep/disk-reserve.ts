/**
 * Keeps a file that only takes space. On a full disk a server could not start, nobody could sign in and nothing could
 * be deleted, since each of these writes a little. Then this file is given up, once, and its space is for that alone
 * (disk-room.ts).
 */
import { existsSync, statSync, truncateSync } from 'node:fs';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytes } from '../kernel/disk-words.ts';

const FILE = 'reserve';
const MB = 1024 * 1024;
/** Its largest and its least useful size: opening a database and answering for a while takes 4 MB. */
const [MOST, LEAST] = [16 * MB, 4 * MB];
/** The share of the free space that it takes at most. */
const SHARE = 1 / 8;
/** A server that starts with less free space gives the reserve up. */
const NEEDED = 4 * MB;

/**
 * Empties the reserve and returns how large it was. The empty file stays: it tells the next start that the free space
 * was the reserve.
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

/** Gives the reserve up if a start needs it. Returns whether it did. */
export const releaseReserve = (data: string): boolean => freeBytes(data) < NEEDED && giveUpReserve(data) > 0;

export const isGivenUp = (data: string): boolean => {
  const file = join(data, FILE);
  return existsSync(file) && statSync(file).size === 0;
};

/** Makes the reserve, or a larger one, when there is room. Never rejects. */
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
    // The reserve is only a precaution.
    await rm(fresh, { force: true }).catch(() => {});
  }
};
