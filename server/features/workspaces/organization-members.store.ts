import type { Database } from '../../db/database.ts';
import { and, count, eq, sql } from '../../db/drizzle.ts';
import { organizationMembers, organizations } from '../../db/schema.ts';
import type { OrganizationRole } from '../../kernel/trust/actor.ts';

/**
 * A person of an organization, with their role in the organization; null: the person is only a member of its
 * workspaces.
 */
export interface OrganizationPerson {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: OrganizationRole | null;
}

export class OrganizationMembersStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  exists(id: string): boolean {
    return (
      this.#db.orm.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id)).get() !==
      undefined
    );
  }

  /** Returns the people of an organization, sorted by name. */
  list(id: string): OrganizationPerson[] {
    return this.#db.orm.all(sql`${people(id)} ORDER BY vitrine_order(u.name), u.id`);
  }

  find(id: string, userId: string): OrganizationPerson | undefined {
    return this.#db.orm.all<OrganizationPerson>(sql`${people(id)} AND u.id = ${userId}`)[0];
  }

  countOwners(id: string): number {
    const owners = and(eq(organizationMembers.organization_id, id), eq(organizationMembers.role, 'org_owner'));
    return this.#db.orm.select({ n: count() }).from(organizationMembers).where(owners).get()!.n;
  }

  setRole(id: string, userId: string, role: OrganizationRole, now: number): void {
    this.#db.orm
      .insert(organizationMembers)
      .values({ organization_id: id, user_id: userId, role, created_at: now })
      .onConflictDoUpdate({ target: [organizationMembers.organization_id, organizationMembers.user_id], set: { role } })
      .run();
  }

  delete(id: string, userId: string): void {
    this.#db.orm
      .delete(organizationMembers)
      .where(and(eq(organizationMembers.organization_id, id), eq(organizationMembers.user_id, userId)))
      .run();
  }
}

const people = (id: string) => sql`
  SELECT u.id AS user_id, u.email, u.name, om.role FROM users u
  LEFT JOIN organization_members om ON om.user_id = u.id AND om.organization_id = ${id}
  WHERE (om.role IS NOT NULL OR u.id IN (SELECT m.user_id FROM workspace_members m JOIN workspaces w ON w.id = m.workspace_id WHERE w.organization_id = ${id}))`;
