/**
 * Server side of the media process. Starts the process when there is work, sends tasks, and ends it when it is idle or
 * hangs.
 */
import { availableParallelism } from 'node:os';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { pathOf } from '../kernel/place.ts';
import { type Child, startChild } from '../kernel/threads/child.ts';
import { unavailable } from '../kernel/threads/starting.ts';
import {
  type CheckedFont,
  type DesignDrawing,
  type Inspected,
  MEMORY_LIMIT_MB,
  type NotShowable,
  type ResultMessage,
  type Task,
  type TaskMessage,
  type TaskResults,
} from './kinds/inspection.ts';
import { limited } from './memory.ts';

const ENTRY = pathOf('server/media/media-worker');
/** Time limit per task in milliseconds. After that the process is replaced. */
const TASK_LIMIT_MS = 45_000;
/** Limit of the JavaScript heap of the process, in MB. Decoded pictures are outside of this heap. */
const HEAP_MB = 384;
/** Idle time in milliseconds after which the process ends, to free its memory. */
const IDLE_MS = 60_000;
/** Process priority: lower than answers to people, higher than thumbnails of videos. */
const NICE = 5;

export type MediaChild = Child<TaskMessage, ResultMessage>;
/** Starts the media process. May throw. */
export type LaunchWorker = (entry: string) => MediaChild;

const launchWorker: LaunchWorker = (entry) =>
  startChild({
    ...limited(process.execPath, ['--no-warnings', `--max-old-space-size=${HEAP_MB}`, entry]),
    priority: NICE,
  });

interface Job {
  readonly task: Task;
  readonly resolve: (result: TaskResults[Task['do']]) => void;
  readonly reject: (error: Error) => void;
  /**
   * Number of crashes during this task. A crash also ends the other running tasks, so each of these tasks is retried
   * once, alone.
   */
  crashes: number;
  timer?: NodeJS.Timeout;
}

/** Error: the task crashed or blocked the media process twice. */
class MediaProcessFailed extends Error {}

export class MediaProcess implements Lifecycle {
  readonly name = 'media-process';
  readonly #launch: LaunchWorker;
  readonly #width: number;
  readonly #waiting: Job[] = [];
  readonly #running = new Map<number, Job>();
  #worker: MediaChild | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;
  #stopped = false;

  /** @param options.width number of parallel tasks; default: number of cores, at least 2 and at most 4 */
  constructor(options: { launch?: LaunchWorker; width?: number } = {}) {
    this.#launch = options.launch ?? launchWorker;
    this.#width = options.width ?? Math.min(4, Math.max(2, availableParallelism()));
  }

  start(): void {
    this.#stopped = false;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#idle);
    const jobs = [...this.#running.values(), ...this.#waiting.splice(0)];
    this.#running.clear();
    this.#end();
    for (const job of jobs) {
      clearTimeout(job.timer);
      job.reject(new MediaProcessFailed('The server is stopping'));
    }
  }

  /** @throws MediaProcessFailed, ApiError 503 when no process can be started */
  inspect(path: string, size: number, name = ''): Promise<Inspected | NotShowable> {
    return this.#do({ do: 'inspect', path, size, name });
  }

  /** Checks an uploaded font. Errors are the same as for `inspect`. */
  checkFont(path: string, size: number): Promise<CheckedFont | NotShowable> {
    return this.#do({ do: 'font', path, size });
  }

  /** Returns a thumbnail. Errors are the same as for `inspect`. */
  shrink(bytes: Uint8Array, pixels?: number): Promise<Uint8Array | null> {
    return this.#do({ do: 'shrink', bytes, ...(pixels !== undefined && { pixels }) });
  }

  /** Returns the ids of the contents that a stored design shows on its first page; null when it cannot be read. */
  designMedia(path: string): Promise<readonly string[] | null> {
    return this.#do({ do: 'design-media', path });
  }

  /** Returns the thumbnail of a design; null when the document cannot be read. Errors are the same as for `inspect`. */
  drawDesign(drawing: DesignDrawing): Promise<Uint8Array | null> {
    return this.#do({ do: 'draw-design', drawing });
  }

  #do<T extends Task>(task: T): Promise<TaskResults[T['do']]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve: resolve as Job['resolve'], reject, crashes: 0 });
      this.#next();
    });
  }

  #next(): void {
    if (this.#stopped) return this.stop();
    while (this.#waiting.length > 0 && this.#running.size < this.#width) {
      // Tasks that were running when the process crashed are retried one by one.
      if (this.#waiting[0]!.crashes > 0 && this.#running.size > 0) return;
      if ([...this.#running.values()].some((job) => job.crashes > 0)) return;
      this.#give(this.#waiting.shift()!);
    }
    if (this.#running.size > 0 || !this.#worker) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
  }

  #give(job: Job): void {
    clearTimeout(this.#idle);
    let worker: MediaChild;
    try {
      worker = this.#worker ??= this.#begin();
    } catch (error) {
      job.reject(unavailable(error));
      return;
    }
    const id = this.#nextId++;
    this.#running.set(id, job);
    job.timer = setTimeout(() => worker.kill(), TASK_LIMIT_MS).unref();
    worker.post({ id, task: job.task });
  }

  #begin(): MediaChild {
    const worker = this.#launch(ENTRY);
    worker.onMessage((message) => this.#answered(message));
    worker.onEnd((failed) => {
      if (this.#worker === worker) this.#crashed(failed);
    });
    return worker;
  }

  #answered(message: ResultMessage): void {
    const job = this.#running.get(message.id);
    if (!job) return;
    this.#running.delete(message.id);
    clearTimeout(job.timer);
    if ('error' in message) job.reject(new MediaProcessFailed(message.error));
    else job.resolve(message.result);
    this.#next();
  }

  /** @param failed set when the process did not even start, so no file is to blame */
  #crashed(failed?: Error): void {
    this.#worker = undefined;
    const jobs = [...this.#running.values()];
    this.#running.clear();
    for (const job of jobs) {
      clearTimeout(job.timer);
      if (failed) job.reject(unavailable(failed));
      else if (++job.crashes > 1)
        job.reject(
          new MediaProcessFailed(
            `The file crashed its decoder, or takes more than ${MEMORY_LIMIT_MB} MB of memory to read`,
          ),
        );
      else this.#waiting.unshift(job);
    }
    this.#next();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.kill();
  }
}
