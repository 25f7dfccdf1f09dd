/**
 * Opens a data folder for a server, or throws an error that says why not. Requires that no other server uses the
 * folder, no restore is unfinished, the key that players trust exists, and the database is intact. Never overwrites
 * anything. If a backup would help, the message names the backup.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../db/database.ts';
import { DatabaseDamaged, DatabaseRefused, isCheckedAtStart, openDatabase } from '../../db/open.ts';
import { ensureStoreId } from '../../db/store-id.ts';
import { type Identity, IdentityError, loadIdentity } from '../../identity.ts';
import { wordsOfDisk } from '../../kernel/disk/disk-words.ts';
import { DATABASE } from '../backup/archive.ts';
import { newestGood } from '../backup/backup-files.ts';
import { backupsFolder } from '../backup/make-backup.ts';
import { clearUnfinishedRestores, finishRestore } from '../backup/restore.ts';
import { doubtAbout, doubtBeforeOpening, readRecord, writeRecord } from '../backup/store-record.ts';
import { RESTORE_MARK } from '../restore/restore-mark.ts';
import { restoreAsOrdered } from '../restore/restore-order.ts';
import { releaseForStart } from './disk-reserve.ts';
import { lockFolder } from './folder-lock.store.ts';
import { movedTo } from './moved-mark.ts';

export interface DataFolder {
  readonly identity: Identity;
  readonly db: Database;
  /** Whether every page of the database was read at the start; false when the database is too large for that. */
  readonly isChecked: boolean;
  /** Bytes of the reserve that were released at the start because the disk was full. */
  readonly reserveUsed: number;
  /** Sentences about the start that the owner should read. */
  readonly notes: readonly string[];
  /**
   * Closes the database and releases the folder. Returns the error that kept the newest changes out of the database
   * file, if any; these changes are safe in the log of the database.
   */
  close(): unknown;
}

/** @throws DatabaseRefused, IdentityError, FolderInUse */
export const openDataFolder = (data: string): DataFolder => {
  const reserveUsed = releaseForStart(data);
  restoreAsOrdered(data);
  const release = lockFolder(data);
  try {
    const file = join(data, DATABASE);
    requireNotMoved(data);
    requireFinishedRestore(data);
    orOffer(data, '', DatabaseDamaged, () => refuse(doubtBeforeOpening(data)));
    const mayBeBorn = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
    const identity = orOffer(data, '--keys-only', IdentityError, () => loadIdentity(data, { mayCreate: mayBeBorn }));
    const notes: string[] = [];
    const say = (sentence: string) => notes.push(sentence);
    const db = orOffer(data, '', DatabaseDamaged, () =>
      openDatabase(file, say, (facts) => refuse(doubtAbout(data, facts))),
    );
    try {
      record(data, db, say);
    } catch (error) {
      db.close();
      throw error;
    }
    return {
      identity,
      db,
      isChecked: isCheckedAtStart(db),
      reserveUsed,
      notes,
      close: () => {
        try {
          return db.close();
        } catch (error) {
          return error;
        } finally {
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
};

const requireNotMoved = (data: string): void => {
  const to = movedTo(data);
  if (to)
    throw new DatabaseRefused(
      `The store of ${data} was moved to ${to}. Start the server with that folder: --data ${quoted(to)}`,
    );
};

const requireFinishedRestore = (data: string): void => {
  const mark = join(data, RESTORE_MARK);
  if (!finishRestore(data)) {
    const [from = 'FILE', flag = ''] = readFileSync(mark, 'utf8').split('\n');
    throw new DatabaseRefused(
      `A restore into ${data} was interrupted. Do it again: ${restoreCommand(from, data, flag)}`,
    );
  }
  // Deletes files of interrupted restores. These restores were interrupted before any file was moved, or after all
  // files were moved.
  clearUnfinishedRestores(data);
};

const refuse = (doubt: string): void => {
  if (doubt)
    throw new DatabaseDamaged(
      `${doubt} Nothing was changed. To start anew instead, choose another folder with --data.`,
    );
};

/** Records the id of the database: the last step of the first start, or of the first start with this version. */
const record = (data: string, db: Database, say: (sentence: string) => void): void => {
  try {
    writeRecord(data, ensureStoreId(db.raw, readRecord(data) ?? undefined));
  } catch (error) {
    // Ignores a full disk here, which must not prevent the server from serving screens. The next start tries again.
    const why = wordsOfDisk(error, data);
    if (why === undefined) throw error;
    say(`Which database belongs to this server's key could not be noted. ${why}`);
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
  if (good)
    return `The newest good backup is from ${new Date(good.manifest!.made_at).toLocaleString()}. To go back to it: ${restoreCommand(good.path, data, flag)}`;
  if (flag)
    return `There is no backup in ${backupsFolder(data)}. If you have one elsewhere: ${restoreCommand('FILE', data, flag)}. With none, "vitrine new-key --data ${quoted(data)}" makes a new key; then every screen must be paired anew.`;
  return `There is no backup in ${backupsFolder(data)}. If you have one elsewhere: ${restoreCommand('FILE', data, flag)}`;
};

const restoreCommand = (file: string, data: string, flag: string): string =>
  ['vitrine restore', quoted(file), '--data', quoted(data), flag].filter(Boolean).join(' ');
const quoted = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);
