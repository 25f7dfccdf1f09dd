import { TELEMETRY_FIELDS, type TelemetryFields } from '../../../shared/protocol/telemetry.ts';
import type { Database } from '../../db/database.ts';
import { putSetting } from '../../db/settings-rows.ts';

/** `capabilities` is JSON text. */
export interface PlayerInfo {
  readonly platform: string;
  readonly version: string;
  readonly capabilities: string;
  readonly screen_width: number;
  readonly screen_height: number;
  readonly ip_address: string | null;
}

interface StatusChange {
  readonly deviceId: string;
  readonly status: 'online' | 'offline';
  /** Time of the change in epoch seconds. */
  readonly at: number;
}

/**
 * Status changes of one flush while the clock was untrusted. A row without changes is also written, to show that the
 * server was running.
 */
export interface UndatedRow {
  /** Id of the run of the server. */
  readonly run: string;
  readonly n: number;
  /** Time of the clock and earliest possible time when the row was written, in epoch milliseconds. */
  readonly now: number;
  readonly least: number;
  /** Time of the row in milliseconds of the timer wheel's clock of that run. */
  readonly heard: number;
  /** Status changes. `ago`: milliseconds before `heard`. */
  readonly changes: readonly { readonly id: string; readonly status: 'online' | 'offline'; readonly ago: number }[];
}

const DOUBTED = 'status_in_doubt/';
const keyOf = ({ run, n }: UndatedRow): string => `${DOUBTED}${run}/${String(n).padStart(9, '0')}`;

/**
 * Limits of stored telemetry reports: the latest 20 reports of a device are kept. Of older reports, one per 5 minutes
 * is kept for a day, then one per hour for 30 days: about 1,000 rows per device.
 */
const LATEST = 20;
const FINE_S = 300;
const FINE_FOR_S = 86_400;
const COARSE_S = 3_600;
const KEPT_FOR_S = 30 * 86_400;

const columns = TELEMETRY_FIELDS.join(', ');
const latest = `SELECT id FROM telemetry WHERE device_id = @device ORDER BY reported_at DESC, id DESC LIMIT ${LATEST}`;

export class LiveStore {
  readonly #raw: Database['raw'];
  readonly #statements;

