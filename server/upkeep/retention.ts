/**
 * Deletes old records in small steps: a few milliseconds of writing, then a pause for other work. Sums of plays are
 * kept forever.
 */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BIN_DAYS } from '../../shared/contract/content/bin.ts';
import { asNecessary } from '../kernel/disk/necessity.ts';
import { firstIdAt } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import type { UpkeepStore } from './upkeep.store.ts';
import type { UpkeepSettings } from './upkeep-settings.ts';

const EVERY_MS = 3_600_000;
const FIRST_MS = 5 * 60_000;
/**
 * Number of rows deleted per step. One step in a database of a million plays takes about five milliseconds, including
 * indexes and commit.
 */
const ROWS_A_STEP = 50;
/** Number of rows that a step examines in a small table from which few rows are deleted. A step takes a millisecond. */
const ROWS_A_LOOK = 1_000;
/**
 * Number of planned spans examined per step. A publication to all screens creates many spans at once, which all become
 * old at once.
 */
const SPANS_A_LOOK = 250;
/** Number of planned time windows examined per step. Each is deleted with its sums. */
const WINDOWS_A_LOOK = 50;
/**
 * Pause in milliseconds between two steps. With this pause, 500 rows are deleted per second, forty million per day, at
 * 5 % of the event loop.
 */
const PAUSE_MS = 100;
const DAY_MS = 86_400_000;

interface Deps extends Pick<Parts, 'db' | 'clock' | 'log'> {
  readonly store: UpkeepStore;
  readonly settings: UpkeepSettings;
  readonly logFolder: string;
  /**
   * Called for plays that were deleted before headquarters had them, within the write transaction that deletes them.
   */
  readonly givenUp: (workspaceId: string, plays: number) => void;
  readonly pause?: (ms: number) => Promise<void>;
}

export class Retention implements Lifecycle {
  readonly name = 'retention';
  readonly #deps: Required<Deps>;
  #timers: NodeJS.Timeout[] = [];
  #running: Promise<number> | undefined;
  #stopped = false;

  constructor(deps: Deps) {
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

  /** Makes one pass and returns the number of deleted records. Never rejects. */
  sweep(): Promise<number> {
    this.#running ??= this.#pass()
      .catch((error: unknown) => {
        // Ignores the error, because the disk is probably full. The next pass retries.
        this.#deps.log.warn('Old records could not be removed', { error });
        return 0;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #pass(): Promise<number> {
    const { store, settings, clock, log, givenUp } = this.#deps;
    const { plays_days, telemetry_days, activity_days, logs_days } = settings.values;
    const now = clock.now();
    // Does nothing while the clock is untrusted, because a wrong time could delete everything.
    if (clock.doubtful) return 0;
    const before = (days: number) => now - days * DAY_MS;
    let gone = 0;
    for (const workspaceId of store.workspaceIds())
      gone += await this.#inSteps(() => {
        const deleted = store.deletePlays(workspaceId, before(plays_days), ROWS_A_STEP);
        if (deleted.undelivered > 0) givenUp(workspaceId, deleted.undelivered);
        return deleted.gone;
      });
    // A play starts before it is received. So no remaining play uses a row that was last used before the days of the
    // remaining plays.
    const day = Math.floor(before(plays_days) / DAY_MS) - 1;
    for (const table of ['play_turns', 'play_boots'] as const)
      gone += await this.#looking((after) => store.deleteUnused(table, day, after, ROWS_A_LOOK));
    gone += await this.#looking((after) => store.deleteSpans(before(plays_days), after, SPANS_A_LOOK));
    gone += await this.#looking((after) => store.deleteWindows(before(plays_days), after, WINDOWS_A_LOOK));
    gone += await this.#looking((after) => store.deletePrograms(after, WINDOWS_A_LOOK));
    gone += await this.#inSteps(() => store.deleteTelemetry(before(telemetry_days) / 1000, ROWS_A_STEP));
    gone += await this.#inSteps(() => store.deleteBinned(before(BIN_DAYS) / 1000, ROWS_A_STEP));
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

  /** Deletes old rows of a table, some rows per step. */
  async #looking(look: (after: number) => { last: number | undefined; gone: number }): Promise<number> {
    const { db, pause, clock } = this.#deps;
    let after: number | undefined = 0;
    let gone = 0;
    while (after !== undefined && !this.#stopped && !clock.doubtful) {
      const from: number = after;
      const step = asNecessary(() => db.write(() => look(from)));
      gone += step.gone;
      after = step.last;
      if (after !== undefined) await pause(PAUSE_MS);
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

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms).unref());
