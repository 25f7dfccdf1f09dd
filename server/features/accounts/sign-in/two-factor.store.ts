import type { Database } from '../../../db/database.ts';
import { and, count, eq, isNull } from '../../../db/drizzle.ts';
import { recoveryCodes } from '../../../db/schema.ts';

export class TwoFactorStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  countUnused(userId: string): number {
    return this.#db.orm
      .select({ n: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.user_id, userId), isNull(recoveryCodes.used_at)))
      .get()!.n;
  }

  /** Returns true when the code existed and was unused. */
  use(userId: string, hash: string, now: number): boolean {
    const { changes } = this.#db.orm
      .update(recoveryCodes)
      .set({ used_at: now })
      .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.user_id, userId), isNull(recoveryCodes.used_at)))
      .run();
    return changes === 1;
  }

  replace(userId: string, hashes: readonly string[]): void {
    this.#db.orm.delete(recoveryCodes).where(eq(recoveryCodes.user_id, userId)).run();
    if (hashes.length > 0)
      this.#db.orm
        .insert(recoveryCodes)
        .values(hashes.map((hash) => ({ hash, user_id: userId })))
        .run();
  }
}
