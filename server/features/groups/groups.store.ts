import type { Database } from '../../db/database.ts';
import { and, asc, eq, sql } from '../../db/drizzle.ts';
import { devices, groupMembers, groups } from '../../db/schema.ts';
import { RecordsStore } from '../records.store.ts';

export type GroupRow = typeof groups.$inferSelect;

interface RuleScope {
  readonly workspaceId: string;
  readonly deviceIds?: readonly string[];
}

export class GroupsStore extends RecordsStore<typeof groups> {
  readonly #countSchedules;
  readonly #withRules;
  readonly #allMembers;
  readonly #fitAll;
  readonly #fitSome;

  constructor(db: Database) {
    super(db, groups);
    this.#countSchedules = db.raw.prepare(
      'SELECT count(*) AS "all", count(*) FILTER (WHERE group_id = @groupId) AS own FROM schedules WHERE workspace_id = @workspaceId',
    );
    this.#allMembers = db.raw.prepare(
      'SELECT m.group_id, d.id AS device_id, d.name, d.playlist_id IS NULL AS inherits FROM devices d JOIN group_members m ON m.device_id = d.id WHERE d.workspace_id = ? ORDER BY vitrine_order(d.name), d.created_at, d.id',
    );
    this.#withRules = db.raw.prepare(
      'SELECT id, rule_tags FROM "groups" WHERE workspace_id = ? AND rule_tags IS NOT NULL ORDER BY created_at, id',
    );
    const fitting = (some: string) => ({
      leave: db.raw.prepare(
        `DELETE FROM group_members AS m WHERE m.group_id = @groupId ${some && `AND m.device_id ${some}`}
           AND (SELECT count(*) FROM device_tags t WHERE t.device_id = m.device_id AND t.tag IN (SELECT value FROM json_each(@tags))) < @n`,
      ),
      join: db.raw.prepare(
        `INSERT INTO group_members (group_id, device_id)
         SELECT @groupId, d.id FROM devices d WHERE d.workspace_id = @workspaceId ${some && `AND d.id ${some}`}
           AND (SELECT count(*) FROM device_tags t WHERE t.device_id = d.id AND t.tag IN (SELECT value FROM json_each(@tags))) = @n
           AND NOT EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = @groupId AND m.device_id = d.id)
         ORDER BY d.created_at, d.id`,
      ),
    });
    this.#fitAll = fitting('');
    this.#fitSome = fitting('IN (SELECT value FROM json_each(@ids))');
  }

  list(workspaceId: string): { row: GroupRow; device_count: number }[] {
    return this.db.orm
      .select({
        row: groups,
        device_count: sql<number>`(SELECT count(*) FROM group_members m WHERE m.group_id = "groups"."id")`,
      })
      .from(groups)
      .where(eq(groups.workspace_id, workspaceId))
      .orderBy(asc(groups.created_at), asc(groups.id))
      .all();
  }

  /** Returns the members of a group, oldest membership first. */
  memberIds(groupId: string): string[] {
    return this.db.orm
      .select({ id: groupMembers.device_id })
      .from(groupMembers)
      .where(eq(groupMembers.group_id, groupId))
      .orderBy(asc(groupMembers.seq))
      .all()
      .map((row) => row.id);
  }

  /** Returns the members of a group in the order of the device list. */
  memberIdsByName(groupId: string): string[] {
    return this.db.orm
      .select({ id: devices.id })
      .from(groupMembers)
      .innerJoin(devices, eq(devices.id, groupMembers.device_id))
      .where(eq(groupMembers.group_id, groupId))
      .orderBy(sql`vitrine_order(${devices.name})`, asc(devices.created_at), asc(devices.id))
      .all()
      .map((row) => row.id);
  }

  /** Returns every membership of the workspace, sorted by the names of the devices. */
  allMembers(
    workspaceId: string,
  ): { readonly group_id: string; readonly device_id: string; readonly name: string; readonly inherits: 0 | 1 }[] {
    return this.#allMembers.all(workspaceId) as ReturnType<GroupsStore['allMembers']>;
  }

  /** Adds a member. Returns false when the device was a member already. */
  addMember(groupId: string, deviceId: string): boolean {
    const joining = this.db.orm.insert(groupMembers).values({ group_id: groupId, device_id: deviceId });
    return joining.onConflictDoNothing().run().changes > 0;
  }

  /** Copies the members of a group to another group, in the same order. */
  copyMembers(from: string, to: string): void {
    this.db.raw
      .prepare(
        `INSERT OR IGNORE INTO group_members (group_id, device_id)
         SELECT @to, device_id FROM group_members WHERE group_id = @from ORDER BY seq`,
      )
      .run({ from, to });
  }

  /** Returns false when the device was not a member. */
  removeMember(groupId: string, deviceId: string): boolean {
    const done = this.db.orm
      .delete(groupMembers)
      .where(and(eq(groupMembers.group_id, groupId), eq(groupMembers.device_id, deviceId)))
      .run();
    return done.changes > 0;
  }

  /** Returns groups of the workspace whose members follow a rule. */
  withRules(workspaceId: string): { id: string; tags: readonly string[] }[] {
    return (this.#withRules.all(workspaceId) as { id: string; rule_tags: string }[]).map((row) => ({
      id: row.id,
      tags: JSON.parse(row.rule_tags) as string[],
    }));
  }

  /**
   * Updates the members of a group by its rule.
   * @param of.deviceIds limits the check to these devices; default: all devices of the workspace
   * @returns whether any member changed
   */
  fit(group: { readonly id: string; readonly tags: readonly string[] }, of: RuleScope): boolean {
    const given = {
      groupId: group.id,
      workspaceId: of.workspaceId,
      tags: JSON.stringify(group.tags),
      n: group.tags.length,
      ids: JSON.stringify(of.deviceIds),
    };
    const { leave, join } = of.deviceIds ? this.#fitSome : this.#fitAll;
    return leave.run(given).changes + join.run(given).changes > 0;
  }

  /** Counts the schedules of the workspace, and among these the schedules of the group. */
  countSchedules(workspaceId: string, groupId: string): { readonly all: number; readonly own: number } {
    return this.#countSchedules.get({ workspaceId, groupId }) as { all: number; own: number };
  }
}
