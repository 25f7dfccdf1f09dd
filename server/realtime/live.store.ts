import type { TelemetryFields } from '../../shared/contract/devices.ts';
import type { Database } from '../db/database.ts';
import { TELEMETRY_KEYS } from './telemetry.ts';

/** `capabilities` is JSON text. */
export interface PlayerInfo {
  readonly platform: string;
  readonly version: string;
  readonly capabilities: string;
  readonly screen_width: number;
  readonly screen_height: number;
  readonly ip_address: string | null;
}

export interface StatusChange {
  readonly deviceId: string;
  readonly status: 'online' | 'offline';
  /** Epoch seconds. */
  readonly at: number;
}

/** The latest 20 reports are kept as they came; older ones one per 5 minutes for a day, then one per hour for 30 days: about 1,000 rows a device. */
const LATEST = 20;
const FINE_S = 300;
const FINE_FOR_S = 86_400;
const COARSE_S = 3_600;
const KEPT_FOR_S = 30 * 86_400;

const columns = TELEMETRY_KEYS.join(', ');
const latest = `SELECT id FROM telemetry WHERE device_id = @device ORDER BY reported_at DESC, id DESC LIMIT ${LATEST}`;

export class LiveStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      saveState: p(`UPDATE devices SET last_heartbeat = ?, ${TELEMETRY_KEYS.map((key) => `${key} = ?`).join(', ')} WHERE id = ?`),
      saveInfo: p(
        'UPDATE devices SET platform = @platform, version = @version, capabilities = @capabilities, screen_width = @screen_width, screen_height = @screen_height, ip_address = @ip_address WHERE id = @id',
      ),
      addReport: p(`INSERT INTO telemetry (device_id, reported_at, ${columns}) VALUES (?, ?, ${TELEMETRY_KEYS.map(() => '?').join(', ')})`),
      beyondLatest: p(`SELECT id, reported_at AS at FROM telemetry WHERE device_id = ? ORDER BY reported_at DESC, id DESC LIMIT 2 OFFSET ${LATEST}`),
      deleteReport: p('DELETE FROM telemetry WHERE id = ?'),
      dropOld: p(`DELETE FROM telemetry WHERE device_id = @device AND reported_at < @now - ${KEPT_FOR_S} AND id NOT IN (${latest})`),
      // Three days back: what a server that was off for long left finer than needed costs nothing but a little space.
      coarsen: p(
        `DELETE FROM telemetry WHERE device_id = @device AND reported_at >= @now - ${3 * FINE_FOR_S} AND reported_at < @now - ${FINE_FOR_S}
           AND id NOT IN (SELECT min(id) FROM telemetry WHERE device_id = @device AND reported_at >= @now - ${3 * FINE_FOR_S} AND reported_at < @now - ${FINE_FOR_S} GROUP BY reported_at / ${COARSE_S})
           AND id NOT IN (${latest})`,
      ),
      endInterval: p('UPDATE status_intervals SET until = @at WHERE device_id = @deviceId AND until IS NULL'),
      beginInterval: p('INSERT INTO status_intervals (device_id, status, since) SELECT id, @status, @at FROM devices WHERE id = @deviceId'),
      beginForgotten: p(
        `INSERT INTO status_intervals (device_id, status, since)
           SELECT i.device_id, 'offline', max(i.since, coalesce(d.last_heartbeat, i.since)) FROM status_intervals i JOIN devices d ON d.id = i.device_id
           WHERE i.until IS NULL AND i.status = 'online'`,
      ),
      endForgotten: p(
        `UPDATE status_intervals SET until = max(since, coalesce((SELECT last_heartbeat FROM devices d WHERE d.id = device_id), since)) WHERE until IS NULL AND status = 'online'`,
      ),
    };
  }

  /** False when there is no such device any more. */
  saveState(deviceId: string, lastHeartbeat: number | null, telemetry: TelemetryFields): boolean {
    return this.#statements.saveState.run(lastHeartbeat, ...TELEMETRY_KEYS.map((key) => telemetry[key]), deviceId).changes > 0;
  }

  saveInfo(id: string, info: PlayerInfo): void {
    this.#statements.saveInfo.run({ id, ...info });
  }

  addReport(deviceId: string, report: TelemetryFields & { reported_at: number }): void {
    this.#statements.addReport.run(deviceId, report.reported_at, ...TELEMETRY_KEYS.map((key) => report[key]));
    // The report that is no longer among the latest stays only when it is the first of its five minutes.
    const [left, before] = this.#statements.beyondLatest.all(deviceId) as { id: number; at: number }[];
    if (left && before && Math.floor(left.at / FINE_S) === Math.floor(before.at / FINE_S)) this.#statements.deleteReport.run(left.id);
  }

  thinHistory(deviceId: string, now: number): void {
    this.#statements.dropOld.run({ device: deviceId, now });
    this.#statements.coarsen.run({ device: deviceId, now });
  }

  /** The interval that lasts ends, the new one begins. */
  changeStatus(change: StatusChange): void {
    this.#statements.endInterval.run({ deviceId: change.deviceId, at: change.at });
    this.#statements.beginInterval.run(change);
  }

  /** After the server ended without saying so: who was online is offline since its last heartbeat. */
  closeForgotten(): void {
    this.#statements.beginForgotten.run();
    this.#statements.endForgotten.run();
  }
}
