/**
 * Restores a backup. The backup is verified before anything is changed, and existing files are moved aside, never
 * overwritten. Slow work comes first. Then a marker file is written, and only renames remain. An interrupted restore
 * has either changed nothing, or the next start finishes it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beginEpochIn } from '../../db/epochs.ts';
import { newestSchema } from '../../db/open.ts';
import { freeBytes } from '../../kernel/disk/disk-words.ts';
import { removeIfPossible, syncFolder, writeWhole } from '../../kernel/disk/durable.ts';
import { lockFolder } from '../disk/folder-lock.store.ts';
import { RESTORE_MARK } from '../restore/restore-mark.ts';
import { beginStep, passed } from '../tasks/progress.ts';
import {
  bytesAlone,
  DATABASE,
  type Manifest,
  mediaIn,
  type Part,
  readArchive,
  walkArchive,
  writeEntry,
} from './archive.ts';
import { freeName } from './backup-files.ts';
import { backupsFolder } from './make-backup.ts';
import { missingBytes, poolOf } from './pool.ts';
import { findDamage, findForeign } from './snapshot.store.ts';
import { bring, hashFile, mediaPath, sizeOf } from './whole-file.ts';

/**
 * Error: the restore failed. Nothing was changed, or the previous files were moved aside. The message says what to do.
 */
export class RestoreFailed extends Error {}

interface Restored {
  readonly manifest: Manifest;
  /** Folder into which the previous files were moved; null when there were no previous files. */
  readonly set_aside: string | null;
  readonly media_files: number;
  /** SHA-256 of media that the restored database refers to and that no source contains. */
  readonly media_missing: readonly string[];
  /** SHA-256 of media of which every source has only damaged copies. */
  readonly media_damaged: readonly string[];
}

/**
 * Restores a backup. New files are written first, and only then files are renamed, so that the previous data stays on a
 * full or failing disk.
 * @param order.only `keys` restores only the server's keys; database and media stay
 * @throws
 * BackupDamaged, FolderInUse, RestoreFailed
 */
export const restoreBackup = ({
  file,
  data,
  now,
  only,
}: {
  file: string;
  data: string;
  now: number;
  only?: 'keys' | undefined;
}): Restored => {
  const { manifest } = readArchive(file);
  if (manifest.schema > newestSchema())
    throw new RestoreFailed(
      `${file} was made by a newer version of Vitrine (${manifest.version}). Install that version first.`,
    );
  mkdirSync(data, { recursive: true });
  const release = lockFolder(data);
  const fresh = join(data, `${UNFINISHED}${now}`);
  try {
    finishRestore(data);
    clearUnfinishedRestores(data);
    requireSpace(file, data, manifest);
    mkdirSync(fresh, { mode: 0o700 });
    beginStep('unpacking', bytesAlone(file, manifest));
    const unpacked = unpack(file, fresh, only);
    beginStep('checking');
    const foreign = only ? undefined : findForeign(join(fresh, DATABASE));
    if (foreign)
      throw new RestoreFailed(
        `The database in ${file} was changed outside of Vitrine: ${foreign}. Nothing was changed. Use an unchanged backup.`,
      );
    const damage = only ? undefined : findDamage(join(fresh, DATABASE));
    if (damage)
      throw new RestoreFailed(
        `The database in ${file} is damaged (${damage}). Nothing was changed. Try an older backup.`,
      );
    if (!only) beginEpochIn(join(fresh, DATABASE), Math.floor(now / 1000));
    const setAside = freeName(join(data, `set-aside-${stamp(now)}`));
    const media = only
      ? { files: 0, missing: [], damaged: [] }
      : placeMedia({ file, data, fresh, setAside, manifest, unpacked });
    for (const folder of [join(fresh, 'keys'), fresh]) syncFolder(folder);
    writeWhole(
      join(data, RESTORE_MARK),
      `${file}\n${only ? '--keys-only' : ''}\n${basename(fresh)}\n${basename(setAside)}\n`,
    );
    swap(data, fresh, setAside);
    return {
      manifest,
      set_aside: existsSync(setAside) ? setAside : null,
      media_files: media.files,
      media_missing: media.missing,
      media_damaged: media.damaged,
    };
  } catch (error) {
    throw sentenceOf(error, data);
  } finally {
    // Keeps the unpacked files while the marker file exists, because they must still be moved into place.
    if (!existsSync(join(data, RESTORE_MARK))) removeIfPossible(fresh);
    release();
  }
};

