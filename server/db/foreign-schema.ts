/**
 * Compares the schema of an imported database with the schema that the migrations of its version create, before any
 * other query runs. The reason: views, triggers, checks, generated columns and index expressions contain SQL that runs
 * with each query on their table. A crafted file could use them to make everybody an administrator, or to block the
 * server for an hour.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { ROOT } from '../kernel/place.ts';
import { connect } from './connect.ts';
import { foldIn } from './fold.ts';

export const MIGRATIONS = join(ROOT, 'server', 'db', 'migrations');

interface Journal {
  readonly entries: readonly { readonly when: number; readonly tag: string }[];
}
/** Returns all migrations, the oldest first. `when` is the schema version, in epoch milliseconds. */
export const migrations = (): Journal['entries'] =>
  (JSON.parse(readFileSync(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8')) as Journal).entries;

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/**
 * Limits of objects and bytes: about six times the size of the present schema (305 objects, 56 kB), so that parsing
 * takes milliseconds.
 */
const MAX_OBJECTS = 2_000;
const MAX_SCHEMA_BYTES = 1024 * 1024;

export const UNKNOWN_VERSION = 'no version of Vitrine has its version number';

/** Table that drizzle itself creates before the first migration. */
const DRIZZLE = '__drizzle_migrations';
/** `ANALYZE` creates these tables. SQLite reads them on its own, so they must be ordinary tables. */
const STATISTICS: ReadonlyMap<string, string> = new Map([
  ['sqlite_stat1', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)'],
  ['sqlite_stat4', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'],
]);
const DRIZZLE_SQL =
  'CREATE TABLE "__drizzle_migrations" ( id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric )';

/**
 * Returns what is wrong with the schema, as a sentence fragment that names the object. Undefined when each object is as
 * Vitrine creates it. Also undefined for a database without migrations, which another check refuses.
 * @param readonly
 * false for a database that a server may have open: the WAL of such a database needs shared memory, which a read-only
 * connection cannot create
 * @throws SqliteError when the file is not a database
 */
export const findForeignSchema = (file: string, { readonly = true } = {}): string | undefined => {
  const tooLarge = sizeFault(file);
  if (tooLarge !== undefined) return tooLarge;
  const raw = connect(file, { readonly, fileMustExist: true });
  try {
    raw.pragma('query_only = ON');
    // The query does not name `sqlite_schema`, because a crafted file can contain an object with that name. With this
    // name, only the real schema table is read.
    const rows = raw.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master').all() as SchemaRow[];
    const drizzle = rows.find(({ name }) => name === DRIZZLE);
    if (!drizzle) return undefined;
    if (drizzle.type !== 'table' || plain(drizzle.sql) !== DRIZZLE_SQL) return `${titleOf(drizzle)} was changed`;
    const version = raw.prepare(`SELECT max(created_at) FROM ${DRIZZLE}`).pluck().get();
    // Accepts an empty schema, because the first start with this database was interrupted before the first migration.
    if (version === null && rows.every(isOfSqlite)) return undefined;
    const newest = readNewest();
    if (version === newest?.when && digestOf(rows) === newest?.digest) return undefined;
    const expected = expectedAt(version);
    return expected ? difference(rows, expected) : UNKNOWN_VERSION;
  } finally {
    raw.close();
  }
};

/** @returns the first difference, as a sentence fragment */
const difference = (rows: readonly SchemaRow[], expected: ReadonlyMap<string, SchemaRow>): string | undefined => {
  const missing = new Map(expected);
  for (const row of rows) {
    if (isOfSqlite(row)) continue;
    const wanted = missing.get(keyOf(row));
    if (!wanted) return `the ${titleOf(row)} is not part of Vitrine`;
    missing.delete(keyOf(row));
    if (row.tbl_name !== wanted.tbl_name || plain(row.sql) !== plain(wanted.sql))
      return `the ${titleOf(row)} was changed`;
  }
  const [lacking] = missing.values();
  return lacking && `the ${titleOf(lacking)} is missing`;
};

/** File with a digest of the newest schema. `test/records/record-store.ts` writes this file for each new migration. */
interface Newest {
  readonly when: number;
  readonly digest: string;
}
export const NEWEST_FILE = join(MIGRATIONS, 'meta', '_newest.json');
/** If the file is missing or of an older version, the migrations run in memory: correct, but 130 ms slower. */
const readNewest = (): Newest | undefined => {
  try {
    return JSON.parse(readFileSync(NEWEST_FILE, 'utf8')) as Newest;
  } catch {
    return undefined;
  }
};

const isOfSqlite = ({ type, name, sql }: SchemaRow): boolean =>
  name === DRIZZLE || name === `sqlite_autoindex_${DRIZZLE}_1` || (type === 'table' && STATISTICS.get(name) === sql);

/** Returns the SHA-256 of all objects that migrations create, in hex. */
const digestOf = (rows: readonly SchemaRow[]): string => {
  const own = rows
    .filter((row) => !isOfSqlite(row))
    .map(({ type, name, tbl_name, sql }) => JSON.stringify([type, name, tbl_name, plain(sql)]));
  return createHash('sha256').update(JSON.stringify(own.sort())).digest('hex');
};

/** Returns what the file of the newest schema must contain. */
export const newestFile = (): Newest => {
  const when = Math.max(...migrations().map((one) => one.when));
  return { when, digest: digestOf([...expectedAt(when)!.values()]) };
};

const keyOf = ({ type, name }: SchemaRow): string => `${type} ${name}`;
const plain = (sql: string | null): string => (sql ?? '').replaceAll(/\s+/g, ' ').trim();

const MAX_NAME = 80;
const titleOf = ({ type, name, sql }: SchemaRow): string => {
  const kind = /^\s*CREATE\s+VIRTUAL/i.test(sql ?? '') ? 'virtual table' : type;
  const shown = String(name).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');
  return `${kind} “${shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME)}…` : shown}”`;
};

const known = new Map<number, ReadonlyMap<string, SchemaRow>>();
/**
 * Returns the objects of a schema version, created in memory by its migrations (40 ms). Undefined for an unknown
 * version.
 */
const expectedAt = (version: unknown): ReadonlyMap<string, SchemaRow> | undefined => {
  const all = migrations();
  const last = all.findIndex(({ when }) => when === version);
  if (last < 0) return undefined;
  let rows = known.get(last);
  if (!rows) {
    const raw = connect(':memory:');
    try {
      foldIn(raw);
      for (const { tag } of all.slice(0, last + 1)) run(raw, readFileSync(join(MIGRATIONS, `${tag}.sql`), 'utf8'));
      const made = raw.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master').all() as SchemaRow[];
      rows = new Map(made.map((row) => [keyOf(row), row]));
    } finally {
      raw.close();
    }
    known.set(last, rows);
  }
  return rows;
};

const run = (raw: BetterSqlite3.Database, migration: string): void => {
  for (const statement of migration.split('--> statement-breakpoint')) raw.exec(statement);
};

/**
 * Counts the objects of the schema table without SQLite, because SQLite parses all of them with the first statement,
 * and a million tables take gigabytes of memory. File format: https://sqlite.org/fileformat2.html, sections 1.3, 1.6
 * and 2.1.
 */
const sizeFault = (file: string): string | undefined => {
  const fd = openSync(file, 'r');
  try {
    const head = Buffer.alloc(100);
    // The function reports no problem in a file that is not a database, because SQLite reports this error later.
    if (readSync(fd, head, 0, 100, 0) < 100 || head.toString('latin1', 0, 15) !== 'SQLite format 3') return undefined;
    const size = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    if (size < 512) return undefined;
    const fault = new SchemaTable(fd, size).fault();
    // After a power cut, the newest pages are in the WAL file beside the database, and SQLite combines both files.
    return fault === DAMAGED_SCHEMA && ['-wal', '-journal'].some((end) => hasBytes(file + end)) ? undefined : fault;
  } finally {
    closeSync(fd);
  }
};

const hasBytes = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

const DAMAGED_SCHEMA = 'its schema table is damaged';
const LEAF = 13;
const INTERIOR = 5;

class SchemaTable {
  readonly #fd: number;
  readonly #size: number;
  readonly #page: Buffer;
  #objects = 0;
  #bytes = 0;
  #pages = 0;

  constructor(fd: number, size: number) {
    this.#fd = fd;
    this.#size = size;
    this.#page = Buffer.alloc(size);
  }

  fault(): string | undefined {
    const todo = [1];
    for (let page = todo.pop(); page !== undefined; page = todo.pop()) {
      // Counts pages without an object as well, because pages of a damaged file can refer to each other in a loop.
      if (++this.#pages > MAX_OBJECTS) return `it defines more than ${MAX_OBJECTS} objects`;
      if (!this.#count(page, todo)) return DAMAGED_SCHEMA;
      if (this.#objects > MAX_OBJECTS) return `it defines more than ${MAX_OBJECTS} objects`;
      if (this.#bytes > MAX_SCHEMA_BYTES)
        return `the definitions of its objects are larger than ${MAX_SCHEMA_BYTES} bytes`;
    }
    return undefined;
  }

  /**
   * Counts the objects of a database page and adds its child pages to `todo`. Returns false if the page is not a
   * table page.
   */
  #count(number: number, todo: number[]): boolean {
    const page = this.#page;
    if (readSync(this.#fd, page, 0, this.#size, (number - 1) * this.#size) < this.#size) return false;
    const at = number === 1 ? 100 : 0;
    const cells = page.readUInt16BE(at + 3);
    const kind = page[at];
    const first = at + (kind === LEAF ? 8 : 12);
    if ((kind !== LEAF && kind !== INTERIOR) || first + 2 * cells > this.#size) return false;
    for (let i = 0; i < cells; i++) {
      const cell = page.readUInt16BE(first + 2 * i);
      // The longest varint has nine bytes, and no row of the schema table is shorter than that.
      if (cell + (kind === LEAF ? 9 : 4) > this.#size) return false;
      if (kind === LEAF) this.#bytes += varint(page, cell);
      else todo.push(page.readUInt32BE(cell));
    }
    if (kind === LEAF) this.#objects += cells;
    else todo.push(page.readUInt32BE(at + 8));
    return true;
  }
}

const varint = (page: Buffer, at: number): number => {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = page[at + i]!;
    value = value * 128 + (byte & 127);
    if (byte < 128) return value;
  }
  return value * 256 + page[at + 8]!;
};
