/**
 * Runs the threads that read exports (manifest.worker.ts). Reading takes memory and seconds, so one export is read at a
 * time. The steps stay in the thread, and come in pieces that take a millisecond each.
 */
import { ApiError } from '../../../shared/contract/errors.ts';
import { pathOf } from '../../kernel/place.ts';
import { ThreadPool } from '../../kernel/threads/thread-pool.ts';
import { Turns } from '../../kernel/threads/turns.ts';
import type { Step, Summary } from './exchange-format.ts';

const ENTRY = pathOf('server/features/exchange/manifest.worker');
/** Time limit in milliseconds. An export at every limit takes 10 s on a small computer. */
const READING_LIMIT_MS = 60_000;
/** Maximum size of the heap. 60 MB of playlists become 400 MB while they are read. */
const OLD_GENERATION_MB = 768;

interface ManifestFile {
  readonly path: string;
  /** Maximum size in bytes of one file of the ZIP. */
  readonly maxFileBytes: number;
}
/** Message to the thread: first the export to read, then one request for each chunk of steps. */
export type ManifestTask = ManifestFile | 'next';
/** Answer of the thread: first the summary, then chunks of steps as JSON, and null after the last chunk. */
export type ManifestAnswer = Summary | string | null;

/** An export that was read. The caller must close it. */
export interface Manifest {
  readonly summary: Summary;
  /** Yields each step once, in order. */
  steps(): AsyncGenerator<Step>;
  close(): Promise<void>;
}

export class ManifestThreads {
  readonly #turns = new Turns('The server is reading other exports');

  /**
   * @throws ApiError 413, 415, 503 when no thread can start, 429 when too many exports wait; or the reason of the
   * signal
   */
  read(file: ManifestFile, signal: AbortSignal): Promise<Manifest> {
    return this.#turns.run(() => {
      signal.throwIfAborted();
      return begin(file, signal);
    });
  }
}

const begin = async (file: ManifestFile, signal: AbortSignal): Promise<Manifest> => {
  // Starts a thread for this export, because a thread keeps the steps of its export.
  const pool = new ThreadPool<ManifestTask, ManifestAnswer>({
    entry: ENTRY,
    worker: { resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MB } },
    limit: {
      ms: READING_LIMIT_MS,
      error: () => new ApiError(413, 'This export takes too long to read. Nothing was changed.'),
    },
    outOfMemory: () => new ApiError(413, 'This export needs more memory than an import may use. Nothing was changed.'),
  });
  const abort = () => void pool.end(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const close = () => {
    signal.removeEventListener('abort', abort);
    return pool.end(new Error('The export was closed'));
  };
  try {
    return { summary: (await pool.run(file)) as Summary, close, steps: () => stepsFrom(pool, signal) };
  } catch (error) {
    await close();
    throw error;
  }
};

async function* stepsFrom(pool: ThreadPool<ManifestTask, ManifestAnswer>, signal: AbortSignal): AsyncGenerator<Step> {
  for (;;) {
    signal.throwIfAborted();
    const chunk = (await pool.run('next')) as string | null;
    if (chunk === null) return;
    yield* JSON.parse(chunk) as Step[];
  }
}
