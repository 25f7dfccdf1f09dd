import type { SlotLimits } from '../../shared/chain/campaign.ts';
import type { Transition } from '../../shared/program/program.ts';
import type { PlannedRank } from '../../shared/program/ranks.ts';
import type { Database } from '../db/database.ts';
import type {
  content,
  devices,
  layouts,
  playlists,
  StoredBlock,
  schedules,
  wallMembers,
  walls,
  zones,
} from '../db/schema.ts';

type Column<T extends { $inferSelect: object }> = keyof T['$inferSelect'] & string;
/**
 * Database columns that programs are compiled from. The statements and the types of their rows are derived from these
 * lists.
 */
const DEVICE = [
  'id',
  'workspace_id',
  'playlist_id',
  'layout_id',
  'default_content_id',
  'orientation',
  'timezone',
  'opening_hours',
] as const satisfies Column<typeof devices>[];
const WALL = [
  'id',
  'grid_cols',
  'grid_rows',
  'bezel_h_mm',
  'bezel_v_mm',
  'screen_w_mm',
  'screen_h_mm',
  'leader_device_id',
  'content_id',
  'playlist_id',
] as const satisfies Column<typeof walls>[];
const WALL_MEMBER = [
  'wall_id',
  'device_id',
  'grid_col',
  'grid_row',
  'rotation',
  'canvas_x',
  'canvas_y',
  'canvas_width',
  'canvas_height',
] as const satisfies Column<typeof wallMembers>[];
const SCHEDULE = [
  'id',
  'device_id',
  'group_id',
  'zone_id',
  'content_id',
  'widget_id',
  'layout_id',
  'playlist_id',
  'title',
  'start_time',
  'end_time',
  'timezone',
  'recurrence',
  'recurrence_end',
  'priority',
  'created_at',
] as const satisfies Column<typeof schedules>[];
const ZONE = [
  'id',
  'name',
  'x_percent',
  'y_percent',
  'width_percent',
  'height_percent',
  'z_index',
  'zone_type',
  'fit_mode',
  'background_color',
  'content_id',
  'widget_id',
  'playlist_id',
] as const satisfies Column<typeof zones>[];
const LAYOUT = ['id', 'name', 'width', 'height'] as const satisfies Column<typeof layouts>[];
const PLAYLIST = ['id', 'name', 'published_ms', 'published_transition'] as const satisfies Column<typeof playlists>[];

type RowOf<T extends { $inferSelect: object }, C extends readonly Column<T>[]> = Readonly<
  Pick<T['$inferSelect'], C[number]>
>;
export type DeviceRow = RowOf<typeof devices, typeof DEVICE>;
export type WallRow = RowOf<typeof walls, typeof WALL>;
export type WallMemberRow = RowOf<typeof wallMembers, typeof WALL_MEMBER>;
export type ScheduleRow = RowOf<typeof schedules, typeof SCHEDULE> & {
  /** Id of the plan. Programs refer to the plan, because the schedules of a plan differ only in their targets. */
  readonly plan_id: string;
  /** Revision of the plan. A new revision means that the content of the plan has changed. */
  readonly revision: number;
};
/** Content and times of a campaign of headquarters in this store. */
export interface CampaignPlanRow
  extends Omit<ScheduleRow, 'device_id' | 'group_id' | 'zone_id' | 'content_id' | 'widget_id' | 'priority' | 'color'> {
  readonly rank: PlannedRank;
  /** Tags: the campaign is for screens with any of these tags; empty: all screens. */
  readonly screen_tags: readonly string[];
}
export interface MembershipRow {
  readonly device_id: string;
  readonly group_id: string;
  readonly playlist_id: string | null;
  readonly default_content_id: string | null;
}

type Content = typeof content.$inferSelect;
/** The content or widget that an item shows. */
export interface SubjectRow
  extends Readonly<
    Pick<Content, 'sha256' | 'duration_sec' | 'width' | 'height' | 'remote_url' | 'valid_from' | 'valid_until'> & {
      [C in 'kind' | 'mime_type' | 'file_size']: Content[C] | null;
    }
  > {
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly name: string;
  readonly widget_type: string | null;
  readonly widget_config: Record<string, unknown> | null;
}

