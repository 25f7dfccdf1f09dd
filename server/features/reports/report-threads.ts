/**
 * The server's end of the reports' threads: starts one when there is a question, hands out one at a time, ends it when idle.
 * Questions of people go before the next chunk of an export.
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { pathOf } from '../../kernel/place.ts';
import { startThread, threadError } from '../../kernel/starting.ts';
import type { Answer, AnswerMessage, Task, TaskMessage } from './report-tasks.ts';

const ENTRY = pathOf('server/features/reports/reports-worker');
/** Then the thread's memory goes back to the machine. */
const IDLE_MS = 20_000;
/** Beyond this a question is given up: nobody waits that long, and others do. */
const TASK_LIMIT_MS = 30_000;
/** Each takes some milliseconds; who comes after so many is better off trying again. */
const MAX_WAITING = 64;
/** A chunk of an export makes some hundred kilobytes of short-lived text, which V8 lets pile up to what it is allowed: by itself 35 MB an export, with these 15. */
const YOUNG_GENERATION_MB = 4;
const OLD_GENERATION_MB = 64;

interface Job {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  job: (Job & { readonly id: number; readonly limit: NodeJS.Timeout }) | undefined;
  idle: NodeJS.Timeout | undefined;
}

export class ReportThreads implements Lifecycle {
  readonly name = 'reports';
  readonly #file: string;
  readonly #size: number;
  readonly #idleMs: number;
  readonly #threads = new Set<Thread>();
  readonly #urgent: Job[] = [];
  readonly #patient: Job[] = [];
  #nextId = 1;
  #stopped = false;

  /** @param options.size threads at most; default: one, two where a core is left for them */
  constructor(options: { file: string; size?: number; idleMs?: number }) {
    this.#file = options.file;
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#size = options.size ?? (availableParallelism() > 2 ? 2 : 1);
  }

  start(): void {
    this.#stopped = false;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const job of [...this.#urgent.splice(0), ...this.#patient.splice(0)]) job.reject(stopping());
    const threads = [...this.#threads];
    await Promise.all(threads.map((thread) => this.#drop(thread, stopping())));
  }

  /** Threads that there are. */
  get running(): number {
    return this.#threads.size;
  }

  /** @throws ApiError 503 when too many wait already, or when it takes too long */
  ask(task: Task): Promise<Answer> {
    if (this.#stopped) return Promise.reject(stopping());
    const queue = task.do === 'csv' || task.do === 'proof' ? this.#patient : this.#urgent;
    // Chunks of exports are bounded by the number of exports.
    if (queue === this.#urgent && queue.length >= MAX_WAITING) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      queue.push({ task, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    while (this.#urgent.length + this.#patient.length > 0) {
      let thread: Thread | undefined;
      try {
        thread = this.#free();
      } catch (error) {
        // Who waits is told, unless others are at work that can take them over.
        if (this.#threads.size === 0) for (const job of [...this.#urgent.splice(0), ...this.#patient.splice(0)]) job.reject(error as Error);
        return;
      }
      if (!thread) return;
      this.#give(thread, (this.#urgent.shift() ?? this.#patient.shift())!);
    }
  }

  #free(): Thread | undefined {
    for (const thread of this.#threads) if (!thread.job) return thread;
    return this.#threads.size < this.#size ? this.#begin() : undefined;
  }

  #begin(): Thread {
    const worker = startThread(ENTRY, {
      workerData: { file: this.#file },
      execArgv: ['--no-warnings'],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, maxOldGenerationSizeMb: OLD_GENERATION_MB },
    });
    const thread: Thread = { worker, job: undefined, idle: undefined };
    this.#threads.add(thread);
    worker.on('message', (message: AnswerMessage) => this.#answered(thread, message));
    worker.on('error', (error) => void this.#drop(thread, threadError(error)));
    worker.on('exit', () => void this.#drop(thread, new Error('The reports’ thread ended')));
    return thread;
  }

  #give(thread: Thread, job: Job): void {
    clearTimeout(thread.idle);
    const id = this.#nextId++;
    const limit = setTimeout(() => void this.#drop(thread, new ApiError(503, 'This report takes too long. Ask for a shorter period.', { retryAfter: 30 })), TASK_LIMIT_MS).unref();
    thread.job = { ...job, id, limit };
    thread.worker.ref();
    const block = job.task.do === 'csv' ? job.task.block : undefined;
    thread.worker.postMessage({ id, task: job.task } satisfies TaskMessage, block ? [block] : []);
  }

  #answered(thread: Thread, message: AnswerMessage): void {
    const job = thread.job;
    if (job?.id !== message.id) return;
    this.#release(thread);
    if ('error' in message) job.reject(new Error(message.error));
    else job.resolve(message.answer);
    this.#next();
  }

  /** An idle thread keeps nobody from ending, and ends itself after a while. */
  #release(thread: Thread): void {
    clearTimeout(thread.job?.limit);
    thread.job = undefined;
    thread.worker.unref();
    thread.idle = setTimeout(() => this.#end(thread), this.#idleMs).unref();
  }

  #end(thread: Thread): void {
    this.#threads.delete(thread);
    thread.worker.postMessage('end');
  }

  async #drop(thread: Thread, error: Error): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.idle);
    clearTimeout(thread.job?.limit);
    thread.job?.reject(error);
    thread.job = undefined;
    if (!this.#stopped) this.#next();
    await thread.worker.terminate();
  }
}

const stopping = () => new ApiError(503, 'The server is stopping', { retryAfter: 5 });
const busy = () => new ApiError(503, 'The server is busy with other reports', { retryAfter: 2 });
