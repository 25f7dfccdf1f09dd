/**
 * Rules of video walls (resource API, Video walls). Panels run on the shared clock. The leader plays the sound, and all
 * panels synchronize with the refreshes of the leader.
 */

import type { z } from 'zod';
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import type {
  DeviceWallConfig,
  NewWall,
  NewWallMember,
  Wall,
  WallChange,
  WallMember,
  WallProgram,
} from '../../../shared/contract/screens/walls.ts';
import { placeMembers } from '../../../shared/program/wall.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { leaderOf, tilesOf, toWallMember } from '../../programs/wall-tiles.ts';
import type { WallSync } from '../../realtime/screens/wall-sync.ts';
import type { LiveRegistry } from '../../realtime/state/live-registry.ts';
import { Records } from '../records.ts';
import type { WallRow, WallsStore } from './walls.store.ts';

const MAX_WALLS = 500;

type Members = ReturnType<WallsStore['members']>;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: WallsStore;
  readonly live: Pick<LiveRegistry, 'get'>;
  readonly wallSync: Pick<WallSync, 'of'>;
}

export class WallsService {
  readonly #deps: Deps;
  readonly #records: Records<WallRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, noun: 'Wall', topic: 'walls', nameOf: (row) => row.name });
  }

  list(actor: WorkspaceActor): Wall[] {
    const rows = this.#deps.store.ofWorkspace(actor.workspaceId);
    const members = Map.groupBy(this.#deps.store.members(rows.map((row) => row.id)), (m) => m.wall_id);
    return rows.map((row) => this.#view(row, members.get(row.id) ?? []));
  }

  get(actor: WorkspaceActor, id: string): Versioned<Wall> {
    return this.#versioned(this.#records.get(actor, id));
  }

  create(actor: WorkspaceActor, body: NewWall): Versioned<Wall> {
    const { store, db, clock } = this.#deps;
    this.#records.requireRoom(actor, MAX_WALLS);
    this.#requireReferences(actor, body);
    if (body.leader_device_id)
      throw badRequest('leader_device_id: must be a screen of the video wall; add screens to the new video wall first');
    return db.write(() => {
      const row = store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        ...definedOnly(body),
        name: body.name,
        created_at: seconds(clock),
      });
      // The new wall has no panels yet, so no screen is notified.
      this.#records.changed(actor, 'wall.created', row, { screens: false });
      return this.#versioned(row);
    });
  }

  update(actor: WorkspaceActor, id: string, body: WallChange, ifMatch?: string): Versioned<Wall> {
    return this.#records.edit(actor, id, { action: 'wall.updated', ifMatch }, (row) => {
      this.#requireReferences(actor, body);
      const members = this.#deps.store.members([row.id]);
      const grid = { ...row, ...definedOnly(body) };
      const outside = members.find((m) => m.grid_col >= grid.grid_cols || m.grid_row >= grid.grid_rows);
      if (outside)
        throw badRequest(
          `grid_cols, grid_rows: The screen ${outside.device_name} would be outside the grid. Move the screen to another cell first.`,
        );
      if (body.leader_device_id && !members.some((m) => m.device_id === body.leader_device_id))
        throw badRequest('leader_device_id: must be a screen of the video wall');
      return this.#versioned(this.#deps.store.update(row.id, definedOnly(body)));
    });
  }

  delete(actor: WorkspaceActor, id: string, ifMatch?: string): void {
    this.#records.edit(actor, id, { action: 'wall.deleted', ifMatch }, (row) => {
      this.#deps.bin.storeRecord(actor, 'wall', row);
      this.#deps.store.delete(row.id);
    });
  }

  /** Sets the panels. A device can be in only one wall, so joining this wall removes the device from another wall. */
  replaceDevices(
    actor: WorkspaceActor,
    id: string,
    members: readonly NewWallMember[],
    ifMatch?: string,
  ): Versioned<Wall> {
    const { store } = this.#deps;
    return this.#records.edit(actor, id, { action: 'wall.devices_replaced', ifMatch }, (row) => {
      this.#requirePlaces(actor, row, members);
      const moved = store.replaceMembers(
        row.id,
        members.map((m) => ({
          wall_id: row.id,
          device_id: m.device_id,
          grid_col: m.grid_col,
          grid_row: m.grid_row,
          rotation: m.rotation ?? 0,
          canvas_x: m.canvas_x ?? null,
          canvas_y: m.canvas_y ?? null,
          canvas_width: m.canvas_width ?? null,
          canvas_height: m.canvas_height ?? null,
        })),
      );
      for (const wallId of [row.id, ...moved]) store.clearLeaderOutside(wallId);
      for (const wallId of moved) store.update(wallId, {});
      const changed = store.update(row.id, {});
      if (moved.length > 0) announce(this.#deps, actor, { topic: 'walls', ids: moved });
      return this.#versioned(changed);
    });
  }

  /** @returns the wall's revision */
  setContent(actor: WorkspaceActor, id: string, program: WallProgram, ifMatch?: string): number {
    return this.#records.edit(actor, id, { action: 'wall.content_changed', ifMatch }, (row) => {
      this.#requireReferences(actor, program);
      return this.#deps.store.update(row.id, definedOnly(program)).revision;
    });
  }

  deviceConfig(actor: WorkspaceActor, id: string, deviceId: string): z.infer<typeof DeviceWallConfig> {
    const row = this.#records.get(actor, id);
    const members = this.#deps.store.members([row.id]);
    const member = members.find((m) => m.device_id === deviceId);
    if (!member) throw notFound('Device in this wall');
    const { canvas, tiles } = tilesOf(row, members);
    return {
      wall_id: row.id,
      grid_cols: row.grid_cols,
      grid_rows: row.grid_rows,
      grid_col: member.grid_col,
      grid_row: member.grid_row,
      rotation: member.rotation,
      bezel_h_mm: row.bezel_h_mm,
      bezel_v_mm: row.bezel_v_mm,
      sync_mode: row.sync_mode,
      is_leader: leaderOf(row, members) === deviceId,
      canvas,
      tile: tiles.get(deviceId)!,
    };
  }

  #requireReferences(
    actor: WorkspaceActor,
    body: {
      leader_device_id?: string | null | undefined;
      content_id?: string | null | undefined;
      playlist_id?: string | null | undefined;
    },
  ): void {
    const { store } = this.#deps;
    if (
      body.leader_device_id &&
      !store.devicesOf(actor.workspaceId, [body.leader_device_id]).has(body.leader_device_id)
    )
      throw notFound('Device');
    if (body.content_id && !store.exists(actor.workspaceId, 'content', body.content_id)) throw notFound('Content');
    if (body.playlist_id && !store.exists(actor.workspaceId, 'playlist', body.playlist_id)) throw notFound('Playlist');
  }

  #requirePlaces(actor: WorkspaceActor, row: WallRow, members: readonly NewWallMember[]): void {
    const known = this.#deps.store.devicesOf(
      actor.workspaceId,
      members.map((m) => m.device_id),
    );
    const cells = new Set<string>();
    const seen = new Set<string>();
    for (const [i, m] of members.entries()) {
      if (!known.has(m.device_id)) throw notFound('Device');
      if (m.grid_col >= row.grid_cols || m.grid_row >= row.grid_rows)
        throw badRequest(
          `devices.${i}: cell ${m.grid_col}, ${m.grid_row} is outside the grid of ${row.grid_cols} × ${row.grid_rows}`,
        );
      if (seen.has(m.device_id))
        throw badRequest(`devices.${i}.device_id: is the id of a screen that is already in this list`);
      const cell = `${m.grid_col},${m.grid_row}`;
      if (cells.has(cell)) throw badRequest(`devices.${i}: the cell ${cell} already has another screen`);
      seen.add(m.device_id);
      cells.add(cell);
    }
  }

  #versioned(row: WallRow): Versioned<Wall> {
    return { record: this.#view(row, this.#deps.store.members([row.id])), revision: row.revision };
  }

  #view({ revision: _etag, ...row }: WallRow, members: Members): Wall {
    const placed = placeMembers(row, members.map(toWallMember));
    const devices = members.map(
      (m, i): WallMember => ({
        device_id: m.device_id,
        device_name: m.device_name,
        device_status: this.#deps.live.get(m.device_id)?.status ?? 'offline',
        grid_col: m.grid_col,
        grid_row: m.grid_row,
        rotation: m.rotation,
        canvas_x: placed[i]!.x,
        canvas_y: placed[i]!.y,
        canvas_width: placed[i]!.width,
        canvas_height: placed[i]!.height,
      }),
    );
    return { ...row, devices, sync: this.#sync(row.id, members) };
  }

  /**
   * Returns how well the panels of a wall are synchronized: the median of the panels' medians, the worst p99 of a
   * panel, and the differences between panels.
   */
  #sync(wallId: string, members: Members): Wall['sync'] {
    const reports = members.flatMap((m) => {
      const { error_p50_ms, error_p99_ms } = this.#deps.live.get(m.device_id)?.sync ?? {};
      return typeof error_p50_ms === 'number' && typeof error_p99_ms === 'number' ? { error_p50_ms, error_p99_ms } : [];
    });
    const apart = this.#deps.wallSync.of(wallId) ?? null;
    if (reports.length === 0) return { panels: 0, error_p50_ms: null, error_p99_ms: null, apart };
    const medians = reports.map((r) => r.error_p50_ms).sort((a, b) => a - b);
    return {
      panels: reports.length,
      error_p50_ms: medians[Math.floor(medians.length / 2)]!,
      error_p99_ms: Math.max(...reports.map((r) => r.error_p99_ms)),
      apart,
    };
  }
}
