/**
 * Opens every SQLite connection of the server. A file may be from elsewhere (a backup that was brought in, a data folder
 * that was copied), so no connection trusts what stands in a schema: functions of ours and everything with side effects
 * are closed to views, triggers, defaults, checks and indexes of the file. Defensive mode, which keeps SQL from editing
 * the schema table, is on in better-sqlite3 unless it is switched off.
 */
import BetterSqlite3 from 'better-sqlite3';

export const connect = (file: string, options: BetterSqlite3.Options = {}): BetterSqlite3.Database => {
  const raw = new BetterSqlite3(file, options);
  raw.pragma('trusted_schema = OFF');
  // Cells of a crafted page must lie within the page.
  raw.pragma('cell_size_check = ON');
  return raw;
};
