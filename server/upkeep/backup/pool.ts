/** Keeps the media that the backups of a folder share, each once, in `media/` beside them. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../kernel/durable.ts';
import { alive } from '../alive.ts';
import { piecesOf } from './pieces.ts';
import { bring, hashFile, isWhole, mediaPath, sizeOf } from './whole-file.ts';

export interface PoolFindings {
  readonly folder: string;
  readonly checked: number;
  /** Lists the SHA-256 that their files no longer have. */
  readonly damaged: readonly string[];
}

interface Blob {
  readonly sha256: string;
  readonly size: number;
}

export interface Shared {
  /** Lists what is there, and was read to the end. */
  readonly whole: Blob[];
  /** Lists what is neither here nor there. */
  readonly missing: string[];
  /** Lists what was there, but nowhere whole. */
  readonly damaged: string[];
  /** Lists what has no good file among the sources, although a backup may have one. It was found out on the way. */
  readonly lost: { readonly missing: string[]; readonly damaged: string[] };
}

export const poolOf = (folder: string): string => join(folder, 'media');

/**
 * Shares each file once, however many backups name it. One that is in the pool is read again, because a backup does not
 * name what it has not seen whole.
 * @param sources has paths by hash; those that are not there are missing from the data folder
 * @param added is told of each file that is new in the pool
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
 * Returns the bytes that are still to be copied into a pool. It goes by sizes: what is rotten there is as large as what
 * replaces it.
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
  // What was pruned while it was read is not wrong.
  const damaged = files
    .filter(({ sha256, path }) => hashFile(path, pauseMs) !== sha256 && existsSync(path))
    .map(({ sha256 }) => sha256);
  return { folder, checked: files.length, damaged };
};

/** Returns what of these is not whole in the pool of a folder. */
export const notWhole = (folder: string, blobs: readonly Blob[]): { missing: string[]; damaged: string[] } => {
  const found = { missing: [] as string[], damaged: [] as string[] };
  for (const { sha256 } of blobs) {
    const path = mediaPath(poolOf(folder), sha256);
    if (sizeOf(path) === undefined) found.missing.push(sha256);
    else if (!isWhole(path, sha256)) found.damaged.push(sha256);
  }
  return found;
};
