/** Compares the stored media with what the database names: files that are gone, and files that are no longer what they were. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mediaPath } from './backup/make-backup.ts';
import { readBlobs } from './media-check.store.ts';

export interface BadMedia {
  readonly sha256: string;
  /** What people call it; several contents may show one file. */
  readonly names: readonly string[];
}
export interface MediaFindings {
  readonly checked: number;
  readonly missing: readonly BadMedia[];
  readonly damaged: readonly BadMedia[];
}

const CHUNK = 1024 * 1024;

/**
 * @param options.hash false: sizes only
 * @param options.pauseMs after each megabyte, so that whoever serves the files is not held up
 */
export const checkMedia = (data: string, { hash = true, pauseMs = 0 }: { hash?: boolean; pauseMs?: number } = {}): MediaFindings => {
  const blobs = readBlobs(join(data, 'vitrine.db'));
  const missing: BadMedia[] = [];
  const damaged: BadMedia[] = [];
  for (const { sha256, size, names } of blobs) {
    const path = mediaPath(join(data, 'media'), sha256);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) missing.push({ sha256, names });
    // Deleted while it was read: nothing is wrong.
    else if (found.size !== size || (hash && hashOf(path, pauseMs) !== sha256 && existsSync(path))) damaged.push({ sha256, names });
  }
  return { checked: blobs.length, missing, damaged };
};

/** Undefined: it cannot be read. */
const hashOf = (path: string, pauseMs: number): string | undefined => {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, read));
      if (pauseMs > 0) Atomics.wait(sleeper, 0, 0, pauseMs);
    }
    return hash.digest('hex');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
};
