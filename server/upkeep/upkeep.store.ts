/** Database queries of upkeep, and deletion of old records in small steps. */
import { contentNames } from '../db/content-files.ts';
import type { Database } from '../db/database.ts';
import { newestNumber } from '../db/epochs.ts';
import { putSetting, readSetting } from '../db/settings-rows.ts';
import type { Reader } from '../mails/words.ts';
import { KNOWN_FROM } from '../programs/program-history.store.ts';

export interface KnownScreen {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  /** Time of the last connection in epoch seconds; null when never connected. */
  readonly last_heartbeat: number | null;
}

/** Recipient of e-mails about problems. */
export interface AlertReader extends Reader {
  /** Whether the person also gets e-mails about the server itself. */
  readonly isPlatformAdmin: boolean;
}

export interface FreshPlay {
  readonly id: number;
  readonly play_id: string;
  readonly workspace_id: string;
  readonly device_id: string;
  readonly device_name: string;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly content_name: string;
  readonly playlist_id: string | null;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly completed: number;
}

export class UpkeepStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(key: string): unknown {
    return readSetting(this.#db.raw, key);
  }

  put(key: string, value: unknown): void {
    putSetting(this.#db.raw, key, value);
  }

  /** Returns a number that changes after each write by another process. */
  foreignVersion(): number {
    return this.#db.raw.pragma('data_version', { simple: true }) as number;
  }

  databaseBytes(): number {
    return (
      (this.#db.raw.pragma('page_count', { simple: true }) as number) *
      (this.#db.raw.pragma('page_size', { simple: true }) as number)
    );
  }

  mediaBytes(): number {
    return this.#db.raw.prepare('SELECT coalesce(sum(size), 0) FROM blobs').pluck().get() as number;
  }

  screens(): KnownScreen[] {
    return this.#db.raw.prepare('SELECT id, workspace_id, name, last_heartbeat FROM devices').all() as KnownScreen[];
  }

  screen(id: string): KnownScreen | undefined {
    return this.#db.raw.prepare('SELECT id, workspace_id, name, last_heartbeat FROM devices WHERE id = ?').get(id) as
      | KnownScreen
      | undefined;
  }

  screenCount(): number {
    return this.#db.raw.prepare('SELECT count(*) FROM devices').pluck().get() as number;
  }

  /** Returns administrators of the server, and of a workspace (null: none), who want e-mail. */
  alertReaders(workspaceId: string | null): AlertReader[] {
    const rows = this.#db.raw
      .prepare(
        `SELECT email, language, role FROM users WHERE email_alerts = 1 AND (role = 'platform_admin'
           OR id IN (SELECT user_id FROM workspace_members WHERE workspace_id = ? AND role = 'workspace_admin')) ORDER BY email`,
      )
      .all(workspaceId) as (Reader & { readonly role: string })[];
    return rows.map(({ role, ...reader }) => ({ ...reader, isPlatformAdmin: role === 'platform_admin' }));
  }

  /** Returns the workspaces that have chosen alert e-mails for dark screens. */
  darkToldByAlert(): ReadonlySet<string> {
    const chosen = this.#db.raw
      .prepare(
        `SELECT workspace_id FROM alert_rules WHERE kind = 'screen_dark' AND enabled = 1 AND tell LIKE '%"mail"%'`,
      )
      .pluck()
      .all() as string[];
    return new Set(chosen);
  }

  /** Counts secrets that can be decrypted only with the key file. */
  sealedSecrets(): number {
    return this.#db.raw.prepare('SELECT count(*) FROM users WHERE totp_secret IS NOT NULL').pluck().get() as number;
  }

  /** Returns the names of the contents that show a stored file. */
  namesOf(sha256: string): string[] {
    return this.#db.raw
      .prepare(`SELECT filename FROM content c WHERE ${contentNames('c', '@sha256')}`)
      .pluck()
      .all({ sha256 }) as string[];
  }

  newestPlay(): number {
    return newestNumber(this.#db.raw);
  }

  playsAfter(id: number, limit: number): FreshPlay[] {
    return this.#db.raw
      .prepare(
        `SELECT id, play_id, workspace_id, device_id, device_name, content_id, widget_id, content_name, playlist_id, started_ms, ended_ms, completed
         FROM plays WHERE id IN (SELECT id FROM play_log WHERE id > @id UNION ALL SELECT id FROM old_plays WHERE id > @id ORDER BY id LIMIT @limit) ORDER BY id`,
      )
      .all({ id, limit }) as FreshPlay[];
  }

  // Each of the following methods deletes at most `limit` old records, and returns their number.

  workspaceIds(): string[] {
    // Reads the workspaces from the plays themselves, because plays stay when their workspace is deleted.
    return this.#db.raw
      .prepare("SELECT workspace_id FROM play_subjects WHERE kind = 'workspace'")
      .pluck()
      .all() as string[];
  }

  /**
   * Deletes plays, together with the signatures of the journal ranges that contain them, because a part of a range
   * cannot be verified. Also returns how many of the deleted plays headquarters has not received.
   */
  deletePlays(workspaceId: string, beforeMs: number, limit: number): { gone: number; undelivered: number } {
    const { raw } = this.#db;
    const old = raw
      .prepare(
        `SELECT p.id, d.ref AS device_id, p.started_ms FROM play_log AS p INDEXED BY play_log_time CROSS JOIN play_subjects d ON d.id = p.device
           WHERE p.workspace = (SELECT id FROM play_subjects WHERE workspace_id = @workspaceId AND kind = 'workspace' AND ref = '') AND p.started_ms < @beforeMs
         UNION ALL SELECT id, device_id, started_ms FROM old_plays INDEXED BY plays_time WHERE workspace_id = @workspaceId AND started_ms < @beforeMs
         ORDER BY started_ms LIMIT @limit`,
      )
      .all({ workspaceId, beforeMs, limit }) as { id: number; device_id: string }[];
    const undelivered = this.#undelivered(
      workspaceId,
      old.map(({ id }) => id),
    );
    const seals = raw.prepare('DELETE FROM play_seals WHERE device_id = ? AND first_play <= ? AND last_play >= ?');
    for (const [deviceId, plays] of Map.groupBy(old, (play) => play.device_id)) {
      const ids = plays.map((play) => play.id);
      seals.run(deviceId, Math.max(...ids), Math.min(...ids));
    }
    for (const table of ['play_log', 'old_plays']) {
      const remove = raw.prepare(`DELETE FROM ${table} WHERE id = ?`);
      for (const { id } of old) remove.run(id);
    }
    return { gone: old.length, undelivered };
  }

  /** Returns how many of these plays are after the cursor of headquarters in their epochs. */
  #undelivered(workspaceId: string, ids: readonly number[]): number {
    const { raw } = this.#db;
    if (raw.prepare('SELECT 1 FROM chain_links WHERE workspace_id = ?').get(workspaceId) === undefined) return 0;
    return raw
      .prepare(
        `SELECT count(*) FROM json_each(@ids) n WHERE n.value > coalesce((
           SELECT through FROM chain_cursors WHERE workspace_id = @workspaceId
             AND epoch = (SELECT epoch FROM play_epochs WHERE first <= n.value ORDER BY id DESC LIMIT 1)), 0)`,
      )
      .pluck()
      .get({ workspaceId, ids: JSON.stringify(ids) }) as number;
  }

  /**
   * Examines `limit` rows after the id `after`, and deletes rows that no play uses. All plays of `day` (an epoch day)
   * and earlier must be deleted already.
   * @returns the last examined id (undefined at the end of the table), and the
   * number of deleted rows
   */
  deleteUnused(
    table: 'play_turns' | 'play_boots',
    day: number,
    after: number,
    limit: number,
  ): { last: number | undefined; gone: number } {
    const last = this.#nth(table, after, limit);
    const { changes: gone } = this.#db.raw
      .prepare(`DELETE FROM ${table} WHERE id > ? AND id <= ? AND used_day < ?`)
      .run(after, last ?? Number.MAX_SAFE_INTEGER, day);
    return { last, gone };
  }

  /**
   * Examines `limit` spans of planned programs after the id `after`, and deletes old ones. The plan of that time is
   * unknown from then on. Ids increase with time, so the first span that began later ends the search.
   * @returns the last
   * examined id (undefined at the end of the table), and the number of deleted rows
   */
  deleteSpans(beforeMs: number, after: number, limit: number): { last: number | undefined; gone: number } {
    const { raw } = this.#db;
    const looked = raw
      .prepare('SELECT id, since FROM program_spans WHERE id > ? ORDER BY id LIMIT ?')
      .all(after, limit) as {
      id: number;
      since: number;
    }[];
    const old = looked.filter(({ since }) => since < beforeMs);
    const isLast = looked.length < limit || old.length < looked.length;
    const last = old.at(-1)?.id;
    if (last === undefined) return { last, gone: 0 };
    const { changes: gone } = raw
      .prepare('DELETE FROM program_spans WHERE id > ? AND id <= ? AND until < ?')
      .run(after, last, beforeMs);
    if (gone > 0 && Number(readSetting(raw, KNOWN_FROM)) < beforeMs) putSetting(raw, KNOWN_FROM, beforeMs);
    return { last: isLast ? undefined : last, gone };
  }

  /**
   * Examines `limit` time windows of planned plays after the id `after`, and deletes old ones.
   * @returns as deleteSpans
   */
  deleteWindows(beforeMs: number, after: number, limit: number): { last: number | undefined; gone: number } {
    const { raw } = this.#db;
    const last = this.#nth('planned_windows', after, limit);
    const { changes: gone } = raw
      .prepare('DELETE FROM planned_windows WHERE id > ? AND id <= ? AND until <= ?')
      .run(after, last ?? Number.MAX_SAFE_INTEGER, beforeMs);
    return { last, gone };
  }

  /**
   * Examines `limit` programs after the id `after`, and deletes programs that no span refers to.
   * @returns as
   * deleteSpans
   */
  deletePrograms(after: number, limit: number): { last: number | undefined; gone: number } {
    const { raw } = this.#db;
    const last = this.#nth('program_archive', after, limit);
    const unused = raw
      .prepare(
        'SELECT id FROM program_archive a WHERE id > ? AND id <= ? AND NOT EXISTS (SELECT 1 FROM program_spans WHERE program = a.id)',
      )
      .pluck()
      .all(after, last ?? Number.MAX_SAFE_INTEGER) as number[];
    const windows = raw.prepare('DELETE FROM planned_windows WHERE program = ?');
    const program = raw.prepare('DELETE FROM program_archive WHERE id = ?');
    for (const id of unused) {
      windows.run(id);
      program.run(id);
    }
    return { last, gone: unused.length };
  }

  #nth(
    table: 'planned_windows' | 'program_archive' | 'play_turns' | 'play_boots',
    after: number,
    n: number,
  ): number | undefined {
    return this.#db.raw
      .prepare(`SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?`)
      .pluck()
      .get(after, n - 1) as number | undefined;
  }

  /** Deletes the rows with the smallest ids, because ids increase with time. */
  deleteTelemetry(before: number, limit: number): number {
    return this.#db.raw
      .prepare('DELETE FROM telemetry WHERE id IN (SELECT id FROM telemetry ORDER BY id LIMIT ?) AND reported_at < ?')
      .run(limit, before).changes;
  }

  deleteActivity(beforeId: string, limit: number): number {
    return this.#db.raw
      .prepare('DELETE FROM activity WHERE id IN (SELECT id FROM activity WHERE id < ? ORDER BY id LIMIT ?)')
      .run(beforeId, limit).changes;
  }

  /** Deletes old records of the bin for good. @param before epoch seconds */
  deleteBinned(before: number, limit: number): number {
    return this.#db.raw
      .prepare('DELETE FROM bin WHERE id IN (SELECT id FROM bin WHERE created_at < ? ORDER BY id LIMIT ?)')
      .run(before, limit).changes;
  }

  /** Deletes ended status intervals. Ids increase with time, and a current interval is never old. */
  deleteIntervals(before: number, limit: number): number {
    return this.#db.raw
      .prepare(
        'DELETE FROM status_intervals WHERE id IN (SELECT id FROM status_intervals ORDER BY id LIMIT ?) AND until IS NOT NULL AND until < ?',
      )
      .run(limit, before).changes;
  }
}
