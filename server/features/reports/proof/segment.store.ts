import type { Database as Connection } from 'better-sqlite3';
import type { JournalPlay } from './proof.store.ts';

export interface NumberedPlay extends JournalPlay {
  readonly device_id: string;
  readonly device_name: string;
}

/** Signature of a group of a device's plays, with the columns that a segment needs. */
export interface SealOfSegment {
  readonly first_play: number;
  readonly last_play: number;
  readonly first: number;
  readonly through: number;
  readonly prev: string;
  readonly signature: string;
  readonly signing_key: string;
  /** 1 when a later signed group exists, so that this group no longer grows. */
  readonly closed: number;
}

/** Reads plays by id, and the signatures of their groups. */
export class SegmentStore {
  readonly #statements;

  constructor(raw: Connection) {
    this.#statements = {
      plays: raw.prepare(
        `SELECT id, play_id, device_id, device_name, item_id, playlist_id, content_id, widget_id, zone_id, content_name, started_ms, ended_ms, completed,
           seq, boot_id, uncertainty_ms, claimed FROM plays WHERE id BETWEEN ? AND ? AND workspace_id = ? ORDER BY id LIMIT ?`,
      ),
      // Skips the groups before the last group that starts at or before `@first`, because the groups of a device are in
      // order.
      seals: raw.prepare(
        `SELECT first_play, last_play, first, through, prev, signature, signing_key, id < (SELECT max(id) FROM play_seals WHERE device_id = @deviceId) AS closed
           FROM play_seals WHERE device_id = @deviceId AND workspace_id = @workspaceId AND first_play <= @last AND last_play >= @first
             AND id >= coalesce((SELECT id FROM play_seals WHERE device_id = @deviceId AND first_play <= @first ORDER BY id DESC LIMIT 1), 0)
           ORDER BY id`,
      ),
    };
  }

  /** Returns the first `limit` plays with ids from `first` to `last`. */
  plays(workspaceId: string, { first, last }: { first: number; last: number }, limit: number): NumberedPlay[] {
    return this.#statements.plays.all(first, last, workspaceId, limit) as NumberedPlay[];
  }

  seals(workspaceId: string, deviceId: string, { first, last }: { first: number; last: number }): SealOfSegment[] {
    return this.#statements.seals.all({ workspaceId, deviceId, first, last }) as SealOfSegment[];
  }
}
