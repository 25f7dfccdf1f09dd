import type { Database } from '../../../db/database.ts';
import { and, eq, lte, ne } from '../../../db/drizzle.ts';
import { sessions } from '../../../db/schema.ts';

type SessionInsert = typeof sessions.$inferInsert;

export class SessionsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(hash: string): typeof sessions.$inferSelect | undefined {
    return this.#db.orm.select().from(sessions).where(eq(sessions.hash, hash)).get();
  }

  insert(row: SessionInsert): void {
    this.#db.orm.insert(sessions).values(row).run();
  }

  delete(hash: string): void {
    this.#db.orm.delete(sessions).where(eq(sessions.hash, hash)).run();
  }

  /** Deletes all sessions of a user except `keep`. */
  deleteOf(userId: string, keep?: string): void {
    const mine = eq(sessions.user_id, userId);
    this.#db.orm
      .delete(sessions)
      .where(keep === undefined ? mine : and(mine, ne(sessions.hash, keep)))
      .run();
  }

  deleteExpired(now: number): void {
    this.#db.orm.delete(sessions).where(lte(sessions.expires_at, now)).run();
  }
}
