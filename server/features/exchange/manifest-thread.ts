/**
 * The server's end of the threads that read exports (manifest.worker.ts). Reading takes memory and seconds, so that one is read at a
 * time; what was read waits in its thread, and comes in pieces that take a millisecond each.
 */
import type { Worker } from 'node:worker_threads';
import { ApiError } from '../../../shared/contract/errors.ts';
import { pathOf } from '../../kernel/place.ts';
import { startThread, threadError } from '../../kernel/starting.ts';
import { Turns } from '../../kernel/turns.ts';
import type { Step, Summary } from './exchange-format.ts';

const ENTRY = pathOf('server/features/exchange/manifest.worker');
/** An export at every limit takes 10 s of a small computer. */
const READING_LIMIT_MS = 60_000;
/** 60 MB of playlists become 400 MB while they are read. */
const OLD_GENERATION_MB = 768;

export interface ManifestTask {
  readonly path: string;
  /** Of one file of the ZIP. */
  readonly maxFileBytes: number;
}
/** `chunk`: steps as JSON; null: that was all. */
export type ManifestMessage =
  | { readonly summary: Summary }
  | { readonly chunk: string | null }
  | { readonly refused: { readonly status: number; readonly message: string } }
  | { readonly failed: string };

/** An export that was read; close it. */
export interface Manifest {
  readonly summary: Summary;
  /** Once, in order. */
  steps(): AsyncGenerator<Step>;
  close(): Promise<void>;
}

export class ManifestThreads {
  readonly #turns = new Turns('The server is reading other exports');

  /** @throws ApiError 413, 415, 503 when the machine starts no thread, 429 when too many wait already; the signal's reason */
  read(task: ManifestTask, signal: AbortSignal): Promise<Manifest> {
    return this.#turns.take(() => {
      signal.throwIfAborted();
      return begin(task, signal);
    });
  }
}

const begin = async (task: ManifestTask, signal: AbortSignal): Promise<Manifest> => {
  const worker = startThread(ENTRY, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MB } });
  const ask = answersOf(worker, signal);
  const close = async () => void (await worker.terminate());
  const limit = setTimeout(() => ask.fail(new ApiError(413, 'This export takes too long to read. Nothing was changed.')), READING_LIMIT_MS);
  try {
    const answer = await ask.next();
    if ('refused' in answer) throw new ApiError(answer.refused.status, answer.refused.message);
    if (!('summary' in answer)) throw new Error('failed' in answer ? answer.failed : 'The export’s thread answered what it was not asked');
    return { summary: answer.summary, close, steps: () => stepsFrom(worker, ask) };
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(limit);
  }
};

async function* stepsFrom(worker: Worker, ask: Answers): AsyncGenerator<Step> {
  for (;;) {
    worker.postMessage('next');
    const answer = await ask.next();
    if (!('chunk' in answer)) throw new Error('The export’s thread answered what it was not asked');
    if (answer.chunk === null) return;
    yield* JSON.parse(answer.chunk) as Step[];
  }
}

interface Answers {
  /** One at a time. */
  next(): Promise<ManifestMessage>;
  /** What is waited for now, and from now on, fails. */
  fail(error: unknown): void;
}

const answersOf = (worker: Worker, signal: AbortSignal): Answers => {
  let waiting: PromiseWithResolvers<ManifestMessage> | undefined;
  let failed: { readonly error: unknown } | undefined;
  const fail = (error: unknown) => {
    failed ??= { error };
    waiting?.reject(failed.error);
  };
  worker.on('message', (message: ManifestMessage) => waiting?.resolve(message));
  worker.on('error', (error: Error & { code?: string }) =>
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ApiError(413, 'This export takes more memory than an import may have. Nothing was changed.') : threadError(error)),
  );
  worker.on('exit', () => fail(new Error('The export’s thread ended')));
  signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  return {
    fail,
    next: () => {
      if (failed) return Promise.reject(failed.error);
      waiting = Promise.withResolvers();
      return waiting.promise;
    },
  };
};
