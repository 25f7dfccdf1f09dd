import type { Database } from '../../db/database.ts';
import { putSetting, readSetting } from '../../db/settings-rows.ts';

export class SettingsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(key: string): unknown {
    return readSetting(this.#db.raw, key);
  }

  put(key: string, value: unknown): void {
    putSetting(this.#db.raw, key, value);
  }
}
