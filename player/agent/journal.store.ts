/** The journal in SQLite. `synchronous=FULL`: what was shown is on disk before the next item is. */
import Database from 'better-sqlite3';
import type { JournalRow } from '../../shared/protocol/journal-chain.ts';
import type { JournalStore, OpenPlay } from '../core/journal.ts';

/** Rows are kept as the JSON they were hashed from; only what is asked for has a column. */
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

interface Prepared {
  readonly mark: Database.Statement<[string, string]>;
  readonly readMark: Database.Statement<[string], { value: string }>;
  readonly insert: Database.Statement<[number, string, number, string]>;
  readonly saveOpen: Database.Statement<[string, string]>;
  readonly removeOpen: Database.Statement<[string]>;
}

export class SqliteJournal implements JournalStore {
  readonly #path: string;
  #db: Database.Database | undefined;
  #prepared: Prepared | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  start(): void {
    const db = new Database(this.#path);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version > VERSION) throw new Error(`the journal in ${this.#path} belongs to a newer version of this player`);
    db.exec(SCHEMA);
    db.pragma(`user_version = ${VERSION}`);
    this.#db = db;
    this.#prepared = {
      mark: db.prepare('INSERT INTO marks VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'),
      readMark: db.prepare('SELECT value FROM marks WHERE name = ?'),
      insert: db.prepare('INSERT OR REPLACE INTO plays VALUES (?, ?, ?, ?)'),
      saveOpen: db.prepare('INSERT INTO open_plays VALUES (?, ?) ON CONFLICT DO UPDATE SET play = excluded.play'),
      removeOpen: db.prepare('DELETE FROM open_plays WHERE id = ?'),
    };
  }

  stop(): void {
    this.#db?.close();
    this.#db = this.#prepared = undefined;
  }

  async head(): Promise<{ seq: number; hash: string } | undefined> {
    const mark = this.#use().readMark.get('head');
    return mark && (JSON.parse(mark.value) as { seq: number; hash: string });
  }

  /** The last sign of life counts for all open plays, so it is one row, not one write per play. */
  async openPlays(): Promise<OpenPlay[]> {
    const alive = Number(this.#use().readMark.get('alive')?.value ?? 0);
    const rows = this.#open().prepare<[], { play: string }>('SELECT play FROM open_plays ORDER BY rowid').all();
    return rows.map(({ play }) => JSON.parse(play) as OpenPlay).map((play) => ({ ...play, alive_at: Math.max(play.alive_at, alive) }));
  }

  async saveOpen(play: OpenPlay): Promise<void> {
    this.#use().saveOpen.run(play.id, JSON.stringify(play));
  }

  async beat(aliveAt: number): Promise<void> {
    this.#use().mark.run('alive', String(aliveAt));
  }

  async append(row: JournalRow): Promise<void> {
    this.#atOnce(({ removeOpen }) => {
      this.#write(row);
      removeOpen.run(row.id);
    });
  }

  async page(limit: number): Promise<JournalRow[]> {
    return parsed(this.#open().prepare<[number], { row: string }>('SELECT row FROM plays ORDER BY seq LIMIT ?').all(limit));
  }

  async ofBoot(bootId: string): Promise<JournalRow[]> {
    return parsed(this.#open().prepare<[string], { row: string }>('SELECT row FROM plays WHERE boot_id = ? ORDER BY seq').all(bootId));
  }

  async rewrite(rows: readonly JournalRow[]): Promise<void> {
    this.#atOnce(() => {
      for (const row of rows) this.#write(row);
    });
  }

  async forget(through: number): Promise<void> {
    this.#open().prepare('DELETE FROM plays WHERE seq <= ?').run(through);
  }

  async trim({ endedBefore, maxBytes }: { endedBefore: number; maxBytes: number }): Promise<number> {
    const db = this.#open();
    const { changes } = db.prepare('DELETE FROM plays WHERE ended_at < ?').run(endedBefore);
    const bytes = db.prepare<[], { bytes: number | null; rows: number }>('SELECT sum(length(row)) AS bytes, count(*) AS rows FROM plays').get();
    if (!bytes?.bytes || bytes.bytes <= maxBytes) return changes;
    // A tenth at a time, so that a full journal is not measured for each new row.
    const surplus = Math.ceil(bytes.rows / 10);
    return changes + db.prepare('DELETE FROM plays WHERE seq IN (SELECT seq FROM plays ORDER BY seq LIMIT ?)').run(surplus).changes;
  }

  async clear(): Promise<void> {
    this.#atOnce(() => this.#open().exec('DELETE FROM plays; DELETE FROM open_plays; DELETE FROM marks;'));
  }

  #write(row: JournalRow): void {
    const { insert, mark } = this.#use();
    insert.run(row.seq, row.boot_id, row.ended_at, JSON.stringify(row));
    mark.run('head', JSON.stringify({ seq: row.seq, hash: row.hash }));
  }

  #atOnce(work: (prepared: Prepared) => void): void {
    this.#open().transaction(() => work(this.#use()))();
  }

  #open(): Database.Database {
    if (!this.#db) throw new Error('journal used while closed');
    return this.#db;
  }

  #use(): Prepared {
    if (!this.#prepared) throw new Error('journal used while closed');
    return this.#prepared;
  }
}

const parsed = (rows: readonly { row: string }[]): JournalRow[] => rows.map(({ row }) => JSON.parse(row) as JournalRow);
