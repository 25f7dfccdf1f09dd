import type { Database as Connection, Statement } from 'better-sqlite3';
import type { KeptSeal } from '../../../../shared/protocol/plays-file.ts';
import { places, type Which } from '../ingest/play-tables.ts';
import type { Period } from '../ingest/sums.ts';
import type { Cursor } from '../plays.store.ts';

export interface ProofScope extends Period, Which {
  readonly workspaceId: string;
  readonly deviceId: string;
}

export interface StoredSeal extends KeptSeal {
  readonly id: number;
  /** Ids of `plays`, inclusive. */
  readonly first_play: number;
  readonly last_play: number;
}

export interface JournalPlay {
  readonly id: number;
  readonly play_id: string;
  readonly item_id: number | null;
  readonly playlist_id: string | null;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly zone_id: string | null;
  readonly content_name: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly completed: number;
  readonly seq: number;
  readonly boot_id: string | null;
  readonly uncertainty_ms: number | null;
  /** JSON [started_at, ended_at] as the player sent them, if the server corrected the times. */
  readonly claimed: string | null;
}

const PLAY =
  'id, play_id, item_id, playlist_id, content_id, widget_id, zone_id, content_name, started_ms, ended_ms, completed, seq, boot_id, uncertainty_ms, claimed';
/**
 * Search range around the ends of a signed group. Plays of a group are in order of time, except where zones overlap, so
 * this range is nearly always enough.
 */
const AROUND_MS = 2 * 3_600_000;

/** Reads plays, and the signatures of groups of plays. */
export class ProofStore {
  readonly #raw: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(raw: Connection) {
    this.#raw = raw;
  }

  /** Returns screens of the workspace that ever showed anything, including deleted screens. */
  devices(workspaceId: string): { device_id: string; device_name: string }[] {
    return this.#statement(
      "SELECT ref AS device_id, name AS device_name FROM play_subjects WHERE workspace_id = ? AND kind = 'device' ORDER BY ref",
    ).all(workspaceId) as {
      device_id: string;
      device_name: string;
    }[];
  }

  /** Returns the signing key; null when the screen never signed a play. */
  signingKey({ workspaceId, deviceId }: { workspaceId: string; deviceId: string }): string | null {
    return (
      (this.#statement(
        'SELECT signing_key FROM play_seals WHERE device_id = ? AND workspace_id = ? ORDER BY id DESC LIMIT 1',
      )
        .pluck()
        .get(deviceId, workspaceId) as string) ?? null
    );
  }

  /** Returns the first `limit` signed groups from an id on, in the order of the journal. */
  seals({
    workspaceId,
    deviceId,
    from = 0,
    limit = -1,
  }: {
    workspaceId: string;
    deviceId: string;
    from?: number;
    limit?: number;
  }): StoredSeal[] {
    return this.#statement(
      'SELECT id, first_play, last_play, first, through, prev, head, signature FROM play_seals WHERE device_id = ? AND workspace_id = ? AND id >= ? ORDER BY id LIMIT ?',
    ).all(deviceId, workspaceId, from, limit) as StoredSeal[];
  }

  /** Returns the positions of the plays of the period, oldest first, from the index alone. */
  ids(scope: ProofScope, cursor: Cursor | undefined, limit: number): Cursor[] {
    const behind = cursor ? 'AND (p.started_ms, p.id) > (@started_ms, @id)' : '';
    const start = cursor ? cursor.started_ms : scope.start;
    const found = this.#statement(`${places(scope, behind)} ORDER BY started_ms, id LIMIT @limit`);
    return found.all({ ...scope, ...cursor, start, limit }) as Cursor[];
  }

  /** Returns the ids of the plays in a signed group that match the report. */
  meant(scope: ProofScope, plays: readonly JournalPlay[]): Set<number> {
    const times = plays.map(({ started_ms }) => started_ms);
    // Searches only the time of the group. Without this limit, the search for each group would read the whole index.
    const start = times.reduce((a, b) => Math.min(a, b), scope.end);
    const end = times.reduce((a, b) => Math.max(a, b), scope.start - 1) + 1;
    const around = { ...scope, start: Math.max(scope.start, start), end: Math.min(scope.end, end) };
    return new Set((this.#statement(places(scope)).all(around) as Cursor[]).map(({ id }) => id));
  }

  play(id: number): JournalPlay | undefined {
    return this.#statement(`SELECT ${PLAY} FROM plays WHERE id = ?`).get(id) as JournalPlay | undefined;
  }

  /** Returns the existing rows of a signed group, in the order of the journal. */
  stretch({ workspaceId, deviceId }: ProofScope, seal: StoredSeal): JournalPlay[] {
    const started = this.#statement('SELECT started_ms FROM plays WHERE id = ?').pluck();
    const ends = [started.get(seal.first_play), started.get(seal.last_play)].filter((ms) => typeof ms === 'number');
    const rows = (start: number, end: number) => this.#rows({ workspaceId, deviceId, start, end }, seal);
    const near = ends.length > 0 ? rows(Math.min(...ends) - AROUND_MS, Math.max(...ends) + AROUND_MS) : [];
    if (near.length === seal.through - seal.first + 1) return near;
    // Some rows were not found near the group's time: a clock was wrong, or rows were deleted. Searches the whole
    // history of the device.
    return rows(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  }

  #rows(scope: ProofScope, { first_play, last_play, first, through }: StoredSeal): JournalPlay[] {
    const sealed = 'AND p.id BETWEEN @first_play AND @last_play AND p.seq BETWEEN @first AND @through';
    const sql = `SELECT ${PLAY} FROM plays WHERE id IN (SELECT id FROM (${places(scope, sealed)})) ORDER BY seq, id`;
    return this.#statement(sql).all({ ...scope, first_play, last_play, first, through }) as JournalPlay[];
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#raw.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
