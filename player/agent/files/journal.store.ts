/** The journal in SQLite. `synchronous=FULL`: a play is on disk before the next item is shown. */
import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { JournalRow } from '../../../shared/protocol/journal-chain.ts';
import { Play } from '../../../shared/protocol/messages.ts';
import { jsonOrUndefined } from '../../core/files/documents.ts';
import type { JournalStore, OpenPlay } from '../../core/journal/journal.ts';
import type { Log } from '../../core/ports.ts';

/** Rows are stored as the JSON that was hashed. Only queried fields have columns. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS plays (
    seq INTEGER PRIMARY KEY,
    boot_id TEXT NOT NULL,
    ended_at REAL NOT NULL,
    row TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS open_plays (id TEXT PRIMARY KEY, play TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;
const VERSION = 1;
/** Time in milliseconds for which SQLite waits for a lock. It is short because waiting blocks the whole player. */
const BUSY_MS = 200;
/** If the stored last row is damaged, the highest number is searched among this many of the newest plays. */
const LOOKED_BACK = 500;

/**
 * Schema for rows that are read from the disk. It is the server's own schema for plays: the server would close the
 * connection for a play that it refuses, again after each reconnect.
 */
const Row = Play.required({ boot_id: true, uncertainty_ms: true }).extend({
  seq: z.number().int(),
  prev: z.string(),
  hash: z.string(),
});
const Open = Row.omit({ seq: true, prev: true, hash: true, ended_at: true, completed: true }).extend({
  turn: z.string(),
  planned_end: z.number(),
  alive_at: z.number(),
});
const Head = z.object({ seq: z.number().int(), hash: z.string() });

interface Stored {
  readonly seq: number;
  readonly row: string;
}

