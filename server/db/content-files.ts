/** The stored files that a content names: the file that is shown, its thumbnail, and the original of a converted file. */
import type BetterSqlite3 from 'better-sqlite3';

const COLUMNS = ['sha256', 'thumbnail', 'original_sha256'] as const;

/** Each column gets its own subquery, so that SQLite can use the index of each column. */
const named = (columns: readonly string[]) =>
  `(${columns.map((column) => `EXISTS (SELECT 1 FROM content WHERE ${column} = b.sha256)`).join(' OR ')})`;

/** SQL condition: a content refers to the blob `b`. */
export const NAMED_BY_CONTENT = named(COLUMNS);

/** Returns the same SQL condition for a database that may have the schema of an older version. */
export const namedByContentIn = (db: BetterSqlite3.Database): string => {
  const there = new Set(db.prepare("SELECT name FROM pragma_table_info('content')").pluck().all());
  return named(COLUMNS.filter((column) => there.has(column)));
};

/** SQL condition: the content `alias` refers to the SHA-256 `value` in one of its columns. */
export const contentNames = (alias: string, value: string): string =>
  `(${COLUMNS.map((column) => `${alias}.${column} = ${value}`).join(' OR ')})`;

/** SQL query of one column: the files of the content with the id `@id`. */
export const FILES_OF_CONTENT = COLUMNS.map((column) => `SELECT ${column} FROM content WHERE id = @id`).join(' UNION ');
