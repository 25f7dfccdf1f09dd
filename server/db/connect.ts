/**
 * Opens every SQLite connection of the server. A file may come from elsewhere (an imported backup, a copied data
 * folder), so no connection trusts its schema: views, triggers, defaults, checks and indexes of the file cannot call
 * Vitrine's SQL functions or anything with side effects. Defensive mode, which keeps SQL from editing the schema table,
 * is on by default in better-sqlite3.
 */
import BetterSqlite3 from 'better-sqlite3';

export const connect = (file: string, options: BetterSqlite3.Options = {}): BetterSqlite3.Database => {
  const raw = new BetterSqlite3(file, options);
  raw.pragma('trusted_schema = OFF');
  // Makes SQLite reject crafted pages with cells outside of the page.
  raw.pragma('cell_size_check = ON');
  return raw;
};
