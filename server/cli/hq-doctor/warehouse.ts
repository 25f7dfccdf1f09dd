/** Checks PostgreSQL by sending queries to it. */
import { type Check, checkOf } from '../doctor/check.ts';

const check = checkOf('postgres');
const LEAST_MAJOR = 15;
/**
 * Maximum duration of one commit in milliseconds. 5,000 stores with a segment per minute cause 83 commits per second.
 */
const SLOW_MS = 20;
const COMMITS = 5;

export interface PostgresClient {
  query(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

interface Wanted {
  /** Schema version of this program. */
  readonly schema: number;
  /** Id of the headquarters that must own the database. */
  readonly headquarters: string;
  /** Reads version and owner; undefined: the database has no tables of Vitrine. */
  readonly read: (
    client: PostgresClient,
  ) => Promise<{ readonly schema: number; readonly headquarters: string } | undefined>;
}

/** @param client a single connection that nothing else uses meanwhile */
export const postgres = async (client: PostgresClient, wanted: Wanted): Promise<Check[]> => [
  await ofVersion(client),
  ...(await ofSafety(client)),
  await ofSchema(client, wanted),
  await ofCommits(client),
];

const settingOf = async (client: PostgresClient, name: string): Promise<string> => {
  const { rows } = await client.query('SELECT current_setting($1) AS value', [name]);
  return String(rows[0]!['value']);
};

const ofVersion = async (client: PostgresClient): Promise<Check> => {
  const [number, text] = [await settingOf(client, 'server_version_num'), await settingOf(client, 'server_version')];
  return Math.floor(Number(number) / 10_000) >= LEAST_MAJOR
    ? check('ok', `PostgreSQL ${text}`)
    : check('bad', `PostgreSQL ${text} is too old. Headquarters needs ${LEAST_MAJOR} or newer.`);
};

/**
 * Checks that no setting of PostgreSQL can lose a commit in a crash. If a crash undid sums but not the cursor, the
 * plays would be missing from reports for good.
 */
const ofSafety = async (client: PostgresClient): Promise<Check[]> => {
  const off: string[] = [];
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
    if ((await settingOf(client, name)) === 'off') off.push(name);
  if (off.length === 0) return [check('ok', 'What PostgreSQL has committed is on its disk')];
  return off.map((name) =>
    check(
      'bad',
      `PostgreSQL runs with ${name} = off: a power cut may lose or damage what it said was saved. Set it to on (postgresql.conf).`,
    ),
  );
};

const ofSchema = async (client: PostgresClient, { schema, headquarters, read }: Wanted): Promise<Check> => {
  const found = await read(client);
  if (!found)
    return check(
      'warn',
      'There is nothing of Vitrine in this database of PostgreSQL yet: headquarters makes it when it starts with --postgres.',
    );
  if (found.headquarters !== headquarters)
    return check(
      'bad',
      'This database of PostgreSQL belongs to another headquarters. Name the right one (--postgres, VITRINE_POSTGRES).',
    );
  if (found.schema > schema)
    return check('bad', 'This database of PostgreSQL was written by a newer version of Vitrine. Start that version.');
  if (found.schema < schema)
    return check(
      'warn',
      'This database of PostgreSQL is of an older version: headquarters brings it up to date when it starts.',
    );
  return check('ok', 'The database of PostgreSQL is this headquarters’, and of this version');
};

/**
 * Measures the time of commits. Each commit writes a record to PostgreSQL's log and flushes it, like the commit of a
 * segment, and leaves no data.
 */
const ofCommits = async (client: PostgresClient): Promise<Check> => {
  const times: number[] = [];
  for (let i = 0; i < COMMITS; i++) {
    const began = performance.now();
    await client.query("SELECT pg_logical_emit_message(true, 'vitrine', 'doctor')");
    times.push(performance.now() - began);
  }
  const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
  const ms = times.toSorted((a, b) => a - b)[COMMITS >> 1]!;
  const text = `PostgreSQL commits in ${ms.toFixed(1)} ms; the database has ${Math.ceil(Number(rows[0]!['bytes']) / 1024 ** 2)} MB`;
  return ms > SLOW_MS ? check('warn', `${text}: slow. Is its disk one for databases, and near?`) : check('ok', text);
};
