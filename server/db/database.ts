/**
 * The only writer of the database. `write` is synchronous. All writes of one turn of the event loop share one commit,
 * so 32 operators who save at once cost one fsync, not 32. A caller may answer only after `durable()`; the API does
 * this for every request. Events are sent only after the commit (`afterCommit`).
 */
import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { ApiError, diskFailing, diskFull, managedRecord, saveUnsure } from '../../shared/contract/errors.ts';
import { diskTrouble } from '../kernel/disk/disk-trouble.ts';
import { asNecessary, isNecessary } from '../kernel/disk/necessity.ts';
import { recent } from '../kernel/time/recent.ts';
import { connect } from './connect.ts';
import { type BetterSQLite3Database, drizzle } from './drizzle.ts';
import { foldIn } from './fold.ts';
import * as schema from './schema.ts';

type Reaction = () => void;

interface Batch {
  /**
   * False: the disk is almost full and none of the writes in this batch is necessary. The batch is rolled back at the
   * end, as on a full disk.
   */
  readonly isAdmitted: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  reactions: Reaction[];
}

/** Free space on the disk (server/upkeep/disk/disk-room.ts). */
export interface Room {
  /** True when the disk is almost full: only necessary writes are saved. */
  readonly isScarce: boolean;
  /** Tests whether the disk accepts another write, and returns the result. */
  hasRoom(): boolean;
  /** Called when a write failed because the disk is full. */
  full(isNecessary: boolean): void;
  /**
   * Called before a necessary write while space is scarce. Extends the WAL file, so that the write fits into it.
   * @param log path of the WAL file, of which the first `used` bytes are in use
   */
  lend(log: string, used: number): void;
}

const ROOMY: Room = { isScarce: false, hasRoom: () => true, full: () => {}, lend: () => {} };
/**
 * Sizes in bytes: header of the WAL file, and header of each page in it
 * (https://sqlite.org/fileformat2.html#the_write_ahead_log).
 */
const LOG_HEAD = 32;
const PAGE_HEAD = 24;
/** Minimum time in milliseconds between two probes of the disk. In between, `probe` returns the previous result. */
const PROBE_EVERY_MS = 1_000;

/** Prefix of the message of triggers that protect records of headquarters (migration `campaigns`). */
const HELD = 'vitrine:headquarters:';

/**
 * Maximum number of cached statements. Above the maximum, the least recently used statements are dropped. Queries with
 * lists of ids have a statement for each length.
 */
const MAX_STATEMENTS = 500;

