import type { Database as Connection, Statement } from 'better-sqlite3';
import { places, plays, type Which } from './ingest/play-tables.ts';
import type { Period } from './ingest/sums.ts';
import { csvNames } from './proof/csv.ts';

export interface PlaysFilter extends Period, Which {
  readonly workspaceId: string;
}

export interface StoredPlay {
  readonly id: number;
  readonly device_id: string;
  readonly device_name: string;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly content_name: string;
  readonly zone_id: string | null;
  readonly playlist_id: string | null;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly completed: number;
}

/** The last play of a page of the list. The next page begins after this play. */
export interface Cursor {
  readonly started_ms: number;
  readonly id: number;
}

const NEWEST_FIRST = 'ORDER BY started_ms DESC, id DESC';
const LIST = `SELECT id, device_id, device_name, content_id, widget_id, content_name, zone_id, playlist_id, started_ms, ended_ms, completed
  FROM plays WHERE id IN (SELECT value FROM json_each(?)) ${NEWEST_FIRST}`;
const CSV_TIMES = 'p.started_ms, p.id, p.completed';
const CSV_LOG = `${CSV_TIMES}, p.started_ms + p.lasted_ms AS ended_ms, p.turn`;
const CSV = {
  log: { select: CSV_LOG },
  /** Columns of `play_log` for a union with `old_plays`. */
  beside: { select: `${CSV_LOG}, NULL AS device_name, NULL AS content_name` },
  old: { select: `${CSV_TIMES}, p.ended_ms, NULL, p.device_name, p.content_name` },
};

/** Maximum number of cached names, some megabytes: a few hundred screens with a hundred items each. */
const MAX_NAMES = 60_000;

type Line = [
  started_ms: number,
  id: number,
  completed: number,
  ended_ms: number,
  turn: number | null,
  device?: string,
  content?: string,
];
/** `names`: bytes of the CSV cells of the names (csv.ts). */
type EachPlay = (names: Uint8Array, startedMs: number, endedMs: number, completed: number) => void;

/**
 * `device`: number of the screen in play_subjects. `number`: journal number of the play. `turn`: number of the row in
 * play_turns.
 */
type EachNumber = (device: number, number: number, endedMs: number, turn: number) => void;

const bytesOf = (names: string): Uint8Array => Buffer.from(names);

/** Reads plays, newest first. */
export class PlaysStore {
  readonly #raw: Connection;
  readonly #statements = new Map<string, Statement>();
  /** Cache of the names of plays, by number of their row in play_turns. Such a number is never reused. */
  readonly #names = new Map<number, Uint8Array>();

  constructor(raw: Connection) {
    this.#raw = raw;
  }

  list(filter: PlaysFilter, page: { limit: number; offset: number }): StoredPlay[] {
    const found = this.#statement(`${places(filter)} ${NEWEST_FIRST} LIMIT @limit OFFSET @offset`).all({
      ...filter,
      ...page,
    }) as Cursor[];
    return this.#statement(LIST).all(JSON.stringify(found.map(({ id }) => id))) as StoredPlay[];
  }

  /**
   * Passes the next plays after `cursor`, or the first plays, to `each`. Each call reads from a position. One long read
   * would prevent the truncation of the WAL while a slow client reads.
   * @returns the position to continue from; null after the last play
   */
  following(filter: PlaysFilter, cursor: Cursor | undefined, limit: number, each: EachPlay): Cursor | null {
    const rest = cursor ? 'AND (p.started_ms, p.id) < (@started_ms, @id)' : '';
    // Starts reading the index at the position. Otherwise every chunk would read the earlier chunks again.
    const end = cursor ? cursor.started_ms + 1 : filter.end;
    const from = this.#isOldLeft ? { log: CSV.beside, old: CSV.old } : { log: CSV.log };
    const lines = this.#statement(`${plays(filter, { ...from, rest })} ${NEWEST_FIRST} LIMIT @limit`)
      .raw()
      .all({ ...filter, ...cursor, end, limit }) as Line[];
    for (const [startedMs, , completed, endedMs, turn, device, content] of lines)
      each(turn === null ? bytesOf(csvNames(device!, content!)) : this.#namesOf(turn), startedMs, endedMs, completed);
    const last = lines.at(-1);
    return last && lines.length === limit ? { started_ms: last[0], id: last[1] } : null;
  }

  /**
   * Passes the numbers of the next plays after `cursor` to `each`, like `following`. Leaves out `old_plays`, whose rows
   * move to `play_log` soon after an update.
   */
  numbers(filter: PlaysFilter, cursor: Cursor | undefined, limit: number, each: EachNumber): Cursor | null {
    const rest = cursor ? 'AND (p.started_ms, p.id) < (@started_ms, @id)' : '';
    const end = cursor ? cursor.started_ms + 1 : filter.end;
    const log = { select: 'p.started_ms, p.id, p.device, p.seq, p.started_ms + p.lasted_ms, p.turn' };
    const rows = this.#statement(`${plays(filter, { log, rest })} ${NEWEST_FIRST} LIMIT @limit`)
      .raw()
      .all({ ...filter, ...cursor, end, limit }) as [number, number, number, number, number, number][];
    for (const [, , device, number, endedMs, turn] of rows) each(device, number, endedMs, turn);
    const last = rows.at(-1);
    return last && rows.length === limit ? { started_ms: last[0], id: last[1] } : null;
  }

  deviceNameOf(turn: number): string {
    return this.#statement('SELECT device_name FROM play_turns WHERE id = ?').pluck().get(turn) as string;
  }

  /** Returns whether `old_plays` has rows. Reading only `play_log` is a tenth faster for a million lines. */
  get #isOldLeft(): boolean {
    return this.#statement('SELECT 1 FROM old_plays LIMIT 1').get() !== undefined;
  }

  #namesOf(turn: number): Uint8Array {
    let names = this.#names.get(turn);
    if (names === undefined) {
      const found = this.#statement('SELECT device_name, content_name FROM play_turns WHERE id = ?').raw().get(turn);
      names = bytesOf(csvNames(...(found as [device: string, content: string])));
      if (this.#names.size >= MAX_NAMES) this.#names.clear();
      this.#names.set(turn, names);
    }
    return names;
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#raw.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
