/**
 * Records whose store a data folder holds. The id of the database is recorded beside the server's key once the database
 * is born: an empty, a fresh or another store's database under that key would tell every screen that it is unknown, and
 * they would forget what they show.
 *
 * The record is the last step of a first start. A start that is killed before it leaves a key, and a database that is
 * empty or has our tables; nothing else of a store is made until it is written, so that the next start can tell "not
 * born yet" from "lost".
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { copyBeforeUpgrade, type DatabaseFacts, lookAt } from '../db/open.ts';
import { writeKey } from '../identity.ts';
import { DATABASE } from './backup/archive.ts';
import { listBackups } from './backup/backup-files.ts';
import { backupsFolder } from './backup/make-backup.ts';

const Stored = z.object({ store: z.uuid() });

const databaseOf = (data: string): string => join(data, DATABASE);
const recordOf = (data: string): string => join(data, 'keys', 'store.json');

/** Returns undefined when there is none, null when it cannot be read. */
export const readRecord = (data: string): string | null | undefined => {
  let text: string;
  try {
    text = readFileSync(recordOf(data), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return Stored.parse(JSON.parse(text)).store;
  } catch {
    return null;
  }
};

export const writeRecord = (data: string, store: string): void => {
  if (readRecord(data) !== store) writeKey(recordOf(data), JSON.stringify({ store }));
};

/** Returns '' where a database could be born here, else why not, in one sentence. */
export const doubtBeforeOpening = (data: string): string => {
  const file = databaseOf(data);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && found.size > 0) return '';
  // SQLite deletes the log beside an empty file.
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return lost(data, found ? 'empty' : 'missing', hasLog ? 'what was last written to it' : undefined);
};

/** Returns '' where this database is the one of the folder, else why not, in one sentence. */
export const doubtAbout = (data: string, { schema, storeId, isFresh }: DatabaseFacts): string => {
  if (schema === 0) return lost(data, 'empty');
  const file = databaseOf(data);
  const recorded = readRecord(data);
  if (recorded === undefined || recorded === null) {
    // It is from before there were records, or the record is broken: a fresh database is believed where nothing was
    // ever stored.
    const isKnown = !isFresh || (recorded === undefined && !hasMedia(data));
    return isKnown ? '' : `${file} is a new database, but ${data} has ${traces(data)}.`;
  }
  if (storeId === recorded) return '';
  // It is from before there were ids: of an earlier backup, or the copy that was made before an upgrade.
  if (storeId === undefined && !isFresh) return '';
  const remedy = `If it is the right one all the same, move ${recordOf(data)} away: screens that it does not know must then be paired anew.`;
  return `${file} is not the database that belongs to the server's key in ${data}, but ${isFresh ? 'a new one' : 'that of another store'}. ${remedy}`;
};

/** Returns the doubt, for who only looks (doctor). @throws Error of the disk */
export const doubtIn = (data: string): string =>
  doubtBeforeOpening(data) || (existsSync(databaseOf(data)) ? doubtAbout(data, lookAt(databaseOf(data))) : '');

const lost = (data: string, how: 'missing' | 'empty', more?: string): string => {
  const what = traces(data, more);
  return (
    what &&
    `${databaseOf(data)} is ${how}, but ${data} has ${what}. A new database under the same key would make every screen forget what it shows.`
  );
};

/** Names what is there only where a store was born, in words; '' when there is nothing. */
const traces = (data: string, more?: string): string => {
  const file = databaseOf(data);
  const found = [
    listBackups(backupsFolder(data)).length > 0 && 'backups',
    hasMedia(data) && 'media',
    namesIn(join(data, 'keys')).some((name) => !name.startsWith('server.json')) && 'keys that were in use',
    more,
    existsSync(copyBeforeUpgrade(file)) && 'a copy of it from before an upgrade',
    existsSync(join(data, 'revoked.db')) && 'a record of what was revoked',
  ];
  return found.filter(Boolean).join(', ');
};

const hasMedia = (data: string): boolean => {
  const media = join(data, 'media');
  return namesIn(media).some(
    (folder) =>
      /^[0-9a-f]{2}$/.test(folder) && namesIn(join(media, folder)).some((name) => /^[0-9a-f]{64}$/.test(name)),
  );
};

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
