import type { Play } from '../../../shared/protocol/messages.ts';
import type { Database } from '../../db/database.ts';

export interface PlayingDevice {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  plays_through: number;
}

export interface SumRow {
  readonly workspace_id: string;
  readonly quarter: number;
  readonly device_id: string;
  readonly subject: string;
  content_name: string;
  readonly device_name: string;
  plays: number;
  ms: number;
}

export class PlaysIngestStore {
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
      addToSums: p(
        `INSERT INTO play_hours (workspace_id, quarter, device_id, subject, content_name, device_name, plays, ms)
           VALUES (@workspace_id, @quarter, @device_id, @subject, @content_name, @device_name, @plays, @ms)
           ON CONFLICT (workspace_id, quarter, device_id, subject)
           DO UPDATE SET plays = plays + excluded.plays, ms = ms + excluded.ms, content_name = excluded.content_name, device_name = excluded.device_name`,
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

  addToSums(sum: SumRow): void {
    this.#statements.addToSums.run(sum);
  }
}
