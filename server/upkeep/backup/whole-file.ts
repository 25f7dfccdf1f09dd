/**
 * Handles files that are named by their content: whether one is what its name says, and putting a copy of it elsewhere.
 */
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
import { alive } from '../alive.ts';
import { passed } from '../progress.ts';

const CHUNK = 1024 * 1024;
/**
 * A disk is asked to keep this much at a time: what it has not kept when it hangs is little, and each step of a copy is
 * short.
 */
export const SYNC_EVERY = 64 * 1024 * 1024;

export const mediaPath = (folder: string, sha256: string): string => join(folder, sha256.slice(0, 2), sha256);

/**
 * Names unfinished things by the process that makes them, so that whoever follows clears away what a killed one left,
 * and nothing else.
 */
export const partName = (target: string): string => `${target}.${process.pid}.part`;

/**
 * Returns undefined when it is not there, or cannot be read.
 * @param pauseMs follows each megabyte, so that whoever serves the files is not held up
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

/** Reads the whole file, because a disk that rots keeps the sizes of its files. */
export const isWhole = (path: string, sha256: string): boolean =>
  sizeOf(path) !== undefined && hashFile(path) === sha256;

/** Returns undefined when there is no such file. */
export const sizeOf = (path: string): number | undefined => {
  alive();
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
};

/**
 * Puts a whole file in place: a second name on the same disk, a copy on another. What is there under that name stays
 * until the new one is known to be whole. Returns false when the source is not what the name says, and nothing was
 * changed.
 * @param part is what it is called meanwhile, on the same disk
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

/** Gives a file a second name. Returns false on a file system without hard links, and for another disk. */
export const isLinked = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
};

/** Returns the SHA-256 of what was written; undefined when the source cannot be read. */
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
