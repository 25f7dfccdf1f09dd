/** Location of headquarters' plays: PostgreSQL if configured, otherwise its own database. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { connectTo, placeOf, wordsOf } from '../../headquarters/plays/pg-connection.ts';
import { SCHEMA } from '../../headquarters/plays/pg-schema.ts';
import { loadIdentity } from '../../identity.ts';
import { type At, type Check, checkOf } from '../doctor/check.ts';
import { hasMoved, packsIn, type SegmentFileRow, storesIn } from './headquarters.store.ts';
import { type PostgresClient, postgres } from './warehouse.ts';

const check = checkOf('postgres');
const PATIENCE_MS = 10_000;

/** Checks PostgreSQL if it is used. @param url PostgreSQL address with which headquarters is started */
export const postgresAt = async ({ data }: Pick<At, 'data'>, url: string | undefined): Promise<Check[]> => {
  if (url === undefined) return hasMovedAway(data) ? [check('bad', UNNAMED)] : [];
  return within(url, async (client) => {
    const headquarters = existsSync(join(data, 'keys', 'server.json'))
      ? loadIdentity(data, { mayCreate: false }).fingerprint
      : '';
    return postgres(client, { schema: SCHEMA, headquarters, read: aboutIn });
  }).catch((error: unknown) => [
    check(
      'bad',
      `PostgreSQL at ${placeOf(url)} cannot be asked: ${wordsOf(error)}. Until it answers, plays wait in the stores, and reports of all stores cannot be made.`,
    ),
  ]);
};

/** Returns the segment files in the index, from the database that is used. @throws Error with the database's message */
export const packsOf = async ({ data }: Pick<At, 'data'>, url: string | undefined): Promise<SegmentFileRow[]> => {
  const file = join(data, 'vitrine.db');
  if (url === undefined) return packsIn(file);
  const names = new Map(storesIn(file).map(({ ref, name }) => [ref, name]));
  return within(url, async (client) => {
    if (!(await aboutIn(client))) return [];
    const { rows } = await client.query(PACKS);
    return rows.map((row) => {
      const pack = String(row['pack']);
      const ref = pack.split('/')[0]!;
      return { pack, bytes: Number(row['bytes']), store: names.get(ref) ?? ref };
    });
  });
};

const UNNAMED =
  'The plays of this headquarters are in PostgreSQL, and nobody has said where that is: name it with --postgres or VITRINE_POSTGRES.';

const hasMovedAway = (data: string): boolean => {
  const file = join(data, 'vitrine.db');
  return existsSync(file) && hasMoved(file);
};

const within = async <T>(url: string, ask: (client: PostgresClient) => Promise<T>): Promise<T> => {
  const client = await connectTo(url, 'vitrine doctor', PATIENCE_MS);
  try {
    return await ask({ query: (sql, values = []) => client.query(sql, [...values]) });
  } finally {
    await client.end().catch(() => {});
  }
};

const aboutIn = async (client: PostgresClient): Promise<{ schema: number; headquarters: string } | undefined> => {
  const { rows } = await client.query("SELECT to_regclass('vitrine.about') IS NOT NULL AS is_there");
  if (rows[0]?.['is_there'] !== true) return undefined;
  const about = await client.query('SELECT version, headquarters FROM vitrine.about');
  const [row] = about.rows;
  return row && { schema: Number(row['version']), headquarters: String(row['headquarters']) };
};

/** One index lookup per file, the newest month first. */
const PACKS = `WITH RECURSIVE p (pack) AS (
    (SELECT pack FROM vitrine.segments ORDER BY pack LIMIT 1)
    UNION ALL SELECT (SELECT pack FROM vitrine.segments WHERE pack > p.pack ORDER BY pack LIMIT 1) FROM p WHERE p.pack IS NOT NULL)
  SELECT pack, (SELECT "offset" + bytes FROM vitrine.segments s WHERE s.pack = p.pack ORDER BY "offset" DESC LIMIT 1) AS bytes
    FROM p WHERE pack IS NOT NULL ORDER BY substr(pack, strpos(pack, '/')) DESC`;
