import type { Statement } from 'better-sqlite3';
import type { Database } from '../../db/database.ts';

export interface OldPlay {
  readonly id: number;
  readonly play_id: string;
  readonly workspace_id: string;
  readonly device_id: string;
  readonly device_name: string;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly content_name: string;
  readonly zone_id: string | null;
  readonly playlist_id: string | null;
  readonly item_id: number | null;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly completed: number;
  readonly seq: number;
  readonly boot_id: string | null;
  readonly uncertainty_ms: number | null;
  readonly claimed: string | null;
}

/** What is left of the plays as older versions kept them. */
export class OldPlaysStore {
  readonly #oldest: Statement<[limit: number], OldPlay>;
  readonly #delete: Statement<[through: number]>;

  constructor(db: Database) {
    this.#oldest = db.raw.prepare('SELECT * FROM old_plays ORDER BY id LIMIT ?');
    this.#delete = db.raw.prepare('DELETE FROM old_plays WHERE id <= ?');
  }

  oldest(limit: number): OldPlay[] {
    return this.#oldest.all(limit);
  }

  deleteThrough(id: number): void {
    this.#delete.run(id);
  }
}
