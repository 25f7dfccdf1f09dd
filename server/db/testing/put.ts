/** For tests: inserts rows. A test gives only the columns that matter. */
import type { Database } from '../database.ts';

export type Value = string | number | bigint | Buffer | null;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: 0 | 1;
  readonly dflt_value: string | null;
  readonly pk: number;
}

export const columnsOf = (db: Database, table: string): Column[] => db.raw.pragma(`table_info("${table}")`) as Column[];

/**
 * Inserts rows into a table. A required column without a value gets 0 or the result of `text(row)`. An integer primary
 * key is assigned automatically.
 */
export const put = <Row extends Readonly<Record<string, unknown>>>(
  db: Database,
  table: string,
  rows: Row | readonly Row[],
  text: (row: Row) => string = () => '',
): void => {
  const needed = columnsOf(db, table).filter(
    ({ notnull, dflt_value, pk, type }) => notnull === 1 && dflt_value === null && !(pk > 0 && type === 'INTEGER'),
  );
  const statements = new Map<string, ReturnType<typeof db.raw.prepare>>();
  for (const row of (Array.isArray(rows) ? rows : [rows]) as readonly Row[]) {
    const rest = needed.map(({ name, type }) => [name, type === 'TEXT' ? text(row) : 0]);
    const whole = { ...Object.fromEntries(rest), ...row } as Record<string, Value>;
    const names = Object.keys(whole);
    const sql = `INSERT INTO "${table}" (${names.map((name) => `"${name}"`)}) VALUES (${names.map((name) => `@${name}`)})`;
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = db.raw.prepare(sql)));
    statement.run(whole);
  }
};
