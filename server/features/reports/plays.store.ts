import type { Database as Connection, Statement } from 'better-sqlite3';
import { type CsvPlay, csvNames } from './csv.ts';
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
const TIMES = 'p.started_ms, p.id, p.completed';
const CSV = {
  log: {
    select: `${TIMES}, p.started_ms + p.lasted_ms AS ended_ms, p.turn, NULL AS device_name, NULL AS content_name`,
  },
  old: { select: `${TIMES}, p.ended_ms, NULL, p.device_name, p.content_name` },
};

/** A few hundred screens with a hundred items each, in some megabytes. */
const MAX_NAMES = 60_000;

type Line = [
  started_ms: number,
  id: number,
  completed: number,
  ended_ms: number,
  turn: number | null,
  device: string,
  content: string,
];

/** The plays themselves, newest first. */
export class PlaysStore {
  readonly #raw: Connection;
  readonly #statements = new Map<string, Statement>();
  /** Of turns, whose numbers are never given twice. */
  readonly #names = new Map<number, string>();

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
   * The next ones after `cursor`, or the first. By position and not in one long read, which would keep the WAL from
   * being emptied while a client dawdles.
   */
  following(filter: PlaysFilter, cursor: Cursor | undefined, limit: number): (CsvPlay & Cursor)[] {
    const rest = cursor ? 'AND (p.started_ms, p.id) < (@started_ms, @id)' : '';
    // The index is entered at `end`: without this every chunk would read again what the ones before it have read.
    const end = cursor ? cursor.started_ms + 1 : filter.end;
    const lines = this.#statement(
      `${plays(filter, { log: CSV.log, old: this.#isOldLeft ? CSV.old : undefined, rest })} ${NEWEST_FIRST} LIMIT @limit`,
    )
      .raw()
      .all({ ...filter, ...cursor, end, limit }) as Line[];
    return lines.map(([started_ms, id, completed, ended_ms, turn, device, content]) => {
      const names = turn === null ? csvNames(device, content) : this.#namesOf(turn);
      return { started_ms, id, completed, ended_ms, names };
    });
  }

  /** A million lines are made a tenth faster from one table. */
  get #isOldLeft(): boolean {
    return this.#statement('SELECT 1 FROM old_plays LIMIT 1').get() !== undefined;
  }

  #namesOf(turn: number): string {
    let names = this.#names.get(turn);
    if (names === undefined) {
      const found = this.#statement('SELECT device_name, content_name FROM play_turns WHERE id = ?').raw().get(turn);
      names = csvNames(...(found as [device: string, content: string]));
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
