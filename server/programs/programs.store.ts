import type { Database } from '../db/database.ts';
import type { StoredBlock } from '../db/schema.ts';

export interface DeviceRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly playlist_id: string | null;
  readonly layout_id: string | null;
  readonly default_content_id: string | null;
  readonly orientation: '0' | '90' | '180' | '270';
  readonly timezone: string;
  readonly opening_hours: readonly StoredBlock[];
}

export interface MembershipRow {
  readonly device_id: string;
  readonly group_id: string;
  readonly playlist_id: string | null;
}

export interface WallRow {
  readonly id: string;
  readonly grid_cols: number;
  readonly grid_rows: number;
  readonly bezel_h_mm: number;
  readonly bezel_v_mm: number;
  readonly screen_w_mm: number;
  readonly screen_h_mm: number;
  readonly leader_device_id: string | null;
  readonly content_id: string | null;
  readonly playlist_id: string | null;
}

export interface WallMemberRow {
  readonly wall_id: string;
  readonly device_id: string;
  readonly grid_col: number;
  readonly grid_row: number;
  readonly rotation: number;
  readonly canvas_x: number | null;
  readonly canvas_y: number | null;
  readonly canvas_width: number | null;
  readonly canvas_height: number | null;
}

export interface ScheduleRow {
  readonly id: string;
  readonly device_id: string | null;
  readonly group_id: string | null;
  readonly zone_id: string | null;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly layout_id: string | null;
  readonly playlist_id: string | null;
  readonly title: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly timezone: string;
  readonly recurrence: string | null;
  readonly recurrence_end: string | null;
  readonly priority: number;
  readonly created_at: number;
}

/** What an item shows, whichever of the two it is. */
export interface SubjectRow {
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly name: string;
  readonly kind: string | null;
  readonly mime_type: string | null;
  readonly sha256: string | null;
  readonly file_size: number | null;
  readonly duration_sec: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly remote_url: string | null;
  readonly widget_type: string | null;
  readonly widget_config: Record<string, unknown> | null;
}

export interface PublishedRow extends SubjectRow {
  readonly id: number;
  readonly zone_id: string | null;
  readonly item_seconds: number;
  readonly muted: boolean;
  readonly blocks: StoredBlock[];
}

/** `mime_type` is what the stored bytes are, not the label that people may edit. */
const SUBJECT_COLUMNS = `c.id AS content_id, w.id AS widget_id, coalesce(c.filename, w.name) AS name, c.kind,
  coalesce((SELECT b.mime FROM blobs b WHERE b.sha256 = c.sha256), c.mime_type) AS mime_type, c.sha256, c.file_size,
  c.duration_sec, c.width, c.height, c.remote_url, w.widget_type, w.config AS widget_config`;

const DEVICE_COLUMNS =
  'id, workspace_id, playlist_id, layout_id, default_content_id, orientation, timezone, opening_hours';

const SCHEDULE_COLUMNS =
  'id, device_id, group_id, zone_id, content_id, widget_id, layout_id, playlist_id, title, start_time, end_time, timezone, recurrence, recurrence_end, priority, created_at';

type StoredDevice = Omit<DeviceRow, 'opening_hours'> & { readonly opening_hours: string };
/** Almost no device has any, and a publish reads a thousand of them. */
const withHours = (row: StoredDevice): DeviceRow => ({
  ...row,
  opening_hours: row.opening_hours === '[]' ? [] : (JSON.parse(row.opening_hours) as StoredBlock[]),
});

/**
 * What programs are made of. Plain prepared SQL: a publish reads a thousand devices' rows before a thousand screens
 * change.
 */
