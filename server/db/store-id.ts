/** The id of a store: in its database since its birth, and beside the server's key (upkeep/store-record.ts), so that one is not taken for another's. */
import { randomUUID } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';

/** Key of the table `settings`. */
export const STORE_ID = 'store_id';

const TEXT = `SELECT value FROM settings WHERE key = '${STORE_ID}'`;

/** Undefined: it is from before there were ids. */
export const storeIdOf = (raw: BetterSqlite3.Database): string | undefined => {
  const text = raw.prepare(TEXT).pluck().get() as string | undefined;
  return text === undefined ? undefined : String(JSON.parse(text));
};

/** The id that it has, else `wanted`, else a new one. On disk when this returns. */
export const giveStoreId = (raw: BetterSqlite3.Database, wanted: string | undefined): string => {
  const has = storeIdOf(raw);
  if (has !== undefined) return has;
  const id = wanted ?? randomUUID();
  raw.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run(STORE_ID, JSON.stringify(id));
  return id;
};
