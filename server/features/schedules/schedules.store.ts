import type { Database } from '../../db/database.ts';
import { and, asc, eq, inArray, or } from '../../db/drizzle.ts';
import { content, groupMembers, groups, layouts, playlists, schedules, widgets } from '../../db/schema.ts';
import { RecordsStore } from '../records.store.ts';

export type ScheduleRow = typeof schedules.$inferSelect;

export class SchedulesStore extends RecordsStore<typeof schedules> {
  readonly #countOf;

  constructor(db: Database) {
    super(db, schedules);
    this.#countOf = {
      device_id: db.raw.prepare('SELECT count(*) FROM schedules WHERE device_id = ?').pluck(),
      group_id: db.raw.prepare('SELECT count(*) FROM schedules WHERE group_id = ?').pluck(),
    };
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

  /** Enabled ones of a device and of its groups. */
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

  countOf(target: 'device_id' | 'group_id', id: string): number {
    return this.#countOf[target].get(id) as number;
  }

  /** What people call a schedule without a title: what it shows. */
  nameOfShown({ content_id, widget_id, playlist_id, layout_id }: ScheduleRow): string | undefined {
    const { orm } = this.db;
    if (playlist_id)
      return orm.select({ name: playlists.name }).from(playlists).where(eq(playlists.id, playlist_id)).get()?.name;
    if (content_id)
      return orm.select({ name: content.filename }).from(content).where(eq(content.id, content_id)).get()?.name;
    if (widget_id) return orm.select({ name: widgets.name }).from(widgets).where(eq(widgets.id, widget_id)).get()?.name;
    return layout_id
      ? orm.select({ name: layouts.name }).from(layouts).where(eq(layouts.id, layout_id)).get()?.name
      : undefined;
  }

  groupName(id: string): string | undefined {
    return this.db.orm.select({ name: groups.name }).from(groups).where(eq(groups.id, id)).get()?.name;
  }
}
