/**
 * Runs the thread that writes manifests of exports (export.worker.ts). Only one thread runs at a time, because it holds
 * a whole workspace in memory.
 */
import { ApiError } from '../../../shared/contract/errors.ts';
import { pathOf } from '../../kernel/place.ts';
import { ThreadPool } from '../../kernel/threads/thread-pool.ts';
import { Turns } from '../../kernel/threads/turns.ts';

const ENTRY = pathOf('server/features/exchange/export.worker');
/** Time limit in milliseconds. A workspace at every limit takes some seconds. */
const LIMIT_MS = 60_000;
const OLD_GENERATION_MB = 768;

export interface DescriptionTask {
  /** Path of the database file. */
  readonly file: string;
  readonly workspaceId: string;
  readonly madeBy: string;
  /** Time of the export in ISO 8601 format. */
  readonly madeAt: string;
}

export interface Description {
  /** The manifest, as JSON. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** SHA-256 of each media file, and its name in the ZIP. */
  readonly files: readonly (readonly [sha256: string, name: string])[];
  readonly contents: number;
}

export class ExportThreads {
  readonly #turns = new Turns('The server is busy with other exports');
  readonly #pool = new ThreadPool<DescriptionTask, Description>({
    entry: ENTRY,
    worker: { resourceLimits: { maxOldGenerationSizeMb: OLD_GENERATION_MB } },
    idleMs: 0,
    limit: { ms: LIMIT_MS, error: tooLarge },
    outOfMemory: tooLarge,
  });

  /** @throws ApiError 429 when too many exports wait, 503 when it takes too long or too much memory */
  describe(task: DescriptionTask): Promise<Description> {
    return this.#turns.run(() => this.#pool.run(task));
  }
}

const tooLarge = () =>
  new ApiError(
    503,
    'The export of this workspace needs too much time or memory. Try again when the server is less busy.',
    { retryAfter: 60 },
  );
