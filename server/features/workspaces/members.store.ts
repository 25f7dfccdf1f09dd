import type { Database } from '../../db/database.ts';
import { and, asc, eq, isNull } from '../../db/drizzle.ts';
import { tokens, users, workspaceMembers } from '../../db/schema.ts';
import type { WorkspaceRole } from '../../kernel/actor.ts';

const columns = {
  user_id: workspaceMembers.user_id,
  email: users.email,
  name: users.name,
  role: workspaceMembers.role,
  created_at: workspaceMembers.created_at,
};

export class MembersStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(workspaceId: string) {
    return this.#select()
      .where(eq(workspaceMembers.workspace_id, workspaceId))
      .orderBy(asc(workspaceMembers.created_at), asc(workspaceMembers.user_id))
      .all();
  }

  find(workspaceId: string, userId: string) {
    return this.#select().where(this.#one(workspaceId, userId)).get();
  }

  findByEmail(workspaceId: string, email: string) {
    return this.#select()
      .where(and(eq(workspaceMembers.workspace_id, workspaceId), eq(users.email, email)))
      .get();
  }

  insert(row: typeof workspaceMembers.$inferInsert): void {
    this.#db.orm.insert(workspaceMembers).values(row).run();
  }

  setRole(workspaceId: string, userId: string, role: WorkspaceRole): void {
    this.#db.orm.update(workspaceMembers).set({ role }).where(this.#one(workspaceId, userId)).run();
  }

  delete(workspaceId: string, userId: string): void {
    this.#db.orm.delete(workspaceMembers).where(this.#one(workspaceId, userId)).run();
  }

  revokeTokens(workspaceId: string, userId: string, now: number): void {
    this.#db.orm
      .update(tokens)
      .set({ revoked_at: now })
      .where(and(eq(tokens.user_id, userId), eq(tokens.workspace_id, workspaceId), isNull(tokens.revoked_at)))
      .run();
  }

  #select() {
    return this.#db.orm
      .select(columns)
      .from(workspaceMembers)
      .innerJoin(users, eq(users.id, workspaceMembers.user_id))
      .$dynamic();
  }

  #one(workspaceId: string, userId: string) {
    return and(eq(workspaceMembers.workspace_id, workspaceId), eq(workspaceMembers.user_id, userId));
  }
}
