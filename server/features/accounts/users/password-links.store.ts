import type { Database } from '../../../db/database.ts';
import { eq } from '../../../db/drizzle.ts';
import { passwordLinks } from '../../../db/schema.ts';

export type PasswordLinkRow = typeof passwordLinks.$inferSelect;

/** At most one link per user. Links are deleted when the password changes (UsersStore.update). */
export class PasswordLinksStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(hash: string): PasswordLinkRow | undefined {
    return this.#db.orm.select().from(passwordLinks).where(eq(passwordLinks.hash, hash)).get();
  }

  /** Replaces the previous link. */
  replace(row: typeof passwordLinks.$inferInsert): void {
    this.#db.orm.delete(passwordLinks).where(eq(passwordLinks.user_id, row.user_id)).run();
    this.#db.orm.insert(passwordLinks).values(row).run();
  }
}
