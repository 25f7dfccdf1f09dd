import type { CalendarGroup, PlanTarget } from '../../../shared/contract/screens/plans.ts';
import type { Database } from '../../db/database.ts';
import { eq } from '../../db/drizzle.ts';
import { fold } from '../../db/fold.ts';
import { content, layouts, plans, playlists, widgets } from '../../db/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { RecordsStore } from '../records.store.ts';

export type PlanRow = typeof plans.$inferSelect;
/** Fields that a plan shares with each of its schedules. */
export type PlannedFields = Omit<PlanRow, 'id' | 'workspace_id' | 'revision' | 'created_at' | 'updated_at'>;
export type NamedTarget = PlanTarget & { readonly name: string };
/** Target of a schedule. Exactly one of the two ids is set. */
export type ScheduleTarget = { readonly device_id: string | null; readonly group_id: string | null };

/** Filter for the screens of a calendar. */
export interface CalendarQuery {
  readonly device_id?: string | undefined;
  readonly group_id?: string | undefined;
  /** True: only screens that are in no group. */
  readonly ungrouped?: boolean | undefined;
  readonly tag?: string | undefined;
  readonly q?: string | undefined;
  /** Selects only screens with a plan that may be on between these days (`YYYY-MM-DD`, inclusive). */
  readonly planned?: { readonly from: string; readonly until: string } | undefined;
  /** Id of a plan: only screens of this plan are returned. */
  readonly plan_id?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Columns that a schedule copies from its plan. */
const SHARED =
  'workspace_id, zone_id, content_id, widget_id, layout_id, playlist_id, title, start_time, end_time, timezone, recurrence, recurrence_end, color, priority, enabled, created_at, updated_at';

/** Selects one row for each schedule that a plan needs. A screen that several targets include counts once. */
const WANTED = `SELECT d.id AS device_id, NULL AS group_id FROM plan_targets t
    JOIN devices d ON d.id = t.ref AND d.workspace_id = @workspaceId WHERE t.plan_id = @id AND t.kind = 'device'
  UNION SELECT d.id, NULL FROM plan_targets t JOIN device_tags g ON g.tag = t.ref
    JOIN devices d ON d.id = g.device_id AND d.workspace_id = @workspaceId WHERE t.plan_id = @id AND t.kind = 'tag'
  UNION SELECT NULL, ref FROM plan_targets WHERE plan_id = @id AND kind = 'group'`;
const SCREENS = `SELECT device_id FROM schedules WHERE plan_id = @id AND device_id IS NOT NULL
  UNION SELECT m.device_id FROM schedules s JOIN group_members m ON m.group_id = s.group_id WHERE s.plan_id = @id`;

const OF_PLAN = `(@planId IS NULL OR id IN (${SCREENS.replaceAll('@id', '@planId')}))`;

const keyOf = ({ device_id, group_id }: ScheduleTarget): string =>
  device_id ? `device ${device_id}` : `group ${group_id}`;

/**
 * SQL condition: a schedule may be on between the days @from and @until. Days are compared as text, with up to two days
 * of tolerance, because screens and plans may have different time zones.
 */
const MAY_BE_ON = `enabled = 1 AND date(start_time) <= date(@until, '+1 day')
  AND CASE WHEN recurrence IS NULL THEN date(end_time) >= date(@from, '-1 day')
    ELSE recurrence_end IS NULL OR date(recurrence_end) >= date(@from, '-2 days') END`;

/** Returns the parameters of the statements that choose screens of the calendar. */
const askedOf = (workspaceId: string, query: Omit<CalendarQuery, 'limit' | 'offset'>) => ({
  workspaceId,
  deviceId: query.device_id ?? null,
  groupId: query.group_id ?? null,
  ungrouped: query.ungrouped ? 1 : 0,
  tag: query.tag ?? null,
  q: query.q === undefined ? null : fold(query.q),
  from: query.planned?.from ?? null,
  until: query.planned?.until ?? null,
});

/** Ids of the schedules that were made and removed. */
export interface Fitted {
  readonly made: readonly string[];
  readonly gone: readonly string[];
}

export class PlansStore extends RecordsStore<typeof plans> {
  readonly #statements;

