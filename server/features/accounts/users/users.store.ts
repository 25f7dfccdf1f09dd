import { emailAddress } from '../../../../shared/contract/people/email.ts';
import type { Database } from '../../../db/database.ts';
import { and, asc, eq, isNull, sql } from '../../../db/drizzle.ts';
import { emailTokens, passwordLinks, users } from '../../../db/schema.ts';

export type UserRow = typeof users.$inferSelect;
export type UserChange = Partial<Omit<typeof users.$inferInsert, 'id'>>;
/**
 * A user with the number of direct memberships. If there is exactly one, the names of its workspace and organization
 * are set.
 */
export interface ListedUserRow {
  readonly row: UserRow;
  readonly workspace_count: number;
  readonly workspace_id: string | null;
  readonly workspace_name: string | null;
  readonly organization_name: string | null;
}

/** Selects the people of an organization: people with a role in the organization, and members of its workspaces. */
const ORGANIZATION_PEOPLE = `
  SELECT organization_id, user_id FROM organization_members
  UNION
  SELECT w.organization_id, m.user_id FROM workspace_members m JOIN workspaces w ON w.id = m.workspace_id`;

export class UsersStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  any(): boolean {
    return this.#db.orm.select({ id: users.id }).from(users).limit(1).get() !== undefined;
  }

  find(id: string): UserRow | undefined {
    return this.#db.orm.select().from(users).where(eq(users.id, id)).get();
  }

  /** @param email lower case, in any spelling; old accounts may have a spelling that is no longer allowed */
  findByEmail(email: string): UserRow | undefined {
    return this.#withEmail(email) ?? this.#withEmail(emailAddress(email) ?? email);
  }

  #withEmail(email: string): UserRow | undefined {
    return this.#db.orm.select().from(users).where(eq(users.email, email)).get();
  }

  insert(row: typeof users.$inferInsert): UserRow {
    return this.#db.orm.insert(users).values(row).returning().get();
  }

  /** Updates a user. A new password deletes the password link. */
  update(id: string, change: UserChange): UserRow {
    if (change.password_hash !== undefined)
      this.#db.orm.delete(passwordLinks).where(eq(passwordLinks.user_id, id)).run();
    return this.#db.orm.update(users).set(change).where(eq(users.id, id)).returning().get();
  }

  /** Deletes the user with the user's sessions, tokens, memberships and codes. */
  delete(id: string): void {
    this.#db.orm.delete(users).where(eq(users.id, id)).run();
  }

  list(): ListedUserRow[] {
    const one = (column: string) =>
      sql<
        string | null
      >`(SELECT ${sql.raw(column)} FROM workspace_members m JOIN workspaces w ON w.id = m.workspace_id JOIN organizations o ON o.id = w.organization_id WHERE m.user_id = users.id LIMIT 1)`;
    return this.#db.orm
      .select({
        row: users,
        workspace_count: sql<number>`(SELECT count(*) FROM workspace_members m WHERE m.user_id = users.id)`,
        workspace_id: one('w.id'),
        workspace_name: one('w.name'),
        organization_name: one('o.name'),
      })
      .from(users)
      .orderBy(asc(users.created_at), asc(users.id))
      .all();
  }

  /**
   * Returns the user and the people of the organizations that the user administers, as a whole or in one of their
   * workspaces.
   * @param within limits this to one organization; null means all
   */
  listTeams(userId: string, within: string | null): UserRow[] {
    return this.#db.orm
      .select()
      .from(users)
      .where(
        sql`users.id = ${userId} OR users.id IN (
          SELECT p.user_id FROM (${sql.raw(ORGANIZATION_PEOPLE)}) p WHERE (${within} IS NULL OR p.organization_id = ${within}) AND p.organization_id IN (
            SELECT organization_id FROM organization_members WHERE user_id = ${userId}
            UNION
            SELECT w.organization_id FROM workspace_members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = ${userId} AND m.role = 'workspace_admin'))`,
      )
      .orderBy(asc(users.created_at), asc(users.id))
      .all();
  }

  /** Returns organizations that the user owns and the other user belongs to, oldest first. */
  ownedTeamsOf(owner: string, other: string): string[] {
    return this.#db.orm
      .all<{ id: string }>(
        sql`SELECT DISTINCT own.organization_id AS id FROM organization_members own JOIN (${sql.raw(ORGANIZATION_PEOPLE)}) p ON p.organization_id = own.organization_id
          WHERE own.user_id = ${owner} AND own.role = 'org_owner' AND p.user_id = ${other} ORDER BY id`,
      )
      .map((row) => row.id);
  }

  /** Returns organizations that the user owns, with the number of other people in each. */
  owned(userId: string): { id: string; name: string; others: number }[] {
    return this.#db.orm.all(
      sql`SELECT o.id, o.name, (SELECT count(*) FROM (${sql.raw(ORGANIZATION_PEOPLE)}) p WHERE p.organization_id = o.id AND p.user_id <> ${userId}) AS others
          FROM organization_members om JOIN organizations o ON o.id = om.organization_id
          WHERE om.user_id = ${userId} AND om.role = 'org_owner'`,
    );
  }

  /** Returns platform administrators who want notifications. */
  alertedAdmins(): { email: string; language: string | null }[] {
    return this.#db.orm
      .select({ email: users.email, language: users.language })
      .from(users)
      .where(and(eq(users.role, 'platform_admin'), eq(users.email_alerts, 1)))
      .all();
  }

  organizationName(id: string): string | undefined {
    return this.#db.orm.get<{ name: string } | undefined>(sql`SELECT name FROM organizations WHERE id = ${id}`)?.name;
  }

  addEmailToken(row: typeof emailTokens.$inferInsert): void {
    this.#db.orm.insert(emailTokens).values(row).run();
  }

  findEmailToken(hash: string): typeof emailTokens.$inferSelect | undefined {
    return this.#db.orm.select().from(emailTokens).where(eq(emailTokens.hash, hash)).get();
  }

  hasEmailToken(userId: string, now: number): boolean {
    const found = this.#db.orm
      .select({ hash: emailTokens.hash })
      .from(emailTokens)
      .where(and(eq(emailTokens.user_id, userId), sql`${emailTokens.expires_at} > ${now}`))
      .get();
    return found !== undefined;
  }

  deleteEmailTokens(userId: string): void {
    this.#db.orm.delete(emailTokens).where(eq(emailTokens.user_id, userId)).run();
  }

  /** Returns false when the password was changed since it was read. */
  passwordIsStill(id: string, hash: string | null): boolean {
    const is = hash === null ? isNull(users.password_hash) : eq(users.password_hash, hash);
    return (
      this.#db.orm
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.id, id), is))
        .get() !== undefined
    );
  }
}
