/**
 * Opens a data folder for a server, or says why not: one server at a time, no half-done restore, the key that players trust, a
 * whole database. Nothing that is there is ever overwritten; where a backup is the way out, it is named.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { DatabaseDamaged, DatabaseRefused, openDatabase } from '../db/open.ts';
import { type Identity, IdentityError, loadIdentity } from '../identity.ts';
import { listBackups, newestGood } from './backup/backup-files.ts';
import { backupsFolder } from './backup/make-backup.ts';
import { releaseReserve } from './disk-reserve.ts';
import { holdFolder } from './folder-lock.store.ts';
import { RESTORE_MARK } from './restore-mark.ts';

export interface DataFolder {
  readonly identity: Identity;
  readonly db: Database;
  /** The disk was so full that the reserve had to go. */
  readonly reserveGone: boolean;
  /** What its owner should hear of, in sentences. */
  readonly notes: readonly string[];
  /** Closes the database and gives the folder free. */
  close(): void;
}

/** @throws DatabaseRefused, IdentityError, FolderInUse */
export const openDataFolder = (data: string): DataFolder => {
  const reserveGone = releaseReserve(data);
  const release = holdFolder(data);
  try {
    const file = join(data, 'vitrine.db');
    requireWholeFolder(data, file);
    const identity = orOffer(data, '--keys-only', IdentityError, () => loadIdentity(data, { mayCreate: !existsSync(file) }));
    const notes: string[] = [];
    const db = orOffer(data, '', DatabaseDamaged, () => openDatabase(file, (sentence) => notes.push(sentence)));
    return {
      identity,
      db,
      reserveGone,
      notes,
      close: () => {
        db.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
};

const requireWholeFolder = (data: string, file: string): void => {
  const mark = join(data, RESTORE_MARK);
  if (existsSync(mark)) {
    const [from = 'FILE', flag = ''] = readFileSync(mark, 'utf8').split('\n');
    throw new DatabaseRefused(`A restore into ${data} was interrupted. Do it again: ${restoreCommand(from, data, flag)}`);
  }
  // A new database under the old key would tell every screen that it is unknown, and they would forget what they show.
  if (!existsSync(file) && listBackups(backupsFolder(data)).length > 0) {
    throw new DatabaseRefused(`${file} is missing, but ${data} has backups. ${offerOf(data, '')} To start anew instead, choose another folder with --data.`);
  }
};

const orOffer = <T>(data: string, flag: string, kind: new (message: string) => Error, open: () => T): T => {
  try {
    return open();
  } catch (error) {
    if (error instanceof kind) throw new kind(`${error.message} ${offerOf(data, flag)}`);
    throw error;
  }
};

const offerOf = (data: string, flag: string): string => {
  const good = newestGood(backupsFolder(data));
  if (good) return `The newest good backup is from ${new Date(good.manifest!.made_at).toLocaleString()}. To go back to it: ${restoreCommand(good.path, data, flag)}`;
  if (flag)
    return `There is no backup in ${backupsFolder(data)}. If you have one elsewhere: ${restoreCommand('FILE', data, flag)}. With none, "vitrine new-key --data ${quoted(data)}" makes a new key; then every screen must be paired anew.`;
  return `There is no backup in ${backupsFolder(data)}. If you have one elsewhere: ${restoreCommand('FILE', data, flag)}`;
};

/** What is there before is set aside, not overwritten. */
const restoreCommand = (file: string, data: string, flag: string): string => ['vitrine restore', quoted(file), '--data', quoted(data), flag].filter(Boolean).join(' ');
const quoted = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);