  constructor(db: Database) {
    this.#raw = db.raw;
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      saveState: p(
        `UPDATE devices SET last_heartbeat = coalesce(?, last_heartbeat), ${TELEMETRY_FIELDS.map((key) => `${key} = ?`).join(', ')} WHERE id = ?`,
      ),
      saveInfo: p(
        'UPDATE devices SET platform = @platform, version = @version, capabilities = @capabilities, screen_width = @screen_width, screen_height = @screen_height, ip_address = @ip_address WHERE id = @id',
      ),
      saveFormats: p('UPDATE devices SET formats = ? WHERE id = ?'),
      addReport: p(
        `INSERT INTO telemetry (device_id, reported_at, ${columns}) VALUES (?, ?, ${TELEMETRY_FIELDS.map(() => '?').join(', ')})`,
      ),
      beyondLatest: p(
        `SELECT id, reported_at AS at FROM telemetry WHERE device_id = ? ORDER BY reported_at DESC, id DESC LIMIT 2 OFFSET ${LATEST}`,
      ),
      deleteReport: p('DELETE FROM telemetry WHERE id = ?'),
      dropOld: p(
        `DELETE FROM telemetry WHERE device_id = @device AND reported_at < @now - ${KEPT_FOR_S} AND id NOT IN (${latest})`,
      ),
      // Thinning covers only the last three days. If the machine was off for longer, older reports stay, which costs
      // only a little space.
      coarsen: p(
        `DELETE FROM telemetry WHERE device_id = @device AND reported_at >= @now - ${3 * FINE_FOR_S} AND reported_at < @now - ${FINE_FOR_S}
           AND id NOT IN (SELECT min(id) FROM telemetry WHERE device_id = @device AND reported_at >= @now - ${3 * FINE_FOR_S} AND reported_at < @now - ${FINE_FOR_S} GROUP BY reported_at / ${COARSE_S})
           AND id NOT IN (${latest})`,
      ),
      endInterval: p('UPDATE status_intervals SET until = @at WHERE device_id = @deviceId AND until IS NULL'),
      beginInterval: p(
        'INSERT INTO status_intervals (device_id, status, since) SELECT id, @status, @at FROM devices WHERE id = @deviceId',
      ),
      beginForgotten: p(
        `INSERT INTO status_intervals (device_id, status, since)
           SELECT i.device_id, 'offline', max(i.since, coalesce(d.last_heartbeat, i.since)) FROM status_intervals i JOIN devices d ON d.id = i.device_id
           WHERE i.until IS NULL AND i.status = 'online' AND i.device_id NOT IN (SELECT value FROM json_each(@spared))`,
      ),
      endForgotten: p(
        `UPDATE status_intervals SET until = max(since, coalesce((SELECT last_heartbeat FROM devices d WHERE d.id = device_id), since))
           WHERE until IS NULL AND status = 'online' AND device_id NOT IN (SELECT value FROM json_each(@spared))`,
      ),
      openInterval: p('SELECT status, since FROM status_intervals WHERE device_id = ? AND until IS NULL'),
      doubted: p(`SELECT value FROM settings WHERE key > '${DOUBTED}' AND key < '${DOUBTED.slice(0, -1)}0'`),
      dropDoubted: p('DELETE FROM settings WHERE key = ?'),
    };
  }

  /** Returns false when the device no longer exists. @param lastHeartbeat null: unchanged */
  saveState(deviceId: string, lastHeartbeat: number | null, telemetry: TelemetryFields): boolean {
    return (
      this.#statements.saveState.run(lastHeartbeat, ...TELEMETRY_FIELDS.map((key) => telemetry[key]), deviceId)
        .changes > 0
    );
  }

  saveInfo(id: string, info: PlayerInfo): void {
    this.#statements.saveInfo.run({ id, ...info });
  }

  /** @param formats JSON text */
  saveFormats(id: string, formats: string | null): void {
    this.#statements.saveFormats.run(formats, id);
  }

  addReport(deviceId: string, report: TelemetryFields & { reported_at: number }): void {
    this.#statements.addReport.run(deviceId, report.reported_at, ...TELEMETRY_FIELDS.map((key) => report[key]));
    // When a report is no longer among the latest, it is kept only if it is the first of its five minutes.
    const [left, before] = this.#statements.beyondLatest.all(deviceId) as { id: number; at: number }[];
    if (left && before && Math.floor(left.at / FINE_S) === Math.floor(before.at / FINE_S))
      this.#statements.deleteReport.run(left.id);
  }

  thinHistory(deviceId: string, now: number): void {
    this.#statements.dropOld.run({ device: deviceId, now });
    this.#statements.coarsen.run({ device: deviceId, now });
  }

  /** Ends the current status interval and begins a new one. */
  changeStatus(change: StatusChange): void {
    this.#statements.endInterval.run({ deviceId: change.deviceId, at: change.at });
    this.#statements.beginInterval.run(change);
  }

  /** Adds a status change of the past, unless the status is already the same. No interval may end before it began. */
  recallStatus(change: StatusChange, now: number): void {
    const open = this.#statements.openInterval.get(change.deviceId) as { status: string; since: number } | undefined;
    if (open?.status === change.status) return;
    this.changeStatus({ ...change, at: Math.max(change.at, Math.min(open?.since ?? 0, now)) });
  }

  /** Returns the rows of changes without a date, the oldest first. */
  doubted(): UndatedRow[] {
    const rows = (this.#statements.doubted.pluck().all() as string[]).map((text) => JSON.parse(text) as UndatedRow);
    return rows.sort((a, b) => (a.run === b.run ? a.n - b.n : a.least - b.least));
  }

  storeUndated(row: UndatedRow): void {
    putSetting(this.#raw, keyOf(row), row);
  }

  deleteUndated(row: UndatedRow): void {
    this.#statements.dropDoubted.run(keyOf(row));
  }

  /**
   * Marks devices that were online at a crash as offline since their last heartbeat.
   * @param spared devices whose status
   * is known better from another source
   */
  closeForgotten(spared: readonly string[]): void {
    const named = { spared: JSON.stringify(spared) };
    this.#statements.beginForgotten.run(named);
    this.#statements.endForgotten.run(named);
  }
}
