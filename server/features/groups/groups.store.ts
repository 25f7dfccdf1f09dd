import type { Database } from '../../db/database.ts';
import { and, asc, eq, sql } from '../../db/drizzle.ts';
import { devices, groupMembers, groups, schedules } from '../../db/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { RecordsStore } from '../records.store.ts';

export type GroupRow = typeof groups.$inferSelect;

/** What a schedule for one screen has of the group's. */
const COPIED =
  'workspace_id, zone_id, content_id, widget_id, layout_id, playlist_id, title, start_time, end_time, timezone, recurrence, recurrence_end, color, priority, enabled, created_at, updated_at';

export class GroupsStore extends RecordsStore<typeof groups> {
  readonly #countSchedules;
  readonly #convert;

  constructor(db: Database) {
    super(db, groups);
    this.#countSchedules = db.raw.prepare(
      'SELECT count(*) AS "all", count(*) FILTER (WHERE group_id = @groupId) AS own FROM schedules WHERE workspace_id = @workspaceId',
    );
    this.#convert = db.raw.prepare(
      `INSERT INTO schedules (id, device_id, group_id, ${COPIED}) SELECT @new, @deviceId, NULL, ${COPIED} FROM schedules WHERE id = @id`,
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

  /** Each schedule of the group as one per member. @returns how many were made */
  convertSchedules(groupId: string, memberIds: readonly string[]): number {
    const own = this.db.orm
      .select({ id: schedules.id })
      .from(schedules)
      .where(eq(schedules.group_id, groupId))
      .orderBy(asc(schedules.created_at), asc(schedules.id))
      .all();
    for (const { id } of own) for (const deviceId of memberIds) this.#convert.run({ id, new: newId(), deviceId });
    return own.length * memberIds.length;
  }

  /** Schedules of the workspace, and those of the group among them. */
  countSchedules(workspaceId: string, groupId: string): { readonly all: number; readonly own: number } {
    return this.#countSchedules.get({ workspaceId, groupId }) as { all: number; own: number };
  }
}
