/**
 * Makes a backup of a data folder, whether a server is running on it or not. Synchronous but for the copy of the database: it
 * runs in a thread of its own, or in a command.
 */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { VERSION } from '../../version.ts';
import { BackupDamaged, checkArchive, DATABASE, keyEntry, MANIFEST_ENTRY, type Manifest, manifestBytes, mediaEntry } from './archive.ts';
import { placeFault } from './place.ts';
import { factsOf, findDamage, takeSnapshot } from './snapshot.store.ts';
import { TarWriter } from './tar.ts';

/** Left free for the server, which goes on writing meanwhile. */
const RESERVE_BYTES = 32 * 1024 * 1024;

export interface BackupOrder {
  /** The data folder. */
  readonly data: string;
  /** The file to make; must not be there. */
  readonly target: string;
  /** `inside`: everything in this one file. `beside`: media into `media/` of the target's folder, shared with its other backups. */
  readonly media: 'inside' | 'beside';
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface BackupMade {
  readonly file: string;
  /** Of the file; media beside it not counted. */
  readonly bytes: number;
  readonly manifest: Manifest;
}

/** No backup was made; the sentence says why and what to do. */
export class BackupFailed extends Error {}

export const backupsFolder = (data: string): string => join(data, 'backups');
export const mediaPath = (folder: string, sha256: string): string => join(folder, sha256.slice(0, 2), sha256);
/** Beside backups that share their media. */
export const poolOf = (folder: string): string => join(folder, 'media');

/** Unfinished things carry the process that makes them: a server that starts clears away what a killed one left, and nothing else. */
const workName = (): string => `.work-${process.pid}-${randomUUID()}`;
const partName = (target: string): string => `${target}.${process.pid}.part`;
const UNFINISHED = /^\.work-(\d+)-|\.(\d+)\.part$/;

/** Removes what killed backups left. Called before this process makes any. */
export const tidy = (folder: string): void => {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const found = UNFINISHED.exec(name);
    if (found && !isOtherAlive(Number(found[1] ?? found[2]))) rmSync(join(folder, name), { recursive: true, force: true });
  }
};

