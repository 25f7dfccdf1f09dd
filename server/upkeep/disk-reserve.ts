/**
 * Keeps a file that only takes space. On a full disk a server could not start, nobody could sign in and nothing could
 * be deleted, because each of these writes a little. Then parts of this file are released for exactly these writes
 * (disk-room.ts).
 */
import { closeSync, existsSync, fstatSync, openSync, renameSync, statSync, truncateSync, writeSync } from 'node:fs';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytes } from '../kernel/disk-words.ts';

const FILE = 'reserve';
const MB = 1024 * 1024;
/** Its largest and its least useful size: opening a database and answering for a while takes 4 MB. */
const [MOST, LEAST] = [16 * MB, 4 * MB];
/** The share of the free space that it takes at most. */
const SHARE = 1 / 8;
/** A server that starts with less free space releases a part of the reserve. */
const NEEDED = 4 * MB;
/** Zeros are written in pieces of this size. */
const BLOCK = Buffer.alloc(256 * 1024);

/** Returns the size of the reserve in bytes; 0 when there is none. */
export const reserveBytes = (data: string): number => statSync(join(data, FILE), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Makes the reserve smaller by at most `bytes` and returns by how much. An empty file stays: it tells the next start
 * that the free space was the reserve.
 */
export const releaseFromReserve = (data: string, bytes: number): number => {
  try {
    const size = reserveBytes(data);
    const released = Math.min(size, bytes);
    if (released > 0) truncateSync(join(data, FILE), size - released);
    return released;
  } catch {
    return 0;
  }
};

/** Releases what a start needs and returns how many bytes that were. */
export const releaseForStart = (data: string): number =>
  releaseFromReserve(data, Math.max(0, NEEDED - freeBytes(data)));

export const isGivenUp = (data: string): boolean => existsSync(join(data, FILE)) && reserveBytes(data) === 0;

/**
 * Appends zeros to a file until it has `bytes`, or as many as the disk has room for: what is allocated to a file, no
 * other program can take. Returns the size of the file.
 */
export const extendFile = (path: string, bytes: number): number => {
  const file = openSync(path, 'r+');
  try {
    let { size } = fstatSync(file);
    try {
      while (size < bytes) size += writeSync(file, BLOCK, 0, Math.min(BLOCK.length, bytes - size), size);
    } catch {
      // No room for more.
    }
    return size;
  } finally {
    closeSync(file);
  }
};

/**
 * Makes a file that is about to be deleted the new reserve, if it is larger than the present one. Its space never
 * becomes free meanwhile, so that no other program can take it.
 * @param bytes is the size of the whole reserve; what the file has beyond that becomes free
 * @returns whether the file was taken
 */
export const takeAsReserve = (data: string, path: string, bytes: number): boolean => {
  try {
    const { size } = statSync(path);
    if (Math.min(size, bytes) <= reserveBytes(data)) return false;
    if (size > bytes) truncateSync(path, bytes);
    renameSync(path, join(data, FILE));
    return true;
  } catch {
    return false;
  }
};

/**
 * Makes the reserve, or a larger one, when there is room. Never rejects.
 * @param atLeast is the size that it had before parts of it were released: so much is restored in any case
 */
export const keepReserve = async (data: string, atLeast = 0): Promise<void> => {
  const file = join(data, FILE);
  try {
    await rm(`${file}.new`, { force: true });
    const there = (await stat(file).catch(() => undefined))?.size ?? 0;
    const { bavail, bsize } = await statfs(data);
    const share = Math.min(MOST, Math.floor((bavail * bsize * SHARE) / MB) * MB);
    const bytes = Math.max(share < LEAST ? 0 : share, atLeast);
    if (bytes <= there) return;
    const handle = await open(file, 'a', 0o600);
    try {
      for (let done = there; done < bytes; )
        done += (await handle.write(BLOCK, 0, Math.min(BLOCK.length, bytes - done))).bytesWritten;
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The reserve is only a precaution. What was written of it stays.
  }
};
