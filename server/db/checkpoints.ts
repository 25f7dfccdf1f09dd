/**
 * Takes what was committed over from the write-ahead log into the database file, on a thread of its own. SQLite would do it
 * within the commit that makes the log too long: a thousand pages and two syncs of the disk, while everybody waits.
 */
import type { Worker } from 'node:worker_threads';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { pathOf } from '../kernel/place.ts';
import { startThread } from '../kernel/starting.ts';
import type { Database } from './database.ts';

const ENTRY = pathOf('server/db/checkpoint.worker');

const LOOK_EVERY_MS = 1_000;
/** Pages of 4 kB that wait in the log before the thread is woken: what SQLite takes by itself. */
const MANY = 1_000;
/** Beyond so many, SQLite does it within a commit after all: 64 MB, so that the log is bounded whatever becomes of the thread. */
const TOO_MANY = 16_000;
/** After it failed: a full disk, most likely, or a machine that starts no thread. The log grows, until SQLite takes it over within a commit. */
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
  #timer: NodeJS.Timeout | undefined;
  #worker: Worker | undefined;
  #isAtWork = false;
  #lastWork = 0;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#deps.db.raw.pragma(`wal_autocheckpoint = ${TOO_MANY}`);
    this.#timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#end();
  }

  /** Wakes the thread when there is enough to do, ends it when there was nothing for long. @param now monotonic, milliseconds */
  look(now: number): void {
    if (this.#isAtWork || now - this.#failedAt < AGAIN_MS) return;
    if (this.#pagesInLog() >= MANY) {
      try {
        this.#worker ??= this.#launch();
      } catch (error) {
        return this.#failed(error);
      }
      this.#lastWork = now;
      this.#isAtWork = true;
      this.#worker.postMessage('go');
    } else if (this.#worker && now - this.#lastWork > IDLE_MS) void this.#end();
  }

  #launch(): Worker {
    const worker = startThread(ENTRY, { workerData: this.#deps.db.file, execArgv: ['--no-warnings'], resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } });
    worker.on('message', () => {
      this.#isAtWork = false;
    });
    worker.on('error', (error) => this.#failed(error));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#isAtWork = false;
    });
    worker.unref();
    return worker;
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

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#isAtWork = false;
    await worker?.terminate();
  }
}