  constructor(db: Database) {
    super(db, plans);
    const p = (sql: string) => db.raw.prepare(sql);
    const listing = `FROM plans WHERE workspace_id = @workspaceId
      AND (@deviceId IS NULL OR id IN (SELECT plan_id FROM schedules WHERE device_id = @deviceId
        OR group_id IN (SELECT group_id FROM group_members WHERE device_id = @deviceId)))
      AND (@groupId IS NULL OR id IN (SELECT plan_id FROM schedules WHERE group_id = @groupId))
      AND (@q IS NULL OR instr(vitrine_fold(title), @q) > 0)`;
    const screens = `FROM devices WHERE workspace_id = @workspaceId
      AND (@deviceId IS NULL OR id = @deviceId)
      AND (@groupId IS NULL OR id IN (SELECT device_id FROM group_members WHERE group_id = @groupId))
      AND (@ungrouped = 0 OR id NOT IN (SELECT device_id FROM group_members))
      AND (@tag IS NULL OR id IN (SELECT device_id FROM device_tags WHERE tag = @tag))
      AND (@q IS NULL OR instr(vitrine_fold(name), @q) > 0)
      AND (@from IS NULL OR id IN (SELECT device_id FROM schedules WHERE workspace_id = @workspaceId AND ${MAY_BE_ON}
        UNION SELECT m.device_id FROM schedules s JOIN group_members m ON m.group_id = s.group_id
          WHERE s.workspace_id = @workspaceId AND ${MAY_BE_ON}))`;
    const isValid = (table: string) => `(${table}.valid_until IS NULL OR ${table}.valid_until > @from)
      AND (${table}.valid_from IS NULL OR @until IS NULL OR ${table}.valid_from < @until)`;
    this.#statements = {
      calendar: p(
        `SELECT id, name, "index" FROM (
           SELECT id, name, row_number() OVER (ORDER BY vitrine_order(name), created_at, id) - 1 AS "index" ${screens})
         WHERE ${OF_PLAN} ORDER BY "index" LIMIT @limit OFFSET @offset`,
      ),
      calendarTotal: p(`SELECT count(*) ${screens}`).pluck(),
      calendarGroups: p(
        `SELECT g.id AS group_id, g.name, g.color, count(*) AS screens FROM group_members m JOIN "groups" g ON g.id = m.group_id
         WHERE m.device_id IN (SELECT id ${screens} AND ${OF_PLAN}) GROUP BY g.id ORDER BY vitrine_order(g.name), g.created_at, g.id`,
      ),
      calendarCount: p(`SELECT count(*) ${screens} AND ${OF_PLAN}`).pluck(),
      color: p('SELECT color FROM plans WHERE id = ?').pluck(),
      scheduleOf: p(
        `SELECT plan_id, id FROM schedules WHERE device_id IS NULL AND group_id IN (SELECT group_id FROM group_members WHERE device_id = @deviceId)
         UNION ALL SELECT plan_id, id FROM schedules WHERE device_id = @deviceId`,
      ).raw(),
      screensOf: p(
        `WITH wanted AS (SELECT value->>'kind' AS kind, value->>'id' AS ref FROM json_each(@targets))
         SELECT id, max(direct) AS direct FROM (
           SELECT ref AS id, 1 AS direct FROM wanted WHERE kind = 'device'
           UNION ALL SELECT t.device_id, 1 FROM wanted JOIN device_tags t ON t.tag = ref WHERE kind = 'tag'
           UNION ALL SELECT m.device_id, 0 FROM wanted JOIN group_members m ON m.group_id = ref WHERE kind = 'group'
         ) WHERE id IN (SELECT id FROM devices WHERE workspace_id = @workspaceId) GROUP BY id`,
      ),
      playable: p(
        `SELECT 1 FROM published_items i LEFT JOIN content c ON c.id = i.content_id LEFT JOIN widgets w ON w.id = i.widget_id
         WHERE i.playlist_id = @id AND ${['i', 'c', 'w'].map(isValid).join(' AND ')} LIMIT 1`,
      ).pluck(),
      validContent: p(`SELECT 1 FROM content c WHERE id = @id AND ${isValid('c')}`).pluck(),
      validWidget: p(`SELECT 1 FROM widgets w WHERE id = @id AND ${isValid('w')}`).pluck(),
      page: p(`SELECT * ${listing} ORDER BY created_at, id LIMIT @limit OFFSET @offset`),
      total: p(`SELECT count(*) ${listing}`).pluck(),
      targets: p(
        `SELECT t.kind, t.ref AS id, coalesce(d.name, g.name, t.ref) AS name FROM plan_targets t
           LEFT JOIN devices d ON t.kind = 'device' AND d.id = t.ref
           LEFT JOIN "groups" g ON t.kind = 'group' AND g.id = t.ref
         WHERE t.plan_id = ? ORDER BY t.position`,
      ),
      clearTargets: p('DELETE FROM plan_targets WHERE plan_id = ?'),
      addTarget: p('INSERT OR IGNORE INTO plan_targets (plan_id, position, kind, ref) VALUES (?, ?, ?, ?)'),
      appendTarget: p(
        `INSERT OR IGNORE INTO plan_targets (plan_id, position, kind, ref)
         SELECT @planId, coalesce(max(position), -1) + 1, @kind, @id FROM plan_targets WHERE plan_id = @planId`,
      ),
      scheduleFor: p(
        'SELECT id FROM schedules WHERE plan_id = @planId AND device_id IS @device_id AND group_id IS @group_id',
      ).pluck(),
      wanted: p(WANTED),
      present: p('SELECT id, device_id, group_id FROM schedules WHERE plan_id = ?'),
      removeSchedule: p('DELETE FROM schedules WHERE id = ?'),
      follow: p(
        `UPDATE schedules SET (${SHARED}) = (SELECT ${SHARED} FROM plans WHERE id = @id) WHERE plan_id = @id RETURNING id`,
      ).pluck(),
      schedule: p('SELECT 1 FROM schedules WHERE id = ?').pluck(),
      addSchedule: p(
        `INSERT INTO schedules (id, plan_id, device_id, group_id, ${SHARED})
         SELECT @scheduleId, id, @device_id, @group_id, ${SHARED} FROM plans WHERE id = @id`,
      ),
      scheduleIds: p('SELECT id FROM schedules WHERE plan_id = ?').pluck(),
      retarget: p('UPDATE schedules SET device_id = @device_id, group_id = @group_id WHERE id = @scheduleId'),
      move: p('UPDATE schedules SET plan_id = @id WHERE id = @scheduleId'),
      screens: p(`SELECT count(*) FROM (${SCREENS})`).pluck(),
      screenIds: p(SCREENS).pluck(),
      members: p('SELECT count(*) FROM group_members WHERE group_id = ?').pluck(),
      tagged: p(
        'SELECT t.device_id FROM device_tags t JOIN devices d ON d.id = t.device_id WHERE d.workspace_id = ? AND t.tag = ? ORDER BY vitrine_order(d.name), d.id',
      ).pluck(),
      kinds: p(
        'SELECT count(device_id) AS devices, count(group_id) AS groups, max(group_id) AS a_group FROM schedules WHERE plan_id = ?',
      ),
      zone: p('SELECT timezone FROM devices WHERE id = ?').pluck(),
      zoneOfTag: p(
        `SELECT d.timezone FROM device_tags t JOIN devices d ON d.id = t.device_id WHERE d.workspace_id = ? AND t.tag = ?
         ORDER BY vitrine_order(d.name), d.id LIMIT 1`,
      ).pluck(),
      missingTarget: p(
        `SELECT value->>'kind' FROM json_each(@targets) WHERE
           value->>'kind' = 'device' AND NOT EXISTS (SELECT 1 FROM devices WHERE id = value->>'id' AND workspace_id = @workspaceId)
           OR value->>'kind' = 'group' AND NOT EXISTS (SELECT 1 FROM "groups" WHERE id = value->>'id' AND workspace_id = @workspaceId) LIMIT 1`,
      ).pluck(),
      schedules: p('SELECT count(*) FROM schedules WHERE workspace_id = ?').pluck(),
      crowded: p(
        `SELECT CASE WHEN s.device_id IS NULL THEN 'group_id' ELSE 'device_id' END FROM schedules s WHERE s.plan_id = @id AND @max <
           CASE WHEN s.device_id IS NULL THEN (SELECT count(*) FROM schedules WHERE group_id = s.group_id)
             ELSE (SELECT count(*) FROM schedules WHERE device_id = s.device_id) END LIMIT 1`,
      ).pluck(),
      withTarget: p(
        `SELECT p.* FROM plans p WHERE p.workspace_id = @workspaceId AND p.id IN
           (SELECT plan_id FROM plan_targets WHERE kind = @kind AND ref IN (SELECT value FROM json_each(@refs)))
         ORDER BY p.created_at, p.id`,
      ),
    };
  }

