import type { Database as Connection, Statement } from 'better-sqlite3';
import { csvNames } from './csv.ts';
import { places, plays, type Which } from './play-tables.ts';
import type { Period } from './sums.ts';

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

/** The last play of a page: the next one goes on behind it. */
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
  /** Beside those of older versions. */
  beside: { select: `${CSV_LOG}, NULL AS device_name, NULL AS content_name` },
  old: { select: `${CSV_TIMES}, p.ended_ms, NULL, p.device_name, p.content_name` },
};

/** A few hundred screens with a hundred items each, in some megabytes. */
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
/** `names`: the bytes of the cells that csv.ts makes of them. */
type EachPlay = (names: Uint8Array, startedMs: number, endedMs: number, completed: number) => void;

const bytesOf = (names: string): Uint8Array => Buffer.from(names);

/** The plays themselves, newest first. */
export class PlaysStore {
  readonly #raw: Connection;
  readonly #statements = new Map<string, Statement>();
  /** Of turns, whose numbers are never given twice. */
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
   * Tells of the next ones after `cursor`, or of the first. By position and not in one long read, which would keep the
   * WAL from being emptied while a client dawdles.
   * @returns where to go on; null: those were the last
   */
  following(filter: PlaysFilter, cursor: Cursor | undefined, limit: number, each: EachPlay): Cursor | null {
    const rest = cursor ? 'AND (p.started_ms, p.id) < (@started_ms, @id)' : '';
    // The index is entered at `end`: without this every chunk would read again what the ones before it have read.
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

  /** A million lines are made a tenth faster from one table. */
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
