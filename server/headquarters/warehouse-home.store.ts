import type { Database } from '../db/database.ts';
import { putSetting, readSetting } from '../db/settings-rows.ts';

const KEY = 'chain_plays_in';

/** Where the plays of this headquarters are. Said in its own database, so that a backup of that says it, too. */
export class WarehouseHomeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The database in PostgreSQL, by its own id; undefined: they are here. */
  get database(): string | undefined {
    const id = readSetting(this.#db.raw, KEY);
    return typeof id === 'string' ? id : undefined;
  }

  /** On the disk when it resolves. */
  async moveTo(database: string): Promise<void> {
    if (this.database === database) return;
    this.#db.write(() => putSetting(this.#db.raw, KEY, database));
    await this.#db.durable();
  }

  /** Plays of some store were taken here. */
  get hasPlays(): boolean {
    return this.#db.raw.prepare('SELECT 1 FROM hq_cursors LIMIT 1').get() !== undefined;
  }
}
