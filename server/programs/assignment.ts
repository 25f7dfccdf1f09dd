/**
 * Decides which playlist and layout a device shows, and which schedules and campaigns can replace them. The first of
 * these that exists is shown: schedule, wall, device's own, group. Device details, display_count, programs and schedules
 * all use this.
 */
import type { Placement } from '../../shared/program/program.ts';
import type {
  CampaignPlanRow,
  DeviceRow,
  MembershipRow,
  ProgramsStore,
  ScheduleRow,
  WallMemberRow,
  WallRow,
} from './programs.store.ts';
import { leaderOf, tilesOf, type WallTiles } from './wall-tiles.ts';

export interface Assignment {
  readonly playlistId: string | null;
  /** The single content that a wall shows instead of a playlist. */
  readonly contentId: string | null;
  readonly source: 'wall' | 'device' | 'group' | null;
  readonly layoutId: string | null;
  /** Default contents, in order: the first valid content plays when nothing else plays. */
  readonly fallbackIds: readonly string[];
  /** Schedules of the device and its groups, in order of creation; at most one per plan. */
  readonly schedules: readonly ScheduleRow[];
  /** Campaigns of headquarters for this device. */
  readonly campaigns: readonly CampaignPlanRow[];
  readonly placement: Placement;
  /** Key that is equal for devices that can share a program. */
  readonly key: string;
}

const multi = <T>(rows: readonly T[], keyOf: (row: T) => string | null): Map<string, T[]> => {
  const map = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const list = map.get(key);
    if (list) list.push(row);
    else map.set(key, [row]);
  }
  return map;
};

const takeOut = (map: Map<string, ScheduleRow[]>, key: string, row: ScheduleRow): void => {
  const left = (map.get(key) ?? []).filter(({ id }) => id !== row.id);
  if (left.length > 0) map.set(key, left);
  else map.delete(key);
};
/** Inserts the row so that the list stays sorted by creation time, then by plan id. */
const putIn = (map: Map<string, ScheduleRow[]>, key: string, row: ScheduleRow): void => {
  const list = map.get(key) ?? [];
  const after = list.findIndex(
    (other) =>
      other.created_at > row.created_at || (other.created_at === row.created_at && other.plan_id > row.plan_id),
  );
  map.set(key, list.toSpliced(after < 0 ? list.length : after, 0, row));
};

/**
 * Keeps only the first schedule of each plan. A plan may target a screen twice, directly and by a group; the direct
 * schedule comes first.
 */
const onceOfPlan = (rows: readonly ScheduleRow[]): ScheduleRow[] => {
  const seen = new Set<string>();
  return rows.filter(({ plan_id }) => !seen.has(plan_id) && seen.add(plan_id));
};

const folded = (tags: readonly string[]): ReadonlySet<string> => new Set(tags.map((tag) => tag.toLowerCase()));

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

interface Wall {
  readonly wall: WallRow;
  readonly members: readonly WallMemberRow[];
  readonly tiles: WallTiles;
}

/** Snapshot of a workspace's groups, walls and schedules, from which the assignment of any device is computed. */
export class Assignments {
  readonly #devices: Map<string, DeviceRow>;
  readonly #store: ProgramsStore;
  readonly #workspaceId: string;
  readonly #workspaceDefault: string | null;
  readonly #memberships: Map<string, readonly MembershipRow[]>;
  /** For each group, the ids of its member devices. */
  readonly #members: Map<string, ReadonlySet<string>>;
  readonly #walls: Map<string, Wall>;
  readonly #wallOf: Map<string, string>;
  readonly #schedules: Map<string, ScheduleRow>;
  readonly #byDevice: Map<string, ScheduleRow[]>;
  readonly #byGroup: Map<string, ScheduleRow[]>;
  readonly #campaigns: readonly CampaignPlanRow[];
  /** Tags of screens, in lower case. Empty while no campaign selects by tag. */
  readonly #tags: Map<string, ReadonlySet<string>>;