const UNFINISHED = '.restore-';
/** Prefix of folders for test restores. Leftovers of a killed test are removed like those of a killed restore. */
export const TRIED = `${UNFINISHED}try-`;
const FRESH = /^\.restore-\d+$/;
const SET_ASIDE = /^set-aside-[\w-]+$/;

/**
 * Finishes a restore that was interrupted after unpacking. Called while the folder is locked. Returns false when the
 * restore cannot be finished: an older version began the restore, or the unpacked files are gone.
 */
export const finishRestore = (data: string): boolean => {
  const mark = join(data, RESTORE_MARK);
  if (!existsSync(mark)) return true;
  const [, , fresh = '', setAside = ''] = readFileSync(mark, 'utf8').split('\n');
  if (!FRESH.test(fresh) || !SET_ASIDE.test(setAside) || !existsSync(join(data, fresh))) return false;
  swap(data, join(data, fresh), join(data, setAside));
  return true;
};

/** Renames the files and removes the marker file. Resumes an interrupted attempt. */
const swap = (data: string, fresh: string, setAside: string): void => {
  for (const [name, ...beside] of [['keys'], [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`]] as const) {
    // Skips a file that was already moved into place before the interruption.
    if (!existsSync(join(fresh, name))) continue;
    moveAway(data, setAside, [name, ...beside]);
    renameSync(join(fresh, name), join(data, name));
  }
  syncFolder(data);
  rmSync(join(data, RESTORE_MARK));
  syncFolder(data);
};

/**
 * Removes files that killed restores unpacked. The backup still contains these files. Called while the folder is
 * locked.
 */
export const clearUnfinishedRestores = (data: string): void => {
  for (const name of readdirSync(data))
    if (name.startsWith(UNFINISHED)) rmSync(join(data, name), { recursive: true, force: true });
};

interface Unpacked {
  /** SHA-256 of the media files that are intact. */
  readonly taken: ReadonlySet<string>;
  /** SHA-256 of media that do not match their names. */
  readonly damaged: ReadonlySet<string>;
}

/** Unpacks everything into a separate folder first. */
const unpack = (file: string, fresh: string, only: 'keys' | undefined): Unpacked => {
  mkdirSync(join(fresh, 'keys'), { mode: 0o700 });
  mkdirSync(join(fresh, 'media'), { mode: 0o700 });
  const [taken, damaged] = [new Set<string>(), new Set<string>()];
  walkArchive(file, (part) => {
    if (only && part.kind !== 'key') return;
    const path = targetOf(part, fresh);
    const hash = writeEntry(part.entry, path);
    if (part.kind !== 'media') return;
    if (hash !== part.sha256) rmSync(path);
    (hash === part.sha256 ? taken : damaged).add(part.sha256);
  });
  return { taken, damaged };
};

const targetOf = (part: Part, fresh: string): string => {
  if (part.kind === 'database') return join(fresh, DATABASE);
  return part.kind === 'key' ? join(fresh, 'keys', part.name) : join(fresh, 'media', part.sha256);
};

const moveAway = (data: string, setAside: string, names: readonly string[]): void => {
  const there = names.filter((name) => existsSync(join(data, name)));
  if (there.length === 0) return;
  mkdirSync(setAside, { recursive: true, mode: 0o700 });
  for (const name of there) renameSync(join(data, name), join(setAside, name));
  syncFolder(setAside);
};

interface Placing {
  readonly file: string;
  readonly data: string;
  readonly fresh: string;
  readonly setAside: string;
  readonly manifest: Manifest;
  readonly unpacked: Unpacked;
}

/**
 * Copies media from any location with an intact file: the backup, the data folder, the pool beside the backup, or the
 * pool of the store's own backups.
 */
const placeMedia = ({
  file,
  data,
  fresh,
  setAside,
  manifest,
  unpacked,
}: Placing): { files: number; missing: string[]; damaged: string[] } => {
  const media = join(data, 'media');
  const pools = [...new Set([poolOf(dirname(file)), poolOf(backupsFolder(data))])];
  const [missing, damaged]: [string[], string[]] = [[], []];
  const folders = new Set<string>();
  let files = 0;
  const sizes = new Map(manifest.media.map(({ sha256, size }) => [sha256, size]));
  beginStep(
    'media',
    manifest.media.reduce((sum, { size }) => sum + size, 0),
  );
  for (const sha256 of new Set(mediaIn(manifest))) {
    const target = mediaPath(media, sha256);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const isThere = sizeOf(target) !== undefined;
    if (isThere && hashFile(target) === sha256) {
      files++;
      continue;
    }
    if (isThere) setAsideMedium(target, setAside, sha256);
    const elsewhere = pools.map((pool) => mediaPath(pool, sha256)).filter((path) => sizeOf(path) !== undefined);
    if (unpacked.taken.has(sha256)) {
      renameSync(join(fresh, 'media', sha256), target);
      passed(sizes.get(sha256) ?? 0);
    } else if (!elsewhere.some((path) => bring(path, target, sha256, join(fresh, 'media', sha256)))) {
      (isThere || elsewhere.length > 0 || unpacked.damaged.has(sha256) || manifest.media_damaged.includes(sha256)
        ? damaged
        : missing
      ).push(sha256);
      continue;
    }
    folders.add(dirname(target));
    files++;
  }
  for (const folder of folders) syncFolder(folder);
  return { files, missing, damaged };
};

/** Moves a damaged file aside instead of deleting it, because it may be all that is left of the picture. */
const setAsideMedium = (path: string, setAside: string, sha256: string): void => {
  mkdirSync(join(setAside, 'media'), { recursive: true, mode: 0o700 });
  renameSync(path, join(setAside, 'media', sha256));
};

const requireSpace = (file: string, data: string, { database, media_kept, media }: Manifest): void => {
  const [pool, isNear] = [poolOf(dirname(file)), statSync(dirname(file)).dev === statSync(data).dev];
  const away = isNear ? [] : media.filter(({ sha256, size }) => sizeOf(mediaPath(pool, sha256)) === size);
  const needed =
    database.size +
    (media_kept === 'inside'
      ? media.reduce((sum, { size }) => sum + size, 0)
      : missingBytes(join(data, 'media'), away));
  const free = freeBytes(data);
  if (needed > free)
    throw new RestoreFailed(
      `There is too little space in ${data}: the backup needs ${Math.ceil(needed / 1024 / 1024)} MB, ${Math.floor(free / 1024 / 1024)} MB are free. Nothing was changed.`,
    );
};

const stamp = (now: number): string => new Date(now).toISOString().slice(0, 19).replaceAll(':', '');

const sentenceOf = (error: unknown, data: string): unknown => {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return new RestoreFailed(`The disk of ${data} is full. Free some space, then restore again.`);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new RestoreFailed(
      `${path ?? data} cannot be written (${code}). Give this user the right to write there, then restore again.`,
    );
  if (code === 'EIO' || code?.startsWith('SQLITE_IOERR'))
    return new RestoreFailed(
      `A disk failed (EIO${path === undefined ? '' : `, ${path}`}). Look after it, then restore again.`,
    );
  return error;
};