  /** Returns a page of the list of plans, oldest first, and the total. */
  page(
    workspaceId: string,
    query: {
      readonly device_id?: string | undefined;
      readonly group_id?: string | undefined;
      readonly q?: string | undefined;
      readonly limit: number;
      readonly offset: number;
    },
  ): { rows: PlanRow[]; total: number } {
    const asked = {
      workspaceId,
      deviceId: query.device_id ?? null,
      groupId: query.group_id ?? null,
      q: query.q === undefined ? null : fold(query.q),
    };
    const { page, total } = this.#statements;
    return {
      rows: page.all({ ...asked, limit: query.limit, offset: query.offset }) as PlanRow[],
      total: total.get(asked) as number,
    };
  }

  /** Returns the targets in the order of the request. */
  targets(planId: string): NamedTarget[] {
    return this.#statements.targets.all(planId) as NamedTarget[];
  }

  setTargets(planId: string, targets: readonly PlanTarget[]): void {
    this.#statements.clearTargets.run(planId);
    for (const [position, { kind, id }] of targets.entries())
      this.#statements.addTarget.run(planId, position, kind, id);
  }

  /** Adds a target. @returns the id of its schedule, which may exist already because of a tag */
  addTarget(planId: string, { kind, id }: PlanTarget, target: ScheduleTarget): string {
    const { appendTarget, scheduleFor, addSchedule } = this.#statements;
    appendTarget.run({ planId, kind, id });
    const known = scheduleFor.get({ planId, ...target }) as string | undefined;
    if (known !== undefined) return known;
    const scheduleId = newId();
    addSchedule.run({ scheduleId, id: planId, ...target });
    return scheduleId;
  }

