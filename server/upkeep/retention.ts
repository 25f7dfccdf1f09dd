/**
 * What is too old goes, in steps so small that nobody notices: a few milliseconds of writing, then a pause in which
 * everybody else has the loop. Sums of plays stay for ever.
 */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Log } from '../kernel/log.ts';
import { asNecessary } from '../kernel/necessity.ts';
import type { UpkeepStore } from './upkeep.store.ts';
import type { UpkeepSettings } from './upkeep-settings.ts';

const EVERY_MS = 3_600_000;
const FIRST_MS = 5 * 60_000;
/** Some five milliseconds of deleting with all indexes, of a million plays, the commit included. */
const ROWS_A_STEP = 50;
/** 500 rows a second at 5 % of the loop: forty million a day, more than any store plays. */
const PAUSE_MS = 100;
const DAY_MS = 86_400_000;

export class Retention implements Lifecycle {
  readonly name = 'retention';
  readonly #deps: {
    db: Database;
    store: UpkeepStore;
    settings: UpkeepSettings;
    clock: Clock;
    log: Log;
    logFolder: string;
    pause: (ms: number) => Promise<void>;
  };
  #timers: NodeJS.Timeout[] = [];
  #running: Promise<number> | undefined;
  #stopped = false;

  constructor(deps: {
    db: Database;
    store: UpkeepStore;
    settings: UpkeepSettings;
    clock: Clock;
    log: Log;
    logFolder: string;
    pause?: (ms: number) => Promise<void>;
  }) {
    this.#deps = { pause: sleep, ...deps };
  }

  start(): void {
    this.#stopped = false;
    const sweep = () => void this.sweep();
    this.#timers = [setTimeout(sweep, FIRST_MS).unref(), setInterval(sweep, EVERY_MS).unref()];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    await this.#running;
  }

  /** One pass; returns how many records went. Never rejects. */
  sweep(): Promise<number> {
    this.#running ??= this.#pass()
      .catch((error: unknown) => {
        // A full disk, most likely; the next pass tries again.
        this.#deps.log.warn('Old records could not be removed', { error });
        return 0;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #pass(): Promise<number> {
    const { store, settings, clock, log } = this.#deps;
    const { plays_days, telemetry_days, activity_days, logs_days } = settings.values;
    const now = clock.now();
    // What a clock deletes that is wrong by years, it deletes for good.
    if (clock.doubtful) return 0;
    const before = (days: number) => now - days * DAY_MS;
    let gone = 0;
    for (const workspaceId of store.workspaceIds())
      gone += await this.#inSteps(() => store.deletePlays(workspaceId, before(plays_days), ROWS_A_STEP));
    gone += await this.#inSteps(() => store.deleteTelemetry(before(telemetry_days) / 1000, ROWS_A_STEP));
    gone += await this.#inSteps(() => store.deleteActivity(firstIdAt(before(activity_days)), ROWS_A_STEP));
    gone += await this.#inSteps(() =>
      store.deleteIntervals(before(Math.max(activity_days, plays_days)) / 1000, ROWS_A_STEP),
    );
    await this.#oldLogs(before(logs_days));
    if (gone > 0) log.info('old records removed', { records: gone });
    return gone;
  }

  async #inSteps(step: () => number): Promise<number> {
    const { db, pause, clock } = this.#deps;
    let gone = 0;
    while (!this.#stopped && !clock.doubtful) {
      const removed = asNecessary(() => db.write(step));
      await db.durable();
      gone += removed;
      if (removed < ROWS_A_STEP) break;
      await pause(PAUSE_MS);
    }
    return gone;
  }

  async #oldLogs(beforeMs: number): Promise<void> {
    const { logFolder, clock } = this.#deps;
    for (const name of await readdir(logFolder).catch(() => [])) {
      if (name === 'server.log' || !name.includes('server.log')) continue;
      const path = join(logFolder, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() && found.mtimeMs < beforeMs && !clock.doubtful) await unlink(path).catch(() => {});
    }
  }
}

/** The least UUIDv7 of an instant: all older records sort before it. */
export const firstIdAt = (ms: number): string => {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms).unref());
