import type { Play } from '../../../shared/protocol/messages.ts';
import type { Database } from '../../db/database.ts';
import type { Sum, SumsWriter } from './play-sums.ts';
import type { Subject } from './sums.ts';

export interface PlayingDevice {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  plays_through: number;
}

export class PlaysIngestStore implements SumsWriter {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      device: p('SELECT id, workspace_id, name, plays_through FROM devices WHERE id = ?'),
      setThrough: p('UPDATE devices SET plays_through = ? WHERE id = ?'),
      insert: p(
        `INSERT INTO plays (play_id, workspace_id, device_id, device_name, content_id, widget_id, content_name, zone_id, playlist_id, item_id, started_ms, ended_ms, completed, seq)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (play_id) DO NOTHING`,
      ),
      findSubject: p('SELECT id, name, named_ms FROM play_subjects WHERE workspace_id = ? AND kind = ? AND ref = ?'),
      insertSubject: p('INSERT INTO play_subjects (workspace_id, kind, ref, name, named_ms) VALUES (?, ?, ?, ?, ?)'),
      renameSubject: p('UPDATE play_subjects SET name = ?, named_ms = ? WHERE id = ?'),
      addToSum: p(
        `INSERT INTO play_sums (scope_id, series, bucket, subject_id, plays, ms) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (scope_id, series, bucket, subject_id) DO UPDATE SET plays = plays + excluded.plays, ms = ms + excluded.ms`,
      ),
    };
  }

  device(id: string): PlayingDevice | undefined {
    return this.#statements.device.get(id) as PlayingDevice | undefined;
  }

  setThrough(deviceId: string, through: number): void {
    this.#statements.setThrough.run(through, deviceId);
  }

  /** False when the play is known already. */
  insert(play: Play, more: { device: PlayingDevice; seq: number; started: number; ended: number; content_name: string }): boolean {
    const { device } = more;
    const result = this.#statements.insert.run(
      play.id,
      device.workspace_id,
      device.id,
      device.name,
      play.content_id,
      play.widget_id,
      more.content_name,
      play.zone_id,
      play.playlist_id,
      play.item_id,
      more.started,
      more.ended,
      play.completed ? 1 : 0,
      more.seq,
    );
    return result.changes > 0;
  }

  findSubject(workspaceId: string, { kind, ref }: Subject) {
    return this.#statements.findSubject.get(workspaceId, kind, ref) as { id: number; name: string; named_ms: number } | undefined;
  }

  insertSubject(workspaceId: string, { kind, ref }: Subject, name: string, namedMs: number): number {
    return Number(this.#statements.insertSubject.run(workspaceId, kind, ref, name, namedMs).lastInsertRowid);
  }

  renameSubject(id: number, name: string, namedMs: number): void {
    this.#statements.renameSubject.run(name, namedMs, id);
  }

  addToSum({ scope, series, bucket, subject, plays, ms }: Sum): void {
    this.#statements.addToSum.run(scope, series, bucket, subject, plays, ms);
  }
}
