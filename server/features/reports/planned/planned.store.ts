import type { Database as Connection, Statement } from 'better-sqlite3';
import { readSetting } from '../../../db/settings-rows.ts';
import { KNOWN_FROM } from '../../../programs/program-history.store.ts';
import { contentsOf, ofDevices, type Which } from '../ingest/play-tables.ts';
import type { Period } from '../ingest/sums.ts';

export interface PlannedWhich extends Which {
  readonly workspaceId: string;
}

/** A device and the program that it should have shown. */
export interface SpanRow extends Window {
  readonly device_id: string;
  /** Number of the program in the table program_archive. */
  readonly program: number;
  readonly timezone: string;
}

/** Epoch milliseconds; `until` is null while the program is still current. */
interface Window {
  readonly since: number;
  readonly until: number | null;
}

/** Planned plays of one content or widget in a time window. */
export interface Planned {
  readonly kind: 'content' | 'widget';
  readonly ref: string;
  /** Id of the playlist; '' for an item without a playlist. */
  readonly playlist_id: string;
  readonly plays: number;
  readonly ms: number;
}

export interface PlannedSum extends Planned {
  /** Id of the plan, or ''. */
  readonly plan_id: string;
}

/**
 * A time window with its planned plays of one content or widget. These columns are null for a time window without
 * planned plays.
 */
export type CachedRow = { readonly since: number; readonly until: number } & (
  | Planned
  | { readonly [K in keyof Planned]: null }
);

/** Playlist, content or widget that a plan shows. */
export interface PlanShows {
  readonly playlist_id: string | null;
  readonly content_id: string | null;
  readonly widget_id: string | null;
}

/** Selects every device that has a row in program_spans, with a skip scan of the index. */
const DEVICES = `WITH RECURSIVE d(id) AS (
  SELECT min(device_id) FROM program_spans
  UNION ALL SELECT (SELECT min(device_id) FROM program_spans WHERE device_id > d.id) FROM d WHERE d.id IS NOT NULL
)`;

/**
 * Reads program spans (times in which a screen had one program), archived programs, and saved counts of planned plays.
 */
export class PlannedStore {
  readonly #raw: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(raw: Connection) {
    this.#raw = raw;
  }

  /** Returns the time since which plans are known, in epoch milliseconds; undefined when plans were never recorded. */
  knownFrom(): number | undefined {
    return readSetting(this.#raw, KNOWN_FROM) as number | undefined;
  }

  /** Returns the program spans of the chosen devices that overlap the period, grouped by device. */
  spans(which: PlannedWhich, period: Period): IterableIterator<SpanRow> {
    const devices = which.deviceId === undefined ? DEVICES : 'WITH d(id) AS (SELECT @deviceId)';
    const meant = ofDevices(which, 'd.id').map((condition) => ` AND ${condition}`);
    return this.#prepared(
      `${devices} SELECT s.device_id, s.program, s.timezone, s.since, s.until FROM d CROSS JOIN program_spans s INDEXED BY program_spans_device ON s.device_id = d.id
       WHERE s.workspace_id = @workspaceId AND s.since < @end AND (s.until IS NULL OR s.until > @start)
         AND s.since >= coalesce((SELECT max(since) FROM program_spans WHERE device_id = d.id AND since <= @start), 0)${meant.join('')}`,
    ).iterate({ ...which, ...period }) as IterableIterator<SpanRow>;
  }

  /** Returns the time windows of a program that have a saved count, within the period. */
  counted(program: number, timezone: string, { start, end }: Period): { since: number; until: number }[] {
    return this.#prepared(
      'SELECT since, until FROM planned_windows WHERE program = ? AND timezone = ? AND since >= ? AND since < ?',
    ).all(program, timezone, start, end) as { since: number; until: number }[];
  }

  /** Returns the time windows of a program with their planned plays, in order of the windows. */
  sums(program: number, timezone: string, { start, end }: Period): IterableIterator<CachedRow> {
    return this.#prepared(
      `SELECT w.since, w.until, s.kind, s.ref, s.playlist_id, s.plays, s.ms FROM planned_windows w LEFT JOIN planned_sums s ON s.window = w.id
       WHERE w.program = ? AND w.timezone = ? AND w.since >= ? AND w.since < ?`,
    ).iterate(program, timezone, start, end) as IterableIterator<CachedRow>;
  }

  archived(program: number): Buffer | undefined {
    return this.#prepared('SELECT body FROM program_archive WHERE id = ?').pluck().get(program) as Buffer | undefined;
  }

  /** Returns the ids of the chosen contents; undefined when the filter names no content. */
  contents(which: PlannedWhich): ReadonlySet<string> | undefined {
    const ids = contentsOf(which);
    return ids === undefined ? undefined : new Set(this.#prepared(ids).pluck().all(which) as string[]);
  }

  plan(which: PlannedWhich): PlanShows | undefined {
    if (which.planId === undefined) return undefined;
    return this.#prepared('SELECT playlist_id, content_id, widget_id FROM plans WHERE id = @planId').get(
      which,
    ) as PlanShows;
  }

  /** Returns current names, or the last known names of deleted records, by kind and id. */
  names(
    workspaceId: string,
    subjects: readonly { readonly kind: string; readonly ref: string }[],
  ): Map<string, string> {
    const rows = this.#prepared(
      `SELECT j.value ->> '$.kind' AS kind, j.value ->> '$.ref' AS ref, coalesce(d.name, c.filename, w.name, s.name) AS name FROM json_each(@subjects) j
       LEFT JOIN devices d ON j.value ->> '$.kind' = 'device' AND d.id = j.value ->> '$.ref'
       LEFT JOIN content c ON j.value ->> '$.kind' = 'content' AND c.id = j.value ->> '$.ref'
       LEFT JOIN widgets w ON j.value ->> '$.kind' = 'widget' AND w.id = j.value ->> '$.ref'
       LEFT JOIN play_subjects s ON s.workspace_id = @workspaceId AND s.kind = j.value ->> '$.kind' AND s.ref = j.value ->> '$.ref'`,
    ).all({ workspaceId, subjects: JSON.stringify(subjects) }) as { kind: string; ref: string; name: string | null }[];
    return new Map(rows.flatMap(({ kind, ref, name }) => (name === null ? [] : [[`${kind} ${ref}`, name]])));
  }

  /** Runs several reads on one snapshot, because the deletion of old rows may run meanwhile. */
  atOnce<T>(read: () => T): T {
    return this.#raw.transaction(read)();
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#raw.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
