/**
 * Puts a backup in place: checked before anything is touched, what was there set aside and never overwritten, and a restore that
 * was interrupted keeps the server from starting with half of it.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { newestSchema } from '../../db/open.ts';
import { holdFolder } from '../folder-lock.store.ts';
import { RESTORE_MARK } from '../restore-mark.ts';
import { checkArchive, DATABASE, hashEntry, type Manifest, type Part, walkArchive } from './archive.ts';
import { mediaPath, poolOf } from './make-backup.ts';
import { findDamage } from './snapshot.store.ts';

/** Nothing was changed, or what was is set aside; the sentence says what to do. */
export class RestoreFailed extends Error {}

export interface Restored {
  readonly manifest: Manifest;
  /** Where what was there before is now; null: the folder was empty. */
  readonly set_aside: string | null;
  readonly media_files: number;
  /** SHA-256 of media that the backup names and nobody has. */
  readonly media_missing: readonly string[];
}

/**
 * @param order.only `keys`: the server's keys alone; database and media stay as they are
 * @throws BackupDamaged, FolderInUse, RestoreFailed
 */
export const restoreBackup = ({ file, data, now, only }: { file: string; data: string; now: number; only?: 'keys' | undefined }): Restored => {
  const manifest = checkArchive(file);
  if (manifest.schema > newestSchema()) throw new RestoreFailed(`${file} was made by a newer version of Vitrine (${manifest.version}). Install that version first.`);
  mkdirSync(data, { recursive: true });
  const release = holdFolder(data);
  const fresh = join(data, `${UNFINISHED}${now}`);
  try {
    clearUnfinishedRestores(data);
    requireSpace(data, manifest);
    mkdirSync(fresh, { mode: 0o700 });
    const { taken } = unpack(file, fresh, only);
    const damage = only ? undefined : findDamage(join(fresh, DATABASE));
    if (damage) throw new RestoreFailed(`The database in ${file} is damaged (${damage}). Nothing was changed. Try an older backup.`);
    const setAside = join(data, `set-aside-${stamp(now)}`);
    const mark = join(data, RESTORE_MARK);
    writeFileSync(mark, `${file}\n${only ? '--keys-only' : ''}\n`, { flush: true });
    syncFolder(data);
    const moved = only ? moveAway(data, setAside, ['keys']) : moveAway(data, setAside, [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, 'keys']);
    renameSync(join(fresh, 'keys'), join(data, 'keys'));
    const media = only ? { files: 0, missing: [] } : placeMedia({ file, data, fresh, manifest, taken });
    if (!only) renameSync(join(fresh, DATABASE), join(data, DATABASE));
    syncFolder(data);
    rmSync(mark);
    syncFolder(data);
    return { manifest, set_aside: moved ? setAside : null, media_files: media.files, media_missing: [...manifest.media_missing, ...manifest.media_damaged, ...media.missing] };
  } catch (error) {
    throw sentenceOf(error, data);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    release();
  }
};

const UNFINISHED = '.restore-';

/** Removes what killed restores had unpacked: a copy of what their backup still holds. To be called while the folder is held. */
export const clearUnfinishedRestores = (data: string): void => {
  for (const name of readdirSync(data)) if (name.startsWith(UNFINISHED)) rmSync(join(data, name), { recursive: true, force: true });
};

/** Everything into a folder of its own first. */
const unpack = (file: string, fresh: string, only: 'keys' | undefined): { taken: Set<string> } => {
  mkdirSync(join(fresh, 'keys'), { mode: 0o700 });
  mkdirSync(join(fresh, 'media'), { mode: 0o700 });
  const taken = new Set<string>();
  walkArchive(file, (part) => {
    if (only && part.kind !== 'key') return;
    const path = targetOf(part, fresh);
    const hash = writeEntry(part, path);
    if (part.kind !== 'media') return;
    if (hash === part.sha256) taken.add(part.sha256);
    else rmSync(path);
  });
  return { taken };
};

const targetOf = (part: Part, fresh: string): string => {
  if (part.kind === 'database') return join(fresh, DATABASE);
  return part.kind === 'key' ? join(fresh, 'keys', part.name) : join(fresh, 'media', part.sha256);
};

const writeEntry = ({ entry }: Part, path: string): string => {
  const file = openSync(path, 'wx', 0o600);
  try {
    const hash = hashEntry(entry, (chunk) => {
      for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done);
    });
    fsyncSync(file);
    return hash;
  } finally {
    closeSync(file);
  }
};

/** True when there was anything. */
const moveAway = (data: string, setAside: string, names: readonly string[]): boolean => {
  const there = names.filter((name) => existsSync(join(data, name)));
  if (there.length === 0) return false;
  mkdirSync(setAside, { mode: 0o700 });
  for (const name of there) renameSync(join(data, name), join(setAside, name));
  return true;
};

/** From the backup itself, from beside it, or there already. */
const placeMedia = (at: { file: string; data: string; fresh: string; manifest: Manifest; taken: ReadonlySet<string> }): { files: number; missing: string[] } => {
  const media = join(at.data, 'media');
  const pool = poolOf(dirname(at.file));
  const missing: string[] = [];
  let files = 0;
  for (const { sha256, size } of at.manifest.media) {
    const target = mediaPath(media, sha256);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    if (at.taken.has(sha256)) renameSync(join(at.fresh, 'media', sha256), target);
    else if (statSync(target, { throwIfNoEntry: false })?.size !== size && !copyFrom(mediaPath(pool, sha256), target, size)) {
      missing.push(sha256);
      continue;
    }
    files++;
  }
  for (const name of existsSync(media) ? readdirSync(media) : []) syncFolder(join(media, name));
  return { files, missing };
};

const copyFrom = (source: string, target: string, size: number): boolean => {
  if (statSync(source, { throwIfNoEntry: false })?.size !== size) return false;
  rmSync(target, { force: true });
  try {
    linkSync(source, target);
  } catch {
    const part = `${target}.part`;
    copyFileSync(source, part);
    const file = openSync(part, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(part, target);
  }
  return true;
};

const requireSpace = (data: string, { database, media_kept, media }: Manifest): void => {
  const needed = database.size + (media_kept === 'inside' ? media.reduce((sum, { size }) => sum + size, 0) : 0);
  const { bavail, bsize } = statfsSync(data);
  if (needed > bavail * bsize) throw new RestoreFailed(`There is too little space in ${data}: the backup needs ${Math.ceil(needed / 1024 / 1024)} MB. Nothing was changed.`);
};

const stamp = (now: number): string => new Date(now).toISOString().slice(0, 19).replaceAll(':', '');

const syncFolder = (path: string): void => {
  if (process.platform === 'win32' || !statSync(path).isDirectory()) return;
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
};

const sentenceOf = (error: unknown, data: string): unknown => {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new RestoreFailed(`The disk of ${data} is full. Free some space, then restore again.`);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new RestoreFailed(`${path ?? data} cannot be written (${code}). Give this user the right to write there, then restore again.`);
  return error;
};
