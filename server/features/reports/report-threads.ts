/**
 * The server's end of the reports' threads. Questions of people go before the next chunk of an export.
 */
import { availableParallelism } from 'node:os';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { pathOf } from '../../kernel/place.ts';
import { ThreadPool } from '../../kernel/thread-pool.ts';
import type { Answer, Task } from './report-tasks.ts';

const ENTRY = pathOf('server/features/reports/reports-worker');
/** Then the thread's memory goes back to the machine. */
const IDLE_MS = 20_000;
/** Beyond this a question is given up: nobody waits that long, and others do. */
const TASK_LIMIT_MS = 30_000;
/** Each takes some milliseconds; who comes after so many is better off trying again. */
const MAX_WAITING = 64;
/**
 * A chunk of an export makes some hundred kilobytes of short-lived text, which V8 lets pile up to what it is allowed:
 * by itself 35 MB an export, with these 15.
 */
const YOUNG_GENERATION_MB = 4;
const OLD_GENERATION_MB = 64;

export class ReportThreads implements Lifecycle {
  readonly name = 'reports';
  readonly #pool: ThreadPool<Task, Answer>;
  #stopped = false;

  /** @param options.size threads at most; default: one, two where a core is left for them */
  constructor(options: { file: string; size?: number; idleMs?: number }) {
    this.#pool = new ThreadPool({
      entry: ENTRY,
      worker: {
        workerData: { file: options.file },
        execArgv: ['--no-warnings'],
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, maxOldGenerationSizeMb: OLD_GENERATION_MB },
      },
      size: options.size ?? (availableParallelism() > 2 ? 2 : 1),
      idleMs: options.idleMs ?? IDLE_MS,
      limit: { ms: TASK_LIMIT_MS, error: tooLong },
    });
  }

  start(): void {
    this.#stopped = false;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pool.end(stopping());
  }

  /** Threads that there are. */
  get running(): number {
    return this.#pool.running;
  }

  /** @throws ApiError 503 when too many wait already, or when it takes too long */
  async ask(task: Task): Promise<Answer> {
    if (this.#stopped) throw stopping();
    // Chunks of exports are bounded by the number of exports.
    const isPatient = task.do === 'csv' || task.do === 'proof' || task.do === 'segment';
    if (!isPatient && this.#pool.waiting >= MAX_WAITING) throw busy();
    return this.#pool.ask(task, { isPatient, transfer: task.do === 'csv' && task.block ? [task.block] : [] });
  }
}

const stopping = () => new ApiError(503, 'The server is stopping', { retryAfter: 5 });
const busy = () => new ApiError(503, 'The server is busy with other reports', { retryAfter: 2 });
const tooLong = () => new ApiError(503, 'This report takes too long. Ask for a shorter period.', { retryAfter: 30 });