export interface PublishedRow extends SubjectRow {
  readonly id: number;
  readonly zone_id: string | null;
  readonly item_seconds: number;
  readonly muted: boolean;
  readonly blocks: StoredBlock[];
  /** Time range in which the item is valid. The validity of its content also applies. */
  readonly item_from: string | null;
  readonly item_until: string | null;
  readonly transition: Transition | null;
  /** Id of the campaign slot that the store fills; null for an ordinary item. */
  readonly slot_id: string | null;
}

const PLANNED = `SELECT ${SCHEDULE.map((column) => `s.${column}`)}, s.plan_id, p.revision FROM schedules s JOIN plans p ON p.id = s.plan_id`;

/** `mime_type` is the type of the stored bytes, not the label that people may edit. */
const SUBJECT_COLUMNS = `c.id AS content_id, w.id AS widget_id, coalesce(c.filename, w.name) AS name, c.kind,
  coalesce((SELECT b.mime FROM blobs b WHERE b.sha256 = c.sha256), c.mime_type) AS mime_type, c.sha256, c.file_size,
  c.duration_sec, c.width, c.height, c.remote_url, w.widget_type, w.config AS widget_config,
  coalesce(c.valid_from, w.valid_from) AS valid_from, coalesce(c.valid_until, w.valid_until) AS valid_until`;

const transitionFrom = (stored: string | null) => (stored === null ? null : (JSON.parse(stored) as Transition));

type StoredDevice = Omit<DeviceRow, 'opening_hours'> & { readonly opening_hours: string };
/**
 * Skips parsing for empty opening hours, because almost no device has any, and a publication reads a thousand devices.
 */
const withHours = (row: StoredDevice): DeviceRow => ({
  ...row,
  opening_hours: row.opening_hours === '[]' ? [] : (JSON.parse(row.opening_hours) as StoredBlock[]),
});

/**
 * Database queries for programs. Uses prepared plain SQL, because a publication to a thousand screens reads the rows of
 * a thousand devices first.
 */
