/**
 * A file that only occupies space. On a full disk a server could not start, nobody could sign in and nothing could be
 * deleted, because each of these writes a little. Parts of this file are then released for exactly these writes
 * (disk-room.ts).
 */
import { closeSync, existsSync, fstatSync, openSync, renameSync, statSync, truncateSync, writeSync } from 'node:fs';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytes } from '../../kernel/disk/disk-words.ts';

const FILE = 'reserve';
const MB = 1024 * 1024;
/** Maximum and minimum useful size in bytes. Opening a database and answering requests for a while takes 4 MB. */
const [MOST, LEAST] = [16 * MB, 4 * MB];
/** Maximum share of the free space that the reserve takes. */
const SHARE = 1 / 8;
/** Free space in bytes. If a server starts with less, it releases a part of the reserve. */
const NEEDED = 4 * MB;
/** Size in bytes of the blocks in which zeros are written. */
const BLOCK = Buffer.alloc(256 * 1024);

/** Returns the size of the reserve in bytes; 0 when there is none. */
export const reserveBytes = (data: string): number => statSync(join(data, FILE), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Shrinks the reserve by at most `bytes`. Returns by how many bytes. An empty file stays, so that the next start knows
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

/** Releases the space that a start needs. Returns the number of released bytes. */
export const releaseForStart = (data: string): number =>
  releaseFromReserve(data, Math.max(0, NEEDED - freeBytes(data)));

export const isGivenUp = (data: string): boolean => existsSync(join(data, FILE)) && reserveBytes(data) === 0;

/**
 * Appends zeros to a file until it has `bytes` or the disk is full. Other programs cannot take space that is allocated
 * to a file. Returns the size of the file.
 */
export const extendFile = (path: string, bytes: number): number => {
  const file = openSync(path, 'r+');
  try {
    let { size } = fstatSync(file);
    try {
      while (size < bytes) size += writeSync(file, BLOCK, 0, Math.min(BLOCK.length, bytes - size), size);
    } catch {
      // The disk is full, so the file stays smaller than requested.
    }
    return size;
  } finally {
    closeSync(file);
  }
};

/**
 * Turns a file that is about to be deleted into the new reserve, if the file is larger than the present reserve. The
 * space of the file is never free in between, so no other program can take it.
 * @param bytes size of the whole reserve;
 * any excess of the file becomes free
 * @returns whether the file was used
 */
export const adoptAsReserve = (data: string, path: string, bytes: number): boolean => {
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
 * Creates or enlarges the reserve when there is space. Never rejects.
 * @param atLeast size in bytes before parts were
 * released; the reserve grows to this size even if little space is free
 */
export const ensureReserve = async (data: string, atLeast = 0): Promise<void> => {
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
    // Ignores the error, because the reserve is only a precaution. The part that was written stays.
  }
};
