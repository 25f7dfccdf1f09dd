/** Files named by the hash of their content: verifies and copies them. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { alive } from '../checks/alive.ts';
import { passed } from '../tasks/progress.ts';

const CHUNK = 1024 * 1024;
/** Number of bytes between two syncs. Little data is lost when a disk hangs, and each step of a copy is short. */
export const SYNC_EVERY = 64 * 1024 * 1024;

export const mediaPath = (folder: string, sha256: string): string => join(folder, sha256.slice(0, 2), sha256);

/** Returns a temporary name with the id of this process, so that leftovers of a killed process can be recognized. */
export const partName = (target: string): string => `${target}.${process.pid}.part`;

/**
 * Returns the SHA-256 of a file; undefined when the file is missing or unreadable.
 * @param pauseMs pause in milliseconds after each megabyte, so that serving files is not slowed down
 */
export const hashFile = (path: string, pauseMs = 0): string | undefined => {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, read));
      passed(read);
      if (pauseMs > 0) Atomics.wait(sleeper, 0, 0, pauseMs);
    }
    return hash.digest('hex');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

/** Reads the whole file to check it, because files on a failing disk keep their sizes. */
export const isWhole = (path: string, sha256: string): boolean =>
  sizeOf(path) !== undefined && hashFile(path) === sha256;

/** Returns the size of a file; undefined when the file does not exist. */
export const sizeOf = (path: string): number | undefined => {
  alive();
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
};

/**
 * Puts a verified file in place: as a hard link on the same disk, as a copy on another disk. An existing file with the
 * target name stays until the new file is verified. Returns false when the content does not match the name; nothing was
 * changed then.
 * @param part temporary name on the same disk
 */
export const bring = (from: string, to: string, sha256: string, part = partName(to)): boolean => {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  rmSync(part, { force: true });
  try {
    const found = isLinked(from, part) ? hashFile(part) : copy(from, part);
    if (found !== sha256) return false;
    renameSync(part, to);
    return true;
  } finally {
    rmSync(part, { force: true });
  }
};

/** Creates a hard link. Returns false on a file system without hard links, and across disks. */
export const isLinked = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
};

/** Copies a file. Returns the SHA-256 of the written data; undefined when the source cannot be read. */
const copy = (from: string, to: string): string | undefined => {
  const source = openedOf(from);
  if (source === undefined) return undefined;
  const target = openSync(to, 'w', 0o600);
  const hash = createHash('sha256');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let unsynced = 0; ; ) {
      const read = readOf(source, chunk);
      if (read === undefined) return undefined;
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      for (let done = 0; done < read; ) done += writeSync(target, chunk, done, read - done);
      unsynced += read;
      if (unsynced >= SYNC_EVERY) {
        fsyncSync(target);
        unsynced = 0;
      }
      passed(read);
    }
    fsyncSync(target);
    return hash.digest('hex');
  } finally {
    closeSync(source);
    closeSync(target);
  }
};

const openedOf = (path: string): number | undefined => {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
};

const readOf = (file: number, chunk: Buffer): number | undefined => {
  try {
    return readSync(file, chunk);
  } catch {
    return undefined;
  }
};
