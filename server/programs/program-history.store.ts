import type { Database } from '../db/database.ts';
import { putSetting, readSetting } from '../db/settings-rows.ts';

/** Key of the setting with the instant since which planned programs are known. Retention moves this instant forward. */
export const KNOWN_FROM = 'planned_since';

/** The start of a program on several devices at the same instant. */
export interface Beginning {
  readonly devices: readonly { readonly id: string; readonly workspaceId: string }[];
  /** Row number in program_archive. */
  readonly program: number;
  readonly timezone: string;
  /** Start of the span in epoch milliseconds. */
  readonly since: number;
}

export interface LastingSpan {
  readonly device_id: string;
  /** Hash of the program, as in program_archive. */
  readonly sha256: string;
  readonly timezone: string;
}

/**
 * Planned program of each screen over time, in spans. A publication writes thousands of rows, so each statement takes a
 * list.
 */
export class ProgramHistoryStore {
  readonly #db: Database;
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#db = db;
    this.#statements = {
      devices: p('SELECT id FROM devices WHERE workspace_id = ?').pluck(),
      everyDevice: p('SELECT id FROM devices').pluck(),
      lasting: p(
        `SELECT s.device_id, a.sha256, s.timezone FROM json_each(?) j
         CROSS JOIN program_spans s ON s.id = (SELECT id FROM program_spans WHERE device_id = j.value ORDER BY since DESC LIMIT 1)
         CROSS JOIN program_archive a ON a.id = s.program WHERE s.until IS NULL`,
      ),
      archived: p('SELECT id FROM program_archive WHERE sha256 = ?').pluck(),
      archive: p('INSERT INTO program_archive (sha256, body, created_at) VALUES (?, ?, ?)'),
      // After the clock was set back, deletes spans that begin in the future.
      undo: p(
        `DELETE FROM program_spans WHERE id IN (
           SELECT s.id FROM json_each(@devices) j CROSS JOIN program_spans s ON s.device_id = j.value AND s.since >= @at)`,
      ),
      end: p(
        `UPDATE program_spans SET until = @at WHERE id IN (
           SELECT (SELECT id FROM program_spans WHERE device_id = j.value ORDER BY since DESC LIMIT 1) FROM json_each(@devices) j)
         AND (until IS NULL OR until > @at)`,
      ),
      begin: p(
        `INSERT INTO program_spans (workspace_id, device_id, program, timezone, since)
         SELECT @workspace, value, @program, @timezone, @since FROM json_each(@devices)`,
      ),
    };
  }

  devices(workspaceId: string): string[] {
    return this.#statements.devices.all(workspaceId) as string[];
  }

  everyDevice(): string[] {
    return this.#statements.everyDevice.all() as string[];
  }

  /** Returns the current spans of the given devices. */
  lasting(deviceIds: readonly string[]): LastingSpan[] {
    return this.#statements.lasting.all(JSON.stringify(deviceIds)) as LastingSpan[];
  }

  archived(sha256: string): number | undefined {
    return this.#statements.archived.get(sha256) as number | undefined;
  }

  /** Stores a program and returns its number. */
  archive(sha256: string, body: Buffer, createdAt: number): number {
    return Number(this.#statements.archive.run(sha256, body, createdAt).lastInsertRowid);
  }

  /** Ends the current spans of the devices at epoch milliseconds `at`. */
  end(deviceIds: readonly string[], at: number): void {
    const devices = JSON.stringify(deviceIds);
    this.#statements.undo.run({ devices, at });
    this.#statements.end.run({ devices, at });
  }

  begin({ devices, ...rest }: Beginning): void {
    for (const [workspace, some] of Map.groupBy(devices, ({ workspaceId }) => workspaceId))
      this.#statements.begin.run({ ...rest, workspace, devices: JSON.stringify(some.map(({ id }) => id)) });
  }

  /** Records the instant since which planned programs are known, unless an instant is already recorded. */
  beginAt(since: number): void {
    if (readSetting(this.#db.raw, KNOWN_FROM) === undefined) putSetting(this.#db.raw, KNOWN_FROM, since);
  }
}
