/** The server's end of the threads that describe exports (export.worker.ts): one at a time, since each holds a whole workspace in memory. */
import { Worker } from 'node:worker_threads';
import { ApiError, tooMany } from '../../../shared/contract/errors.ts';

const ENTRY = new URL('./export.worker.ts', import.meta.url);
/** A workspace at every limit takes some seconds. */
const LIMIT_MS = 60_000;
/** Exports that wait for their turn: who comes after so many is better off trying again. */
const MAX_WAITING = 8;
const OLD_GENERATION_MB = 768;

export interface DescriptionTask {
  /** Of the database. */
  readonly file: string;
  readonly workspaceId: string;
  readonly madeBy: string;
  /** ISO 8601. */
  readonly madeAt: string;
}

export interface Description {
  /** The manifest, as JSON. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** SHA-256 of each medium, and its name in the ZIP. */
  readonly files: readonly (readonly [sha256: string, name: string])[];
  readonly contents: number;
}

export class ExportThreads {
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @throws ApiError 429 when too many wait already, 503 when it takes too long or too much memory */
  async describe(task: DescriptionTask): Promise<Description> {
    if (this.#waiting >= MAX_WAITING) throw tooMany(10, 'The server is busy with other exports');
    this.#waiting++;
    const describing = this.#turn.then(() => describe(task));
    this.#turn = describing.catch(() => {});
    try {
      return await describing;
    } finally {
      this.#waiting--;
    }
  }
}

const describe = (task: DescriptionTask): Promise<Description> =>
  new Promise((done, failed) => {
    const worker = new Worker(ENTRY, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MB } });
    // A server that stops does not wait for it.
    worker.unref();
    const limit = setTimeout(() => void worker.terminate(), LIMIT_MS).unref();
    worker.once('message', done);
    worker.once('error', (error: Error & { code?: string }) => failed(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error));
    worker.once('exit', () => {
      clearTimeout(limit);
      failed(tooLarge());
    });
  });

const tooLarge = () => new ApiError(503, 'This workspace takes too long or too much memory to be exported. Try again when the server is less busy.', { retryAfter: 60 });
