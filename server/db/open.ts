/** Opens the database of a data folder: integrity, version, backup before a migration, migrations. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Database } from './database.ts';
import { loadMigrator } from './drizzle.ts';
import { joinRevocations } from './revocations.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** The data folder holds something that this program must not touch; the sentence says what and what to do. */
export class DatabaseRefused extends Error {}

/** Not only unsuitable but broken: a backup is the way out. */
export class DatabaseDamaged extends DatabaseRefused {}

const LAST_RESORT = 'Restore a backup, or move the file away to start anew.';

/** Full, or not to be written: what can be mended without a backup. */
const isOfTheDisk = (error: Error): boolean => 'code' in error && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(String(error.code));

/** What SQLite says, as what it means for whoever starts the server. */
const refusal = (error: unknown, file: string): DatabaseRefused => {
  if (error instanceof DatabaseRefused) return error;
  const { code = '', message } = error as { code?: string; message: string };
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'SQLITE_IOERR_SHMSIZE' || code === 'SQLITE_IOERR_WRITE')
    return new DatabaseRefused(`${file} cannot be opened: the disk is full. Free some space, then start again. Nothing was changed.`);
  if (code === 'SQLITE_CANTOPEN' || code.startsWith('SQLITE_READONLY') || code === 'EACCES' || code === 'EROFS')
    return new DatabaseRefused(`${file} cannot be opened for writing (${message}). Give this user the right to write there and in its folder.`);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return new DatabaseDamaged(`${file} is damaged (${message}). ${LAST_RESORT}`);
  return new DatabaseRefused(`${file} cannot be opened: ${message}. ${LAST_RESORT}`);
};

interface Journal {
  entries: { when: number; tag: string }[];
}

/**
 * @param file path, or `:memory:`
 * @param say what its owner should hear of, in sentences
 * @throws DatabaseRefused when the file is damaged, or was written by a newer version; it is left untouched
 */
export const openDatabase = (file: string, say: (sentence: string) => void = () => {}): Database => {
  const existed = file !== ':memory:' && existsSync(file);
  let db: Database;
  try {
    if (existed) refuseNewer(file);
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

const assertIntact = (db: Database, file: string): void => {
  // quick_check reads every page; beyond a few hundred megabytes it would hold up the start, so the schema and the last pages must do there.
  const pages = db.raw.pragma('page_count', { simple: true }) as number;
  const pageSize = db.raw.pragma('page_size', { simple: true }) as number;
  const result = pages * pageSize > 64 * 1024 * 1024 ? 'ok' : db.raw.pragma('quick_check(1)', { simple: true });
  db.raw.prepare('SELECT count(*) FROM sqlite_schema').get();
  if (result !== 'ok') throw new DatabaseDamaged(`${file} is damaged (${String(result).split('\n')[0]}). ${LAST_RESORT}`);
};

const appliedUntil = (raw: BetterSqlite3.Database): number => {
  const table = raw.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get();
  if (!table) return 0;
  return (raw.prepare('SELECT max(created_at) AS at FROM __drizzle_migrations').get() as { at: number | null }).at ?? 0;
};

/** Looked at through a connection that cannot write: opened as its own, a file changes (its mode, its log taken over). @throws DatabaseRefused */
const refuseNewer = (file: string): void => {
  const raw = new BetterSqlite3(file, { readonly: true });
  try {
    if (appliedUntil(raw) > newestSchema())
      throw new DatabaseRefused(`${file} was written by a newer version of Vitrine. Start that version, or restore a backup made by this one.`);
  } finally {
    raw.close();
  }
};

/** Of this program's newest migration; epoch milliseconds. */
export const newestSchema = (): number => {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8')) as Journal;
  return Math.max(...journal.entries.map((e) => e.when));
};

const upgrade = (db: Database, existed: boolean): void => {
  const applied = appliedUntil(db.raw);
  if (applied === newestSchema()) return;
  const copy = existed && applied > 0 ? `${db.file}.before-upgrade` : undefined;
  if (copy) {
    db.raw.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(db.file, copy);
  }
  try {
    loadMigrator().migrate(db.orm, { migrationsFolder: MIGRATIONS });
  } catch (error) {
    // Drizzle's own error is the statement; why it failed is its cause.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
    if (!copy || isOfTheDisk(cause)) throw cause;
    throw new DatabaseRefused(
      `${db.file} cannot be brought to this version of Vitrine (${cause.message}). Nothing was changed: start the version you had. ${copy} is a copy made before the attempt.`,
    );
  }
};
