import type { Database as Connection, Statement } from 'better-sqlite3';
import type { Period } from '../ingest/sums.ts';

/** Counts signed groups of plays that may contain plays of the period, by the times of their first and last plays. */
const COUNT = `
  SELECT count(*) FROM play_seals s
  JOIN play_log f ON f.id = s.first_play JOIN play_log l ON l.id = s.last_play
  WHERE s.workspace_id = ? AND s.device_id IN (SELECT value FROM json_each(?)) AND l.started_ms >= ? AND f.started_ms < ?`;

/** Counts the signatures of screens for the plays of a report. */
export class SealCountStore {
  readonly #count: Statement;

  constructor(raw: Connection) {
    this.#count = raw.prepare(COUNT).pluck();
  }

  count(workspaceId: string, deviceIds: readonly string[], { start, end }: Period): number {
    return this.#count.get(workspaceId, JSON.stringify(deviceIds), start, end) as number;
  }
}
