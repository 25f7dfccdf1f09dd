/** Copies the warehouse of headquarters' own database into PostgreSQL, completely or not at all. */
import type { ClientBase } from 'pg';
import { Unfit } from './pg-schema.ts';
import { cleanOf, playKey, refKey } from './pg-warehouse.ts';
import { COPIED, type Copied, type WarehouseCopyStore } from './warehouse-copy.store.ts';

/** Rows per insert: some megabytes at most. */
const BATCH = 5_000;

type Value = string | number | Buffer | null;

const TYPES: Readonly<Record<string, string>> = {
  store: 'int',
  epoch: 'text',
  head: 'text',
  dropped: 'text',
  pack: 'text',
  play: 'bytea',
  kind: 'text',
  ref: 'text',
  name: 'text',
  day: 'int',
  ms: 'float8',
};
const columnsOf = (table: Copied): string[] => COPIED[table].replaceAll('"', '').split(', ');
/**
 * Returns the SQL type of a column. `device` is a device id (text) in the table `marks`, and a row number of `subjects`
 * in the tables of sums.
 */
const typeOf = (table: Copied, column: string): string =>
  table === 'marks' && column === 'device' ? 'text' : (TYPES[column] ?? 'bigint');

/** Converts a value of SQLite to the value that PgWarehouse stores. */
const keptAs = (column: string, value: Value): Value => {
  if (column === 'ref') return refKey(value as string);
  if (column === 'play') return playKey(value as Buffer);
  return typeof value === 'string' ? cleanOf(value) : value;
};

/**
 * @param say receives the progress
 * @throws Unfit when the totals differ; then nothing was copied
 */
export const copyInto = async (
  client: ClientBase,
  from: WarehouseCopyStore,
  say: (table: Copied, done: number, all: number) => void,
): Promise<{ stores: number; plays: number; segments: number }> => {
  await client.query('BEGIN');
  try {
    const stores = from.stores();
    const made = await client.query<{ id: number; ref: string }>(
      'INSERT INTO vitrine.stores (ref) SELECT unnest($1::text[]) RETURNING id, ref',
      [stores.map(({ ref }) => ref)],
    );
    const there = new Map(made.rows.map(({ id, ref }) => [ref, id]));
    const numbers = new Map(stores.map(({ id, ref }) => [id, there.get(ref)!]));
    for (const table of Object.keys(COPIED) as Copied[]) await copyTable(client, from, { table, numbers, say });
    for (const table of ['segments', 'subjects'])
      await client.query(
        `SELECT setval(pg_get_serial_sequence('vitrine.${table}', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM vitrine.${table}), false)`,
      );
    const [before, after] = [from.totals(), await totalsOf(client)];
    if (JSON.stringify(before) !== JSON.stringify(after))
      throw new Unfit(`sums differ: ${JSON.stringify(before)} here, ${JSON.stringify(after)} there`);
    await client.query('COMMIT');
    // Updates the statistics now. Otherwise the query planner would work without them for minutes.
    await client.query('ANALYZE');
    const { rows } = await client.query<{ plays: number }>(
      'SELECT coalesce(sum(plays), 0)::bigint AS plays FROM vitrine.sums',
    );
    return { stores: stores.length, plays: rows[0]!.plays, segments: from.count('segments') };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
};

const copyTable = async (
  client: ClientBase,
  from: WarehouseCopyStore,
  { table, numbers, say }: { table: Copied; numbers: ReadonlyMap<number, number>; say: Parameters<typeof copyInto>[2] },
): Promise<void> => {
  const columns = columnsOf(table);
  const given = columns.map((column, i) => `$${i + 1}::${typeOf(table, column)}[]`).join(', ');
  const text = `INSERT INTO vitrine.${table} (${COPIED[table]}) SELECT * FROM unnest(${given})`;
  const all = from.count(table);
  let done = 0;
  for (const rows of from.rows(table, BATCH)) {
    const values = columns.map((column, i) =>
      rows.map((row) => (column === 'store' ? numbers.get(row[i] as number)! : keptAs(column, row[i]!))),
    );
    await client.query({ name: `copy ${table}`, text, values });
    done += rows.length;
    say(table, done, all);
  }
  const { rows } = await client.query<{ count: number }>(`SELECT count(*) FROM vitrine.${table}`);
  if (rows[0]!.count !== all) throw new Unfit(`there are ${rows[0]!.count} rows of ${table}, not ${all}`);
};

const totalsOf = async (client: ClientBase): Promise<ReturnType<WarehouseCopyStore['totals']>> => {
  const { rows } = await client.query(
    `SELECT (SELECT coalesce(sum(through), 0)::bigint FROM vitrine.cursors) AS through,
       (SELECT coalesce(sum(plays), 0)::bigint FROM (SELECT plays FROM vitrine.sums UNION ALL SELECT plays FROM vitrine.screen_sums) s) AS plays,
       (SELECT coalesce(sum(ms), 0)::bigint FROM (SELECT ms FROM vitrine.sums UNION ALL SELECT ms FROM vitrine.screen_sums) s) AS ms,
       (SELECT coalesce(sum(bytes), 0)::bigint FROM vitrine.segments) AS bytes`,
  );
  return rows[0];
};
