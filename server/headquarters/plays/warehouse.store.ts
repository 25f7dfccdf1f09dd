import type { Statement } from 'better-sqlite3';
import type { Cursor, Epoch } from '../../../shared/chain/cursor.ts';
import type { Database } from '../../db/database.ts';
import type { CursorRow, NamedSubject, Period, SegmentRow } from './warehouse.ts';

/**
 * Tables with very many rows per store, without the tables of sums. A table comes before each table to which its rows
 * refer, so that rows can be deleted in this order.
 */
export const LONG_TABLES = ['hq_marks', 'hq_segments', 'hq_overlaps'] as const;

/** The tables of the warehouse in headquarters' own database (warehouse.ts). */
export class WarehouseStore {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns cursors in the order in which the store announced its epochs. */
  cursors(store: number): CursorRow[] {
    return this.#sql('SELECT epoch, first, through, head FROM hq_cursors WHERE store = ? ORDER BY rowid').all(
      store,
    ) as CursorRow[];
  }

  addEpoch(store: number, { epoch, first }: Epoch, head: string): void {
    this.#sql('INSERT INTO hq_cursors (store, epoch, first, through, head) VALUES (?, ?, ?, ?, ?)').run(
      store,
      epoch,
      first,
      first - 1,
      head,
    );
  }

  /** @returns false when the cursor was not at `before` */
  moveCursor(store: number, { epoch, through, head }: Cursor, before: number): boolean {
    return (
      this.#sql('UPDATE hq_cursors SET through = ?, head = ? WHERE store = ? AND epoch = ? AND through = ?').run(
        through,
        head,
        store,
        epoch,
        before,
      ).changes === 1
    );
  }

  /** Returns the offset of the next segment in a segment file. */
  endOf(pack: string): number {
    return (
      (this.#sql('SELECT "offset" + bytes FROM hq_segments WHERE pack = ? ORDER BY "offset" DESC LIMIT 1')
        .pluck()
        .get(pack) as number) ?? 0
    );
  }

  /** Returns the segment files in a folder with their expected lengths. Needs one index lookup for each file. */
  packsIn(folder: string): { pack: string; bytes: number }[] {
    const paths = this.#sql(
      `WITH RECURSIVE p (pack) AS (SELECT min(pack) FROM hq_segments WHERE pack > @from AND pack < @to
         UNION ALL SELECT (SELECT min(pack) FROM hq_segments WHERE pack > p.pack AND pack < @to) FROM p WHERE p.pack IS NOT NULL)
       SELECT pack FROM p WHERE pack IS NOT NULL`,
    )
      .pluck()
      // Range that contains all paths beginning with the folder and a slash: “0” is the character after “/”.
      .all({ from: `${folder}/`, to: `${folder}0` }) as string[];
    return paths.map((pack) => ({ pack, bytes: this.endOf(pack) }));
  }

  /** Returns whether one of these segment files contains plays of the period. */
  isIn(paths: readonly string[], store: number, { start, end }: Period): boolean {
    return (
      this.#sql(
        'SELECT 1 FROM hq_segments WHERE store = ? AND to_ms >= ? AND from_ms < ? AND plays > 0 AND pack IN (SELECT value FROM json_each(?)) LIMIT 1',
      ).get(store, start, end, JSON.stringify(paths)) !== undefined
    );
  }

  /** Inserts the segment. Returns its number. */
  addSegment(segment: Omit<SegmentRow, 'id'>): number {
    return Number(
      this.#sql(
        `INSERT INTO hq_segments (store, epoch, first, last, plays, from_ms, to_ms, fresh, dropped, pack, "offset", bytes)
           VALUES (@store, @epoch, @first, @last, @plays, @from_ms, @to_ms, @fresh, @dropped, @pack, @offset, @bytes)`,
      ).run(segment).lastInsertRowid,
    );
  }

  addMark(store: number, device: string, segment: number): void {
    this.#sql('INSERT OR IGNORE INTO hq_marks (store, device, segment) VALUES (?, ?, ?)').run(store, device, segment);
  }

  /** Returns the first segment of an epoch whose last play number is at least `first`. */
  segmentFrom(store: number, epoch: string, first: number): SegmentRow | undefined {
    return this.#sql('SELECT * FROM hq_segments WHERE store = ? AND epoch = ? AND last >= ? ORDER BY last LIMIT 1').get(
      store,
      epoch,
      first,
    ) as SegmentRow | undefined;
  }

  addOverlap(store: number, play: Buffer): void {
    this.#sql('INSERT OR IGNORE INTO hq_overlaps (store, play) VALUES (?, ?)').run(store, play);
  }

  hasOverlaps(store: number): boolean {
    return this.#sql('SELECT 1 FROM hq_overlaps WHERE store = ? LIMIT 1').get(store) !== undefined;
  }

  isOverlap(store: number, play: Buffer): boolean {
    return this.#sql('SELECT 1 FROM hq_overlaps WHERE store = ? AND play = ?').get(store, play) !== undefined;
  }

  /**
   * Returns the number of a subject (content, screen or campaign). Inserts an unknown subject, and updates the name
   * when this name is newer.
   */
  subject(store: number, { kind, ref, name, at }: NamedSubject): number {
    const found = this.#sql('SELECT id, name, named_ms FROM hq_subjects WHERE store = ? AND kind = ? AND ref = ?').get(
      store,
      kind,
      ref,
    ) as { id: number; name: string; named_ms: number } | undefined;
    if (!found)
      return Number(
        this.#sql('INSERT INTO hq_subjects (store, kind, ref, name, named_ms) VALUES (?, ?, ?, ?, ?)').run(
          store,
          kind,
          ref,
          name,
          at,
        ).lastInsertRowid,
      );
    if (at > found.named_ms || (at === found.named_ms && found.name !== name))
      this.#sql('UPDATE hq_subjects SET name = ?, named_ms = ? WHERE id = ?').run(name, at, found.id);
    return found.id;
  }

  addToSum(
    { day, store, device, shown }: { day: number; store: number; device: number; shown: number },
    { plays, ms }: { plays: number; ms: number },
  ): void {
    this.#sql(
      `INSERT INTO hq_sums (scope, day, store, device, shown, plays, ms) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (scope, day, store, device, shown) DO UPDATE SET plays = plays + excluded.plays, ms = ms + excluded.ms`,
    ).run(device === 0 ? 0 : 1, day, store, device, shown, plays, ms);
  }

  /** Returns the next day with sums; undefined: there is none. @param day null: returns the first day */
  dayAfter(scope: 0 | 1, day: number | null): number | undefined {
    return this.#sql('SELECT day FROM hq_sums WHERE scope = ? AND day > ? ORDER BY day LIMIT 1')
      .pluck()
      .get(scope, day ?? Number.MIN_SAFE_INTEGER) as number | undefined;
  }

  deleteSums(scope: 0 | 1, day: number, store: number): void {
    this.#sql('DELETE FROM hq_sums WHERE scope = ? AND day = ? AND store = ?').run(scope, day, store);
  }

  /** @returns whether the store may have more rows */
  deleteSome(table: (typeof LONG_TABLES)[number], store: number, most: number): boolean {
    const { changes } = this.#sql(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE store = ? LIMIT ?)`,
    ).run(store, most);
    return changes === most;
  }

  /** Returns segments of the stores that may contain plays of the period, the newest first. */
  newestSegments(
    stores: readonly number[],
    { start, end }: Period,
    { before, limit }: { before: { to_ms: number; id: number }; limit: number },
  ): SegmentRow[] {
    return this.#sql(
      `SELECT * FROM hq_segments WHERE (to_ms, id) < (@to_ms, @id) AND to_ms >= @start AND from_ms < @end AND plays > 0
         AND store IN (SELECT value FROM json_each(@stores)) ORDER BY to_ms DESC, id DESC LIMIT @limit`,
    ).all({ ...before, start, end, limit, stores: JSON.stringify(stores) }) as SegmentRow[];
  }

  /** Returns segments of a store that may contain plays of the period, the oldest first. */
  segmentsOf(
    store: number,
    { start, end }: Period,
    { after, limit }: { after: { to_ms: number; id: number }; limit: number },
  ): SegmentRow[] {
    return this.#sql(
      `SELECT * FROM hq_segments WHERE store = @store AND to_ms >= @start AND (to_ms, id) > (@to_ms, @id) AND from_ms < @end AND plays > 0
         ORDER BY to_ms, id LIMIT @limit`,
    ).all({ ...after, store, start, end, limit }) as SegmentRow[];
  }

  /** Returns, for each epoch with plays of the period, the last play numbers of its first and last segment. */
  spansOf(store: number, { start, end }: Period): { epoch: string; from: number; to: number }[] {
    return this.#sql(
      'SELECT epoch, min(last) AS "from", max(last) AS "to" FROM hq_segments WHERE store = ? AND to_ms >= ? AND from_ms < ? AND plays > 0 GROUP BY epoch ORDER BY min(id)',
    ).all(store, start, end) as { epoch: string; from: number; to: number }[];
  }

  /**
   * Returns the position where a proof must begin so that all its plays are covered by signatures. In the segment that
   * ends with `last`, some signed groups of plays may be unfinished. Returns the last play number of the segment in
   * which the earliest of these groups begins, or `last` if there is none. Searches at most `back` segments of the
   * epoch.
   */
  beginningOf(store: number, epoch: string, last: number, back: number): number {
    const oldest = this.#sql(
      'SELECT min(last) FROM (SELECT last FROM hq_segments WHERE store = ? AND epoch = ? AND last <= ? ORDER BY last DESC LIMIT ?)',
    )
      .pluck()
      .get(store, epoch, last, back + 1) as number | null;
    const found = this.#sql(
      `SELECT min(newest) FROM (SELECT max(g.last) AS newest FROM hq_marks m JOIN hq_segments g ON g.id = m.segment
         WHERE m.store = ? AND g.epoch = ? AND g.last BETWEEN ? AND ? GROUP BY m.device)`,
    )
      .pluck()
      .get(store, epoch, oldest ?? last, last) as number | null;
    return found ?? last;
  }

  /** Returns the segments of an epoch whose last play numbers are in this range. */
  between(store: number, epoch: string, { from, to }: { from: number; to: number }, limit: number): SegmentRow[] {
    return this.#sql(
      'SELECT * FROM hq_segments WHERE store = ? AND epoch = ? AND last BETWEEN ? AND ? ORDER BY last LIMIT ?',
    ).all(store, epoch, from, to, limit) as SegmentRow[];
  }

  #sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) this.#statements.set(text, (statement = this.#db.raw.prepare(text)));
    return statement;
  }
}
