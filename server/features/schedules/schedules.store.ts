import type { Database } from '../../db/database.ts';
import { and, asc, eq, inArray, or } from '../../db/drizzle.ts';
import { content, devices, groupMembers, groups, layouts, playlists, schedules, widgets } from '../../db/schema.ts';

export type ScheduleRow = typeof schedules.$inferSelect;

export class SchedulesStore {
  readonly #db: Database;
  readonly #count;
  readonly #countOf;

  constructor(db: Database) {
    this.#db = db;
    this.#count = db.raw.prepare('SELECT count(*) FROM schedules WHERE workspace_id = ?').pluck();
    this.#countOf = {
      device_id: db.raw.prepare('SELECT count(*) FROM schedules WHERE device_id = ?').pluck(),
      group_id: db.raw.prepare('SELECT count(*) FROM schedules WHERE group_id = ?').pluck(),
    };
  }

  list(workspaceId: string, target: { deviceId?: string | undefined; groupId?: string | undefined }): ScheduleRow[] {
    const { deviceId, groupId } = target;
    return this.#db.orm
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
    const memberships = this.#db.orm
      .select({ id: groupMembers.group_id })
      .from(groupMembers)
      .where(eq(groupMembers.device_id, deviceId));
    return this.#db.orm
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

  count(workspaceId: string): number {
    return this.#count.get(workspaceId) as number;
  }

  countOf(target: 'device_id' | 'group_id', id: string): number {
    return this.#countOf[target].get(id) as number;
  }

  find(workspaceId: string, id: string): ScheduleRow | undefined {
    return this.#db.orm
      .select()
      .from(schedules)
      .where(and(eq(schedules.id, id), eq(schedules.workspace_id, workspaceId)))
      .get();
  }

  insert(row: typeof schedules.$inferInsert): ScheduleRow {
    return this.#db.orm.insert(schedules).values(row).returning().get();
  }

  update(id: string, change: Partial<typeof schedules.$inferInsert>): ScheduleRow {
    return this.#db.orm.update(schedules).set(change).where(eq(schedules.id, id)).returning().get();
  }

  delete(id: string): void {
    this.#db.orm.delete(schedules).where(eq(schedules.id, id)).run();
  }

  /** Undefined: the workspace has no such device. */
  deviceZone(workspaceId: string, deviceId: string): string | undefined {
    return this.#db.orm
      .select({ timezone: devices.timezone })
      .from(devices)
      .where(and(eq(devices.id, deviceId), eq(devices.workspace_id, workspaceId)))
      .get()?.timezone;
  }

  exists(workspaceId: string, what: 'group' | 'content' | 'widget' | 'playlist' | 'layout', id: string): boolean {
    const table = { group: groups, content, widget: widgets, playlist: playlists, layout: layouts }[what];
    const row = this.#db.orm.select({ workspace: table.workspace_id }).from(table).where(eq(table.id, id)).get();
    // Templates belong to nobody and are seen by all.
    return row !== undefined && (row.workspace === workspaceId || (what === 'layout' && row.workspace === null));
  }

  /** What people call a schedule without a title: what it shows. */
  nameOfShown({ content_id, widget_id, playlist_id, layout_id }: ScheduleRow): string | undefined {
    const { orm } = this.#db;
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
    return this.#db.orm.select({ name: groups.name }).from(groups).where(eq(groups.id, id)).get()?.name;
  }

  /**
   * Schedules that showed only something that is being deleted. Called within that write, before the references become
   * null.
   */
  deleteShowingOnly(subject: { column: 'content_id' | 'widget_id'; ids: readonly string[] }): number {
    const others = (['content_id', 'widget_id', 'layout_id', 'playlist_id'] as const).filter(
      (column) => column !== subject.column,
    );
    const sql = `DELETE FROM schedules WHERE ${subject.column} = ? AND ${others.map((column) => `${column} IS NULL`).join(' AND ')}`;
    const statement = this.#db.raw.prepare(sql);
    return subject.ids.reduce((sum, id) => sum + statement.run(id).changes, 0);
  }
}
