/** Compares the stored media with the database: finds missing and changed files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile, mediaPath, sizeOf } from '../backup/whole-file.ts';
import { readBlobs } from './media-check.store.ts';

export interface BadMedia {
  readonly sha256: string;
  /** Names of the contents that use the file. */
  readonly names: readonly string[];
}
export interface MediaFindings {
  readonly checked: number;
  readonly missing: readonly BadMedia[];
  readonly damaged: readonly BadMedia[];
}

/**
 * @param options.hash false compares only sizes
 * @param options.pauseMs pause after each megabyte, so that serving files is not slowed down
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
    // Skips a file that was deleted while it was read, because it is not damaged.
    else if (found !== size || (hash && hashFile(path, pauseMs) !== sha256 && existsSync(path)))
      damaged.push({ sha256, names });
  }
  return { checked: blobs.length, missing, damaged };
};
