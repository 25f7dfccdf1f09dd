import { NAMED_BY_CONTENT } from '../db/content-files.ts';
import type { Database } from '../db/database.ts';

/** Database rows of stored files, and which of the files are referenced. */
export class BlobsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  exists(sha256: string): boolean {
    return this.#db.raw.prepare('SELECT 1 FROM blobs WHERE sha256 = ?').get(sha256) !== undefined;
  }

  unreferenced(): string[] {
    return this.#db.raw
      .prepare(
        `SELECT sha256 FROM blobs b
         WHERE NOT (${NAMED_BY_CONTENT})
           AND NOT EXISTS (SELECT 1 FROM bin_files WHERE sha256 = b.sha256)
           AND NOT EXISTS (SELECT 1 FROM chain_files WHERE sha256 = b.sha256) AND NOT EXISTS (SELECT 1 FROM hq_blobs WHERE sha256 = b.sha256)`,
      )
      .pluck()
      .all() as string[];
  }

  /** Deletes the rows of the given hashes that nothing refers to. Returns the deleted hashes. */
  deleteUnreferenced(hashes: readonly string[]): string[] {
    const still = new Set(this.unreferenced());
    const doomed = hashes.filter((sha256) => still.has(sha256));
    const remove = this.#db.raw.prepare('DELETE FROM blobs WHERE sha256 = ?');
    for (const sha256 of doomed) remove.run(sha256);
    return doomed;
  }
}