/** An open database with its prepared statements. */
const withStatements = (db: Database.Database) => ({
  db,
  mark: db.prepare<[string, string]>(
    'INSERT INTO marks VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  ),
  readMark: db.prepare<[string], { value: string }>('SELECT value FROM marks WHERE name = ?'),
  insert: db.prepare<[number, string, number, string]>('INSERT OR REPLACE INTO plays VALUES (?, ?, ?, ?)'),
  saveOpen: db.prepare<[string, string]>(
    'INSERT INTO open_plays VALUES (?, ?) ON CONFLICT DO UPDATE SET play = excluded.play',
  ),
  removeOpen: db.prepare<[string]>('DELETE FROM open_plays WHERE id = ?'),
});

export class SqliteJournal implements JournalStore {
  readonly #path: string;
  readonly #log: Log | undefined;
  /** Numbers of damaged rows that were logged, so that each is logged once. */
  readonly #spoilt = new Set<number>();
  #inode = 0;
  #opened: ReturnType<typeof withStatements> | undefined;

  constructor(path: string, log?: Log) {
    this.#path = path;
    this.#log = log;
  }

  start(): void {
    try {
      // With exclusive access SQLite needs no index in shared memory, for which a full disk has no room.
      this.#openLocked('EXCLUSIVE');
    } catch (error) {
      // Another program has the file open, so exclusive access is not possible.
      if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      this.#openLocked('NORMAL');
    }
  }

  #openLocked(mode: 'EXCLUSIVE' | 'NORMAL'): void {
    const db = new Database(this.#path, { timeout: BUSY_MS });
    try {
      db.pragma(`locking_mode = ${mode}`);
      this.#prepare(db);
      this.#opened = withStatements(db);
    } catch (error) {
      db.close();
      throw error;
    }
    this.#inode = statSync(this.#path).ino;
  }

  /** Returns whether the path still leads to the open file. False if the file was deleted or replaced. */
  isThere(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Copies the database into a new file. */
  copyTo(path: string): void {
    this.#open().db.prepare('VACUUM INTO ?').run(path);
  }

  /** Creates the tables. Writes nothing if they exist, so that a journal on a full disk can be read and delivered. */
  #prepare(db: Database.Database): void {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version > VERSION)
      throw new Error(
        `the recorded plays in ${this.#path} were written by a newer version of this player; update this player`,
      );
    db.exec(SCHEMA);
    if (version < VERSION) db.pragma(`user_version = ${VERSION}`);
  }

  stop(): void {
    this.#opened?.db.close();
    this.#opened = undefined;
  }

  async head(): Promise<{ seq: number; hash: string } | undefined> {
    const mark = this.#open().readMark.get('head');
    if (!mark) return undefined;
    const head = Head.safeParse(jsonOrUndefined(mark.value));
    if (head.success) return head.data;
    this.#log?.error('the journal has lost its place: it goes on after the newest play that it still has');
    const newest = this.#open()
      .db.prepare<[number], Stored>('SELECT seq, row FROM plays ORDER BY seq DESC LIMIT ?')
      .all(LOOKED_BACK);
    return this.#sound(newest)[0];
  }

  /**
   * Returns the open plays. Their last alive time (`alive_at`) is one row for all open plays, not one write per play.
   */
  async openPlays(): Promise<OpenPlay[]> {
    const alive = Number(this.#open().readMark.get('alive')?.value ?? 0) || 0;
    const rows = this.#open()
      .db.prepare<[], { id: string; play: string }>('SELECT id, play FROM open_plays ORDER BY rowid')
      .all();
    return rows.flatMap(({ id, play }) => {
      const open = Open.safeParse(jsonOrUndefined(play));
      if (open.success) return [{ ...open.data, alive_at: Math.max(open.data.alive_at, alive) }];
      this.#log?.error(
        'a play that was on screen when the player last ended is damaged in the journal: it will not be reported',
      );
      this.#dropOpen(id);
      return [];
    });
  }

  /** Removes an open play. On a full disk the play stays until a start with free space. */
  #dropOpen(id: string): void {
    try {
      this.#open().removeOpen.run(id);
    } catch (error) {
      this.#log?.warn('it could not be removed yet', error);
    }
  }

  async saveOpen(play: OpenPlay): Promise<void> {
    this.#open().saveOpen.run(play.id, JSON.stringify(play));
  }

  async beat(aliveAt: number): Promise<void> {
    this.#open().mark.run('alive', String(aliveAt));
  }

  async append(row: JournalRow): Promise<void> {
    this.#atOnce(() => {
      this.#write(row);
      this.#open().removeOpen.run(row.id);
    });
  }

  /** Returns rows without damaged rows. A damaged row is removed once the rows after it are delivered. */
  async page(limit: number, { after = 0 } = {}): Promise<JournalRow[]> {
    const stored = this.#open()
      .db.prepare<[number, number], Stored>('SELECT seq, row FROM plays WHERE seq > ? ORDER BY seq LIMIT ?')
      .all(after, limit);
    const rows = this.#sound(stored);
    const last = stored.at(-1);
    return rows.length === 0 && last ? this.page(limit, { after: last.seq }) : rows;
  }

  async ofBoot(bootId: string): Promise<JournalRow[]> {
    return this.#sound(
      this.#open()
        .db.prepare<[string], Stored>('SELECT seq, row FROM plays WHERE boot_id = ? ORDER BY seq')
        .all(bootId),
    );
  }

  async rewrite(rows: readonly JournalRow[]): Promise<void> {
    this.#atOnce(() => {
      for (const row of rows) this.#write(row);
    });
  }

  async forget(through: number): Promise<void> {
    this.#open().db.prepare('DELETE FROM plays WHERE seq <= ?').run(through);
  }

  async trim({ endedBefore, maxBytes }: { endedBefore: number; maxBytes: number }): Promise<number> {
    const { db } = this.#open();
    const { changes } = db.prepare('DELETE FROM plays WHERE ended_at < ?').run(endedBefore);
    const bytes = db
      .prepare<[], { bytes: number | null; rows: number }>(
        'SELECT sum(length(row)) AS bytes, count(*) AS rows FROM plays',
      )
      .get();
    if (!bytes?.bytes || bytes.bytes <= maxBytes) return changes;
    // Deletes a tenth of the rows at a time, so that a full journal need not delete rows for each new row.
    const surplus = Math.ceil(bytes.rows / 10);
    return (
      changes +
      db.prepare('DELETE FROM plays WHERE seq IN (SELECT seq FROM plays ORDER BY seq LIMIT ?)').run(surplus).changes
    );
  }

  async clear(): Promise<void> {
    this.#atOnce(() => this.#open().db.exec('DELETE FROM plays; DELETE FROM open_plays; DELETE FROM marks;'));
  }

  #sound(stored: readonly Stored[]): JournalRow[] {
    return stored.flatMap(({ seq, row }) => {
      const parsed = Row.safeParse(jsonOrUndefined(row));
      if (parsed.success) return [parsed.data];
      if (!this.#spoilt.has(seq)) this.#log?.error(`play ${seq} is damaged in the journal: it will not be reported`);
      this.#spoilt.add(seq);
      return [];
    });
  }

  #write(row: JournalRow): void {
    const { insert, mark } = this.#open();
    insert.run(row.seq, row.boot_id, row.ended_at, JSON.stringify(row));
    mark.run('head', JSON.stringify({ seq: row.seq, hash: row.hash }));
  }

  #atOnce(work: () => void): void {
    this.#open().db.transaction(work)();
  }

  #open(): ReturnType<typeof withStatements> {
    if (!this.#opened) throw new Error('the database of recorded plays is closed');
    return this.#opened;
  }
}
