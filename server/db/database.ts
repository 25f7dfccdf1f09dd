/**
 * The one writer. `write` is synchronous: it commits or rolls back as one with what else arrived in the same turn of
 * the event loop, so that thirty-two operators saving at once cost one fsync, not thirty-two. A caller may answer the
 * outside only after `durable()`: the API does this for every request. Nothing is announced before the commit
 * (`afterCommit`).
 */
import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { ApiError, diskFailing, diskFull, held, saveUnsure } from '../../shared/contract/errors.ts';
import { diskTrouble } from '../kernel/disk-trouble.ts';
import { asNecessary, isNecessary } from '../kernel/necessity.ts';
import { recent } from '../kernel/recent.ts';
import { connect } from './connect.ts';
import { type BetterSQLite3Database, drizzle } from './drizzle.ts';
import { foldIn } from './fold.ts';
import * as schema from './schema.ts';

type Reaction = () => void;

interface Batch {
  /** False: hardly any room is left, and it is not for this. Undone in the end, as on a full disk. */
  readonly isAdmitted: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  reactions: Reaction[];
}

/** What is left of the disk (server/upkeep/disk-room.ts). */
export interface Room {
  /** Hardly any is left: only what is necessary is saved. */
  readonly isScarce: boolean;
  /** Whether anything fits. */
  hasRoom(): boolean;
  /** Called when a write found no room. */
  full(isNecessary: boolean): void;
  /**
   * Called before a necessary write while room is scarce: makes the log longer, so that the write fits into it.
   * @param log is the path of the log, of which the first `used` bytes are taken
   */
  lend(log: string, used: number): void;
}

const ROOMY: Room = { isScarce: false, hasRoom: () => true, full: () => {}, lend: () => {} };
/** Before a log's first page, and before each page of it (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
const LOG_HEAD = 32;
const PAGE_HEAD = 24;
/** Asked for more often, what was found out before is told. */
const PROBE_EVERY_MS = 1_000;

/** What a trigger says that keeps records of headquarters as they are (migration campaigns). */
const HELD = 'vitrine:headquarters:';

/** Lists of ids make statements of every length: beyond so many, those that were not used the longest are forgotten. */
const MAX_STATEMENTS = 500;

/**
 * Drizzle prepares anew for every query, which costs more than running it; a store's SQL is always the same few
 * statements.
 */
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
  /** A change that was called lost may lie in the log all the same, for whoever opens it next. */
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
   * Runs `change` as a whole or not at all: when it throws, what it did is undone and the error goes on to the caller.
   * Nested calls are part of the outer one. Must not be given an async function.
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
      // After SQLITE_FULL, SQLite may have rolled everything back itself: then there is no savepoint to go back to.
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

  /** Runs once what is being written is on disk; never when it is undone. Outside a write: at once. */
  afterCommit(reaction: Reaction): void {
    if (this.#batch) this.#batch.reactions.push(reaction);
    else reaction();
  }

  /**
   * Resolves when everything written so far is on disk; rejects (507 when the disk is full, 503 when it fails) when it
   * could not be.
   */
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

  /**
   * Pages that were committed to the write-ahead log and are not in the database file yet. 0 while this turn's writes
   * are open: SQLite would refuse (SQLITE_LOCKED).
   */
  pagesInLog(): number {
    if (this.raw.inTransaction) return 0;
    const [{ log, checkpointed }] = this.raw.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }];
    return Math.max(0, log - checkpointed);
  }

  /** Says what is left of the disk. Until then there is room for everything. */
  keepTo(room: Room): void {
    this.#room = room;
  }

  /** Calls the one listener when the disk begins to fail, and with undefined when it works again. */
  onFailure(listener: (failure: Error | undefined) => void): void {
    this.#onFailure = listener;
  }

  /** Nothing can be saved now but what is necessary: who only reads need not try. */
  get isHardPressed(): boolean {
    return this.#room.isScarce || this.#failure !== undefined;
  }

  /** Why nothing can be saved or read: what the disk said last. Undefined: all is well. A full disk is no failure. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * Finds out whether the disk works, now and then: by reading while it seems to, by writing what is there already once
   * it has failed.
   * @param now monotonic, milliseconds
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

  /** Saves what is there already: the disk is asked, nothing is changed. */
  writeNothing(): void {
    if (this.raw.inTransaction) return;
    asNecessary(() =>
      this.write(() => this.raw.pragma(`user_version = ${this.raw.pragma('user_version', { simple: true })}`)),
    );
    this.#commit();
  }

  /** By a connection that remembers nothing. */
  #read(): void {
    if (this.file === ':memory:') return;
    if (!this.#lookout) {
      this.#lookout = connect(this.file, { readonly: true, fileMustExist: true });
      this.#lookout.pragma('cache_size = 0');
    }
    this.#lookout.prepare('SELECT count(*) FROM sqlite_schema').get();
  }

  /**
   * Writes what is open and closes the file. What cannot be taken over into it stays in the log, for the next start.
   * Returns why, if so.
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

  /** What is necessary and what is not are not saved together: one would be undone with the other. */
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
    // Over what was left in the log, if anything was.
    this.#isUnsure = false;
    this.#fails(undefined);
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

  #refuse(batch: Batch): void {
    this.#rollBack();
    this.#lose(batch, diskFull());
  }

  #rollBack(): void {
    try {
      if (this.raw.inTransaction) this.raw.exec('ROLLBACK');
    } catch (error) {
      // SQLite has forgotten it in any case.
      this.#answerFor(error);
    }
  }

  #lose(batch: Batch, error: unknown): void {
    this.#batch = undefined;
    batch.reject(error);
    for (const listener of this.#onLost) listener(error);
  }

  /** What the caller is told; what the error says of the disk is remembered. */
  #answerFor(error: unknown): unknown {
    if (error instanceof ApiError) return error;
    const { message } = error as Error;
    if (message?.startsWith(HELD)) return held(message.slice(HELD.length));
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

  /** Returns how many bytes of the log are saved pages. Outside a transaction only: SQLite refuses it within one. */
  #endOfLog(): number {
    const [{ log }] = this.raw.pragma('wal_checkpoint(NOOP)') as [{ log: number }];
    return LOG_HEAD + Math.max(0, log) * (PAGE_HEAD + (this.raw.pragma('page_size', { simple: true }) as number));
  }

  /**
   * A commit whose sync failed has left its pages in the log, whole: SQLite has undone it, but whoever opens the log
   * next would find it and take it for saved. So the log is ended where what is saved ends. True: it is undone for good.
   */
  #cutLog(): boolean {
    if (this.file === ':memory:') return true;
    try {
      const version = this.raw.pragma('data_version', { simple: true });
      const end = this.#endOfLog();
      // Nobody else may write meanwhile.
      this.raw.exec('BEGIN IMMEDIATE');
      try {
        // Another program (`vitrine reset-password`) has written since, over what was left.
        if (this.raw.pragma('data_version', { simple: true }) !== version) return true;
        const file = openSync(this.#log, 'r+');
        try {
          if (fstatSync(file).size <= end) return true;
          // SQLite reads no further than the first page with a wrong head. What follows stays allocated: on a full
          // disk another program would take that space.
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
