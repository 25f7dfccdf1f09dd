import type { Database } from '../../db/database.ts';

type Value = string | number | Buffer | null;

/** Tables of the warehouse in headquarters' own database, with the columns to copy, in the order of the copy. */
export const COPIED = {
  cursors: 'store, epoch, first, through, head',
  segments: 'id, store, epoch, first, last, plays, from_ms, to_ms, fresh, dropped, pack, "offset", bytes',
  marks: 'store, device, segment',
  overlaps: 'store, play',
  subjects: 'id, store, kind, ref, name, named_ms',
  sums: 'day, store, shown, plays, ms',
  screen_sums: 'day, store, device, shown, plays, ms',
} as const;
export type Copied = keyof typeof COPIED;

const FROM: Readonly<Record<Copied, string>> = {
  cursors: 'hq_cursors ORDER BY rowid',
  segments: 'hq_segments ORDER BY id',
  marks: 'hq_marks',
  overlaps: 'hq_overlaps',
  subjects: 'hq_subjects ORDER BY id',
  sums: 'hq_sums WHERE scope = 0',
  screen_sums: 'hq_sums WHERE scope = 1',
};

/** Reads the whole warehouse in headquarters' own database for a copy. The caller must prevent writes meanwhile. */
export class WarehouseCopyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the stores with data in the warehouse. */
  stores(): { id: number; ref: string }[] {
    return this.#db.raw
      .prepare(
        'SELECT id, ref FROM hq_stores WHERE id IN (SELECT store FROM hq_cursors UNION SELECT store FROM hq_subjects) ORDER BY id',
      )
      .all() as { id: number; ref: string }[];
  }

  count(table: Copied): number {
    const from = FROM[table].replace(/ ORDER BY .*/, '');
    return this.#db.raw.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number;
  }

  /** Returns totals that must be equal in the copy. */
  totals(): { through: number; plays: number; ms: number; bytes: number } {
    return this.#db.raw
      .prepare(
        `SELECT (SELECT coalesce(sum(through), 0) FROM hq_cursors) AS through, (SELECT coalesce(sum(plays), 0) FROM hq_sums) AS plays,
           (SELECT coalesce(sum(ms), 0) FROM hq_sums) AS ms, (SELECT coalesce(sum(bytes), 0) FROM hq_segments) AS bytes`,
      )
      .get() as { through: number; plays: number; ms: number; bytes: number };
  }

  /** Yields all rows of a table in batches. Each row is a list of its columns. */
  *rows(table: Copied, size: number): Generator<Value[][]> {
    let batch: Value[][] = [];
    for (const row of this.#db.raw.prepare(`SELECT ${COPIED[table]} FROM ${FROM[table]}`).raw().iterate()) {
      if (batch.push(row as Value[]) < size) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}
