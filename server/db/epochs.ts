/**
 * Assigns the numbers of plays. Each number is used once: a deleted play leaves a gap, and a database restored from a
 * backup starts a new epoch, whose first number is set during the restore. So headquarters, which identifies plays by
 * number, never confuses two plays.
 */
import { randomBytes } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import { connect } from './connect.ts';

const NEWEST = 'SELECT through FROM play_epochs ORDER BY id DESC LIMIT 1';

/** Returns the highest play number in use; 0 when there is none. */
export const newestNumber = (raw: BetterSqlite3.Database): number => raw.prepare(NEWEST).pluck().get() as number;

/**
 * Starts a new epoch. Called within a transaction, or on a database that no other process has open.
 * @param first first
 * number of the epoch: the number after the newest, or the number at which this database and its copy diverged
 * @param now epoch seconds
 */
export const beginEpoch = (raw: BetterSqlite3.Database, now: number, first = newestNumber(raw) + 1): void => {
  raw
    .prepare('INSERT INTO play_epochs (epoch, first, through, since) VALUES (?, ?, ?, ?)')
    .run(randomBytes(16).toString('hex'), first, Math.max(first - 1, newestNumber(raw)), now);
};

/**
 * Starts a new epoch in a database file that is about to replace a store's database. A database of a version without
 * epochs gets its first epoch when it is opened.
 */
export const beginEpochIn = (file: string, now: number): void => {
  const raw = connect(file, { fileMustExist: true });
  try {
    const knows = raw.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'play_epochs'").get() !== undefined;
    if (knows) beginEpoch(raw, now);
  } finally {
    raw.close();
  }
};
