import type { Database } from '../../db/database.ts';
import { and, asc, count, eq, gt, inArray, isNull, or } from '../../db/drizzle.ts';
import { tokens, users, workspaces } from '../../db/schema.ts';

const columns = {
  id: tokens.id,
  prefix: tokens.prefix,
  name: tokens.name,
  scope: tokens.scope,
  workspace_id: tokens.workspace_id,
  user_id: tokens.user_id,
  user_name: users.name,
  created_at: tokens.created_at,
  last_used_at: tokens.last_used_at,
  expires_at: tokens.expires_at,
  revoked_at: tokens.revoked_at,
};

export class TokensStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(workspaceId: string) {
    return this.#select()
      .where(eq(tokens.workspace_id, workspaceId))
      .orderBy(asc(tokens.created_at), asc(tokens.id))
      .all();
  }

  find(workspaceId: string, id: string) {
    return this.#select()
      .where(and(eq(tokens.id, id), eq(tokens.workspace_id, workspaceId)))
      .get();
  }

  /** Returns the valid tokens of a user, in the workspaces of one organization or in all organizations. */
  listLiveOf(userId: string, within: string | null, now: number): { id: string; workspace_id: string; name: string }[] {
    const there =
      within === null
        ? undefined
        : inArray(
            tokens.workspace_id,
            this.#db.orm.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.organization_id, within)),
          );
    return this.#db.orm
      .select({ id: tokens.id, workspace_id: tokens.workspace_id, name: tokens.name })
      .from(tokens)
      .where(
        and(
          eq(tokens.user_id, userId),
          isNull(tokens.revoked_at),
          or(isNull(tokens.expires_at), gt(tokens.expires_at, now)),
          there,
        ),
      )
      .all();
  }

  countLive(workspaceId: string): number {
    return this.#db.orm
      .select({ n: count() })
      .from(tokens)
      .where(and(eq(tokens.workspace_id, workspaceId), isNull(tokens.revoked_at)))
      .get()!.n;
  }

  insert(row: typeof tokens.$inferInsert): void {
    this.#db.orm.insert(tokens).values(row).run();
  }

  revoke(id: string, now: number): void {
    this.#db.orm.update(tokens).set({ revoked_at: now }).where(eq(tokens.id, id)).run();
  }

  #select() {
    return this.#db.orm.select(columns).from(tokens).innerJoin(users, eq(users.id, tokens.user_id)).$dynamic();
  }
}
