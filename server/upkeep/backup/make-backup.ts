/**
 * Makes a backup of a data folder, with or without a running server. Only the copy of the database is asynchronous,
 * because this code runs in a child process or a command.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { freeBytes } from '../../kernel/disk/disk-words.ts';
import { removeIfPossible, syncFolder } from '../../kernel/disk/durable.ts';
import { VERSION } from '../../version.ts';
import { undivided, working } from '../checks/alive.ts';
import { beginStep } from '../tasks/progress.ts';
import {
  BackupDamaged,
  bytesAlone,
  checkArchive,
  DATABASE,
  keyEntry,
  MANIFEST_ENTRY,
  type Manifest,
  manifestBytes,
  mediaEntry,
  PLACES,
  readPieces,
} from './archive.ts';
import { listBackups, type Rotation } from './backup-files.ts';
import { PIECES_FROM, type PlacedPieces, planPieces, writePieces } from './pieces.ts';
import { placeFault } from './place.ts';
import { missingBytes, poolOf, type Shared, share } from './pool.ts';
import { factsOf, findDamage, takeSnapshot } from './snapshot.store.ts';
import { SourceUnreadable, TarWriter } from './tar.ts';
import { tidy, tidyAll, workName } from './unfinished.ts';
import { hashFile, isLinked, mediaPath, partName, sizeOf } from './whole-file.ts';

/** Number of bytes that a backup leaves free for the server, which continues to write during the backup. */
export const RESERVE_BYTES = 32 * 1024 * 1024;

export interface BackupOrder {
  readonly data: string;
  /** Path of the file to create. The file must not exist. */
  readonly target: string;
  /**
   * `inside`: everything is in this file; `beside`: media are in `media/` of the target's folder, shared with its other
   * backups.
   */
  readonly media: 'inside' | 'beside';
  /**
   * Minimum size in bytes of a database that is stored in pieces, which backups share. Applies only to backups with
   * media beside the file.
   */
  readonly piecesFrom?: number;
  /** Time of the backup in epoch milliseconds. */
  readonly now: number;
  /** Limits for the number of daily backups in the folder. If this is missing, no backup is deleted. */
  readonly rotation?: Rotation;
}

/**
 * SHA-256 of media that the database refers to and that are missing or damaged in the data folder, even if backups have
 * them.
 */
export interface LostMedia {
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
}

interface BackupMade {
  readonly file: string;
  /** Size in bytes of the file and its database, without media beside the file. */
  readonly bytes: number;
  readonly manifest: Manifest;
  readonly lost: LostMedia;
  /** SHA-256 of all media that the database refers to. */
  readonly named: readonly string[];
}

type MakeRoom = (named: readonly string[]) => void;

/** Error: no backup was made. The message says why and what to do. */
export class BackupFailed extends Error {}

export const backupsFolder = (data: string): string => join(data, 'backups');

/** @param room called when the required space is known @throws BackupFailed */
export const makeBackup = async (order: BackupOrder, room: MakeRoom = () => {}): Promise<BackupMade> => {
  const { data, target } = order;
  const source = join(data, DATABASE);
  if (!existsSync(source))
    throw new BackupFailed(`${data} holds no database of Vitrine. Name the data folder with --data.`);
  if (existsSync(target))
    throw new BackupFailed(`${target} already exists and is not overwritten. Choose another name.`);
  const wrong = placeFault(dirname(target), data);
  if (wrong) throw new BackupFailed(wrong);
  working();
  const work = join(backupsFolder(data), workName());
  try {
    tidy(backupsFolder(data));
    tidyAll(dirname(target));
    mkdirSync(dirname(target), { recursive: true });
    mkdirSync(work, { recursive: true, mode: 0o700 });
    requireSpace(work, statSync(source).size);
    const database = join(work, DATABASE);
    beginStep('database', statSync(source).size);
    await takeSnapshot(source, database);
    beginStep('checking');
    const damage = undivided(() => findDamage(database));
    if (damage)
      throw new BackupFailed(
        `The database ${source} is damaged (${damage}). No backup was made of it, and the older ones are kept: restore the newest of them.`,
      );
    return pack(order, work, database, room);
  } catch (error) {
    throw sentenceOf(error, order);
  } finally {
    removeIfPossible(work);
  }
};

