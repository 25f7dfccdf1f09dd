/**
 * The id of a store. It is created with the database and also stored beside the server's key
 * (upkeep/backup/store-record.ts), so that the server detects the database of another store in its data folder.
 */
import { randomUUID } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import { putSetting, readSetting } from './settings-rows.ts';

/** Key in the table `settings`. */
const STORE_ID = 'store_id';

/** Returns the id; undefined for a database from before stores had ids. */
export const storeIdOf = (raw: BetterSqlite3.Database): string | undefined => {
  const id = readSetting(raw, STORE_ID);
  return id === undefined ? undefined : String(id);
};

/** Returns the existing id, or stores `wanted` or a new id. The id is on disk when this returns. */
export const ensureStoreId = (raw: BetterSqlite3.Database, wanted: string | undefined): string => {
  const has = storeIdOf(raw);
  if (has !== undefined) return has;
  const id = wanted ?? randomUUID();
  putSetting(raw, STORE_ID, id);
  return id;
};
