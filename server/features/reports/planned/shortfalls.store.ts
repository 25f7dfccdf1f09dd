import type { Database as Connection, Statement } from 'better-sqlite3';

export interface DeviceFacts {
  readonly name: string;
  /** Time at which the device was created, in epoch seconds. */
  readonly created_at: number;
}

/** Epoch seconds; `until` is null while the interval has not ended. */
export interface Interval {
  readonly since: number;
  readonly until: number | null;
}

interface Whose {
  readonly deviceId: string;
  /** Start and end of the period, in epoch seconds. */
  readonly start: number;
  readonly end: number;
}

/** Facts about a screen that showed less than planned. */
export class ShortfallsStore {
  readonly #device: Statement<[string], DeviceFacts>;
  readonly #off: Statement<[Whose], Interval>;
  readonly #program: Statement<[Whose & { workspaceId: string }], Interval>;
  readonly #faults: Statement<
    [workspaceId: string, deviceId: string, from: string, to: string],
    { details: string; count: number }
  >;

  constructor(raw: Connection) {
    this.#device = raw.prepare('SELECT name, created_at FROM devices WHERE id = ?');
    this.#off = raw.prepare(
      `SELECT since, until FROM status_intervals
       WHERE device_id = @deviceId AND status = 'offline' AND since < @end AND (until IS NULL OR until > @start) ORDER BY since`,
    );
    this.#program = raw.prepare(
      `SELECT since, ended_at AS until FROM alerts
       WHERE workspace_id = @workspaceId AND kind = 'screen_program' AND ref = @deviceId AND since < @end AND (ended_at IS NULL OR ended_at > @start) ORDER BY since`,
    );
    this.#faults = raw.prepare(
      `SELECT details, count(*) OVER () AS count FROM activity
       WHERE workspace_id = ? AND device_id = ? AND id >= ? AND id < ? AND action = 'device.error' ORDER BY id DESC LIMIT 1`,
    );
  }

  /** Returns undefined when the device was deleted. */
  device(id: string): DeviceFacts | undefined {
    return this.#device.get(id);
  }

  /** Returns the times in which the device was offline. */
  off(whose: Whose): Interval[] {
    return this.#off.all(whose);
  }

  /** Returns the times in which the device had not loaded its newest program for so long that a notice was sent. */
  withoutProgram(workspaceId: string, whose: Whose): Interval[] {
    return this.#program.all({ workspaceId, ...whose });
  }

  /**
   * Returns the last fault that the device reported, and the number of faults. `from` and `to` are ids of log entries,
   * which grow with time.
   */
  faults(
    workspaceId: string,
    deviceId: string,
    from: string,
    to: string,
  ): { details: string; count: number } | undefined {
    return this.#faults.get(workspaceId, deviceId, from, to);
  }
}
