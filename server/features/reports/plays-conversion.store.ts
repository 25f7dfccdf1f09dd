import type { Statement } from 'better-sqlite3';
import type { Database } from '../../db/database.ts';
import type { Turn } from './play-numbers.ts';
import type { JournalPlay } from './proof.store.ts';

/** A row as older versions kept it. */
interface OldPlay extends JournalPlay, Turn {
  readonly workspace_id: string;
  readonly device_id: string;
}

/** What is left of the plays as older versions kept them. */
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
