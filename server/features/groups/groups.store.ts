import type { Database } from '../../db/database.ts';
import { and, asc, eq, sql } from '../../db/drizzle.ts';
import { devices, groupMembers, groups } from '../../db/schema.ts';
import { RecordsStore } from '../records.store.ts';

export type GroupRow = typeof groups.$inferSelect;

export class GroupsStore extends RecordsStore<typeof groups> {
  readonly #countSchedules;

  constructor(db: Database) {
    super(db, groups);
    this.#countSchedules = db.raw.prepare(
      'SELECT count(*) AS "all", count(*) FILTER (WHERE group_id = @groupId) AS own FROM schedules WHERE workspace_id = @workspaceId',
    );
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

  /** Members, oldest membership first. */
  memberIds(groupId: string): string[] {
    return this.db.orm
      .select({ id: groupMembers.device_id })
      .from(groupMembers)
      .where(eq(groupMembers.group_id, groupId))
      .orderBy(asc(groupMembers.seq))
      .all()
      .map((row) => row.id);
  }

  /** Members as the device list has them. */
  memberIdsByName(groupId: string): string[] {
    return this.db.orm
      .select({ id: devices.id })
      .from(groupMembers)
      .innerJoin(devices, eq(devices.id, groupMembers.device_id))
      .where(eq(groupMembers.group_id, groupId))
      .orderBy(sql`${devices.name} COLLATE NOCASE`, asc(devices.created_at), asc(devices.id))
      .all()
      .map((row) => row.id);
  }

  /** Joining twice changes nothing. */
  addMember(groupId: string, deviceId: string): void {
    this.db.orm.insert(groupMembers).values({ group_id: groupId, device_id: deviceId }).onConflictDoNothing().run();
  }

  /** Returns false when it was no member. */
  removeMember(groupId: string, deviceId: string): boolean {
    const done = this.db.orm
      .delete(groupMembers)
      .where(and(eq(groupMembers.group_id, groupId), eq(groupMembers.device_id, deviceId)))
      .run();
    return done.changes > 0;
  }

  /** Schedules of the workspace, and those of the group among them. */
  countSchedules(workspaceId: string, groupId: string): { readonly all: number; readonly own: number } {
    return this.#countSchedules.get({ workspaceId, groupId }) as { all: number; own: number };
  }
}
