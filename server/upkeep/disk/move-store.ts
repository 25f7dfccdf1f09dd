/**
 * Moves a store's data to another folder, also on another disk: completely or not at all. The copy is made beside the
 * new folder, synced and compared with the original. Then a single rename gives the copy its final name. If the process
 * is killed before the rename, the old folder stays in use. After the rename, the new folder is in use, and a note in
 * the old folder names it. The next attempt removes leftovers in either case.
 */
import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { freeBytes, wordsOfDisk } from '../../kernel/disk/disk-words.ts';
import { removeIfPossible, syncFile, syncFolder } from '../../kernel/disk/durable.ts';
import { DATABASE } from '../backup/archive.ts';
import { hashFile } from '../backup/whole-file.ts';
import { lockFolder } from './folder-lock.store.ts';
import { isStore, MOVED_HERE, MOVED_TO, movedTo, writeMark } from './moved-mark.ts';
import { Unwritable } from './writable.ts';

/** Error: the store was not moved. The message says why. The old folder is unchanged and in use. */
export class MoveFailed extends Error {}

/** Files of a running or former server process, which are not copied. SQLite creates its shared memory file again. */
const NOT_COPIED = new Set(['server.lock', 'server.address', `${DATABASE}-shm`, MOVED_TO]);
/** Files that stay in a former folder of the store. */
const NOTES = new Set<string>([MOVED_TO, MOVED_HERE]);
/** Number of bytes that must stay free on the new disk. */
const ROOM_LEFT = 64 * 1024 * 1024;

export interface Move {
  readonly from: string;
  readonly to: string;
  /** Makes the user of the service the owner of the copy, before the copy is used. */
  readonly own?: (folder: string) => void;
}

/**
 * Moves a store if there is a store to move. Returns whether the store was moved by this call; false when there is
 * none, or it was moved earlier.
 * @throws MoveFailed; FolderInUse while the server of the store runs
 */
export const moveStore = ({ from: old, to: next, own }: Move): boolean => {
  const [from, to] = [resolve(old), resolve(next)];
  if (from === to || !existsSync(from)) return false;
  if (movedTo(from) === to) {
    clearOld(from);
    return false;
  }
  if (!isStore(from)) return false;
  if (`${to}${sep}`.startsWith(`${from}${sep}`) || `${from}${sep}`.startsWith(`${to}${sep}`))
    throw new MoveFailed(`${from} and ${to} lie within each other: choose another folder.`);
  if (isStore(to))
    throw new MoveFailed(
      `There is a store in ${to} already, and another one in ${from}. Nothing was moved: move one of the two folders away.`,
    );
  const release = hold(from, to);
  const part = `${to}.moving`;
  try {
    mkdirSync(dirname(to), { recursive: true });
    rmSync(part, { recursive: true, force: true });
    requireRoom(from, dirname(to));
    copyAll(from, part);
    const mark = { to, move: randomUUID() };
    writeMark(part, MOVED_HERE, mark);
    own?.(part);
    // Removes an empty target folder before the note is written. The note has no effect as long as the new folder does
    // not exist.
    giveWay(to);
    writeMark(from, MOVED_TO, mark);
    renameSync(part, to);
  } catch (error) {
    removeIfPossible(part);
    throw failure(error, from, to);
  } finally {
    release();
  }
  if (isOnDisk(to)) clearOld(from);
  return true;
};

/** Locks the old folder. Throws FolderInUse unchanged. */
const hold = (from: string, to: string): (() => void) => {
  try {
    return lockFolder(from);
  } catch (error) {
    throw failure(error, from, to);
  }
};

/**
 * Returns whether the new name certainly survives a power cut. If not, the old folder keeps its files, and the next
 * attempt removes them.
 */
const isOnDisk = (to: string): boolean => {
  try {
    syncFolder(dirname(to));
    return true;
  } catch {
    return false;
  }
};

const failure = (error: unknown, from: string, to: string): unknown => {
  if (error instanceof MoveFailed) return error;
  if (error instanceof Unwritable)
    return new MoveFailed(`The store in ${from} was not moved and stays where it is. ${error.message}`);
  const why =
    (error as NodeJS.ErrnoException).code === 'ENOTEMPTY'
      ? `${to} is not empty: move what lies there away.`
      : wordsOfDisk(error, to);
  return why === undefined ? error : new MoveFailed(`The store in ${from} was not moved and stays where it is. ${why}`);
};

/**
 * Deletes everything in the old folder except the notes about moves. Without the note that names the new folder, a
 * server that is started in the old folder by mistake would create an empty store.
 */
const clearOld = (from: string): void => {
  for (const name of readdirSync(from)) if (!NOTES.has(name)) removeIfPossible(join(from, name));
};

/** Removes a target folder that is empty or contains only the notes of a former store. Fails for any other folder. */
const giveWay = (to: string): void => {
  if (!existsSync(to)) return;
  const names = readdirSync(to);
  if (names.every((name) => NOTES.has(name))) for (const name of names) rmSync(join(to, name));
  rmdirSync(to);
};

/**
 * Returns the size of a folder in bytes. A file with two hard links (a backup shares media with the store) counts
 * once.
 */
const sizeOf = (folder: string, seen = new Set<string>()): number => {
  let sum = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const key = `${stat.dev}:${stat.ino}`;
    if (stat.isDirectory()) sum += sizeOf(path, seen);
    else if (stat.nlink === 1 || !seen.has(key)) sum += stat.size;
    seen.add(key);
  }
  return sum;
};

const requireRoom = (from: string, folder: string): void => {
  const free = freeBytes(folder);
  const wanted = sizeOf(from) + ROOM_LEFT;
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  if (free < wanted)
    throw new MoveFailed(
      `The store in ${from} was not moved and stays where it is: it needs ${inMegabytes(wanted)} on the disk of ${folder}, and ${inMegabytes(free)} are free. Free some space, then try again.`,
    );
};

const copyAll = (from: string, to: string, isTop = true, copied = new Map<string, string>()): void => {
  mkdirSync(to, { mode: 0o700 });
  for (const name of readdirSync(from)) {
    if (isTop && NOT_COPIED.has(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    const stat = lstatSync(source);
    if (stat.isDirectory()) copyAll(source, target, false, copied);
    else if (stat.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (stat.isFile()) {
      const key = `${stat.dev}:${stat.ino}`;
      const twin = stat.nlink > 1 ? copied.get(key) : undefined;
      if (twin === undefined || !link(twin, target)) copyWhole(source, target);
      copied.set(key, target);
    }
  }
  syncFolder(to);
};

/** Creates a hard link. Returns false on a file system without hard links. */
const link = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    return false;
  }
};

const copyWhole = (source: string, target: string): void => {
  copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  // On Windows, opens the file for writing, because Windows syncs only such files. On other systems, opens it for
  // reading, because read-only files must also be synced.
  syncFile(target, process.platform === 'win32' ? 'r+' : 'r');
  const hash = hashFile(target);
  if (hash === undefined || hash !== hashFile(source))
    throw new MoveFailed(
      `The store stays where it is: ${target} is not what ${source} is. The disk fails, or somebody changes the file.`,
    );
};
