import type { UpdateFile } from '../../../shared/contract/server/updates.ts';
import type { ReleaseKind } from '../../../shared/protocol/releases/release-signature.ts';
import type { Database } from '../../db/database.ts';
import { and, asc, desc, eq, inArray, sql } from '../../db/drizzle.ts';
import { devices, groupMembers, groups, releaseFiles, releases, rolloutDevices, rollouts } from '../../db/schema.ts';

export type ReleaseRow = typeof releases.$inferSelect;
export type RolloutRow = typeof rollouts.$inferSelect;
export type RolloutDeviceRow = typeof rolloutDevices.$inferSelect;
/** A screen of any workspace, because updates are for the whole server. */
export type ScreenRow = Pick<
  typeof devices.$inferSelect,
  'id' | 'name' | 'workspace_id' | 'version' | 'last_heartbeat'
>;

const fileColumns = {
  name: releaseFiles.name,
  platform: releaseFiles.platform,
  arch: releaseFiles.arch,
  kind: sql<ReleaseKind>`${releaseFiles.kind}`,
  size: releaseFiles.size,
  sha256: releaseFiles.sha256,
  sha512: releaseFiles.sha512,
  signature: releaseFiles.signature,
};

/**
 * SQL for releases and rollouts. Prepares no statements, because these queries run only a few times per day, and
 * preparing them would slow down each start.
 */
export class UpdatesStore {
  readonly #db: Database;
  /** Hashes of missing files, and signatures of unknown publishers. */
  #away = new Set<string>();
  #unknown = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  // Releases:

  listReleases(): ReleaseRow[] {
    return this.#db.orm.select().from(releases).orderBy(desc(releases.created_at), desc(releases.id)).all();
  }

  findRelease(id: string): ReleaseRow | undefined {
    return this.#db.orm.select().from(releases).where(eq(releases.id, id)).get();
  }

  findVersion(version: string): ReleaseRow | undefined {
    return this.#db.orm.select().from(releases).where(eq(releases.version, version)).get();
  }

  insertRelease(row: ReleaseRow): void {
    this.#db.orm.insert(releases).values(row).run();
  }

  deleteRelease(id: string): void {
    this.#db.orm.delete(releases).where(eq(releases.id, id)).run();
  }

