import type { Database } from '../../../db/database.ts';
import { and, eq, lte } from '../../../db/drizzle.ts';
import { identities, usedIdTokens } from '../../../db/schema.ts';

/** Stores the user ids (subjects) of accounts at sign-in providers, and used tokens of the providers. */
export class IdentitiesStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  subject(userId: string, issuer: string): string | undefined {
    return this.#db.orm
      .select({ subject: identities.subject })
      .from(identities)
      .where(and(eq(identities.user_id, userId), eq(identities.issuer, issuer)))
      .get()?.subject;
  }

  insert(row: typeof identities.$inferInsert): void {
    this.#db.orm.insert(identities).values(row).run();
  }

  /** Returns the number of deleted identities. */
  deleteOf(userId: string): number {
    return this.#db.orm.delete(identities).where(eq(identities.user_id, userId)).run().changes;
  }

  /** Stores a token as used. Returns false when the token was already used. */
  consumeToken(hash: string, expiresAt: number): boolean {
    return (
      this.#db.orm.insert(usedIdTokens).values({ hash, expires_at: expiresAt }).onConflictDoNothing().run().changes ===
      1
    );
  }

  forgetExpired(now: number): void {
    this.#db.orm.delete(usedIdTokens).where(lte(usedIdTokens.expires_at, now)).run();
  }
}
