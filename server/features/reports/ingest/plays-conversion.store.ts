import type { Statement } from 'better-sqlite3';
import type { Database } from '../../../db/database.ts';
import type { JournalPlay } from '../proof/proof.store.ts';
import type { Turn } from './play-numbers.ts';

/** A row in the format of older versions. */
interface OldPlay extends JournalPlay, Turn {
  readonly workspace_id: string;
  readonly device_id: string;
}

/** Plays that are still in the format of older versions. */
export class OldPlaysStore {
  readonly #oldest: Statement<[limit: number], OldPlay>;
  readonly #delete: Statement<[through: number]>;

  constructor(db: Database) {
    this.#oldest = db.raw.prepare('SELECT * FROM old_plays ORDER BY id LIMIT ?');
    this.#delete = db.raw.prepare('DELETE FROM old_plays WHERE id <= ?');
  }

  oldest(limit: number): OldPlay[] {
    return this.#oldest.all(limit);
  }

  deleteThrough(id: number): void {
    this.#delete.run(id);
  }
}
