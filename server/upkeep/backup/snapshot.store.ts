/**
 * Makes a consistent copy of a database that is being written, through a connection of its own: the copy is of one
 * instant, however long it takes, and holds nobody up.
 */
import type BetterSqlite3 from 'better-sqlite3';
import { connect } from '../../db/connect.ts';
import { namedByContentIn } from '../../db/content-files.ts';
import { findForeignSchema } from '../../db/foreign-schema.ts';
import { passed } from '../progress.ts';

/** Copies this many pages of 4 KiB between two breaths, so that a thread can be told to stop. */
const PAGES_A_STEP = 4096;

/** What the copy says about itself and the files that belong to it. */
interface SnapshotFacts {
  readonly blobs: readonly { readonly sha256: string; readonly size: number }[];
  readonly serverName: string | null;
  /** That of the newest migration, in epoch milliseconds. */
  readonly schema: number;
}

/** @param source is the live database, which may be open elsewhere @param target must not be there yet */
export const takeSnapshot = async (source: string, target: string): Promise<void> => {
  // It is not `readonly`: after a clean stop there is no shared memory of the WAL, and a read-only connection could not
  // make one.
  const db = connect(source, { fileMustExist: true });
  try {
    db.pragma('query_only = ON');
    db.pragma('busy_timeout = 10000');
    // The open read transaction pins the instant; without it each change elsewhere would start the copy anew.
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
    // The copy is one file, without a WAL beside it.
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
};

/**
 * Returns what in a database is not Vitrine's, undefined for nothing. Called before anything else is asked of a
 * database from elsewhere. A file that is no database is left to `findDamage`.
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
 * Reads every page and index of a database that nobody else has open. Returns what is wrong, undefined when it is
 * whole.
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

/** @param file is a whole database of Vitrine that nobody else has open */
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
