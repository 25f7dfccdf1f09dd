import type { Database as Connection, Statement } from 'better-sqlite3';
import type { CsvPlay } from './csv.ts';
import type { Period } from './sums.ts';

export interface PlaysFilter extends Period {
  readonly workspaceId: string;
  readonly deviceId?: string | undefined;
  readonly contentId?: string | undefined;
}

export interface StoredPlay extends CsvPlay {
  readonly id: number;
  readonly device_id: string;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly zone_id: string | null;
  readonly playlist_id: string | null;
}

/** The last play of a page: the next one goes on behind it. */
export interface Cursor {
  readonly started_ms: number;
  readonly id: number;
}

const LIST = 'id, device_id, device_name, content_id, widget_id, content_name, zone_id, playlist_id, started_ms, ended_ms, completed';
const CSV = 'id, device_name, content_name, started_ms, ended_ms, completed';
const NEWEST_FIRST = 'ORDER BY started_ms DESC, id DESC';

const where = (filter: { deviceId?: unknown; contentId?: unknown }): string =>
  `workspace_id = @workspaceId AND started_ms >= @start AND started_ms < @end${filter.deviceId === undefined ? '' : ' AND device_id = @deviceId'}${filter.contentId === undefined ? '' : ' AND content_id = @contentId'}`;

/** The plays themselves, newest first. */
export class PlaysStore {
  readonly #raw: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(raw: Connection) {
    this.#raw = raw;
  }

  list(filter: PlaysFilter, page: { limit: number; offset: number }): StoredPlay[] {
    return this.#statement(`SELECT ${LIST} FROM plays WHERE ${where(filter)} ${NEWEST_FIRST} LIMIT @limit OFFSET @offset`).all({ ...filter, ...page }) as StoredPlay[];
  }

  /** The next ones after `cursor`, or the first. By position and not in one long read, which would keep the WAL from being emptied while a client dawdles. */
  following(filter: PlaysFilter, cursor: Cursor | undefined, limit: number): IterableIterator<CsvPlay & Cursor> {
    const behind = cursor ? ' AND (started_ms, id) < (@started_ms, @id)' : '';
    return this.#statement(`SELECT ${CSV} FROM plays WHERE ${where(filter)}${behind} ${NEWEST_FIRST} LIMIT @limit`).iterate({ ...filter, ...cursor, limit }) as IterableIterator<CsvPlay & Cursor>;
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#raw.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
