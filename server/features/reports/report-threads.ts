/** Runs the reports' threads. Tasks of users run before the next chunk of an export. */
import { availableParallelism } from 'node:os';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { pathOf } from '../../kernel/place.ts';
import { ThreadPool } from '../../kernel/threads/thread-pool.ts';
import type { Answer, Task } from './report-tasks.ts';

const ENTRY = pathOf('server/features/reports/reports-worker');
/** Idle time after which a thread ends and frees its memory. */
const IDLE_MS = 20_000;
/** Time limit of a task, so that it does not delay the tasks behind it. */
const TASK_LIMIT_MS = 30_000;
/**
 * Maximum number of waiting tasks. Each takes some milliseconds, so a client behind this many tasks should retry later.
 */
const MAX_WAITING = 64;
/**
 * Limits the heap of a thread. A chunk of an export makes some hundred kilobytes of short-lived text, which V8 collects
 * only near its limit: 35 MB per export by default, 15 MB with these limits.
 */
const YOUNG_GENERATION_MB = 4;
const OLD_GENERATION_MB = 64;

export class ReportThreads implements Lifecycle {
  readonly name = 'reports';
  readonly #pool: ThreadPool<Task, Answer>;
  #stopped = false;

  /** @param options.size limit of threads; default: one, or two when enough cores are left */
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

  /** Number of running threads. */
  get running(): number {
    return this.#pool.running;
  }

  /** @throws ApiError 503 when too many questions wait, or when the answer takes too long */
  async runTask(task: Task): Promise<Answer> {
    if (this.#stopped) throw stopping();
    // Chunks of exports need no limit here, because the number of exports is limited.
    const isPatient = task.do === 'csv' || task.do === 'proof' || task.do === 'segment';
    if (!isPatient && this.#pool.waiting >= MAX_WAITING) throw busy();
    return this.#pool.run(task, { isPatient, transfer: task.do === 'csv' && task.block ? [task.block] : [] });
  }
}

const stopping = () => new ApiError(503, 'The server is stopping', { retryAfter: 5 });
const busy = () => new ApiError(503, 'The server is busy with other reports', { retryAfter: 2 });
const tooLong = () => new ApiError(503, 'This report takes too long. Ask for a shorter period.', { retryAfter: 30 });
