/**
 * Moves committed pages from the write-ahead log into the database file (checkpoint), on a separate thread. Without
 * this class, SQLite would move the pages within the commit that makes the log too long: a thousand pages and two disk
 * syncs, during which every request waits.
 */
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { pathOf } from '../kernel/place.ts';
import { ThreadPool } from '../kernel/threads/thread-pool.ts';
import type { Database } from './database.ts';

const ENTRY = pathOf('server/db/checkpoint.worker');

const LOOK_EVERY_MS = 1_000;
/** Number of 4 kB pages in the log that starts a checkpoint. Equals the default of SQLite. */
const MANY = 1_000;
/**
 * Number of pages in the log (64 MB) from which on SQLite itself checkpoints within a commit, so that the log stays
 * bounded even if the thread fails.
 */
const TOO_MANY = 16_000;
/**
 * Delay in milliseconds before the next attempt after a failed checkpoint, usually because the disk is full or no
 * thread can be started. Meanwhile the log grows until SQLite checkpoints within a commit.
 */
const AGAIN_MS = 30_000;
/** Time in milliseconds without work after which the thread ends, so that an idle store has no such thread. */
const IDLE_MS = 60_000;

interface Deps {
  readonly db: Database;
  readonly onError: (error: unknown) => void;
}

export class Checkpoints implements Lifecycle {
  readonly name = 'checkpoints';
  readonly #deps: Deps;
  readonly #pool: ThreadPool<'go', void>;
  #timer: NodeJS.Timeout | undefined;
  #isAtWork = false;
  #isStopped = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#pool = new ThreadPool({
      entry: ENTRY,
      worker: {
        workerData: deps.db.file,
        execArgv: ['--no-warnings'],
        resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
      },
      idleMs: IDLE_MS,
    });
  }

  start(): void {
    this.#isStopped = false;
    this.#deps.db.raw.pragma(`wal_autocheckpoint = ${TOO_MANY}`);
    this.#timer = setInterval(() => this.runDue(performance.now()), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#pool.end(new Error('The server is stopping'));
  }

  /** Starts a checkpoint when the log is long enough. @param now monotonic milliseconds */
  runDue(now: number): void {
    if (this.#isAtWork || now - this.#failedAt < AGAIN_MS || this.#pagesInLog() < MANY) return;
    this.#isAtWork = true;
    void this.#takeOver();
  }

  async #takeOver(): Promise<void> {
    try {
      await this.#pool.run('go');
    } catch (error) {
      if (!this.#isStopped) this.#failed(error);
    } finally {
      this.#isAtWork = false;
    }
  }

  #pagesInLog(): number {
    try {
      return this.#deps.db.pagesInLog();
    } catch (error) {
      this.#failed(error);
      return 0;
    }
  }

  #failed(error: unknown): void {
    this.#failedAt = performance.now();
    this.#deps.onError(error);
  }
}
