import type { Database } from '../../db/database.ts';
import { eq } from '../../db/drizzle.ts';
import { settings } from '../../db/schema.ts';

export class SettingsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(key: string): unknown {
    return this.#db.orm.select().from(settings).where(eq(settings.key, key)).get()?.value;
  }

  put(key: string, value: unknown): void {
    this.#db.orm
      .insert(settings)
      .values({ key, value })
      .onConflictDoUpdate({ target: settings.key, set: { value } })
      .run();
  }
}
