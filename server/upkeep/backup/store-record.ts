/**
 * Records which store's database belongs to a data folder. The id of the database is stored beside the server's key
 * when the database is created. With an empty database, or the database of another store, the server would tell every
 * screen that it is unknown, and the screens would delete their content. The record is written as the last step of the
 * first start. A start that is killed earlier leaves a key and a database that is empty or has our tables; nothing else
 * is created before the record, so that the next start can distinguish "not created yet" from "lost".
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { copyBeforeUpgrade, type DatabaseFacts, inspectDatabase } from '../../db/open.ts';
import { writeKey } from '../../identity.ts';
import { DATABASE } from './archive.ts';
import { listBackups } from './backup-files.ts';
import { backupsFolder } from './make-backup.ts';

const Stored = z.object({ store: z.uuid() });

const databaseOf = (data: string): string => join(data, DATABASE);
const recordOf = (data: string): string => join(data, 'keys', 'store.json');

/** Returns the recorded id; undefined when there is no record, null when the record cannot be read. */
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

/** Returns '' if a database may be created in this folder; otherwise a sentence that says why not. */
export const doubtBeforeOpening = (data: string): string => {
  const file = databaseOf(data);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && found.size > 0) return '';
  // Does not open an empty file, because SQLite would delete the WAL beside it.
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return lost(data, found ? 'empty' : 'missing', hasLog ? 'what was last written to it' : undefined);
};

/** Returns '' if this database belongs to the folder; otherwise a sentence that says why not. */
export const doubtAbout = (data: string, { schema, storeId, isFresh }: DatabaseFacts): string => {
  if (schema === 0) return lost(data, 'empty');
  const file = databaseOf(data);
  const recorded = readRecord(data);
  if (recorded === undefined || recorded === null) {
    // The folder was made before records existed, or the record is damaged. A new database is accepted only if the
    // folder shows no sign of stored data.
    const isKnown = !isFresh || (recorded === undefined && !hasMedia(data));
    return isKnown ? '' : `${file} is a new database, but ${data} has ${traces(data)}.`;
  }
  if (storeId === recorded) return '';
  // Accepts a database without an id: it comes from an earlier backup, or is the copy from before an upgrade.
  if (storeId === undefined && !isFresh) return '';
  const remedy = `If it is the right one all the same, move ${recordOf(data)} away: screens that it does not know must then be paired anew.`;
  return `${file} is not the database that belongs to the server's key in ${data}, but ${isFresh ? 'a new one' : 'that of another store'}. ${remedy}`;
};

/** Returns the sentence of the check without changing anything (for `vitrine doctor`). @throws Error of the disk */
export const doubtIn = (data: string): string =>
  doubtBeforeOpening(data) || (existsSync(databaseOf(data)) ? doubtAbout(data, inspectDatabase(databaseOf(data))) : '');

const lost = (data: string, how: 'missing' | 'empty', more?: string): string => {
  const what = traces(data, more);
  return (
    what &&
    `${databaseOf(data)} is ${how}, but ${data} has ${what}. A new database under the same key would make every screen forget what it shows.`
  );
};

/** Returns names of files that exist only after a store was created; '' when there are none. */
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
