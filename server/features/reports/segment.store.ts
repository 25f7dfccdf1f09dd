import type { Database as Connection } from 'better-sqlite3';
import type { JournalPlay } from './proof.store.ts';

export interface NumberedPlay extends JournalPlay {
  readonly device_id: string;
  readonly device_name: string;
}

/** What vouches for a stretch of a device's journal, as far as a segment asks. */
export interface SealOfSegment {
  readonly first_play: number;
  readonly last_play: number;
  readonly first: number;
  readonly through: number;
  readonly prev: string;
  readonly signature: string;
  readonly signing_key: string;
  /** 1: another stretch came after it, so that it is as long as it will ever be. */
  readonly closed: number;
}

/** Plays by their numbers, with what vouches for them. */
export class SegmentStore {
  readonly #statements;

  constructor(raw: Connection) {
    this.#statements = {
      plays: raw.prepare(
        `SELECT id, play_id, device_id, device_name, item_id, playlist_id, content_id, widget_id, zone_id, content_name, started_ms, ended_ms, completed,
           seq, boot_id, uncertainty_ms, claimed FROM plays WHERE id BETWEEN ? AND ? AND workspace_id = ? ORDER BY id LIMIT ?`,
      ),
      // Stretches of a device follow each other.
      seals: raw.prepare(
        `SELECT first_play, last_play, first, through, prev, signature, signing_key, id < (SELECT max(id) FROM play_seals WHERE device_id = @deviceId) AS closed
           FROM play_seals WHERE device_id = @deviceId AND workspace_id = @workspaceId AND first_play <= @last AND last_play >= @first
             AND id >= coalesce((SELECT id FROM play_seals WHERE device_id = @deviceId AND first_play <= @first ORDER BY id DESC LIMIT 1), 0)
           ORDER BY id`,
      ),
    };
  }

  /** Of the numbers from `first` to `last`, the first `limit` plays. */
  plays(workspaceId: string, { first, last }: { first: number; last: number }, limit: number): NumberedPlay[] {
    return this.#statements.plays.all(first, last, workspaceId, limit) as NumberedPlay[];
  }

  seals(workspaceId: string, deviceId: string, { first, last }: { first: number; last: number }): SealOfSegment[] {
    return this.#statements.seals.all({ workspaceId, deviceId, first, last }) as SealOfSegment[];
  }
}
