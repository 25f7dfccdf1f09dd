import type { Database } from '../../db/database.ts';
import { and, asc, eq, inArray, or } from '../../db/drizzle.ts';
import { groupMembers, groups, schedules } from '../../db/schema.ts';
import { RecordsStore } from '../records.store.ts';

export type ScheduleRow = typeof schedules.$inferSelect;

export class SchedulesStore extends RecordsStore<typeof schedules> {
  constructor(db: Database) {
    super(db, schedules);
  }

  list(workspaceId: string, target: { deviceId?: string | undefined; groupId?: string | undefined }): ScheduleRow[] {
    const { deviceId, groupId } = target;
    return this.db.orm
      .select()
      .from(schedules)
      .where(
        and(
          eq(schedules.workspace_id, workspaceId),
          deviceId ? eq(schedules.device_id, deviceId) : undefined,
          groupId ? eq(schedules.group_id, groupId) : undefined,
        ),
      )
      .orderBy(asc(schedules.created_at), asc(schedules.id))
      .all();
  }

  /** Returns enabled schedules of a device and of its groups. */
  ofDevice(workspaceId: string, deviceId: string): ScheduleRow[] {
    const memberships = this.db.orm
      .select({ id: groupMembers.group_id })
      .from(groupMembers)
      .where(eq(groupMembers.device_id, deviceId));
    return this.db.orm
      .select()
      .from(schedules)
      .where(
        and(
          eq(schedules.workspace_id, workspaceId),
          eq(schedules.enabled, 1),
          or(eq(schedules.device_id, deviceId), inArray(schedules.group_id, memberships)),
        ),
      )
      .orderBy(asc(schedules.created_at), asc(schedules.id))
      .all();
  }

  groupName(id: string): string | undefined {
    return this.db.orm.select({ name: groups.name }).from(groups).where(eq(groups.id, id)).get()?.name;
  }
}
