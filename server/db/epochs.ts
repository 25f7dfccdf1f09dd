/**
 * Numbers of plays. A number is given once: what was deleted leaves a gap, and a database that goes on from a backup does
 * so in an epoch of its own, whose first number is fixed in the restore itself. Whoever is told of plays by their numbers
 * (headquarters of a chain) so never takes two for one, or one for two.
 */
import { randomBytes } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import { connect } from './connect.ts';

const NEWEST = 'SELECT through FROM play_epochs ORDER BY id DESC LIMIT 1';

/** The highest number that was given; 0: none was. */
export const newestNumber = (raw: BetterSqlite3.Database): number => raw.prepare(NEWEST).pluck().get() as number;

/**
 * Goes on in another epoch. Within a transaction, or on a database that nobody else has open.
 * @param first its first number: the one after the newest, or where this database and its double parted
 * @param now epoch seconds
 */
export const beginEpoch = (raw: BetterSqlite3.Database, now: number, first = newestNumber(raw) + 1): void => {
  raw
    .prepare('INSERT INTO play_epochs (epoch, first, through, since) VALUES (?, ?, ?, ?)')
    .run(randomBytes(16).toString('hex'), first, Math.max(first - 1, newestNumber(raw)), now);
};

/** The same in a file that is about to take the place of a store's database. One that knows no epochs gets its first one when it is opened. */
export const beginEpochIn = (file: string, now: number): void => {
  const raw = connect(file, { fileMustExist: true });
  try {
    const knows = raw.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'play_epochs'").get() !== undefined;
    if (knows) beginEpoch(raw, now);
  } finally {
    raw.close();
  }
};
