/** Asks the database the questions of upkeep, and deletes old records in small steps. */
import type { Database } from '../db/database.ts';
import { putSetting, readSetting } from '../db/settings-rows.ts';

export interface KnownScreen {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  /** In epoch seconds; null when it was never heard. */
  readonly last_heartbeat: number | null;
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

  /** Returns another number whenever somebody else than this server has written. */
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

  /** Returns administrators of the server, and of a workspace (`''` is none), who want mail. */
  alertAddresses(workspaceId: string): string[] {
    return this.#db.raw
      .prepare(
        `SELECT email FROM users WHERE email_alerts = 1 AND (role = 'platform_admin'
           OR id IN (SELECT user_id FROM workspace_members WHERE workspace_id = ? AND role = 'workspace_admin')) ORDER BY email`,
      )
      .pluck()
      .all(workspaceId) as string[];
  }

  /** Counts secrets that only the key file opens. */
  sealedSecrets(): number {
    return this.#db.raw.prepare('SELECT count(*) FROM users WHERE totp_secret IS NOT NULL').pluck().get() as number;
  }

  /** Returns what people call a stored file; several contents may show one. */
  namesOf(sha256: string): string[] {
    return this.#db.raw
      .prepare('SELECT filename FROM content WHERE sha256 = ? OR thumbnail = ?')
      .pluck()
      .all(sha256, sha256) as string[];
  }

  newestPlay(): number {
    return (this.#db.raw.prepare('SELECT max(id) FROM plays').pluck().get() as number | null) ?? 0;
  }

  playsAfter(id: number, limit: number): FreshPlay[] {
    return this.#db.raw
      .prepare(
        `SELECT id, play_id, workspace_id, device_id, device_name, content_id, widget_id, content_name, playlist_id, started_ms, ended_ms, completed
         FROM plays WHERE id > ? ORDER BY id LIMIT ?`,
      )
      .all(id, limit) as FreshPlay[];
  }

  // Each of the following deletes at most `limit` records that are too old, and returns how many.

  workspaceIds(): string[] {
    // Plays outlive their workspace, so they are asked. The index makes it a few leaps.
    const next = this.#db.raw
      .prepare('SELECT workspace_id FROM plays WHERE workspace_id > ? ORDER BY workspace_id LIMIT 1')
      .pluck();
    const found: string[] = [];
    for (let id = next.get('') as string | undefined; id !== undefined; id = next.get(id) as string | undefined)
      found.push(id);
    return found;
  }

  /**
   * Deletes plays, and with them what vouched for the stretches of the journal that they were part of, because a part
   * of one cannot be verified.
   */
  deletePlays(workspaceId: string, beforeMs: number, limit: number): number {
    const { raw } = this.#db;
    const old = raw
      .prepare('SELECT id, device_id FROM plays WHERE workspace_id = ? AND started_ms < ? ORDER BY started_ms LIMIT ?')
      .all(workspaceId, beforeMs, limit) as {
      id: number;
      device_id: string;
    }[];
    const seals = raw.prepare('DELETE FROM play_seals WHERE device_id = ? AND first_play <= ? AND last_play >= ?');
    for (const [deviceId, plays] of Map.groupBy(old, (play) => play.device_id)) {
      const ids = plays.map((play) => play.id);
      seals.run(deviceId, Math.max(...ids), Math.min(...ids));
    }
    const remove = raw.prepare('DELETE FROM plays WHERE id = ?');
    for (const { id } of old) remove.run(id);
    return old.length;
  }

  /** Deletes by ids, which grow with time. */
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

  /** Deletes closed ones. The ids grow with time, and an interval that lasts is never old. */
  deleteIntervals(before: number, limit: number): number {
    return this.#db.raw
      .prepare(
        'DELETE FROM status_intervals WHERE id IN (SELECT id FROM status_intervals ORDER BY id LIMIT ?) AND until IS NOT NULL AND until < ?',
      )
      .run(limit, before).changes;
  }
}
