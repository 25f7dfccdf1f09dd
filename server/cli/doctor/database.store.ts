import { existsSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { connect } from '../../db/connect.ts';
import { findForeignSchema } from '../../db/foreign-schema.ts';
import { findingOf } from '../../db/read-only.ts';
import { readSetting } from '../../db/settings-rows.ts';
import { savedOf } from '../../upkeep/trusted-clock.ts';

/**
 * Queries a database after verifying that its schema is Vitrine's.
 * @param file database, which may be open elsewhere
 * @throws Error that names the first object that Vitrine did not make
 */
export const queryDatabase = <T>(file: string, question: (db: BetterSqlite3.Database) => T): T => {
  const foreign = findForeignSchema(file, { readonly: false });
  if (foreign) throw new Error(`the database was changed outside of Vitrine: ${foreign}`);
  const db = connect(file, { fileMustExist: true });
  try {
    db.pragma('query_only = ON');
    db.pragma('busy_timeout = 5000');
    return question(db);
  } finally {
    db.close();
  }
};

/** Queries a database whose file may be missing or damaged. Returns undefined when it cannot be read. */
const askIfThere = (file: string, question: (db: BetterSqlite3.Database) => unknown): unknown => {
  try {
    return existsSync(file) ? queryDatabase(file, question) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns the newest time of any record, in epoch milliseconds; undefined when there is none or the database cannot be
 * read.
 */
export const newestInstant = (file: string): number | undefined => {
  const at = askIfThere(file, (db) =>
    db
      .prepare(
        'SELECT max(x) FROM (SELECT max(last_heartbeat) AS x FROM devices UNION SELECT max(updated_at) FROM content UNION SELECT max(updated_at) FROM playlists)',
      )
      .pluck()
      .get(),
  );
  return typeof at === 'number' ? at * 1000 : undefined;
};

/** Returns the chosen backup folder; undefined when backups are in the data folder, or the database cannot be read. */
export const chosenFolder = (file: string): string | undefined => {
  const { backup_folder } = (askIfThere(file, (db) => readSetting(db, 'upkeep')) ?? {}) as { backup_folder?: unknown };
  return typeof backup_folder === 'string' && backup_folder !== '' ? backup_folder : undefined;
};

/**
 * Returns the last time at which the server trusted its clock, and whether it distrusts the clock since then; undefined
 * when the database contains no such record.
 */
export const trustedInstant = (file: string): ReturnType<typeof savedOf> =>
  savedOf(askIfThere(file, (db) => readSetting(db, 'clock')));

export interface DatabaseFacts {
  /** Returns the damage of the database; undefined when the database is intact. */
  readonly damage: string | undefined;
  readonly users: number;
  readonly screens: number;
  readonly plays: number;
  readonly sealed: number;
  readonly bytes: number;
}

/** Reads every page. @throws Error with SQLite's message when the database cannot be opened */
export const examine = (file: string): DatabaseFacts =>
  queryDatabase(file, (db) => {
    const result = db.pragma('integrity_check(1)', { simple: true }) as string;
    const count = (sql: string) => db.prepare(sql).pluck().get() as number;
    return {
      damage: result === 'ok' ? undefined : findingOf(result),
      users: count('SELECT count(*) FROM users'),
      screens: count('SELECT count(*) FROM devices'),
      plays: count('SELECT count(*) FROM plays'),
      sealed: count('SELECT count(*) FROM users WHERE totp_secret IS NOT NULL'),
      bytes: count('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'),
    };
  });
