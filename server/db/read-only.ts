/**
 * Opens a second connection for what reads long: in a thread of its own, it sees what is committed and holds nobody up.
 */
import type BetterSqlite3 from 'better-sqlite3';
import { connect } from './connect.ts';
import { foldIn } from './fold.ts';

/** The cache is enough for the pages that a report reads twice; the system's cache has the rest. */
const CACHE_KB = 4_000;

/** Returns the first line of what `integrity_check` says that says something. */
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