/** Caches prepared statements. Drizzle prepares a statement for every query, which costs more than running it. */
const remembering = (raw: BetterSqlite3.Database): BetterSqlite3.Database => {
  const known = recent<string, BetterSqlite3.Statement>(MAX_STATEMENTS);
  const client = Object.create(raw) as BetterSqlite3.Database;
  client.prepare = ((sql: string) => {
    let statement = known.get(sql);
    if (!statement) {
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
  #room: Room = ROOMY;
  #failure: Error | undefined;
  #onFailure: (failure: Error | undefined) => void = () => {};
  /**
   * Whether the WAL file may still contain a change that was reported to its caller as lost. The next open of the
   * database could then restore this change.
   */
  #isUnsure = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #lookout: BetterSqlite3.Database | undefined;

  constructor(file: string) {
    this.file = file;
    this.raw = connect(file);
    this.raw.pragma('journal_mode = WAL');
    this.raw.pragma('synchronous = FULL');
    this.raw.pragma('foreign_keys = ON');
    this.raw.pragma('busy_timeout = 5000');
    this.raw.pragma('cache_size = -16000');
    this.raw.pragma('temp_store = MEMORY');
    foldIn(this.raw);
    this.orm = drizzle(remembering(this.raw), { schema });
  }

  /**
   * Runs `change` atomically: when `change` throws, its writes are undone and the error is rethrown. Nested calls
   * belong to the outer call. `change` must not be async.
   */
  write<T>(change: () => T): T {
    const batch = this.#depth > 0 && this.#batch ? this.#batch : this.#batchFor(!this.#room.isScarce || isNecessary());
    const mark = batch.reactions.length;
    const name = `s${this.#depth++}`;
    this.#savepoint(name, 'SAVEPOINT');
    try {
      const result = change();
      this.#savepoint(name, 'RELEASE');
      return result;
    } catch (error) {
      batch.reactions.length = mark;
      // Checks whether the transaction is still open: after SQLITE_FULL, SQLite may have rolled back all of it,
      // including the savepoint.
      if (this.raw.inTransaction) this.raw.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      else this.#lose(batch, this.#answerFor(error));
      throw this.#answerFor(error);
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

  /**
   * Runs the reaction (a function) after the current writes are on disk, and never if these writes are undone. Runs the
   * reaction at once when no write is open.
   */
  afterCommit(reaction: Reaction): void {
    if (this.#batch) this.#batch.reactions.push(reaction);
    else reaction();
  }

  /**
   * Resolves when all writes so far are on disk. Rejects when the writes could not be saved: 507 when the disk is full,
   * 503 when the disk fails.
   */
  durable(): Promise<void> | undefined {
    return this.#batch?.done;
  }

  /**
   * Calls the listener when a commit failed, because data that was read in this turn of the event loop may contain
   * changes that were undone. Returns a function that removes the listener.
   */
  onLost(listener: (error: unknown) => void): () => void {
    this.#onLost.push(listener);
    return () => {
      this.#onLost = this.#onLost.filter((l) => l !== listener);
    };
  }

  /**
   * Number of committed pages in the write-ahead log that are not in the database file yet. 0 during an open
   * transaction, in which SQLite refuses the query (SQLITE_LOCKED).
   */
  pagesInLog(): number {
    if (this.raw.inTransaction) return 0;
    const [{ log, checkpointed }] = this.raw.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }];
    return Math.max(0, log - checkpointed);
  }

  /** Sets the source of information about free space on the disk. Until then, space counts as unlimited. */
  setSpaceSource(room: Room): void {
    this.#room = room;
  }

  /**
   * Sets the only listener for disk failures. The listener gets the error when the disk begins to fail, and undefined
   * when the disk works again.
   */
  onFailure(listener: (failure: Error | undefined) => void): void {
    this.#onFailure = listener;
  }

  /** Whether only necessary writes can be saved. Callers can check this to skip other writes. */
  get isHardPressed(): boolean {
    return this.#room.isScarce || this.#failure !== undefined;
  }

  /** The last error of a failing disk. Undefined when the disk works. A full disk is not a failure. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * Checks from time to time whether the disk works. Reads while the disk works, and rewrites existing data after a
   * failure.
   * @param now monotonic milliseconds
   */
  probe(now: number): Error | undefined {
    if (now - this.#lookedAt < PROBE_EVERY_MS) return this.#failure;
    this.#lookedAt = now;
    try {
      if (this.#failure) this.writeNothing();
      else this.#read();
    } catch (error) {
      this.#answerFor(error);
    }
    return this.#failure;
  }

  /** Tests the disk by writing an existing value again, which changes no data. */
  writeNothing(): void {
    if (this.raw.inTransaction) return;
    asNecessary(() =>
      this.write(() => this.raw.pragma(`user_version = ${this.raw.pragma('user_version', { simple: true })}`)),
    );
    this.#commit();
  }

  /** Reads through a connection without a cache, so that the disk is really read. */
  #read(): void {
    if (this.file === ':memory:') return;
    if (!this.#lookout) {
      this.#lookout = connect(this.file, { readonly: true, fileMustExist: true });
      this.#lookout.pragma('cache_size = 0');
    }
    this.#lookout.prepare('SELECT count(*) FROM sqlite_schema').get();
  }

  /**
   * Commits open writes and closes the file. If the checkpoint fails, the newest pages stay in the WAL file until the
   * next start, and the error is returned.
   */
  close(): unknown {
    if (this.#batch) this.#commit();
    if (this.#isUnsure) this.#cutLog();
    let left: unknown;
    try {
      this.#lookout?.close();
      this.raw.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      left = error;
    }
    this.raw.close();
    return left;
  }

  /**
   * Returns the batch that a write belongs to. While the disk is almost full, necessary writes and other writes are in
   * different batches, because the rollback of a batch undoes all its writes.
   */
  #batchFor(isAdmitted: boolean): Batch {
    if (this.#batch && this.#batch.isAdmitted !== isAdmitted) this.#commit();
    return this.#batch ?? this.#open(isAdmitted);
  }

  #open(isAdmitted: boolean): Batch {
    let resolve!: () => void;
    let reject!: (error: unknown) => void;
    const done = new Promise<void>((ok, no) => {
      resolve = ok;
      reject = no;
    });
    done.catch(() => {});
    try {
      if (isAdmitted && this.#room.isScarce) this.#room.lend(this.#log, this.#endOfLog());
      this.raw.exec('BEGIN IMMEDIATE');
    } catch (error) {
      throw this.#answerFor(error);
    }
    this.#batch = { isAdmitted, done, resolve, reject, reactions: [] };
    setImmediate(() => this.#commit());
    return this.#batch;
  }

  #commit(): void {
    const batch = this.#batch;
    if (!batch) return;
    if (!batch.isAdmitted) return this.#refuse(batch);
    try {
      this.raw.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      this.#isUnsure = !this.#cutLog();
      const answer = this.#answerFor(error);
      this.#lose(batch, this.#isUnsure ? saveUnsure() : answer);
      return;
    }
    this.#batch = undefined;
    // This commit has overwritten the pages of failed commits in the WAL file, so these pages can no longer return.
    this.#isUnsure = false;
    this.#fails(undefined);
    batch.resolve();
    for (const reaction of batch.reactions) {
      try {
        reaction();
      } catch (error) {
        // The change is saved. A listener that throws must not prevent the following listeners.
        queueMicrotask(() => this.#report(error));
      }
    }
  }

  #report: (error: unknown) => void = (error) => {
    throw error;
  };

  /** Sets the receiver of errors in reactions. Called once by the composition root. */
  reportTo(report: (error: unknown) => void): void {
    this.#report = report;
  }

  #refuse(batch: Batch): void {
    this.#rollBack();
    this.#lose(batch, diskFull());
  }

  #rollBack(): void {
    try {
      if (this.raw.inTransaction) this.raw.exec('ROLLBACK');
    } catch (error) {
      // An error of the rollback is ignored, because SQLite has already rolled back then.
      this.#answerFor(error);
    }
  }

  #lose(batch: Batch, error: unknown): void {
    this.#batch = undefined;
    batch.reject(error);
    for (const listener of this.#onLost) listener(error);
  }

  /** Returns the error for the caller, and remembers a failure of the disk. */
  #answerFor(error: unknown): unknown {
    if (error instanceof ApiError) return error;
    const { message } = error as Error;
    if (message?.startsWith(HELD)) return managedRecord(message.slice(HELD.length));
    switch (diskTrouble(error, () => this.#room.hasRoom())) {
      case 'failing':
        this.#fails(error as Error);
        return diskFailing();
      case 'full':
        this.#room.full(isNecessary() || (this.#batch?.isAdmitted === true && this.#room.isScarce));
        return diskFull();
      case undefined:
        return error;
    }
  }

  #fails(failure: Error | undefined): void {
    const before = this.#failure;
    this.#failure = failure;
    if ((before === undefined) !== (failure === undefined)) this.#onFailure(failure);
  }

  get #log(): string {
    return `${this.file}-wal`;
  }

  /**
   * Returns the end of the saved pages in the WAL file, in bytes. Called outside of transactions only, because SQLite
   * refuses the query within a transaction.
   */
  #endOfLog(): number {
    const [{ log }] = this.raw.pragma('wal_checkpoint(NOOP)') as [{ log: number }];
    return LOG_HEAD + Math.max(0, log) * (PAGE_HEAD + (this.raw.pragma('page_size', { simple: true }) as number));
  }

  /**
   * Ends the WAL after the last saved page. A commit whose sync failed leaves its complete pages in the WAL file.
   * SQLite has rolled this commit back, but the next open of the database would treat these pages as saved. Returns
   * true if the commit is undone for good.
   */
  #cutLog(): boolean {
    if (this.file === ':memory:') return true;
    try {
      const version = this.raw.pragma('data_version', { simple: true });
      const end = this.#endOfLog();
      // This lock keeps other processes from writing to the database while the WAL is changed.
      this.raw.exec('BEGIN IMMEDIATE');
      try {
        // Leaves the log as it is: another program (`vitrine reset-password`) has written since then, and so has
        // overwritten the pages of the failed commit.
        if (this.raw.pragma('data_version', { simple: true }) !== version) return true;
        const file = openSync(this.#log, 'r+');
        try {
          if (fstatSync(file).size <= end) return true;
          // SQLite stops reading at the first page with an invalid header. The file is not truncated, because on a full
          // disk another program would take the freed space.
          writeSync(file, Buffer.alloc(PAGE_HEAD), 0, PAGE_HEAD, end);
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        return true;
      } finally {
        this.raw.exec('ROLLBACK');
      }
    } catch {
      return false;
    }
  }
}
