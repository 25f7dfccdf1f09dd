/**
 * Opens a second connection for long reads. In a separate thread this connection sees committed data and blocks no
 * other work.
 */
import type BetterSqlite3 from 'better-sqlite3';
import { connect } from './connect.ts';
import { foldIn } from './fold.ts';

/**
 * Cache size: large enough for the pages that a report reads twice. Other pages are in the cache of the operating
 * system.
 */
const CACHE_KB = 4_000;

/** Returns the first meaningful line of the output of `integrity_check`. */
export const findingOf = (said: string): string => said.split('\n').find((line) => !line.startsWith('***')) ?? said;

type ReadOnlyDatabase = BetterSqlite3.Database;

export const openReadOnly = (file: string): ReadOnlyDatabase => {
  const raw = connect(file, { readonly: true, fileMustExist: true });
  raw.pragma('query_only = ON');
  raw.pragma('busy_timeout = 5000');
  raw.pragma(`cache_size = -${CACHE_KB}`);
  raw.pragma('temp_store = MEMORY');
  foldIn(raw);
  return raw;
};
