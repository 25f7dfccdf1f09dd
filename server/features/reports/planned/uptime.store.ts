import type { Database as Connection, Statement } from 'better-sqlite3';
import { ofDevices, type Which } from '../ingest/play-tables.ts';

export interface UptimeQuestion extends Which {
  readonly workspaceId: string;
  /** Epoch seconds; `end` is exclusive and not after `now`. */
  readonly start: number;
  readonly end: number;
  readonly now: number;
}

interface UptimeSums {
  readonly device_id: string;
  readonly device_name: string;
  /** Epoch seconds: start of the part of the period in which the device existed. */
  readonly since: number;
  readonly online_seconds: number;
  readonly first_seen: number | null;
  readonly last_seen: number | null;
  readonly outages: number;
}

/**
 * An offline interval without an end ends now. An interval that began with the device is no outage, because the device
 * was never online before.
 */
const sumsOf = (which: Which): string => `
  WITH d AS (
    SELECT id, name, created_at, max(created_at, @start) AS since FROM devices
    WHERE workspace_id = @workspaceId AND ${['1', ...(which.deviceId === undefined ? [] : ['id = @deviceId']), ...ofDevices(which, 'id')].join(' AND ')} AND created_at <= @end
  ), i AS (
    SELECT s.device_id, s.status, s.since AS began, max(s.since, d.since) AS a, min(coalesce(s.until, @now), @end) AS b
    FROM d JOIN status_intervals s ON s.device_id = d.id WHERE s.since < @end AND (s.until IS NULL OR s.until >= d.since)
  )
  SELECT d.id AS device_id, d.name AS device_name, d.since,
    coalesce(sum(CASE WHEN i.status = 'online' THEN max(0, i.b - i.a) END), 0) AS online_seconds,
    min(CASE WHEN i.status = 'online' THEN i.a END) AS first_seen,
    max(CASE WHEN i.status = 'online' THEN i.b END) AS last_seen,
    count(CASE WHEN i.status = 'offline' AND i.b > i.a AND i.began > d.created_at THEN 1 END) AS outages
  FROM d LEFT JOIN i ON i.device_id = d.id
  GROUP BY d.id ORDER BY vitrine_order(d.name), d.created_at, d.id`;

export class UptimeStore {
  readonly #raw: Connection;
  readonly #sums = new Map<string, Statement<[UptimeQuestion], UptimeSums>>();

  constructor(raw: Connection) {
    this.#raw = raw;
  }

  /** Returns the sums of every matching device that existed in the period, by name. */
  sums(question: UptimeQuestion): UptimeSums[] {
    const sql = sumsOf(question);
    const known = this.#sums.get(sql) ?? this.#raw.prepare<[UptimeQuestion], UptimeSums>(sql);
    this.#sums.set(sql, known);
    return known.all(question);
  }
}
