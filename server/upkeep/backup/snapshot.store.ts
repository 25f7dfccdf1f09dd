/**
 * Makes a consistent copy of a database in use, through a separate connection: the copy is of one instant, however long
 * it takes, and blocks nobody.
 */
import type BetterSqlite3 from 'better-sqlite3';
import { connect } from '../../db/connect.ts';
import { namedByContentIn } from '../../db/content-files.ts';
import { findForeignSchema } from '../../db/foreign-schema.ts';
import { passed } from '../tasks/progress.ts';

/** Pages of 4 KiB copied between two pauses, in which the copy can be cancelled. */
const PAGES_A_STEP = 4096;

/** Facts about a copied database and its files. */
interface SnapshotFacts {
  readonly blobs: readonly { readonly sha256: string; readonly size: number }[];
  readonly serverName: string | null;
  /** Version of the newest migration, in epoch milliseconds. */
  readonly schema: number;
}

/** @param source live database, which may be open elsewhere @param target must not exist */
export const takeSnapshot = async (source: string, target: string): Promise<void> => {
  // Not opened as `readonly`: after a clean stop the shared memory file of the WAL does not exist, and a read-only
  // connection could not create this file.
  const db = connect(source, { fileMustExist: true });
  try {
    db.pragma('query_only = ON');
    db.pragma('busy_timeout = 10000');
    // Opens a read transaction, so that the copy is of one state. Without this transaction, each change would restart
    // the copy.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    const pageSize = db.pragma('page_size', { simple: true }) as number;
    let left: number | undefined;
    await db.backup(target, {
      progress: ({ totalPages, remainingPages }) => {
        passed(((left ?? totalPages) - remainingPages) * pageSize);
        left = remainingPages;
        return PAGES_A_STEP;
      },
    });
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  const copy = connect(target, { fileMustExist: true });
  try {
    // Turns off the WAL, so that the copy is a single file.
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
};

/**
 * Returns a description of an object in a database that Vitrine did not make; undefined when there is no such object.
 * Called before any other query on a database of unknown origin. For a file that is not a database, `findDamage`
 * reports the damage.
 */
export const findForeign = (file: string): string | undefined => {
  try {
    return findForeignSchema(file);
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_')) return undefined;
    throw error;
  }
};

/**
 * Reads every page and index of a database that no other process has open. Returns the damage; undefined when the
 * database is intact.
 */
export const findDamage = (file: string): string | undefined => {
  let db: BetterSqlite3.Database | undefined;
  try {
    db = connect(file, { readonly: true, fileMustExist: true });
    const result = db.pragma('integrity_check(1)', { simple: true }) as string;
    return result === 'ok' ? undefined : result.split('\n')[0];
  } catch (error) {
    return (error as Error).message;
  } finally {
    db?.close();
  }
};

/** @param file intact database of Vitrine that nobody else has open */
export const factsOf = (file: string): SnapshotFacts => {
  const db = connect(file, { readonly: true, fileMustExist: true });
  try {
    const settings = db.prepare("SELECT value FROM settings WHERE key = 'server'").pluck().get() as string | undefined;
    const name = settings === undefined ? undefined : (JSON.parse(settings) as { name?: unknown }).name;
    return {
      blobs: db
        .prepare(
          `SELECT sha256, size FROM blobs b WHERE ${namedByContentIn(db)} OR EXISTS (SELECT 1 FROM bin_files WHERE sha256 = b.sha256) ORDER BY sha256`,
        )
        .all() as { sha256: string; size: number }[],
      serverName: typeof name === 'string' ? name : null,
      schema: (db.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() as number | null) ?? 0,
    };
  } finally {
    db.close();
  }
};
