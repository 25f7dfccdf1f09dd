/** The pool: media shared by the backups of a folder, stored once in `media/` beside them. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../kernel/disk/durable.ts';
import { alive } from '../checks/alive.ts';
import { piecesOf } from './pieces.ts';
import { bring, hashFile, isWhole, mediaPath, sizeOf } from './whole-file.ts';

export interface PoolFindings {
  readonly folder: string;
  readonly checked: number;
  /** SHA-256 of files in the pool whose content no longer matches their name. */
  readonly damaged: readonly string[];
}

interface Blob {
  readonly sha256: string;
  readonly size: number;
}

export interface Shared {
  /** Media that are present and were read completely. */
  readonly whole: Blob[];
  /** SHA-256 of media that are neither in the pool nor in the data folder. */
  readonly missing: string[];
  /** SHA-256 of media of which only damaged copies exist. */
  readonly damaged: string[];
  /**
   * SHA-256 of media without an intact file in the data folder, even if a backup has an intact copy. Found while the
   * media are copied.
   */
  readonly lost: { readonly missing: string[]; readonly damaged: string[] };
}

export const poolOf = (folder: string): string => join(folder, 'media');

/**
 * Adds media to the pool, each file once. Files that are already in the pool are read again, because a backup lists
 * only media that were checked as intact.
 * @param sources paths in the data folder by hash; media without a path are
 * missing in the data folder
 * @param added called for each new file in the pool
 */
export const share = (
  pool: string,
  blobs: readonly Blob[],
  sources: ReadonlyMap<string, string>,
  added: (path: string) => void,
): Shared => {
  const found: Shared = { whole: [], missing: [], damaged: [], lost: { missing: [], damaged: [] } };
  const folders = new Set<string>();
  for (const { sha256, size } of blobs) {
    const [shared, source] = [mediaPath(pool, sha256), sources.get(sha256)];
    if (source === undefined) found.lost.missing.push(sha256);
    else if (sizeOf(source) !== size) found.lost.damaged.push(sha256);
    const before = sizeOf(shared);
    if (before === size && hashFile(shared) === sha256) {
      found.whole.push({ sha256, size });
    } else if (source !== undefined && bring(source, shared, sha256)) {
      found.whole.push({ sha256, size });
      folders.add(dirname(shared));
      if (before === undefined) added(shared);
    } else if (source === undefined && before === undefined) {
      found.missing.push(sha256);
    } else {
      found.damaged.push(sha256);
      if (source !== undefined && !found.lost.damaged.includes(sha256)) found.lost.damaged.push(sha256);
    }
  }
  for (const folder of folders) syncFolder(folder);
  return found;
};

/**
 * Returns the number of bytes that must still be copied into a pool. Compares sizes only, because a damaged file has
 * the same size as its replacement.
 */
export const missingBytes = (pool: string, blobs: readonly Blob[]): number =>
  blobs.reduce((sum, { sha256, size }) => sum + (sizeOf(mediaPath(pool, sha256)) === size ? 0 : size), 0);

export const hashesIn = (pool: string): string[] =>
  filesIn(pool).flatMap(({ name }) => (/^[0-9a-f]{64}$/.test(name) ? [name] : []));

export const prune = (pool: string, isNamed: (sha256: string) => boolean): void => {
  for (const { name, path } of filesIn(pool))
    if (/^[0-9a-f]{64}$/.test(name) && !isNamed(name)) rmSync(path, { force: true });
};

export const filesIn = (pool: string): { readonly name: string; readonly path: string }[] => {
  if (!existsSync(pool)) return [];
  return readdirSync(pool, { withFileTypes: true })
    .filter((sub) => sub.isDirectory())
    .flatMap((sub) => {
      alive();
      return readdirSync(join(pool, sub.name)).map((name) => ({ name, path: join(pool, sub.name, name) }));
    });
};

export const checkPool = (folder: string, pauseMs: number): PoolFindings => {
  const files = [poolOf(folder), piecesOf(folder)].flatMap((pool) =>
    hashesIn(pool).map((sha256) => ({ sha256, path: mediaPath(pool, sha256) })),
  );
  // A file that disappears while it is read does not count as damaged, because a rotation has deleted it.
  const damaged = files
    .filter(({ sha256, path }) => hashFile(path, pauseMs) !== sha256 && existsSync(path))
    .map(({ sha256 }) => sha256);
  return { folder, checked: files.length, damaged };
};

/** Returns the given media that are missing or damaged in the pool of a folder. */
export const notWhole = (folder: string, blobs: readonly Blob[]): { missing: string[]; damaged: string[] } => {
  const found = { missing: [] as string[], damaged: [] as string[] };
  for (const { sha256 } of blobs) {
    const path = mediaPath(poolOf(folder), sha256);
    if (sizeOf(path) === undefined) found.missing.push(sha256);
    else if (!isWhole(path, sha256)) found.damaged.push(sha256);
  }
  return found;
};
