/** Reads and writes the table `settings`: a JSON value per key. */
import type BetterSqlite3 from 'better-sqlite3';

/** Returns the value of a setting; undefined when the key is missing. */
export const readSetting = (raw: BetterSqlite3.Database, key: string): unknown => {
  const text = raw.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(key) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
};

/** Writes a value. To save it together with other changes, call this function within their write transaction. */
export const putSetting = (raw: BetterSqlite3.Database, key: string, value: unknown): void => {
  raw
    .prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, JSON.stringify(value));
};