const isOtherAlive = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** @throws BackupFailed */
export const makeBackup = async (order: BackupOrder): Promise<BackupMade> => {
  const { data, target } = order;
  const source = join(data, DATABASE);
  if (!existsSync(source)) throw new BackupFailed(`${data} holds no database of Vitrine. Name the data folder with --data.`);
  if (existsSync(target)) throw new BackupFailed(`${target} is there already. It is not overwritten; choose another name.`);
  const wrong = placeFault(dirname(target), data);
  if (wrong) throw new BackupFailed(wrong);
  const work = join(backupsFolder(data), workName());
  try {
    mkdirSync(dirname(target), { recursive: true });
    mkdirSync(work, { recursive: true, mode: 0o700 });
    requireSpace(work, statSync(source).size);
    const database = join(work, DATABASE);
    await takeSnapshot(source, database);
    const damage = findDamage(database);
    if (damage) throw new BackupFailed(`The database ${source} is damaged (${damage}). No backup was made of it, and the older ones are kept: restore the newest of them.`);
    return pack(order, work, database);
  } catch (error) {
    throw sentenceOf(error, order);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const pack = (order: BackupOrder, work: string, database: string): BackupMade => {
  const { data, target } = order;
  const facts = factsOf(database);
  const keys = existsSync(join(data, 'keys')) ? readdirSync(join(data, 'keys')).filter((name) => /^[a-z0-9][a-z0-9._-]{0,60}$/.test(name) && !name.endsWith('.new')) : [];
  const held = holdMedia(join(data, 'media'), join(work, 'media'), facts.blobs);
  const size = statSync(database).size;
  requireSpace(dirname(target), size + (order.media === 'inside' ? held.whole.reduce((sum, file) => sum + file.size, 0) : 0));

  const part = partName(target);
  rmSync(part, { force: true });
  const tar = new TarWriter(part, order.now);
  try {
    const sha256 = tar.addFile(DATABASE, database, size);
    for (const name of keys) tar.addBytes(keyEntry(name), readFileSync(join(data, 'keys', name)));
    const damaged = [...held.damaged];
    const media = order.media === 'inside' ? addMedia(tar, held, damaged) : shareMedia(poolOf(dirname(target)), held, damaged);
    const manifest: Manifest = {
      vitrine_backup: 1,
      made_at: order.now,
      version: VERSION,
      schema: facts.schema,
      server: { id: serverId(data), name: facts.serverName },
      database: { size, sha256 },
      keys,
      media_kept: order.media,
      media,
      media_missing: held.missing,
      media_damaged: damaged,
    };
    tar.addBytes(MANIFEST_ENTRY, manifestBytes(manifest));
    tar.finish();
    // Read back from the start: what cannot be read now will not be readable when it is needed.
    checkArchive(part);
    renameSync(part, target);
    syncFolder(dirname(target));
    return { file: target, bytes: statSync(target).size, manifest };
  } catch (error) {
    try {
      tar.abandon();
    } catch {
      // Closed already.
    }
    rmSync(part, { force: true });
    throw error;
  }
};

interface Held {
  readonly whole: readonly { readonly sha256: string; readonly size: number; readonly path: string }[];
  readonly missing: string[];
  readonly damaged: string[];
}

/** Second names for the files, so that none vanishes before it was copied, whatever the server deletes meanwhile. */
const holdMedia = (media: string, hold: string, blobs: readonly { readonly sha256: string; readonly size: number }[]): Held => {
  const held = { whole: [] as { sha256: string; size: number; path: string }[], missing: [] as string[], damaged: [] as string[] };
  mkdirSync(hold, { mode: 0o700 });
  for (const { sha256, size } of blobs) {
    const path = mediaPath(media, sha256);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) held.missing.push(sha256);
    else if (found.size !== size) held.damaged.push(sha256);
    else held.whole.push({ sha256, size, path: secondName(path, join(hold, sha256)) });
  }
  return held;
};

/** A file system without hard links has none; there a file is safe for the hour that the sweeper waits. */
const secondName = (path: string, wanted: string): string => {
  try {
    linkSync(path, wanted);
    return wanted;
  } catch {
    return path;
  }
};

const addMedia = (tar: TarWriter, held: Held, damaged: string[]): Manifest['media'] =>
  held.whole.flatMap(({ sha256, size, path }) => {
    if (tar.addFile(mediaEntry(sha256), path, size) === sha256) return [{ sha256, size }];
    damaged.push(sha256);
    return [];
  });

/** Each file once, however many backups name it: a second name on the same disk, a copy on another. */
const shareMedia = (pool: string, held: Held, damaged: string[]): Manifest['media'] => {
  const folders = new Set<string>();
  const media = held.whole.flatMap(({ sha256, size, path }) => {
    const shared = mediaPath(pool, sha256);
    if (statSync(shared, { throwIfNoEntry: false })?.size === size) return [{ sha256, size }];
    mkdirSync(dirname(shared), { recursive: true, mode: 0o700 });
    folders.add(dirname(shared));
    rmSync(shared, { force: true });
    try {
      linkSync(path, shared);
    } catch {
      if (!copyWhole(path, shared, sha256)) {
        damaged.push(sha256);
        return [];
      }
    }
    return [{ sha256, size }];
  });
  for (const folder of folders) syncFolder(folder);
  return media;
};

/** False when the bytes are not what their name says; nothing is left then. */
const copyWhole = (from: string, to: string, sha256: string): boolean => {
  const part = partName(to);
  const [source, target] = [openSync(from, 'r'), openSync(part, 'w', 0o600)];
  const hash = createHash('sha256');
  try {
    const chunk = Buffer.allocUnsafe(1024 * 1024);
    for (let read = readSync(source, chunk); read > 0; read = readSync(source, chunk)) {
      hash.update(chunk.subarray(0, read));
      for (let done = 0; done < read; ) done += writeSync(target, chunk, done, read - done);
    }
    fsyncSync(target);
  } finally {
    closeSync(source);
    closeSync(target);
  }
  const isWhole = hash.digest('hex') === sha256;
  if (isWhole) renameSync(part, to);
  else rmSync(part, { force: true });
  return isWhole;
};

const serverId = (data: string): string => {
  try {
    return String((JSON.parse(readFileSync(join(data, 'keys', 'server.json'), 'utf8')) as { id?: unknown }).id ?? '');
  } catch {
    return '';
  }
};

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;

const requireSpace = (folder: string, bytes: number): void => {
  const { bavail, bsize } = statfsSync(folder);
  if (bytes + RESERVE_BYTES > bavail * bsize)
    throw new BackupFailed(`There is too little space in ${folder}: the backup needs ${megabytes(bytes)}, ${megabytes(bavail * bsize)} are free.`);
};

/** A rename is on disk once its folder is. Windows cannot sync folders and does not need to. */
const syncFolder = (path: string): void => {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

const sentenceOf = (error: unknown, { target }: BackupOrder): Error => {
  if (error instanceof BackupFailed) return error;
  if (error instanceof BackupDamaged) return new BackupFailed(`The backup was written but cannot be read back: ${error.message}. Is the disk sound?`);
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') return new BackupFailed(`The disk is full: no backup was made in ${dirname(target)}.`);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupFailed(`${path ?? dirname(target)} cannot be written (${code}). Choose another folder for backups, or give this user the right to write there.`);
  return new BackupFailed(`The backup ${basename(target)} could not be made: ${message}`);
};
