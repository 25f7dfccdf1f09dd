/** Runs the thread that reads feeds. */
import { pathOf } from '../../kernel/place.ts';
import { ThreadPool } from '../../kernel/threads/thread-pool.ts';
import type { FeedFile, FeedReading } from './feed-reader.ts';

const ENTRY = pathOf('server/features/widgets/feed.worker');

export class FeedThread {
  readonly #pool = new ThreadPool<FeedFile, FeedReading>({
    entry: ENTRY,
    worker: { resourceLimits: { maxOldGenerationSizeMb: 128 } },
    idleMs: 5_000,
    limit: { ms: 10_000, error: () => new Error('The feed takes too long to read') },
  });

  /** @throws Error when the file is not a feed, ApiError 503 when no thread can start */
  read(file: FeedFile): Promise<FeedReading> {
    return this.#pool.run(file);
  }

  /** Ends the thread. Pending reads fail. */
  end(): void {
    void this.#pool.end(new Error('The server is stopping'));
  }
}