  constructor(store: ProgramsStore, workspaceId: string) {
    this.#store = store;
    this.#workspaceId = workspaceId;
    this.#devices = new Map(store.devices(workspaceId).map((d) => [d.id, d]));
    this.#workspaceDefault = store.workspaceDefault(workspaceId);
    const memberships = store.memberships(workspaceId);
    this.#memberships = multi(memberships, (m) => m.device_id);
    this.#members = new Map(
      [...multi(memberships, (m) => m.group_id)].map(([id, rows]) => [id, new Set(rows.map((m) => m.device_id))]),
    );
    const members = multi(store.wallMembers(workspaceId), (m) => m.wall_id);
    this.#walls = new Map();
    this.#wallOf = new Map();
    for (const wall of store.walls(workspaceId)) this.#hang(wall, members.get(wall.id) ?? []);
    const schedules = store.schedules(workspaceId);
    this.#schedules = new Map(schedules.map((s) => [s.id, s]));
    this.#byDevice = multi(schedules, (s) => s.device_id);
    this.#byGroup = multi(schedules, (s) => s.group_id);
    this.#campaigns = store.campaigns(workspaceId);
    this.#tags = new Map(
      this.#asksForTags
        ? [...multi(store.tags(workspaceId), (t) => t.device_id)].map(([id, rows]) => [
            id,
            folded(rows.map(({ tag }) => tag)),
          ])
        : [],
    );
  }

  get #asksForTags(): boolean {
    return this.#campaigns.some(({ screen_tags }) => screen_tags.length > 0);
  }

  get devices(): ReadonlyMap<string, DeviceRow> {
    return this.#devices;
  }

  get hasSchedules(): boolean {
    return this.#schedules.size + this.#campaigns.length > 0;
  }

  /**
   * Reloads some devices.
   * @returns the affected devices; undefined when these ids do not show which devices are
   * affected
   */
  rereadDevices(ids: readonly string[]): Iterable<string> | undefined {
    const concerned = new Set<string>();
    for (const id of ids) {
      const row = this.#store.device(id);
      const isTaggedAsBefore = !this.#asksForTags || this.#rereadTags(id);
      if (isSame(row, this.#devices.get(id)) && isTaggedAsBefore) continue;
      concerned.add(id);
      if (row?.workspace_id === this.#workspaceId) this.#devices.set(id, row);
      // The device was deleted. Without this device, the other panels of its wall change, too.
      else if (this.#wallOf.has(id)) return undefined;
      else this.#forget(id);
    }
    return concerned;
  }

  /** Reloads the tags. Returns whether they are unchanged. */
  #rereadTags(deviceId: string): boolean {
    const before = this.#tags.get(deviceId) ?? new Set();
    const now = folded(this.#store.tagsOf(deviceId));
    this.#tags.set(deviceId, now);
    return now.size === before.size && [...now].every((tag) => before.has(tag));
  }

  /**
   * Reloads some groups.
   * @returns the affected devices; undefined when a group was deleted, because its schedules were deleted with it and
   * everything must be reloaded
   */
  rereadGroups(ids: readonly string[]): Iterable<string> | undefined {
    const concerned = new Set<string>();
    for (const id of ids) {
      const group = this.#store.group(this.#workspaceId, id);
      if (!group) return undefined;
      const before = this.#members.get(id) ?? new Set();
      const now = new Set(this.#store.memberIds(id));
      this.#members.set(id, now);
      for (const device of new Set([...before, ...now])) {
        const rows = this.#memberships.get(device) ?? [];
        const isMember = before.has(device) && now.has(device);
        const { playlist_id, default_content_id } = group;
        const isAsBefore = (m: MembershipRow) =>
          m.playlist_id === playlist_id && m.default_content_id === default_content_id;
        if (isMember && rows.every((m) => m.group_id !== id || isAsBefore(m))) continue;
        this.#memberships.set(
          device,
          isMember
            ? rows.map((m) => (m.group_id === id ? { ...m, playlist_id, default_content_id } : m))
            : this.#store.membershipsOf(device),
        );
        concerned.add(device);
      }
    }
    return concerned;
  }

  /** Reloads some walls. @returns the affected devices; undefined when a wall was deleted */
  rereadWalls(ids: readonly string[]): Iterable<string> | undefined {
    const concerned = new Set<string>();
    for (const id of ids) {
      const wall = this.#store.wall(this.#workspaceId, id);
      if (!wall) return undefined;
      const members = this.#store.membersOfWall(id);
      const before = this.#walls.get(id);
      if (isSame([wall, members], [before?.wall, before?.members])) continue;
      for (const { device_id } of before?.members ?? []) {
        concerned.add(device_id);
        // Deletes the entry only if it names this wall, because the device may already belong to another wall.
        if (this.#wallOf.get(device_id) === id) this.#wallOf.delete(device_id);
      }
      this.#hang(wall, members);
      for (const { device_id } of members) concerned.add(device_id);
    }
    return concerned;
  }

  /**
   * Reloads some schedules, so that a change for one screen does not cost a reload of all schedules.
   * @returns the affected devices
   */
  rereadSchedules(ids: readonly string[]): Iterable<string> {
    const concerned = new Set<string>();
    for (const id of ids) {
      const before = this.#schedules.get(id);
      const now = this.#store.schedule(this.#workspaceId, id);
      this.#schedules.delete(id);
      if (now) this.#schedules.set(id, now);
      for (const [map, target] of [[this.#byDevice, 'device_id'] as const, [this.#byGroup, 'group_id'] as const]) {
        if (before?.[target]) takeOut(map, before[target], before);
        if (now?.[target]) putIn(map, now[target], now);
      }
      for (const row of [before, now]) for (const device of row ? this.#targetsOf(row) : []) concerned.add(device);
    }
    return concerned;
  }

  /** Returns the ids of zones that schedules refer to. */
  zones(): Iterable<string> {
    return new Set([...this.#schedules.values()].flatMap(({ zone_id }) => zone_id ?? []));
  }

  #hang(wall: WallRow, members: readonly WallMemberRow[]): void {
    this.#walls.set(wall.id, { wall, members, tiles: tilesOf(wall, members) });
    for (const { device_id } of members) this.#wallOf.set(device_id, wall.id);
  }

  /** Removes a device together with its schedules, which were deleted with the device. */
  #forget(deviceId: string): void {
    this.#devices.delete(deviceId);
    for (const { id } of this.#byDevice.get(deviceId) ?? []) this.#schedules.delete(id);
    this.#byDevice.delete(deviceId);
  }

  #targetsOf({ device_id, group_id }: ScheduleRow): string[] {
    return device_id ? [device_id] : [...(this.#members.get(group_id ?? '') ?? [])];
  }

  of(deviceId: string): Assignment | undefined {
    const device = this.#devices.get(deviceId);
    if (!device) return undefined;
    const memberships = this.#memberships.get(deviceId) ?? [];
    const inWall = this.#walls.get(this.#wallOf.get(deviceId) ?? '');
    const schedules = onceOfPlan([
      ...(this.#byDevice.get(deviceId) ?? []),
      ...memberships.flatMap((m) => this.#byGroup.get(m.group_id) ?? []),
    ]);
    const base = baseOf(device, memberships, inWall?.wall);
    const campaigns = this.#campaigns.filter(
      ({ rank, screen_tags }) =>
        // Playlists and contents of the store take precedence over a campaign of rank `default`, at any time.
        (rank !== 'default' || (base.playlistId === null && base.contentId === null)) &&
        (screen_tags.length === 0 || screen_tags.some((tag) => this.#tags.get(deviceId)?.has(tag.toLowerCase()))),
    );
    const layoutId = inWall ? null : device.layout_id;
    const fallbackIds = [
      device.default_content_id,
      ...memberships.map((m) => m.default_content_id),
      this.#workspaceDefault,
    ].filter((id, at, all): id is string => id !== null && all.indexOf(id) === at);
    const key = [
      base.source,
      base.playlistId,
      base.contentId,
      layoutId,
      fallbackIds.join(','),
      // The key contains the revisions of schedules, because a new revision requires a new program.
      schedules.map((s) => `${s.plan_id}${s.device_id ? 'd' : 'g'}${s.revision}`).join(','),
      campaigns.map((c) => `${c.id} ${c.revision}`).join(','),
    ].join('|');
    return {
      ...base,
      layoutId,
      fallbackIds,
      schedules,
      campaigns,
      placement: this.#placement(device, inWall),
      key,
    };
  }

  /** Returns the leading panel of the wall that contains the device; undefined when the device is in no wall. */
  wallLeader(deviceId: string): string | undefined {
    const inWall = this.#walls.get(this.#wallOf.get(deviceId) ?? '');
    return inWall && leaderOf(inWall.wall, inWall.members);
  }

  /** Returns the wall that contains the device, with all its panels; undefined when the device is in no wall. */
  wallPanels(deviceId: string): { readonly wallId: string; readonly panels: readonly string[] } | undefined {
    const inWall = this.#walls.get(this.#wallOf.get(deviceId) ?? '');
    return inWall && { wallId: inWall.wall.id, panels: inWall.members.map((member) => member.device_id) };
  }

  #placement(device: DeviceRow, inWall: Wall | undefined): Placement {
    const { orientation, timezone, opening_hours } = device;
    const own = { orientation, timezone, ...(opening_hours.length > 0 && { hours: [...opening_hours] }) };
    const tile = inWall?.tiles.tiles.get(device.id);
    if (!inWall || !tile) return { ...own, wall: null };
    const { wall, members } = inWall;
    const rotation = (members.find((m) => m.device_id === device.id)?.rotation ?? 0) as 0 | 90 | 180 | 270;
    return {
      ...own,
      wall: {
        wall_id: wall.id,
        canvas: inWall.tiles.canvas,
        tile,
        rotation,
        audio: leaderOf(wall, members) === device.id,
      },
    };
  }
}

const baseOf = (
  device: DeviceRow,
  memberships: readonly MembershipRow[],
  wall: WallRow | undefined,
): Pick<Assignment, 'playlistId' | 'contentId' | 'source'> => {
  if (wall && (wall.playlist_id || wall.content_id))
    return { playlistId: wall.playlist_id, contentId: wall.playlist_id ? null : wall.content_id, source: 'wall' };
  if (device.playlist_id) return { playlistId: device.playlist_id, contentId: null, source: 'device' };
  const inherited = memberships.find((m) => m.playlist_id !== null)?.playlist_id ?? null;
  return { playlistId: inherited, contentId: null, source: inherited ? 'group' : null };
};

/**
 * Returns the playlist of a device; if it has none, the playlist of its groups. Ignores schedules and walls. Reads only
 * the rows of this device.
 */
export const ownOrInherited = (store: ProgramsStore, deviceId: string): string | null => {
  const device = store.device(deviceId);
  return device ? baseOf(device, store.membershipsOf(deviceId), undefined).playlistId : null;
};
