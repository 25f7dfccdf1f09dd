import type { Database } from '../../db/database.ts';
import { and, asc, count, eq, sql } from '../../db/drizzle.ts';
import {
  devices,
  organizationMembers,
  organizations,
  settings,
  workspaceMembers,
  workspaces,
} from '../../db/schema.ts';
import type { OrganizationRole, WorkspaceRole } from '../../kernel/trust/actor.ts';

export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly device_count: number;
  readonly default_content_id: string | null;
  readonly logo_content_id: string | null;
  readonly approval: 0 | 1;
  readonly created_at: number;
}

const columns = {
  id: workspaces.id,
  name: workspaces.name,
  organization_id: workspaces.organization_id,
  organization_name: organizations.name,
  device_count: sql<number>`(SELECT count(*) FROM ${devices} WHERE ${devices.workspace_id} = ${workspaces.id})`,
  default_content_id: workspaces.default_content_id,
  logo_content_id: workspaces.logo_content_id,
  approval: sql<0 | 1>`${workspaces.approval}`,
  created_at: workspaces.created_at,
};

/** Settings key of the deleted workspaces that the sweeper still has to clean up. */
const GONE = 'gone_workspaces';

export class WorkspacesStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(id: string): WorkspaceRow | undefined {
    return this.#select().where(eq(workspaces.id, id)).get();
  }

  /**
   * Returns the workspaces of a user, sorted by organization and name. Staff of the platform get all workspaces.
   * @param bounds.within only this organization
   */
  listFor(userId: string, { staff, within }: { staff: boolean; within: string | null }): WorkspaceRow[] {
    const mine = sql`(${workspaces.id} IN (SELECT workspace_id FROM workspace_members WHERE user_id = ${userId}) OR ${workspaces.organization_id} IN (SELECT organization_id FROM organization_members WHERE user_id = ${userId}))`;
    return this.#select()
      .where(and(staff ? undefined : mine, within === null ? undefined : eq(workspaces.organization_id, within)))
      .orderBy(
        sql`vitrine_order(${organizations.name})`,
        asc(organizations.id),
        sql`vitrine_order(${workspaces.name})`,
        asc(workspaces.id),
      )
      .all();
  }

  /** Returns whether the workspace has this content. */
  hasContent(id: string, contentId: string): boolean {
    return (
      this.#db.raw.prepare('SELECT 1 FROM content WHERE id = ? AND workspace_id = ?').get(contentId, id) !== undefined
    );
  }

  setDefaultContent(id: string, contentId: string | null): void {
    this.#db.orm.update(workspaces).set({ default_content_id: contentId }).where(eq(workspaces.id, id)).run();
  }

  setApproval(id: string, approval: 0 | 1): void {
    this.#db.orm.update(workspaces).set({ approval }).where(eq(workspaces.id, id)).run();
  }

  setLogo(id: string, contentId: string | null): void {
    this.#db.orm.update(workspaces).set({ logo_content_id: contentId }).where(eq(workspaces.id, id)).run();
  }

  listOf(organizationId: string): string[] {
    return this.#db.orm
      .select({ id: workspaces.id })
      .from(workspaces)
      .where(eq(workspaces.organization_id, organizationId))
      .all()
      .map((row) => row.id);
  }

  countOf(organizationId: string): number {
    return this.#db.orm
      .select({ n: count() })
      .from(workspaces)
      .where(eq(workspaces.organization_id, organizationId))
      .get()!.n;
  }

  /** Returns the user's own roles in a workspace and in its organization. */
  standing(
    userId: string,
    workspace: Pick<WorkspaceRow, 'id' | 'organization_id'>,
  ): { membership: WorkspaceRole | null; organizationRole: OrganizationRole | null } {
    const member = this.#db.orm
      .select({ role: workspaceMembers.role })
      .from(workspaceMembers)
      .where(and(eq(workspaceMembers.workspace_id, workspace.id), eq(workspaceMembers.user_id, userId)))
      .get();
    const inOrganization = this.#db.orm
      .select({ role: organizationMembers.role })
      .from(organizationMembers)
      .where(
        and(
          eq(organizationMembers.organization_id, workspace.organization_id),
          eq(organizationMembers.user_id, userId),
        ),
      )
      .get();
    return { membership: member?.role ?? null, organizationRole: inOrganization?.role ?? null };
  }

  insertOrganization(row: typeof organizations.$inferInsert, owner: string): void {
    this.#db.orm.insert(organizations).values(row).run();
    this.#db.orm
      .insert(organizationMembers)
      .values({ organization_id: row.id, user_id: owner, role: 'org_owner', created_at: row.created_at })
      .run();
  }

  renameOrganization(id: string, name: string): void {
    this.#db.orm.update(organizations).set({ name }).where(eq(organizations.id, id)).run();
  }

  deleteOrganization(id: string): void {
    this.#db.orm.delete(organizations).where(eq(organizations.id, id)).run();
  }

  insert(row: typeof workspaces.$inferInsert): void {
    this.#db.orm.insert(workspaces).values(row).run();
  }

  rename(id: string, name: string): void {
    this.#db.orm.update(workspaces).set({ name }).where(eq(workspaces.id, id)).run();
  }

  /** Deletes a workspace and all rows with a foreign key to it. The sweeper deletes plays and activity. */
  delete(id: string): void {
    this.#db.orm.delete(workspaces).where(eq(workspaces.id, id)).run();
  }

  // — rows that deleted workspaces have left —

  gone(): string[] {
    return (
      (this.#db.orm.select().from(settings).where(eq(settings.key, GONE)).get()?.value as string[] | undefined) ?? []
    );
  }

  setGone(ids: readonly string[]): void {
    this.#db.orm
      .insert(settings)
      .values({ key: GONE, value: ids })
      .onConflictDoUpdate({ target: settings.key, set: { value: ids } })
      .run();
  }

  /** Deletes at most `limit` rows of each kind. Returns whether there may be more. */
  sweep(workspaceId: string, limit: number): boolean {
    // Sums are deleted before their plays, and rows of play_subjects when no other row uses their numbers.
    const sums = this.#db.raw
      .prepare('DELETE FROM play_sums WHERE scope_id IN (SELECT id FROM play_subjects WHERE workspace_id = ?) LIMIT ?')
      .run(workspaceId, limit);
    let more = sums.changes === limit;
    const ofSubjects = '(SELECT id FROM play_subjects WHERE workspace_id = ?)';
    for (const [table, whose] of [
      ['play_log', `workspace IN ${ofSubjects}`],
      ['old_plays', 'workspace_id = ?'],
      ['play_turns', `device IN ${ofSubjects}`],
      ['program_spans', 'workspace_id = ?'],
      ['activity', 'workspace_id = ?'],
      ['play_subjects', 'workspace_id = ?'],
    ]) {
      if (table === 'play_subjects' && more) break;
      const { changes } = this.#db.raw
        .prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${whose} LIMIT ?)`)
        .run(workspaceId, limit);
      more ||= changes === limit;
    }
    return more;
  }

  #select() {
    return this.#db.orm
      .select(columns)
      .from(workspaces)
      .innerJoin(organizations, eq(organizations.id, workspaces.organization_id))
      .$dynamic();
  }
}
