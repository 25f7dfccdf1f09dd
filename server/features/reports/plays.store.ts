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

const LIST =
  'id, device_id, device_name, content_id, widget_id, content_name, zone_id, playlist_id, started_ms, ended_ms, completed';
const CSV = 'id, device_name, content_name, started_ms, ended_ms, completed';
const NEWEST_FIRST = 'ORDER BY started_ms DESC, id DESC';

/**
 * Named, since the planner, knowing nothing of the plays, may take the wrong index; of a device and a content the
 * device is the smaller part.
 */
const indexFor = ({ deviceId, contentId }: PlaysFilter): string =>
  deviceId !== undefined ? 'plays_device' : contentId !== undefined ? 'plays_content' : 'plays_time';

const from = (filter: PlaysFilter): string => {
  const device = filter.deviceId === undefined ? '' : ' AND device_id = @deviceId';
  const content = filter.contentId === undefined ? '' : ' AND content_id = @contentId';
  return `FROM plays INDEXED BY ${indexFor(filter)} WHERE workspace_id = @workspaceId AND started_ms >= @start AND started_ms < @end${device}${content}`;
};

/** The plays themselves, newest first. */
export class PlaysStore {
  readonly #raw: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(raw: Connection) {
    this.#raw = raw;
  }

  list(filter: PlaysFilter, page: { limit: number; offset: number }): StoredPlay[] {
    return this.#statement(`SELECT ${LIST} ${from(filter)} ${NEWEST_FIRST} LIMIT @limit OFFSET @offset`).all({
      ...filter,
      ...page,
    }) as StoredPlay[];
  }

  /**
   * The next ones after `cursor`, or the first. By position and not in one long read, which would keep the WAL from
   * being emptied while a client dawdles.
   */
  following(filter: PlaysFilter, cursor: Cursor | undefined, limit: number): (CsvPlay & Cursor)[] {
    const behind = cursor ? ' AND (started_ms, id) < (@started_ms, @id)' : '';
    // The index is entered at `end`: without this every chunk would read again what the ones before it have read.
    const end = cursor ? cursor.started_ms + 1 : filter.end;
    return this.#statement(`SELECT ${CSV} ${from(filter)}${behind} ${NEWEST_FIRST} LIMIT @limit`).all({
      ...filter,
      ...cursor,
      end,
      limit,
    }) as (CsvPlay & Cursor)[];
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#raw.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
