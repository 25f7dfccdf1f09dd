import type { Database } from '../db/database.ts';
import type { ActivityLog } from './activity.ts';
import type { Bin } from './bin.ts';
import type { Bus } from './bus.ts';
import type { Log } from './log.ts';
import type { Clock } from './time/clock.ts';

/** Dependencies that nearly every part of the server needs. Each part picks those that it uses. */
export interface Parts {
  readonly db: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Monotonic milliseconds: nobody can set this clock, and its value never jumps. */
  readonly mono: () => number;
  readonly log: Log;
  readonly activity: ActivityLog;
  readonly bin: Bin;
}