  /** Removes and adds schedules until they match the plan's targets. The first schedule of a plan has the plan's id. */
  fit({ id, workspace_id: workspaceId }: Pick<PlanRow, 'id' | 'workspace_id'>): Fitted {
    const { wanted, present, removeSchedule, schedule, addSchedule } = this.#statements;
    const missing = new Map((wanted.all({ id, workspaceId }) as ScheduleTarget[]).map((t) => [keyOf(t), t]));
    const gone = (present.all(id) as (ScheduleTarget & { id: string })[])
      .filter((row) => !missing.delete(keyOf(row)))
      .map((row) => row.id);
    for (const scheduleId of gone) removeSchedule.run(scheduleId);
    const made = [...missing.values()].map((target, index) => {
      const scheduleId = index === 0 && schedule.get(id) === undefined ? id : newId();
      addSchedule.run({ scheduleId, id, ...target });
      return scheduleId;
    });
    return { made, gone };
  }

  /** Copies the plan's fields to its schedules. @returns their ids */
  follow(planId: string): string[] {
    return this.#statements.follow.all({ id: planId }) as string[];
  }

  removeSchedule(scheduleId: string): void {
    this.#statements.removeSchedule.run(scheduleId);
  }

  scheduleIds(planId: string): string[] {
    return this.#statements.scheduleIds.all(planId) as string[];
  }

  /** Changes the target of a schedule and keeps its id. */
  retarget(scheduleId: string, { device_id, group_id }: ScheduleTarget): void {
    this.#statements.retarget.run({ scheduleId, device_id, group_id });
  }

  /** Moves a schedule to another plan. */
  moveSchedule(scheduleId: string, planId: string): void {
    this.#statements.move.run({ scheduleId, id: planId });
  }

  /** Counts the screens of the plan, each once. */
  screens(planId: string): number {
    const { kinds, members, screens } = this.#statements;
    const { devices, groups, a_group } = kinds.get(planId) as { devices: number; groups: number; a_group: string };
    if (groups === 0) return devices;
    return (devices + groups === 1 ? members.get(a_group) : screens.get({ id: planId })) as number;
  }

  /** Returns the screens that have a tag, sorted by name. */
  tagged(workspaceId: string, tag: string): string[] {
    return this.#statements.tagged.all(workspaceId, tag) as string[];
  }

  screenIds(planId: string): string[] {
    return this.#statements.screenIds.all({ id: planId }) as string[];
  }

