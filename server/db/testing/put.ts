/** For tests of what is kept: rows of which only what matters is said. */
import type { Database } from '../database.ts';

type Value = string | number | Buffer | null;

/** Adds a row to a table; what it must have and nobody says is '' or 0. */
export const put = (db: Database, table: string, row: Readonly<Record<string, Value>>): void => {
  const columns = db.raw.pragma(`table_info("${table}")`) as {
    name: string;
    type: string;
    notnull: 0 | 1;
    dflt_value: string | null;
    pk: number;
  }[];
  const rest = columns.flatMap(({ name, type, notnull, dflt_value, pk }): [string, Value][] =>
    name in row || notnull === 0 || dflt_value !== null || (pk > 0 && type === 'INTEGER')
      ? []
      : [[name, type === 'INTEGER' ? 0 : '']],
  );
  const all = { ...row, ...Object.fromEntries(rest) };
  const names = Object.keys(all);
  db.raw
    .prepare(`INSERT INTO "${table}" (${names.map((name) => `"${name}"`)}) VALUES (${names.map((name) => `@${name}`)})`)
    .run(all);
};