const pack = (order: BackupOrder, work: string, database: string, room: MakeRoom): BackupMade => {
  const { data, target } = order;
  const [folder, pool] = [dirname(target), poolOf(dirname(target))];
  const facts = factsOf(database);
  const named = facts.blobs.map(({ sha256 }) => sha256);
  const keys = existsSync(join(data, 'keys'))
    ? readdirSync(join(data, 'keys')).filter(
        (name) => /^[a-z0-9][a-z0-9._-]{0,60}$/.test(name) && !name.endsWith('.new'),
      )
    : [];
  const held = holdMedia(join(data, 'media'), join(work, 'media'), facts.blobs);
  const size = statSync(database).size;
  const inPieces = order.media === 'beside' && size >= (order.piecesFrom ?? PIECES_FROM);
  const mediaSize = facts.blobs.reduce((sum, blob) => sum + blob.size, 0);
  room(named);
  if (inPieces) beginStep('reading', size);
  const plan = inPieces ? planPieces(folder, database, lastPieces(folder)) : undefined;
  requireSpace(
    folder,
    (plan?.toWrite ?? size) +
      (order.media === 'inside' ? mediaSize : isSameDisk(data, folder) ? 0 : missingBytes(pool, facts.blobs)),
  );

  const part = partName(target);
  removeIfPossible(part);
  const tar = new TarWriter(part, order.now);
  const added: string[] = [];
  try {
    beginStep('writing', size);
    const pieces = plan && writePieces(folder, database, plan, (path) => added.push(path));
    if (pieces) tar.addBytes(PLACES, pieces.places);
    const sha256 = plan?.sha256 ?? tar.addFile(DATABASE, database, size);
    for (const name of keys) tar.addBytes(keyEntry(name), readFileSync(join(data, 'keys', name)));
    beginStep('media', mediaSize);
    const { whole, missing, damaged, lost } =
      order.media === 'inside'
        ? addMedia(tar, facts.blobs, held, [pool, poolOf(backupsFolder(data))])
        : share(pool, facts.blobs, held, (path) => added.push(path));
    const manifest: Manifest = {
      vitrine_backup: pieces ? 2 : 1,
      made_at: order.now,
      version: VERSION,
      schema: facts.schema,
      server: { id: serverId(data), name: facts.serverName },
      database: { size, sha256, ...(pieces && { pieces: { size: pieces.size, packs: [...pieces.packs] } }) },
      keys,
      media_kept: order.media,
      media: whole,
      media_missing: missing,
      media_damaged: damaged,
    };
    tar.addBytes(MANIFEST_ENTRY, manifestBytes(manifest));
    tar.finish();
    // Reads the backup back, because data that is unreadable now will be unreadable when it is needed.
    checkArchive(part);
    renameSync(part, target);
    syncFolder(folder);
    return { file: target, bytes: bytesAlone(target, manifest), manifest, lost, named };
  } catch (error) {
    try {
      tar.abandon();
    } catch {
      // Ignores the error, because the file is closed already.
    }
    // Keeps copied media for the next attempt, except when they have filled the disk.
    for (const path of isFull(error) ? [part, ...added] : [part]) removeIfPossible(path);
    throw error;
  }
};

/** Returns the database pieces of the newest backup that is stored in pieces. */
const lastPieces = (folder: string): PlacedPieces | undefined => {
  const last = listBackups(folder).find(({ manifest, damage }) => manifest?.database.pieces && !damage);
  return last && readPieces(last.path);
};

type Blobs = readonly { readonly sha256: string; readonly size: number }[];

/**
 * Creates hard links to the files, so that every file can be copied, even if the server deletes the original. Returns
 * their paths by hash; missing files are omitted.
 */
const holdMedia = (media: string, hold: string, blobs: Blobs): Map<string, string> => {
  mkdirSync(hold, { mode: 0o700 });
  return new Map(
    blobs.flatMap(({ sha256 }) =>
      sizeOf(mediaPath(media, sha256)) === undefined
        ? []
        : [[sha256, secondName(mediaPath(media, sha256), join(hold, sha256))] as const],
    ),
  );
};

/**
 * Returns a hard link, or the original path on a file system without hard links. In the second case, the file is
 * protected by the hour that the server waits before it deletes a file.
 */
const secondName = (path: string, wanted: string): string => (isLinked(path, wanted) ? wanted : path);

/** Adds media to the backup file. Damaged media are replaced by the shared media of other backups if possible. */
const addMedia = (
  tar: TarWriter,
  blobs: Blobs,
  sources: ReadonlyMap<string, string>,
  pools: readonly string[],
): Shared => {
  const found: Shared = { whole: [], missing: [], damaged: [], lost: { missing: [], damaged: [] } };
  const isAdded = (path: string, { sha256, size }: Blobs[number]): boolean => {
    if (sizeOf(path) !== size) return false;
    const before = tar.at;
    try {
      if (tar.addFile(mediaEntry(sha256), path, size) === sha256) return true;
    } catch (error) {
      if (!(error instanceof SourceUnreadable)) throw error;
    }
    tar.truncate(before);
    return false;
  };
  for (const blob of blobs) {
    const { sha256 } = blob;
    const source = sources.get(sha256);
    if (source !== undefined && isAdded(source, blob)) {
      found.whole.push(blob);
      continue;
    }
    found.lost[source === undefined ? 'missing' : 'damaged'].push(sha256);
    const other = pools
      .map((pool) => mediaPath(pool, sha256))
      .find((path) => sizeOf(path) === blob.size && hashFile(path) === sha256);
    if (other !== undefined && isAdded(other, blob)) found.whole.push(blob);
    else found[source === undefined ? 'missing' : 'damaged'].push(sha256);
  }
  return found;
};

const serverId = (data: string): string => {
  try {
    return String((JSON.parse(readFileSync(join(data, 'keys', 'server.json'), 'utf8')) as { id?: unknown }).id ?? '');
  } catch {
    return '';
  }
};

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;

/** @throws BackupFailed when there is not enough space, including the space that the server needs meanwhile */
export const requireSpace = (folder: string, bytes: number): void => {
  const [needed, free] = [bytes + RESERVE_BYTES, freeBytes(folder)];
  if (needed > free)
    throw new BackupFailed(
      `There is too little space in ${folder}: the backup needs ${megabytes(needed)}, ${megabytes(free)} are free. Free another ${megabytes(needed - free)}.`,
    );
};

/** Returns whether both paths are on the same disk, where a hard link takes no space. */
const isSameDisk = (one: string, other: string): boolean => statSync(one).dev === statSync(other).dev;

export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes((error as NodeJS.ErrnoException).code ?? '');

const sentenceOf = (error: unknown, { target }: BackupOrder): Error => {
  if (error instanceof BackupFailed) return error;
  if (error instanceof BackupDamaged)
    return new BackupFailed(`The backup was written but cannot be read back: ${error.message}. Is the disk sound?`);
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (isFull(error)) return new BackupFailed(`The disk is full: no backup was made in ${dirname(target)}.`);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupFailed(
      `${path ?? dirname(target)} cannot be written (${code}). Choose another folder for backups, or give this user the right to write there.`,
    );
  return new BackupFailed(`The backup ${basename(target)} could not be made: ${message}`);
};