export class ProgramsStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      device: p(`SELECT ${DEVICE} FROM devices WHERE id = ?`),
      devices: p(`SELECT ${DEVICE} FROM devices WHERE workspace_id = ?`),
      membershipsOf: p(
        'SELECT m.device_id, m.group_id, g.playlist_id, g.default_content_id FROM group_members m JOIN "groups" g ON g.id = m.group_id WHERE m.device_id = ? ORDER BY m.seq',
      ),
      memberships: p(
        `SELECT m.device_id, m.group_id, g.playlist_id, g.default_content_id FROM group_members m JOIN "groups" g ON g.id = m.group_id WHERE g.workspace_id = ? ORDER BY m.seq`,
      ),
      group: p('SELECT id, playlist_id, default_content_id FROM "groups" WHERE id = ? AND workspace_id = ?'),
      workspaceDefault: p('SELECT default_content_id FROM workspaces WHERE id = ?').pluck(),
      memberIds: p('SELECT device_id FROM group_members WHERE group_id = ?').pluck(),
      walls: p(`SELECT ${WALL} FROM walls WHERE workspace_id = ?`),
      wall: p(`SELECT ${WALL} FROM walls WHERE id = ? AND workspace_id = ?`),
      membersOfWall: p(`SELECT ${WALL_MEMBER} FROM wall_members WHERE wall_id = ? ORDER BY grid_row, grid_col`),
      wallMembers: p(
        `SELECT ${WALL_MEMBER.map((column) => `m.${column}`)} FROM wall_members m JOIN walls w ON w.id = m.wall_id
         WHERE w.workspace_id = ? ORDER BY m.grid_row, m.grid_col`,
      ),
      schedules: p(`${PLANNED} WHERE s.workspace_id = ? AND s.enabled = 1 ORDER BY s.created_at, s.plan_id, s.id`),
      schedule: p(`${PLANNED} WHERE s.id = ? AND s.workspace_id = ? AND s.enabled = 1`),
      playlist: p(`SELECT ${PLAYLIST} FROM playlists WHERE id = ? AND workspace_id = ?`),
      published: p(
        `SELECT i.id, i.zone_id, i.duration_sec AS item_seconds, i.muted, i.blocks, i.valid_from AS item_from, i.valid_until AS item_until, i.transition, i.slot_id, ${SUBJECT_COLUMNS}
         FROM published_items i LEFT JOIN content c ON c.id = i.content_id LEFT JOIN widgets w ON w.id = i.widget_id WHERE i.playlist_id = ? ORDER BY i.sort_order, i.id`,
      ),
      content: p(
        `SELECT ${SUBJECT_COLUMNS} FROM content c LEFT JOIN widgets w ON 0 WHERE c.id = ? AND c.workspace_id = ?`,
      ),
      widget: p(
        `SELECT ${SUBJECT_COLUMNS} FROM widgets w LEFT JOIN content c ON 0 WHERE w.id = ? AND w.workspace_id = ?`,
      ),
      layout: p(`SELECT ${LAYOUT} FROM layouts WHERE id = ? AND (workspace_id = ? OR workspace_id IS NULL)`),
      zones: p(`SELECT ${ZONE} FROM zones WHERE layout_id = ? ORDER BY position, id`),
      zone: p('SELECT 1 FROM zones WHERE id = ?').pluck(),
      campaigns: p(
        `SELECT campaign AS id, campaign AS plan_id, edition AS revision, title, rank, screen_tags, playlist_id, layout_id, start_time, end_time, timezone, recurrence, recurrence_end, created_at
         FROM campaign_plans WHERE workspace_id = ? ORDER BY created_at, campaign`,
      ),
      tags: p(
        'SELECT t.device_id, t.tag FROM device_tags t JOIN devices d ON d.id = t.device_id WHERE d.workspace_id = ?',
      ),
      tagsOf: p('SELECT tag FROM device_tags WHERE device_id = ?').pluck(),
      slot: p(
        'SELECT s.limits, s.playlist_id, p.published_transition FROM chain_slots s LEFT JOIN playlists p ON p.id = s.playlist_id WHERE s.workspace_id = ? AND s.id = ?',
      ),
    };
  }

  device(id: string): DeviceRow | undefined {
    const row = this.#statements.device.get(id) as StoredDevice | undefined;
    return row && withHours(row);
  }
  devices(workspaceId: string): DeviceRow[] {
    return (this.#statements.devices.all(workspaceId) as StoredDevice[]).map(withHours);
  }
  membershipsOf(deviceId: string): MembershipRow[] {
    return this.#statements.membershipsOf.all(deviceId) as MembershipRow[];
  }

  memberships(workspaceId: string): MembershipRow[] {
    return this.#statements.memberships.all(workspaceId) as MembershipRow[];
  }
  group(workspaceId: string, id: string): Omit<MembershipRow, 'device_id' | 'group_id'> | undefined {
    return this.#statements.group.get(id, workspaceId) as Omit<MembershipRow, 'device_id' | 'group_id'> | undefined;
  }
  workspaceDefault(id: string): string | null {
    return (this.#statements.workspaceDefault.get(id) as string | null | undefined) ?? null;
  }
  memberIds(groupId: string): string[] {
    return this.#statements.memberIds.all(groupId) as string[];
  }
  wall(workspaceId: string, id: string): WallRow | undefined {
    return this.#statements.wall.get(id, workspaceId) as WallRow | undefined;
  }
  /** Returns the members of a wall by row, then column. */
  membersOfWall(wallId: string): WallMemberRow[] {
    return this.#statements.membersOfWall.all(wallId) as WallMemberRow[];
  }
  walls(workspaceId: string): WallRow[] {
    return this.#statements.walls.all(workspaceId) as WallRow[];
  }
  wallMembers(workspaceId: string): WallMemberRow[] {
    return this.#statements.wallMembers.all(workspaceId) as WallMemberRow[];
  }
  /** Returns the enabled schedules of the workspace. */
  schedules(workspaceId: string): ScheduleRow[] {
    return this.#statements.schedules.all(workspaceId) as ScheduleRow[];
  }
  /** Returns undefined when the schedule does not exist or is disabled. */
  schedule(workspaceId: string, id: string): ScheduleRow | undefined {
    return this.#statements.schedule.get(id, workspaceId) as ScheduleRow | undefined;
  }
  playlist(workspaceId: string, id: string) {
    const row = this.#statements.playlist.get(id, workspaceId) as
      | (Omit<RowOf<typeof playlists, typeof PLAYLIST>, 'published_transition'> & {
          published_transition: string | null;
        })
      | undefined;
    return row && { ...row, published_transition: transitionFrom(row.published_transition) };
  }
  published(playlistId: string): PublishedRow[] {
    const rows = this.#statements.published.all(playlistId) as (Omit<
      PublishedRow,
      'muted' | 'blocks' | 'widget_config' | 'transition'
    > & {
      muted: 0 | 1;
      blocks: string;
      transition: string | null;
      widget_config: string | null;
    })[];
    return rows.map((row) => ({
      ...row,
      muted: Boolean(row.muted),
      blocks: JSON.parse(row.blocks) as StoredBlock[],
      transition: transitionFrom(row.transition),
      widget_config: configOf(row.widget_config),
    }));
  }
  content(workspaceId: string, id: string): SubjectRow | undefined {
    return this.#subject(this.#statements.content.get(id, workspaceId));
  }
  widget(workspaceId: string, id: string): SubjectRow | undefined {
    return this.#subject(this.#statements.widget.get(id, workspaceId));
  }
  layout(workspaceId: string, id: string) {
    const layout = this.#statements.layout.get(id, workspaceId) as RowOf<typeof layouts, typeof LAYOUT> | undefined;
    if (!layout) return undefined;
    const found = this.#statements.zones.all(id) as RowOf<typeof zones, typeof ZONE>[];
    return { ...layout, zones: found };
  }
  campaigns(workspaceId: string): CampaignPlanRow[] {
    const rows = this.#statements.campaigns.all(workspaceId) as (Omit<CampaignPlanRow, 'screen_tags'> & {
      screen_tags: string;
    })[];
    return rows.map((row) => ({ ...row, screen_tags: JSON.parse(row.screen_tags) as string[] }));
  }
  /** Returns the tags of all screens of the workspace. */
  tags(workspaceId: string): { device_id: string; tag: string }[] {
    return this.#statements.tags.all(workspaceId) as { device_id: string; tag: string }[];
  }
  tagsOf(deviceId: string): string[] {
    return this.#statements.tagsOf.all(deviceId) as string[];
  }
  /** Returns a campaign slot with the playlist that the store chose; undefined for an unknown slot. */
  slot(
    workspaceId: string,
    id: string,
  ):
    | { readonly limits: SlotLimits; readonly playlist_id: string | null; readonly transition: Transition | null }
    | undefined {
    const row = this.#statements.slot.get(workspaceId, id) as
      | { limits: string; playlist_id: string | null; published_transition: string | null }
      | undefined;
    return (
      row && {
        limits: JSON.parse(row.limits) as SlotLimits,
        playlist_id: row.playlist_id,
        transition: transitionFrom(row.published_transition),
      }
    );
  }
  hasZone(id: string): boolean {
    return this.#statements.zone.get(id) === 1;
  }

  #subject(row: unknown): SubjectRow | undefined {
    if (!row) return undefined;
    const subject = row as SubjectRow & { widget_config: string | null };
    return { ...subject, widget_config: configOf(subject.widget_config) };
  }
}

const configOf = (text: unknown) => (typeof text === 'string' ? (JSON.parse(text) as Record<string, unknown>) : null);
