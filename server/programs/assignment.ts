/**
 * Which playlist and layout a device shows, before schedules: the one place that knows (decisions, Device: schedule > wall >
 * device's own > group). Device detail, display_count, programs and schedules all ask here.
 */
import type { Placement } from '../../shared/program/program.ts';
import type { DeviceRow, MembershipRow, ProgramsStore, ScheduleRow, WallMemberRow, WallRow } from './programs.store.ts';
import { leaderOf, tilesOf, type WallTiles } from './wall-tiles.ts';

export interface Assignment {
  readonly playlistId: string | null;
  /** A wall's single content, where it has no playlist. */
  readonly contentId: string | null;
  readonly source: 'wall' | 'device' | 'group' | null;
  readonly layoutId: string | null;
  readonly fallbackId: string | null;
  /** Those of the device and of its groups, in order of creation. */
  readonly schedules: readonly ScheduleRow[];
  readonly placement: Placement;
  /** Equal for devices that share a program. */
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

interface Wall {
  readonly wall: WallRow;
  readonly members: readonly WallMemberRow[];
  readonly tiles: WallTiles;
}

/** A workspace's groups, walls and schedules at one moment, ready to be asked for any device. */
export class Assignments {
  readonly devices: ReadonlyMap<string, DeviceRow>;
  readonly #memberships: Map<string, MembershipRow[]>;
  readonly #walls: Map<string, Wall>;
  readonly #wallOf: Map<string, string>;
  readonly #byDevice: Map<string, ScheduleRow[]>;
  readonly #byGroup: Map<string, ScheduleRow[]>;

  constructor(store: ProgramsStore, workspaceId: string) {
    this.devices = new Map(store.devices(workspaceId).map((d) => [d.id, d]));
    this.#memberships = multi(store.memberships(workspaceId), (m) => m.device_id);
    const members = multi(store.wallMembers(workspaceId), (m) => m.wall_id);
    this.#walls = new Map();
    this.#wallOf = new Map();
    for (const wall of store.walls(workspaceId)) {
      const own = members.get(wall.id) ?? [];
      this.#walls.set(wall.id, { wall, members: own, tiles: tilesOf(wall, own) });
      for (const member of own) this.#wallOf.set(member.device_id, wall.id);
    }
    const schedules = store.schedules(workspaceId);
    this.#byDevice = multi(schedules, (s) => s.device_id);
    this.#byGroup = multi(schedules, (s) => s.group_id);
  }

  get hasSchedules(): boolean {
    return this.#byDevice.size > 0 || this.#byGroup.size > 0;
  }

  of(deviceId: string): Assignment | undefined {
    const device = this.devices.get(deviceId);
    if (!device) return undefined;
    const memberships = this.#memberships.get(deviceId) ?? [];
    const inWall = this.#walls.get(this.#wallOf.get(deviceId) ?? '');
    const schedules = [...(this.#byDevice.get(deviceId) ?? []), ...memberships.flatMap((m) => this.#byGroup.get(m.group_id) ?? [])];
    const base = baseOf(device, memberships, inWall?.wall);
    const layoutId = inWall ? null : device.layout_id;
    const key = [base.source, base.playlistId, base.contentId, layoutId, device.default_content_id, schedules.map((s) => `${s.id}${s.device_id ? 'd' : 'g'}`).join(',')].join('|');
    return { ...base, layoutId, fallbackId: device.default_content_id, schedules, placement: this.#placement(device, inWall), key };
  }

  /** Without schedules and walls. */
  ownOrInherited(deviceId: string): string | null {
    const device = this.devices.get(deviceId);
    return device ? baseOf(device, this.#memberships.get(deviceId) ?? [], undefined).playlistId : null;
  }

  /** The panel that plays the sound of the wall that the device hangs in; undefined: in none. */
  wallLeader(deviceId: string): string | undefined {
    const inWall = this.#walls.get(this.#wallOf.get(deviceId) ?? '');
    return inWall && leaderOf(inWall.wall, inWall.members);
  }

  #placement(device: DeviceRow, inWall: Wall | undefined): Placement {
    const { orientation, timezone, opening_hours } = device;
    const own = { orientation, timezone, ...(opening_hours.length > 0 && { hours: [...opening_hours] }) };
    const tile = inWall?.tiles.tiles.get(device.id);
    if (!inWall || !tile) return { ...own, wall: null };
    const { wall, members } = inWall;
    const rotation = (members.find((m) => m.device_id === device.id)?.rotation ?? 0) as 0 | 90 | 180 | 270;
    return { ...own, wall: { wall_id: wall.id, canvas: inWall.tiles.canvas, tile, rotation, audio: leaderOf(wall, members) === device.id } };
  }
}

const baseOf = (device: DeviceRow, memberships: readonly MembershipRow[], wall: WallRow | undefined): Pick<Assignment, 'playlistId' | 'contentId' | 'source'> => {
  if (wall && (wall.playlist_id || wall.content_id)) return { playlistId: wall.playlist_id, contentId: wall.playlist_id ? null : wall.content_id, source: 'wall' };
  if (device.playlist_id) return { playlistId: device.playlist_id, contentId: null, source: 'device' };
  const inherited = memberships.find((m) => m.playlist_id !== null)?.playlist_id ?? null;
  return { playlistId: inherited, contentId: null, source: inherited ? 'group' : null };
};