  /** Returns the time zone of the first screen that the targets name by id or by tag. */
  firstZone(workspaceId: string, targets: readonly PlanTarget[]): string | undefined {
    const { zone, zoneOfTag } = this.#statements;
    for (const { kind, id } of targets) {
      const found = kind === 'device' ? zone.get(id) : kind === 'tag' ? zoneOfTag.get(workspaceId, id) : undefined;
      if (found !== undefined) return found as string;
    }
    return undefined;
  }

  /** Returns the kind of a target that does not exist in the workspace. */
  missingTarget(workspaceId: string, targets: readonly PlanTarget[]): 'device' | 'group' | undefined {
    return this.#statements.missingTarget.get({ workspaceId, targets: JSON.stringify(targets) }) as
      | 'device'
      | 'group'
      | undefined;
  }

  countSchedules(workspaceId: string): number {
    return this.#statements.schedules.get(workspaceId) as number;
  }

  /** Returns the column of a target (screen or group) of the plan that has more than `max` schedules. */
  crowded(planId: string, max: number): 'device_id' | 'group_id' | undefined {
    return this.#statements.crowded.get({ id: planId, max }) as 'device_id' | 'group_id' | undefined;
  }

  /** Returns plans that name one of these targets. */
  withTarget(workspaceId: string, kind: PlanTarget['kind'], refs: readonly string[]): PlanRow[] {
    return this.#statements.withTarget.all({ workspaceId, kind, refs: JSON.stringify(refs) }) as PlanRow[];
  }

  /** Returns a page of the list of matching screens, sorted by name, and the total. */
  calendarScreens(
    workspaceId: string,
    query: CalendarQuery,
  ): { devices: { id: string; name: string; index: number }[]; total: number } {
    const asked = askedOf(workspaceId, query);
    const { calendar, calendarTotal } = this.#statements;
    const { limit, offset } = query;
    return {
      devices: calendar.all({ ...asked, planId: query.plan_id ?? null, limit, offset }) as {
        id: string;
        name: string;
        index: number;
      }[],
      total: calendarTotal.get(asked) as number,
    };
  }

  /** Returns the groups that contain matching screens, sorted by name, and last the screens without a group, if any. */
  calendarGroups(
    workspaceId: string,
    query: Pick<CalendarQuery, 'planned' | 'plan_id'>,
  ): { groups: CalendarGroup[]; total: number } {
    const { calendarGroups, calendarCount } = this.#statements;
    const planId = query.plan_id ?? null;
    const groups = calendarGroups.all({ ...askedOf(workspaceId, query), planId }) as CalendarGroup[];
    const count = (ungrouped: boolean) =>
      calendarCount.get({ ...askedOf(workspaceId, { ...query, ungrouped }), planId }) as number;
    const screens = count(true);
    return {
      groups: screens === 0 ? groups : [...groups, { group_id: null, name: '', color: null, screens }],
      total: count(false),
    };
  }

  color(planId: string): string | null {
    return (this.#statements.color.get(planId) as string | null | undefined) ?? null;
  }

  /** Returns one schedule of each plan on a screen: the schedule of the screen itself, else that of its group. */
  schedulesOf(deviceId: string): ReadonlyMap<string, string> {
    return new Map(this.#statements.scheduleOf.all({ deviceId }) as [string, string][]);
  }

  /**
   * Returns the screens of the targets, each once. `direct` is 1 for a target by id or tag, 0 for a target only by
   * group.
   */
  screensOf(workspaceId: string, targets: readonly PlanTarget[]): { id: string; direct: 0 | 1 }[] {
    return this.#statements.screensOf.all({ workspaceId, targets: JSON.stringify(targets) }) as ReturnType<
      PlansStore['screensOf']
    >;
  }

  /**
   * Returns whether the playlist, content or widget has anything to play between two local times (`YYYY-MM-DDTHH:MM`;
   * `until` null: no end).
   */
  hasContent(
    { playlist_id, content_id, widget_id }: PlannedFields,
    span: { from: string; until: string | null },
  ): boolean {
    const { playable, validContent, validWidget } = this.#statements;
    if (playlist_id) return playable.get({ id: playlist_id, ...span }) === 1;
    return content_id
      ? validContent.get({ id: content_id, ...span }) === 1
      : validWidget.get({ id: widget_id, ...span }) === 1;
  }

  /** Returns the name of what a plan without a title shows. */
  nameOfShown({ content_id, widget_id, playlist_id, layout_id }: PlannedFields): string | undefined {
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
}
