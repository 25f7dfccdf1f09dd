import type { Database } from '../../db/database.ts';
import { putSetting, readSetting } from '../../db/settings-rows.ts';

/** Name of the setting that records which database has the plays. */
export const PLAYS_IN = 'chain_plays_in';

/**
 * Records in which database the plays of this headquarters are stored. The setting is in headquarters' own database, so
 * that its backups contain it.
 */
export class WarehouseHomeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Id of the PostgreSQL database that has the plays; undefined: headquarters' own database has them. */
  get database(): string | undefined {
    const id = readSetting(this.#db.raw, PLAYS_IN);
    return typeof id === 'string' ? id : undefined;
  }

  /** Records the move to a PostgreSQL database. Resolves when the setting is on the disk. */
  async moveTo(database: string): Promise<void> {
    if (this.database === database) return;
    this.#db.write(() => putSetting(this.#db.raw, PLAYS_IN, database));
    await this.#db.durable();
  }

  /** Whether headquarters' own database has plays of any store. */
  get hasPlays(): boolean {
    return this.#db.raw.prepare('SELECT 1 FROM hq_cursors LIMIT 1').get() !== undefined;
  }
}