  files(releaseId: string): UpdateFile[] {
    return this.#db.orm
      .select(fileColumns)
      .from(releaseFiles)
      .where(eq(releaseFiles.release_id, releaseId))
      .orderBy(asc(releaseFiles.name))
      .all()
      .flatMap((file) => this.#shown(file) ?? []);
  }

  findFile(releaseId: string, name: string): UpdateFile | undefined {
    const file = this.#db.orm
      .select(fileColumns)
      .from(releaseFiles)
      .where(and(eq(releaseFiles.release_id, releaseId), eq(releaseFiles.name, name)))
      .get();
    return file && this.#shown(file);
  }

  /** Returns every file in the database, whether it is on disk or missing. */
  named(): UpdateFile[] {
    return this.#db.orm.select(fileColumns).from(releaseFiles).all();
  }

  #shown(file: UpdateFile): UpdateFile | undefined {
    if (this.#away.has(file.sha256)) return undefined;
    return file.signature !== null && this.#unknown.has(file.signature) ? { ...file, signature: null } : file;
  }

  putFile(releaseId: string, file: UpdateFile): void {
    const { name, ...rest } = file;
    this.#db.orm
      .insert(releaseFiles)
      .values({ release_id: releaseId, name, ...rest })
      .onConflictDoUpdate({ target: [releaseFiles.release_id, releaseFiles.name], set: rest })
      .run();
  }

  /** Returns the hashes that releases refer to. */
  hashes(): string[] {
    return this.#db.orm
      .select({ sha256: releaseFiles.sha256 })
      .from(releaseFiles)
      .all()
      .map(({ sha256 }) => sha256);
  }

  /**
   * Hides rows without deleting them: rows whose files are missing, and rows whose signatures are of unknown
   * publishers. The reason may be temporary: an older backup, a moved folder or another build of the server.
   */
  hide({ files, signatures }: { files: Iterable<string>; signatures: Iterable<string> }): void {
    this.#away = new Set(files);
    this.#unknown = new Set(signatures);
  }

  /** Stops hiding a file, which is on the disk again. */
  show(sha256: string): void {
    this.#away.delete(sha256);
  }

  /** Counts screens by the version that they report. */
  screensByVersion(): Map<string, number> {
    const rows = this.#db.orm
      .select({ version: devices.version, n: sql<number>`count(*)` })
      .from(devices)
      .groupBy(devices.version)
      .all();
    return new Map(rows.map(({ version, n }) => [version, n]));
  }

  /** Returns the distinct platforms that screens report. */
  screensByPlatform(): string[] {
    return this.#db.orm
      .selectDistinct({ platform: devices.platform })
      .from(devices)
      .all()
      .map(({ platform }) => platform);
  }

  // Rollouts:

  listRollouts(): RolloutRow[] {
    return this.#db.orm.select().from(rollouts).orderBy(desc(rollouts.created_at), desc(rollouts.id)).all();
  }

  findRollout(id: string): RolloutRow | undefined {
    return this.#db.orm.select().from(rollouts).where(eq(rollouts.id, id)).get();
  }

  /** Returns the open rollout. At most one exists. */
  openRollout(): RolloutRow | undefined {
    return this.#db.orm
      .select()
      .from(rollouts)
      .where(inArray(rollouts.status, ['running', 'paused', 'stopped']))
      .orderBy(desc(rollouts.id))
      .get();
  }

  insertRollout(row: RolloutRow): void {
    this.#db.orm.insert(rollouts).values(row).run();
  }

  updateRollout(id: string, change: Partial<RolloutRow>): void {
    this.#db.orm.update(rollouts).set(change).where(eq(rollouts.id, id)).run();
  }

  devicesOf(rolloutId: string): RolloutDeviceRow[] {
    return this.#db.orm.select().from(rolloutDevices).where(eq(rolloutDevices.rollout_id, rolloutId)).all();
  }

  deviceOf(rolloutId: string, deviceId: string): RolloutDeviceRow | undefined {
    return this.#db.orm
      .select()
      .from(rolloutDevices)
      .where(and(eq(rolloutDevices.rollout_id, rolloutId), eq(rolloutDevices.device_id, deviceId)))
      .get();
  }

  putDevice(row: RolloutDeviceRow): void {
    const { rollout_id: _rollout, device_id: _device, ...rest } = row;
    this.#db.orm
      .insert(rolloutDevices)
      .values(row)
      .onConflictDoUpdate({ target: [rolloutDevices.rollout_id, rolloutDevices.device_id], set: rest })
      .run();
  }

  /** Resets failed and unsupported screens to waiting. */
  retry(rolloutId: string): void {
    this.#db.orm
      .delete(rolloutDevices)
      .where(and(eq(rolloutDevices.rollout_id, rolloutId), inArray(rolloutDevices.status, ['failed', 'unsupported'])))
      .run();
  }

  // Returns screens and groups of all workspaces.

  screens(): ScreenRow[] {
    return this.#db.orm
      .select({
        id: devices.id,
        name: devices.name,
        workspace_id: devices.workspace_id,
        version: devices.version,
        last_heartbeat: devices.last_heartbeat,
      })
      .from(devices)
      .orderBy(sql`vitrine_order(${devices.name})`, asc(devices.id))
      .all();
  }

  /** Returns the given ids that belong to groups. */
  groups(ids: readonly string[]): string[] {
    return this.#db.orm
      .select({ id: groups.id })
      .from(groups)
      .where(inArray(groups.id, [...ids]))
      .all()
      .map(({ id }) => id);
  }

  members(groupIds: readonly string[]): Set<string> {
    if (groupIds.length === 0) return new Set();
    const rows = this.#db.orm
      .select({ id: groupMembers.device_id })
      .from(groupMembers)
      .where(inArray(groupMembers.group_id, [...groupIds]))
      .all();
    return new Set(rows.map(({ id }) => id));
  }
}
