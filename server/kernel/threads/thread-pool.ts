/**
 * Pool of threads that run one task at a time each. Threads start when there is work. They end when they are idle,
 * exceed the time limit of a task, or run out of memory. The code of a thread answers with `answerTasks`
 * (thread-tasks.ts).
 */
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';
import { ApiError } from '../../../shared/contract/errors.ts';
import { unavailable } from './starting.ts';
import type { Failure, TaskMessage } from './thread-tasks.ts';

export interface ThreadPoolOptions {
  readonly entry: string | URL;
  /** Options of the worker, including its resource limits. */
  readonly worker?: WorkerOptions;
  /** Maximum number of threads. @default 1 */
  readonly size?: number;
  /** Milliseconds without a task after which a thread ends, to free its memory. @default never */
  readonly idleMs?: number;
  /** Time limit per task, and the error for a task that exceeds it. @default no limit */
  readonly limit?: { readonly ms: number; readonly error: () => Error };
  /** Creates the error for a task that runs out of memory. */
  readonly outOfMemory?: () => Error;
}

interface Job<Task, Answer> {
  readonly task: Task;
  readonly transfer: readonly Transferable[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface Thread<Task, Answer> {
  readonly worker: Worker;
  job: Job<Task, Answer> | undefined;
  /** Ends the thread: after the idle time, or at the time limit of its task. */
  timer: NodeJS.Timeout | undefined;
}

export class ThreadPool<Task, Answer> {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread<Task, Answer>>();
  readonly #urgent: Job<Task, Answer>[] = [];
  readonly #patient: Job<Task, Answer>[] = [];

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#threads.size;
  }

  /** Number of tasks that wait for a thread, not counting tasks with `isPatient`. */
  get waiting(): number {
    return this.#urgent.length;
  }

  /**
   * Runs a task when a thread is free.
   * @param options.isPatient lets all other tasks run first
   * @throws ApiError 503
   * when no thread can be started; any error of the thread, with its message and status
   */
  run(
    task: Task,
    { isPatient = false, transfer = [] }: { isPatient?: boolean; transfer?: readonly Transferable[] } = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      (isPatient ? this.#patient : this.#urgent).push({ task, transfer, resolve, reject });
      this.#next();
    });
  }

  /** Ends all threads and rejects all tasks with the reason. The next task starts a new thread. */
  async end(reason: Error): Promise<void> {
    this.#refuse(reason);
    await Promise.all([...this.#threads].map((thread) => this.#drop(thread, reason)));
  }

  #next(): void {
    while (this.#urgent.length + this.#patient.length > 0) {
      const thread = this.#free();
      if (!thread) return;
      this.#give(thread, (this.#urgent.shift() ?? this.#patient.shift())!);
    }
  }

  #free(): Thread<Task, Answer> | undefined {
    for (const thread of this.#threads) if (!thread.job) return thread;
    if (this.#threads.size >= (this.#options.size ?? 1)) return undefined;
    try {
      return this.#begin();
    } catch (error) {
      // Rejects the waiting tasks only if no other thread is running that can run them.
      if (this.#threads.size === 0) this.#refuse(unavailable(error));
      return undefined;
    }
  }

  #begin(): Thread<Task, Answer> {
    const worker = new Worker(this.#options.entry, this.#options.worker);
    const thread: Thread<Task, Answer> = { worker, job: undefined, timer: undefined };
    this.#threads.add(thread);
    worker.on('message', (message: TaskMessage<Answer>) => this.#answered(thread, message));
    worker.on('error', (error) => void this.#drop(thread, this.#meaningOf(error)));
    worker.on('exit', () => void this.#drop(thread, new Error('The task was interrupted. Try again.')));
    return thread;
  }

  #give(thread: Thread<Task, Answer>, job: Job<Task, Answer>): void {
    const { limit } = this.#options;
    clearTimeout(thread.timer);
    if (limit) thread.timer = setTimeout(() => void this.#drop(thread, limit.error()), limit.ms).unref();
    thread.job = job;
    thread.worker.ref();
    thread.worker.postMessage(job.task, job.transfer);
  }

  #answered(thread: Thread<Task, Answer>, message: TaskMessage<Answer>): void {
    const { job } = thread;
    if (!job) return;
    this.#release(thread);
    if ('failed' in message) job.reject(failureOf(message.failed));
    else job.resolve(message.answer);
    this.#next();
  }

  /** Marks a thread as idle: it no longer keeps the process alive, and it ends after the idle time. */
  #release(thread: Thread<Task, Answer>): void {
    const { idleMs } = this.#options;
    clearTimeout(thread.timer);
    thread.job = undefined;
    thread.worker.unref();
    if (idleMs !== undefined) thread.timer = setTimeout(() => void this.#drop(thread), idleMs).unref();
  }

  async #drop(thread: Thread<Task, Answer>, reason?: Error): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    if (reason) thread.job?.reject(reason);
    thread.job = undefined;
    this.#next();
    await thread.worker.terminate();
  }

  #refuse(reason: Error): void {
    for (const job of [...this.#urgent.splice(0), ...this.#patient.splice(0)]) job.reject(reason);
  }

  /** Translates the error that ended a thread. A thread that has already started may also fail for lack of memory. */
  #meaningOf(error: unknown): Error {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_WORKER_INIT_FAILED') return unavailable(error);
    if (code === 'ERR_WORKER_OUT_OF_MEMORY' && this.#options.outOfMemory) return this.#options.outOfMemory();
    return error instanceof Error ? error : new Error(String(error));
  }
}

const failureOf = ({ message, stack, status }: Failure): Error =>
  status === undefined ? Object.assign(new Error(message), { stack }) : new ApiError(status, message);
