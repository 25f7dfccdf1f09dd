/**
 * Opens the database of a data folder: checks integrity and version, makes a copy before a migration, and runs the
 * migrations.
 */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { wordsOfDisk } from '../kernel/disk/disk-words.ts';
import { removeIfPossible, syncFile, syncFolder } from '../kernel/disk/durable.ts';
import { connect } from './connect.ts';
import { Database } from './database.ts';
import { loadMigrator } from './drizzle.ts';
import { findForeignSchema, MIGRATIONS, migrations, UNKNOWN_VERSION } from './foreign-schema.ts';
import { findingOf } from './read-only.ts';
import { joinRevocations } from './revocations.ts';
import { storeIdOf } from './store-id.ts';

/** Error: the data folder contains something that this program must not change. The message says what to do. */
export class DatabaseRefused extends Error {}

/**
 * Error: the database is damaged, missing or empty, or does not belong to the data folder. Restoring a backup helps.
 */
export class DatabaseDamaged extends DatabaseRefused {}

const LAST_RESORT = 'Restore a backup, or choose another folder to start anew.';

/**
 * Maximum size in bytes for the check at start. quick_check reads every page and would delay the start; larger
 * databases are checked while the server runs (upkeep/checks/database-watch.ts).
 */
const CHECKED_AT_START_BYTES = 64 * 1024 * 1024;

/** Facts about a database, read before the database is changed. */
export interface DatabaseFacts {
  /** Version of the newest migration; 0 when the database contains no table of Vitrine. */
  readonly schema: number;
  /** Id of the store; undefined for a database from before stores had ids. */
  readonly storeId: string | undefined;
  /** True when the database contains no user, screen or content. */
  readonly isFresh: boolean;
}

/** Path of the copy that is made beside the database before a migration. */
export const copyBeforeUpgrade = (file: string): string => `${file}.before-upgrade`;

/** Returns whether the error is about a full or read-only disk, which a person can solve without restoring a backup. */
const isOfTheDisk = (error: Error): boolean =>
  'code' in error && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(String(error.code));

/** Translates an error of SQLite into a message for the person who starts the server. */
const refusal = (error: unknown, file: string): DatabaseRefused => {
  if (error instanceof DatabaseRefused) return error;
  const { code = '', message } = error as { code?: string; message: string };
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return new DatabaseDamaged(`${file} is damaged (${message}). ${LAST_RESORT}`);
  if (code === 'SQLITE_CANTOPEN' || code.startsWith('SQLITE_READONLY') || code === 'EACCES' || code === 'EROFS')
    return new DatabaseRefused(
      `${file} cannot be opened for writing (${message}). Give this user the right to write there and in its folder.`,
    );
  return new DatabaseRefused(wordsOfDisk(error, file) ?? `${file} cannot be opened: ${message}. ${LAST_RESORT}`);
};

/**
 * @param file path, or `:memory:`
 * @param say receives messages for the owner, in sentences
 * @param accept throws when an existing database is not the expected one; called before anything is changed
 * @throws DatabaseRefused when the file is damaged or was written by a newer version; the file stays unchanged
 */
export const openDatabase = (
  file: string,
  say: (sentence: string) => void = () => {},
  accept: (facts: DatabaseFacts) => void = () => {},
): Database => {
  const existed = file !== ':memory:' && existsSync(file);
  let db: Database;
  try {
    if (existed) {
      const facts = inspectDatabase(file);
      refuseNewer(file, facts);
      accept(facts);
    }
    db = new Database(file);
    if (existed) assertIntact(db, file);
  } catch (error) {
    throw refusal(error, file);
  }
  try {
    upgrade(db, existed);
    joinRevocations(db.raw, file, say);
  } catch (error) {
    db.raw.close();
    throw refusal(error, file);
  }
  return db;
};

/** Returns whether opening the database has read every page. */
export const isCheckedAtStart = ({ raw }: Database): boolean =>
  (raw.pragma('page_count', { simple: true }) as number) * (raw.pragma('page_size', { simple: true }) as number) <=
  CHECKED_AT_START_BYTES;

const assertIntact = (db: Database, file: string): void => {
  const result = isCheckedAtStart(db) ? db.raw.pragma('quick_check(1)', { simple: true }) : 'ok';
  db.raw.prepare('SELECT count(*) FROM sqlite_schema').get();
  if (result !== 'ok') throw new DatabaseDamaged(`${file} is damaged (${findingOf(String(result))}). ${LAST_RESORT}`);
};

const appliedUntil = (raw: BetterSqlite3.Database): number => {
  const table = raw.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get();
  if (!table) return 0;
  return (raw.prepare('SELECT max(created_at) AS at FROM __drizzle_migrations').get() as { at: number | null }).at ?? 0;
};

/**
 * Reads the facts through a read-only connection, because a writable connection changes the database file (journal
 * mode) and its WAL.
 * @throws DatabaseRefused for a database of another program; SqliteError
 */
