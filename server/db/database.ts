/**
 * The one writer. `write` is synchronous: it commits or rolls back as one with what else arrived in the same turn of the
 * event loop, so that thirty-two operators saving at once cost one fsync, not thirty-two. A caller may answer the outside
 * only after `durable()`: the API does this for every request. Nothing is announced before the commit (`afterCommit`).
 */
import BetterSqlite3 from 'better-sqlite3';
import { diskFull } from '../../shared/contract/errors.ts';
import { type BetterSQLite3Database, drizzle } from './drizzle.ts';
import * as schema from './schema.ts';

type Reaction = () => void;

interface Batch {
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  reactions: Reaction[];
}

const isFull = (error: unknown) => error instanceof BetterSqlite3.SqliteError && (error.code === 'SQLITE_FULL' || error.code.startsWith('SQLITE_IOERR'));

/** Lists of ids make statements of every length: beyond so many all are forgotten. */
const MAX_STATEMENTS = 500;

/** Drizzle prepares anew for every query, which costs more than running it; a store's SQL is always the same few statements. */
const remembering = (raw: BetterSqlite3.Database): BetterSqlite3.Database => {
  const known = new Map<string, BetterSqlite3.Statement>();
  const client = Object.create(raw) as BetterSqlite3.Database;
  client.prepare = ((sql: string) => {
    let statement = known.get(sql);
    if (!statement) {
      if (known.size >= MAX_STATEMENTS) known.clear();
      statement = raw.prepare(sql);
      known.set(sql, statement);
    } else if (statement.reader) statement.raw(false);
    return statement;
  }) as BetterSqlite3.Database['prepare'];
  return client;
};

export class Database {
  readonly file: string;
  readonly raw: BetterSqlite3.Database;
  readonly orm: BetterSQLite3Database<typeof schema>;
  readonly #savepoints = new Map<string, BetterSqlite3.Statement>();
  #batch: Batch | undefined;
  #depth = 0;
  #onLost: ((error: unknown) => void)[] = [];

  constructor(file: string) {
    this.file = file;
    this.raw = new BetterSqlite3(file);
    this.raw.pragma('journal_mode = WAL');
    this.raw.pragma('synchronous = FULL');
    this.raw.pragma('foreign_keys = ON');
    this.raw.pragma('busy_timeout = 5000');
    this.raw.pragma('cache_size = -16000');
    this.raw.pragma('temp_store = MEMORY');
    this.orm = drizzle(remembering(this.raw), { schema });
  }

  /**
   * Runs `change` as a whole or not at all: when it throws, what it did is undone and the error goes on to the caller.
   * Nested calls are part of the outer one. Must not be given an async function.
   */
  write<T>(change: () => T): T {
    const batch = this.#batch ?? this.#open();
    const mark = batch.reactions.length;
    const name = `s${this.#depth++}`;
    this.#savepoint(name, 'SAVEPOINT');
    try {
      const result = change();
      this.#savepoint(name, 'RELEASE');
      return result;
    } catch (error) {
      batch.reactions.length = mark;
      // After SQLITE_FULL, SQLite may have rolled everything back itself: then there is no savepoint to go back to.
      if (this.raw.inTransaction) this.raw.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      else this.#lose(batch, error);
      throw isFull(error) ? diskFull() : error;
    } finally {
      this.#depth--;
    }
  }

  #savepoint(name: string, what: 'SAVEPOINT' | 'RELEASE'): void {
    const sql = `${what} ${name}`;
    let statement = this.#savepoints.get(sql);
    if (!statement) {
      statement = this.raw.prepare(sql);
      this.#savepoints.set(sql, statement);
    }
    statement.run();
  }

  /** Runs once what is being written is on disk; never when it is undone. Outside a write: at once. */
  afterCommit(reaction: Reaction): void {
    if (this.#batch) this.#batch.reactions.push(reaction);
    else reaction();
  }

  /** Resolves when everything written so far is on disk; rejects (507 when the disk is full) when it could not be. */
  durable(): Promise<void> | undefined {
    return this.#batch?.done;
  }

  /** Called when a commit failed: what was read from the database in this turn may be wrong. Returns its own undo. */
  onLost(listener: (error: unknown) => void): () => void {
    this.#onLost.push(listener);
    return () => {
      this.#onLost = this.#onLost.filter((l) => l !== listener);
    };
  }

  /** Pages that were committed to the write-ahead log and are not in the database file yet. 0 while this turn's writes are open: SQLite would refuse (SQLITE_LOCKED). */
  pagesInLog(): number {
    if (this.raw.inTransaction) return 0;
    const [{ log, checkpointed }] = this.raw.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }];
    return Math.max(0, log - checkpointed);
  }

  /** Writes what is open and closes the file; checkpoints the WAL. */
  close(): void {
    if (this.#batch) this.#commit();
    this.raw.pragma('wal_checkpoint(TRUNCATE)');
    this.raw.close();
  }

  #open(): Batch {
    let resolve!: () => void;
    let reject!: (error: unknown) => void;
    const done = new Promise<void>((ok, no) => {
      resolve = ok;
      reject = no;
    });
    done.catch(() => {});
    this.raw.exec('BEGIN IMMEDIATE');
    this.#batch = { done, resolve, reject, reactions: [] };
    setImmediate(() => this.#commit());
    return this.#batch;
  }

  #commit(): void {
    const batch = this.#batch;
    if (!batch) return;
    try {
      this.raw.exec('COMMIT');
    } catch (error) {
      if (this.raw.inTransaction) this.raw.exec('ROLLBACK');
      this.#lose(batch, error);
      return;
    }
    this.#batch = undefined;
    batch.resolve();
    for (const reaction of batch.reactions) {
      try {
        reaction();
      } catch (error) {
        // The change is saved; one bad listener must not hurt the next.
        queueMicrotask(() => this.#report(error));
      }
    }
  }

  #report: (error: unknown) => void = (error) => {
    throw error;
  };

  /** Where errors of reactions go. Set once by the composition root. */
  reportTo(report: (error: unknown) => void): void {
    this.#report = report;
  }

  #lose(batch: Batch, error: unknown): void {
    this.#batch = undefined;
    batch.reject(isFull(error) ? diskFull() : error);
    for (const listener of this.#onLost) listener(error);
  }
}
