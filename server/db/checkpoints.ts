/**
 * Takes what was committed over from the write-ahead log into the database file, on a thread of its own. SQLite would
 * do it within the commit that makes the log too long: a thousand pages and two syncs of the disk, while everybody
 * waits.
 */
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { pathOf } from '../kernel/place.ts';
import { ThreadPool } from '../kernel/thread-pool.ts';
import type { Database } from './database.ts';

const ENTRY = pathOf('server/db/checkpoint.worker');

const LOOK_EVERY_MS = 1_000;
/** Wakes the thread when this many pages of 4 kB wait in the log, which is when SQLite takes them by itself. */
const MANY = 1_000;
/**
 * Beyond this, SQLite does it within a commit after all: 64 MB, so that the log is bounded whatever becomes of the
 * thread.
 */
const TOO_MANY = 16_000;
/**
 * After a failure it tries again in this time. The disk is full, most likely, or the machine starts no thread; the log
 * grows, until SQLite takes it over within a commit.
 */
const AGAIN_MS = 30_000;
/** A store in which nobody works has no thread. */
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
    this.#timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#pool.end(new Error('The server is stopping'));
  }

  /** Wakes the thread when there is enough to do. @param now is monotonic, in milliseconds */
  look(now: number): void {
    if (this.#isAtWork || now - this.#failedAt < AGAIN_MS || this.#pagesInLog() < MANY) return;
    this.#isAtWork = true;
    void this.#takeOver();
  }

  async #takeOver(): Promise<void> {
    try {
      await this.#pool.ask('go');
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
