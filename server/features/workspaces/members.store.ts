import type { Member } from '../../../shared/contract/people/workspaces.ts';
import type { Database } from '../../db/database.ts';
import { and, asc, eq, isNull } from '../../db/drizzle.ts';
import { folders, groups, tokens, users, workspaceMembers } from '../../db/schema.ts';

const columns = {
  user_id: workspaceMembers.user_id,
  email: users.email,
  name: users.name,
  role: workspaceMembers.role,
  created_at: workspaceMembers.created_at,
  duty: workspaceMembers.duty,
  folder_ids: workspaceMembers.folder_ids,
  group_ids: workspaceMembers.group_ids,
  approves: workspaceMembers.approves,
  regions: workspaceMembers.regions,
};

const toMember = <T extends { readonly approves: number }>({ approves, ...row }: T) => ({
  ...row,
  approves: approves === 1,
});

export class MembersStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(workspaceId: string): Member[] {
    return this.#select()
      .where(eq(workspaceMembers.workspace_id, workspaceId))
      .orderBy(asc(workspaceMembers.created_at), asc(workspaceMembers.user_id))
      .all()
      .map(toMember);
  }

  find(workspaceId: string, userId: string): Member | undefined {
    const row = this.#select().where(this.#one(workspaceId, userId)).get();
    return row && toMember(row);
  }

  findByEmail(workspaceId: string, email: string): Member | undefined {
    const row = this.#select()
      .where(and(eq(workspaceMembers.workspace_id, workspaceId), eq(users.email, email)))
      .get();
    return row && toMember(row);
  }

  insert(row: typeof workspaceMembers.$inferInsert): void {
    this.#db.orm.insert(workspaceMembers).values(row).run();
  }

  update(workspaceId: string, userId: string, change: Partial<typeof workspaceMembers.$inferInsert>): void {
    this.#db.orm.update(workspaceMembers).set(change).where(this.#one(workspaceId, userId)).run();
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

  /** Returns whether the folder or group is in the workspace. */
  has(what: 'folder' | 'group', workspaceId: string, id: string): boolean {
    const table = what === 'folder' ? folders : groups;
    const found = this.#db.orm
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.id, id), eq(table.workspace_id, workspaceId)))
      .get();
    return found !== undefined;
  }

  /**
   * Removes folders or groups from the rights of members. A list that becomes empty stays a list, and allows nothing.
   * @returns whether any row changed
   */
  forget(column: 'folder_ids' | 'group_ids', workspaceId: string, ids: readonly string[]): boolean {
    const gone = '(SELECT value FROM json_each(@ids))';
    const { changes } = this.#db.raw
      .prepare(
        `UPDATE workspace_members SET ${column} =
           (SELECT json_group_array(value) FROM (SELECT value FROM json_each(${column}) WHERE value NOT IN ${gone} ORDER BY key))
         WHERE workspace_id = @workspaceId AND EXISTS (SELECT 1 FROM json_each(${column}) WHERE value IN ${gone})`,
      )
      .run({ workspaceId, ids: JSON.stringify(ids) });
    return changes > 0;
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
