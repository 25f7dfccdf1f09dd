/** Compares the stored media with what the database names: finds files that are missing or have changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile, mediaPath, sizeOf } from './backup/whole-file.ts';
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

/**
 * @param options.hash is false to compare sizes only
 * @param options.pauseMs follows each megabyte, so that whoever serves the files is not held up
 */
export const checkMedia = (
  data: string,
  { hash = true, pauseMs = 0 }: { hash?: boolean; pauseMs?: number } = {},
): MediaFindings => {
  const blobs = readBlobs(join(data, 'vitrine.db'));
  const missing: BadMedia[] = [];
  const damaged: BadMedia[] = [];
  for (const { sha256, size, names } of blobs) {
    const path = mediaPath(join(data, 'media'), sha256);
    const found = sizeOf(path);
    if (found === undefined) missing.push({ sha256, names });
    // A file that was deleted while it was read is no fault.
    else if (found !== size || (hash && hashFile(path, pauseMs) !== sha256 && existsSync(path)))
      damaged.push({ sha256, names });
  }
  return { checked: blobs.length, missing, damaged };
};
