import type { Database } from '../../db/database.ts';
import { and, asc, eq, gt, lte, type SQL, sql } from '../../db/drizzle.ts';
import { invites } from '../../db/schema.ts';

export type InviteRow = typeof invites.$inferSelect;

/**
 * Excludes invites by visitors from headquarters, which earlier versions allowed: an account that accepts such an
 * invite would outlive the visit.
 */
const BY_THE_STORE =
  "NOT EXISTS (SELECT 1 FROM users u WHERE u.id = invites.invited_by AND u.auth_provider = 'headquarters')";
const byTheStore = (): SQL => sql.raw(BY_THE_STORE);

export class InvitesStore {
  readonly #db: Database;
  readonly #countPending;

  constructor(db: Database) {
    this.#db = db;
    this.#countPending = db.raw
      .prepare(
        `SELECT count(*) FROM invites WHERE workspace_id = @workspaceId AND expires_at > @now AND ${BY_THE_STORE}`,
      )
      .pluck();
  }

  listPending(workspaceId: string, now: number): InviteRow[] {
    return this.#db.orm
      .select()
      .from(invites)
      .where(and(eq(invites.workspace_id, workspaceId), gt(invites.expires_at, now), byTheStore()))
      .orderBy(asc(invites.created_at), sql`rowid`)
      .all();
  }

  find(id: string): InviteRow | undefined {
    return this.#db.orm
      .select()
      .from(invites)
      .where(and(eq(invites.id, id), byTheStore()))
      .get();
  }

  /** Returns the invites of an address in all workspaces, oldest first. */
  listFor(email: string, now: number): InviteRow[] {
    return this.#db.orm
      .select()
      .from(invites)
      .where(and(eq(invites.email, email), gt(invites.expires_at, now), byTheStore()))
      .orderBy(asc(invites.created_at), sql`rowid`)
      .all();
  }

  countPending(workspaceId: string, now: number): number {
    return this.#countPending.get({ workspaceId, now }) as number;
  }

  insert(row: InviteRow): void {
    this.#db.orm.insert(invites).values(row).run();
  }

  delete(id: string): void {
    this.#db.orm.delete(invites).where(eq(invites.id, id)).run();
  }

  deleteBy(userId: string): void {
    this.#db.orm.delete(invites).where(eq(invites.invited_by, userId)).run();
  }

  deleteFor(workspaceId: string, email: string): void {
    this.#db.orm
      .delete(invites)
      .where(and(eq(invites.workspace_id, workspaceId), eq(invites.email, email)))
      .run();
  }

  deleteExpiredBefore(time: number): void {
    this.#db.orm.delete(invites).where(lte(invites.expires_at, time)).run();
  }
}
