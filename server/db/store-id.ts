/**
 * Keeps the id of a store in its database since its birth, and beside the server's key (upkeep/store-record.ts), so
 * that one is not taken for another's.
 */
import { randomUUID } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import { putSetting, readSetting } from './settings-rows.ts';

/** The key in the table `settings`. */
const STORE_ID = 'store_id';

/** Returns undefined when it is from before there were ids. */
export const storeIdOf = (raw: BetterSqlite3.Database): string | undefined => {
  const id = readSetting(raw, STORE_ID);
  return id === undefined ? undefined : String(id);
};

/** Gives it the id that it has, else `wanted`, else a new one. It is on disk when this returns. */
export const giveStoreId = (raw: BetterSqlite3.Database, wanted: string | undefined): string => {
  const has = storeIdOf(raw);
  if (has !== undefined) return has;
  const id = wanted ?? randomUUID();
  putSetting(raw, STORE_ID, id);
  return id;
};
