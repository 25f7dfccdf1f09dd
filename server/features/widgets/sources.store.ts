import type { Database } from '../../db/database.ts';
import { eq, lt } from '../../db/drizzle.ts';
import { feeds } from '../../db/schema.ts';

export interface StoredSource {
  /** Last fetched data; null when nothing was fetched yet. */
  readonly data: unknown;
  readonly etag: string | null;
  /** Time of the last successful fetch in epoch seconds; null if there was none. */
  readonly fetched_at: number | null;
  readonly tried_at: number;
  /** Error of the last try; null after a success. */
  readonly error: string | null;
}

/**
 * Last good answer of each feed, forecast and picture, so that the data survives restarts and weeks without a network.
 */
export class SourcesStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(key: string): StoredSource | undefined {
    return this.#db.orm.select().from(feeds).where(eq(feeds.url, key)).get();
  }

  /** Returns a source without its data, which may be large. */
  state(key: string): Omit<StoredSource, 'data' | 'etag'> | undefined {
    return this.#db.orm
      .select({ fetched_at: feeds.fetched_at, tried_at: feeds.tried_at, error: feeds.error })
      .from(feeds)
      .where(eq(feeds.url, key))
      .get();
  }

  saveGood(key: string, at: number, { data, etag }: { data: unknown; etag: string | null }): void {
    const row = { data, etag, fetched_at: at, tried_at: at, error: null };
    this.#db.orm
      .insert(feeds)
      .values({ url: key, ...row })
      .onConflictDoUpdate({ target: feeds.url, set: row })
      .run();
  }

  /** Saves that the source has not changed. */
  saveSame(key: string, at: number): void {
    this.#db.orm.update(feeds).set({ fetched_at: at, tried_at: at, error: null }).where(eq(feeds.url, key)).run();
  }

  saveFailed(key: string, at: number, error: string): void {
    const row = { tried_at: at, error };
    this.#db.orm
      .insert(feeds)
      .values({ url: key, ...row })
      .onConflictDoUpdate({ target: feeds.url, set: row })
      .run();
  }

  /** Deletes sources whose last fetch was tried before this time, because no page has needed them since. */
  deleteUntouched(before: number): number {
    return this.#db.orm.delete(feeds).where(lt(feeds.tried_at, before)).run().changes;
  }
}
