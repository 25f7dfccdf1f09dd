import type { DeviceChange } from '../../../shared/contract/screens/devices.ts';
import type { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import type { Database } from '../../db/database.ts';
import { and, eq, sql } from '../../db/drizzle.ts';
import { devices, type StoredBlock, type telemetry } from '../../db/schema.ts';

export type DeviceRow = typeof devices.$inferSelect & {
  readonly screenshot_at: number | null;
  readonly tags: readonly string[];
};
export type DeviceEdit = Partial<Pick<DeviceRow, Exclude<keyof DeviceChange, 'tags'> | 'playlist_id'>>;
export type TelemetryStored = typeof telemetry.$inferSelect;
type StoredRow = Omit<DeviceRow, 'capabilities' | 'opening_hours' | 'tags' | 'formats'> &
  Readonly<Record<'capabilities' | 'opening_hours' | 'tags', string>> & { readonly formats: string | null };

const COLUMNS = `d.*, (SELECT taken_at FROM screenshots s WHERE s.device_id = d.id) AS screenshot_at,
  (SELECT json_group_array(t.tag ORDER BY vitrine_order(t.tag), t.tag) FROM device_tags t WHERE t.device_id = d.id) AS tags`;
const NONE: readonly string[] = [];
const parsed = (row: StoredRow): DeviceRow => ({
  ...row,
  capabilities: JSON.parse(row.capabilities) as string[],
  formats: row.formats === null ? null : (JSON.parse(row.formats) as ScreenFormats),
  opening_hours: JSON.parse(row.opening_hours) as StoredBlock[],
  tags: row.tags === '[]' ? NONE : (JSON.parse(row.tags) as string[]),
});

export class DevicesStore {
  readonly #db: Database;
  readonly #statements;

  constructor(db: Database) {
    this.#db = db;
    const p = (text: string) => db.raw.prepare(text);
    this.#statements = {
      list: p(
        `SELECT ${COLUMNS} FROM devices d WHERE d.workspace_id = ? ORDER BY vitrine_order(d.name), d.created_at, d.id`,
      ),
      find: p(`SELECT ${COLUMNS} FROM devices d WHERE d.id = ? AND d.workspace_id = ?`),
      secret: p('SELECT 1 FROM devices WHERE secret_hash = ?'),
      count: p('SELECT count(*) AS n FROM devices WHERE workspace_id = ?'),
      contentExists: p('SELECT 1 FROM content WHERE id = ? AND workspace_id = ?'),
      groupExists: p('SELECT 1 FROM "groups" WHERE id = ? AND workspace_id = ?'),
      groups: p('SELECT group_id AS id FROM group_members WHERE device_id = ? ORDER BY seq'),
      wall: p('SELECT wall_id AS id FROM wall_members WHERE device_id = ?'),
      namesOf: p(
        'SELECT d.id, d.name FROM devices d JOIN json_each(?) e ON e.value = d.id WHERE d.workspace_id = ? ORDER BY e.key',
      ),
      countOf: p(
        'SELECT count(*) FROM devices WHERE workspace_id = ? AND id IN (SELECT value FROM json_each(?))',
      ).pluck(),
      playlistExists: p('SELECT 1 FROM playlists WHERE id = ? AND workspace_id = ?'),
      playlistName: p('SELECT name FROM playlists WHERE id = ?').pluck(),
      members: p('SELECT device_id AS id FROM group_members WHERE group_id = ?'),
      layoutExists: p('SELECT 1 FROM layouts WHERE id = ? AND (workspace_id = ? OR workspace_id IS NULL)'),
      latestTelemetry: p('SELECT * FROM telemetry WHERE device_id = ? ORDER BY reported_at DESC, id DESC LIMIT ?'),
      telemetrySince: p('SELECT * FROM telemetry WHERE device_id = ? AND reported_at >= ? ORDER BY reported_at, id'),
      statusSince: p(
        'SELECT status, since, until FROM status_intervals WHERE device_id = ? AND (until IS NULL OR until > ?) ORDER BY since, id',
      ),
      editWallsOf: p(
        'UPDATE walls SET revision = revision + 1 WHERE leader_device_id = @d OR id IN (SELECT wall_id FROM wall_members WHERE device_id = @d)',
      ),
      delete: p('DELETE FROM devices WHERE id = ?'),
      placesOf: p(
        'SELECT (SELECT count(*) FROM group_members WHERE device_id = @d) AS groups, (SELECT count(*) FROM wall_members WHERE device_id = @d) AS walls, (SELECT count(*) FROM schedules WHERE device_id = @d) AS schedules',
      ),
      ownPlaylists: p(
        `SELECT id FROM playlists p WHERE owner_device_id = @d AND made_for_owner
           AND NOT EXISTS (SELECT 1 FROM devices WHERE playlist_id = p.id AND id <> @d)
           AND NOT EXISTS (SELECT 1 FROM "groups" WHERE playlist_id = p.id)
           AND NOT EXISTS (SELECT 1 FROM walls WHERE playlist_id = p.id)
           AND NOT EXISTS (SELECT 1 FROM plans n JOIN plan_targets t ON t.plan_id = n.id WHERE n.playlist_id = p.id AND NOT (t.kind = 'device' AND t.ref = @d))`,
      ),
      deletePlaylist: p('DELETE FROM playlists WHERE id = ?'),
      disown: p('UPDATE playlists SET owner_device_id = NULL, made_for_owner = 0 WHERE owner_device_id = ?'),
    };
  }

  /** Returns devices sorted by name, then by creation time. */
  list(workspaceId: string): DeviceRow[] {
    return (this.#statements.list.all(workspaceId) as StoredRow[]).map(parsed);
  }

  find(workspaceId: string, id: string): DeviceRow | undefined {
    const row = this.#statements.find.get(id, workspaceId) as StoredRow | undefined;
    return row && parsed(row);
  }

  /** Finds a device in any workspace. */
  hasSecret(hash: string): boolean {
    return this.#statements.secret.get(hash) !== undefined;
  }

  count(workspaceId: string): number {
    return (this.#statements.count.get(workspaceId) as { n: number }).n;
  }

  insert(row: typeof devices.$inferInsert): void {
    this.#db.orm.insert(devices).values(row).run();
  }

  /** Changes a device. Every edit raises its revision. */
  update(workspaceId: string, id: string, change: DeviceEdit & { updated_at: number }): void {
    this.#db.orm
      .update(devices)
      .set({ ...change, revision: sql`${devices.revision} + 1` })
      .where(and(eq(devices.id, id), eq(devices.workspace_id, workspaceId)))
      .run();
  }

  /** Deletes a device, and raises the revision of the walls that contain it. */
  delete(id: string): void {
    this.#statements.editWallsOf.run({ d: id });
    this.#statements.delete.run(id);
  }

  /** Counts the groups, walls and schedules that contain the device. */
  placesOf(id: string): { groups: number; walls: number; schedules: number } {
    return this.#statements.placesOf.get({ d: id }) as { groups: number; walls: number; schedules: number };
  }

  /**
   * Deletes the playlists that were made for this device and that nothing else plays. The device's other own playlists
   * become ordinary playlists. Returns the ids of the deleted playlists.
   */
  releaseOwnPlaylists(id: string): string[] {
    const gone = (this.#statements.ownPlaylists.all({ d: id }) as { id: string }[]).map((row) => row.id);
    for (const playlist of gone) this.#statements.deletePlaylist.run(playlist);
    this.#statements.disown.run(id);
    return gone;
  }

  contentExists(workspaceId: string, id: string): boolean {
    return this.#statements.contentExists.get(id, workspaceId) !== undefined;
  }

  groupExists(workspaceId: string, id: string): boolean {
    return this.#statements.groupExists.get(id, workspaceId) !== undefined;
  }

  /** Returns the groups of a device, oldest membership first. */
  groupsOf(deviceId: string): string[] {
    return (this.#statements.groups.all(deviceId) as { id: string }[]).map((row) => row.id);
  }

  wallOf(deviceId: string): string | null {
    return (this.#statements.wall.get(deviceId) as { id: string } | undefined)?.id ?? null;
  }

  /** Returns how many of these devices belong to the workspace. @param ids without repeats */
  countOf(workspaceId: string, ids: readonly string[]): number {
    return this.#statements.countOf.get(workspaceId, JSON.stringify(ids)) as number;
  }

  /** Returns the given devices. Unknown devices are left out. */
  namesOf(workspaceId: string, ids: readonly string[]): { id: string; name: string }[] {
    return this.#statements.namesOf.all(JSON.stringify(ids), workspaceId) as { id: string; name: string }[];
  }

  playlistExists(workspaceId: string, id: string): boolean {
    return this.#statements.playlistExists.get(id, workspaceId) !== undefined;
  }

  playlistName(id: string): string | undefined {
    return this.#statements.playlistName.get(id) as string | undefined;
  }

  membersOf(groupId: string): string[] {
    return (this.#statements.members.all(groupId) as { id: string }[]).map((row) => row.id);
  }

  /** Returns whether the layout can be used in the workspace. Templates can be used without a copy. */
  layoutExists(workspaceId: string, id: string): boolean {
    return this.#statements.layoutExists.get(id, workspaceId) !== undefined;
  }

  latestTelemetry(deviceId: string, limit: number): TelemetryStored[] {
    return this.#statements.latestTelemetry.all(deviceId, limit) as TelemetryStored[];
  }

  telemetrySince(deviceId: string, since: number): TelemetryStored[] {
    return this.#statements.telemetrySince.all(deviceId, since) as TelemetryStored[];
  }

  /** Returns online and offline intervals that end after `since`, oldest first. */
  statusSince(
    deviceId: string,
    since: number,
  ): { status: 'online' | 'offline'; since: number; until: number | null }[] {
    return this.#statements.statusSince.all(deviceId, since) as {
      status: 'online' | 'offline';
      since: number;
      until: number | null;
    }[];
  }
}