export const inspectDatabase = (file: string): DatabaseFacts => {
  // Does not open an empty file, because SQLite would delete the WAL beside it.
  if (statSync(file).size === 0) return { schema: 0, storeId: undefined, isFresh: true };
  try {
    return look(file, true);
  } catch (error) {
    // The first start was killed while it created the file. Reading then requires a rollback of the unfinished
    // transaction, and so a writable connection.
    if ((error as { code?: string }).code !== 'SQLITE_READONLY_ROLLBACK') throw error;
    return look(file, false);
  }
};

/** The schema is compared before any other query, as with a backup, because a view or trigger of the file could run. */
const look = (file: string, readonly: boolean): DatabaseFacts => {
  const foreign = findForeignSchema(file, { readonly });
  const open = () => {
    const raw = connect(file, readonly ? { readonly } : { fileMustExist: true });
    if (!readonly) raw.pragma('query_only = ON');
    return raw;
  };
  if (foreign === undefined) return factsOf(open(), file);
  const schema = foreign === UNKNOWN_VERSION ? versionIn(open()) : 0;
  // For a database of a newer version, only the version is read. The caller refuses the database, or restores an older
  // backup.
  if (schema > newestSchema()) return { schema, storeId: undefined, isFresh: false };
  throw new DatabaseRefused(
    `${file} was changed outside of Vitrine: ${foreign}. Nothing was changed. Restore an unchanged backup.`,
  );
};

const versionIn = (raw: BetterSqlite3.Database): number => {
  try {
    return appliedUntil(raw);
  } finally {
    raw.close();
  }
};

const factsOf = (raw: BetterSqlite3.Database, file: string): DatabaseFacts => {
  try {
    const schema = appliedUntil(raw);
    if (schema > 0) {
      const isFresh =
        raw
          .prepare(
            'SELECT NOT EXISTS (SELECT 1 FROM users) AND NOT EXISTS (SELECT 1 FROM devices) AND NOT EXISTS (SELECT 1 FROM content)',
          )
          .pluck()
          .get() === 1;
      return { schema, storeId: storeIdOf(raw), isFresh };
    }
    if (
      raw.prepare("SELECT 1 FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND name <> '__drizzle_migrations'").get()
    )
      throw new DatabaseRefused(
        `${file} is the database of another program. Nothing of it was changed. Choose another folder with --data.`,
      );
    return { schema, storeId: undefined, isFresh: true };
  } finally {
    raw.close();
  }
};

const refuseNewer = (file: string, { schema }: DatabaseFacts): void => {
  if (schema > newestSchema())
    throw new DatabaseRefused(
      `${file} was written by a newer version of Vitrine. Start that version, or restore a backup made by this one.`,
    );
};

/** @throws DatabaseDamaged when the file contains no store; opening it would create a new store */
export const requireStore = (file: string): void => {
  const isThere = existsSync(file);
  try {
    if (isThere && inspectDatabase(file).schema > 0) return;
  } catch (error) {
    throw refusal(error, file);
  }
  throw new DatabaseDamaged(
    `${file} ${isThere ? 'is empty' : 'is missing'}: there is no store of Vitrine in it. Nothing was changed.`,
  );
};

/** Returns the version of this program's newest migration, in epoch milliseconds. */
export const newestSchema = (): number => Math.max(...migrations().map(({ when }) => when));

const upgrade = (db: Database, existed: boolean): void => {
  const applied = appliedUntil(db.raw);
  if (applied === newestSchema()) return;
  const copy = existed && applied > 0 ? copyBeforeUpgrade(db.file) : undefined;
  if (copy) keepCopy(db, copy);
  try {
    loadMigrator().migrate(db.orm, { migrationsFolder: MIGRATIONS });
  } catch (error) {
    // The message of drizzle's error contains only the statement. The cause of the error says why the statement failed,
    // so the cause is used.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    if (!copy || isOfTheDisk(cause)) throw cause;
    throw new DatabaseRefused(
      `${db.file} cannot be brought to this version of Vitrine (${cause.message}). Nothing was changed: start the version you had. ${copy} is a copy made before the attempt.`,
    );
  }
};

/**
 * Makes the copy with SQLite, which writes it completely or not at all. Copying the file with Node would lose the lock:
 * under POSIX a process loses all locks on a file when it closes any descriptor of the file, and another process could
 * then write to the database.
 */
const keepCopy = (db: Database, copy: string): void => {
  const part = `${copy}.new`;
  const ends = ['', '-journal'];
  try {
    // Removes leftovers of a killed attempt.
    for (const end of ends) rmSync(part + end, { force: true });
    db.raw.prepare('VACUUM INTO ?').run(part);
    syncFile(part, 'r+');
    renameSync(part, copy);
    syncFolder(dirname(copy));
  } catch (error) {
    for (const end of ends) removeIfPossible(part + end);
    const why = wordsOfDisk(error, dirname(copy)) ?? (error as Error).message;
    throw new DatabaseRefused(
      `${db.file} was not brought to this version of Vitrine, since no copy of it could be made before. ${why} Nothing was changed.`,
    );
  }
};