export class ProgramsStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      device: p(`SELECT ${DEVICE_COLUMNS} FROM devices WHERE id = ?`),
      devices: p(`SELECT ${DEVICE_COLUMNS} FROM devices WHERE workspace_id = ?`),
      membershipsOf: p(
        'SELECT m.device_id, m.group_id, g.playlist_id FROM group_members m JOIN "groups" g ON g.id = m.group_id WHERE m.device_id = ? ORDER BY m.seq',
      ),
      memberships: p(
        `SELECT m.device_id, m.group_id, g.playlist_id FROM group_members m JOIN "groups" g ON g.id = m.group_id WHERE g.workspace_id = ? ORDER BY m.seq`,
      ),
      walls: p(
        'SELECT id, grid_cols, grid_rows, bezel_h_mm, bezel_v_mm, screen_w_mm, screen_h_mm, leader_device_id, content_id, playlist_id FROM walls WHERE workspace_id = ?',
      ),
      wallMembers: p(
        'SELECT m.wall_id, m.device_id, m.grid_col, m.grid_row, m.rotation, m.canvas_x, m.canvas_y, m.canvas_width, m.canvas_height FROM wall_members m JOIN walls w ON w.id = m.wall_id WHERE w.workspace_id = ? ORDER BY m.grid_row, m.grid_col',
      ),
      schedules: p(
        `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE workspace_id = ? AND enabled = 1 ORDER BY created_at, id`,
      ),
      schedule: p(`SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE id = ? AND workspace_id = ? AND enabled = 1`),
      playlist: p('SELECT id, name, published_ms FROM playlists WHERE id = ? AND workspace_id = ?'),
      published: p(
        `SELECT i.id, i.zone_id, i.duration_sec AS item_seconds, i.muted, i.blocks, ${SUBJECT_COLUMNS}
         FROM published_items i LEFT JOIN content c ON c.id = i.content_id LEFT JOIN widgets w ON w.id = i.widget_id WHERE i.playlist_id = ? ORDER BY i.sort_order, i.id`,
      ),
      content: p(
        `SELECT ${SUBJECT_COLUMNS} FROM content c LEFT JOIN widgets w ON 0 WHERE c.id = ? AND c.workspace_id = ?`,
      ),
      widget: p(
        `SELECT ${SUBJECT_COLUMNS} FROM widgets w LEFT JOIN content c ON 0 WHERE w.id = ? AND w.workspace_id = ?`,
      ),
      layout: p(
        'SELECT id, name, width, height FROM layouts WHERE id = ? AND (workspace_id = ? OR workspace_id IS NULL)',
      ),
      zones: p(
        'SELECT id, name, x_percent, y_percent, width_percent, height_percent, z_index, zone_type, fit_mode, background_color FROM zones WHERE layout_id = ? ORDER BY position, id',
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
  walls(workspaceId: string): WallRow[] {
    return this.#statements.walls.all(workspaceId) as WallRow[];
  }
  wallMembers(workspaceId: string): WallMemberRow[] {
    return this.#statements.wallMembers.all(workspaceId) as WallMemberRow[];
  }
  /** Enabled ones. */
  schedules(workspaceId: string): ScheduleRow[] {
    return this.#statements.schedules.all(workspaceId) as ScheduleRow[];
  }
  /** Undefined: there is none, or it is not enabled. */
  schedule(workspaceId: string, id: string): ScheduleRow | undefined {
    return this.#statements.schedule.get(id, workspaceId) as ScheduleRow | undefined;
  }
  playlist(workspaceId: string, id: string) {
    return this.#statements.playlist.get(id, workspaceId) as
      | { id: string; name: string; published_ms: number | null }
      | undefined;
  }
  published(playlistId: string): PublishedRow[] {
    const rows = this.#statements.published.all(playlistId) as (Omit<
      PublishedRow,
      'muted' | 'blocks' | 'widget_config'
    > & {
      muted: 0 | 1;
      blocks: string;
      widget_config: string | null;
    })[];
    return rows.map((row) => ({
      ...row,
      muted: Boolean(row.muted),
      blocks: JSON.parse(row.blocks) as StoredBlock[],
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
    const layout = this.#statements.layout.get(id, workspaceId) as
      | { id: string; name: string; width: number; height: number }
      | undefined;
    if (!layout) return undefined;
    const zones = this.#statements.zones.all(id) as {
      id: string;
      name: string;
      x_percent: number;
      y_percent: number;
      width_percent: number;
      height_percent: number;
      z_index: number;
      zone_type: string;
      fit_mode: 'cover' | 'contain' | 'fill';
      background_color: string;
    }[];
    return { ...layout, zones };
  }

  #subject(row: unknown): SubjectRow | undefined {
    if (!row) return undefined;
    const subject = row as SubjectRow & { widget_config: string | null };
    return { ...subject, widget_config: configOf(subject.widget_config) };
  }
}

const configOf = (text: unknown) => (typeof text === 'string' ? (JSON.parse(text) as Record<string, unknown>) : null);
