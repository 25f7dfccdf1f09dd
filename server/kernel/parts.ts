import type { Database } from '../db/database.ts';
import type { ActivityLog } from './activity.ts';
import type { Bin } from './bin.ts';
import type { Bus } from './bus.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** What nearly every part of the server is made with. A part picks those that it uses. */
export interface Parts {
  readonly db: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Returns milliseconds that nobody can set, and that never jump. */
  readonly mono: () => number;
  readonly log: Log;
  readonly activity: ActivityLog;
  readonly bin: Bin;
}
