/** Reads and writes the table `settings`: a value of JSON for each key. */
import type BetterSqlite3 from 'better-sqlite3';

/** Returns undefined when there is none. */
export const readSetting = (raw: BetterSqlite3.Database, key: string): unknown => {
  const text = raw.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(key) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
};

/** Writes a value, within a write where others are to be saved with it. */
export const putSetting = (raw: BetterSqlite3.Database, key: string, value: unknown): void => {
  raw
    .prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, JSON.stringify(value));
};
