/** The server's end of the thread that reads feeds: started when there is one to read, ended when idle or stuck. */
import type { Worker } from 'node:worker_threads';
import { pathOf } from '../../kernel/place.ts';
import { startThread, threadError } from '../../kernel/starting.ts';
import type { Feed } from './feed-reader.ts';

const ENTRY = pathOf('server/features/widgets/feed.worker');
/** A feed that takes longer is made to. */
const LIMIT_MS = 10_000;
/** Then its memory goes back to the machine. */
const IDLE_MS = 5_000;

interface Job {
  readonly resolve: (feed: Feed) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class FeedThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;
  readonly #jobs = new Map<number, Job>();

  /** @throws Error when it is no feed, ApiError 503 when the machine starts no thread */
  async read(source: string): Promise<Feed> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#begin());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(new Error('The feed takes too long to read')), LIMIT_MS).unref();
      this.#jobs.set(id, { resolve, reject, timer });
      worker.postMessage({ id, source });
    });
  }

  /** What is being read fails. */
  end(reason = new Error('The server is stopping')): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    for (const job of this.#jobs.values()) {
      clearTimeout(job.timer);
      job.reject(reason);
    }
    this.#jobs.clear();
  }

  #begin(): Worker {
    const worker = startThread(ENTRY, { resourceLimits: { maxOldGenerationSizeMb: 128 } });
    worker.unref();
    worker.on('message', ({ id, feed, error }: { id: number; feed?: Feed; error?: string }) => {
      const job = this.#jobs.get(id);
      if (!job) return;
      this.#jobs.delete(id);
      clearTimeout(job.timer);
      if (feed) job.resolve(feed);
      else job.reject(new Error(`This is no feed (${error})`));
      if (this.#jobs.size === 0) this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    });
    worker.on('error', (error) => {
      if (this.#worker === worker) this.end(threadError(error));
    });
    return worker;
  }
}
