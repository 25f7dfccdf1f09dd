/** Rules of devices (resource API, Devices). */

import type { PlaylistItem } from '../../../shared/contract/content/playlists.ts';
import type { AnswerOf } from '../../../shared/contract/endpoint.ts';
import { ApiError, notFound } from '../../../shared/contract/errors.ts';
import type {
  CommandBody,
  CommandResult,
  CsvLanguage,
  countDevices,
  Device,
  DeviceChange,
  DeviceDetail,
  DeviceProgram,
  DeviceQuery,
  IdentifyResult,
  PlaylistSource,
  TelemetryRow,
} from '../../../shared/contract/screens/devices.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type { RawJson } from '../../http/api.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Versioned } from '../../kernel/revision.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { Records } from '../records.ts';
import type { PlaysExport } from '../reports/reports.service.ts';
import type { DevicePages, LiveDevices } from './device-pages.ts';
import type { DeviceTags } from './device-tags.ts';
import type { DeviceEdit, DeviceRow, DevicesStore } from './devices.store.ts';
import { toDevice, toTelemetry } from './devices.view.ts';
import { deviceCsvLine, devicesCsvHeader } from './devices-csv.ts';

const LATEST_REPORTS = 20;
const DAY_S = 86_400;

/** Returns the playlist that is in force on a device, and the complete program of the device (server/programs). */
export interface InForce {
  program(deviceId: string): DeviceProgram | undefined;
  inForce(deviceId: string): { readonly playlistId: string | null; readonly source: PlaylistSource | null };
}

/** Reads the published items of playlists. Implemented in features/playlists. */
interface PlaylistItems {
  /** Returns an empty list when the playlist does not exist. */
  publishedItems(playlistId: string): PlaylistItem[];
}

/** Updates plans when their screens change (features/plans), within the same write transaction. */
interface Plans {
  deviceGone(by: { readonly workspaceId: string; readonly userId: string | null }, deviceId: string): void;
}

/** Sends commands to players (server/realtime). */
interface CommandSender {
  send(
    workspaceId: string,
    deviceIds: readonly string[],
    command: CommandBody['type'],
    payload: Record<string, unknown>,
  ): Promise<{ readonly id: string; readonly results: readonly CommandResult[] }>;
}

/** Shows on each screen the screen's name for some seconds (server/realtime). */
interface Identifier {
  send(workspaceId: string, deviceIds: readonly string[], seconds: number): readonly IdentifyResult[];
}

export interface Picture {
  readonly mime: string;
  readonly data: Buffer;
  /** Time of the screenshot in epoch seconds. */
  readonly taken_at: number;
}

/** Screenshots of devices (server/realtime). */
export interface Pictures {
  latest(deviceId: string): Picture | undefined;
  /** @throws ApiError 503 */
  fresh(deviceId: string): Promise<Picture>;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: DevicesStore;
  readonly pages: DevicePages;
  readonly live: LiveDevices;
  readonly inForce: InForce;
  readonly items: PlaylistItems;
  readonly plans: Plans;
  readonly tags: DeviceTags;
  readonly commands: CommandSender;
  readonly identifier: Identifier;
  readonly pictures: Pictures;
}

export class DevicesService {
  readonly #deps: Deps;
  readonly #records: Records<DeviceRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({
      ...deps,
      noun: 'Device',
      topic: 'devices',
      nameOf: (row) => row.name,
      deviceOf: (row) => row.id,
    });
  }

  /** Returns serialized JSON, because the list is long and requested often. */
  list(actor: WorkspaceActor, { limit, offset, ...query }: DeviceQuery & { limit: number; offset: number }): RawJson {
    this.#requireGroup(actor, query);
    return this.#deps.pages.page(actor.workspaceId, limit, offset, query);
  }

  counts(actor: WorkspaceActor): AnswerOf<typeof countDevices> {
    return this.#deps.pages.counts(actor.workspaceId);
  }

  /**
   * Exports the list for spreadsheets. Each turn of the event loop writes only a few lines, so that other work can run.
   */
  export(actor: WorkspaceActor, { language, ...query }: DeviceQuery & { language: CsvLanguage }): PlaysExport {
    this.#requireGroup(actor, query);
    const rows = this.#deps.pages.rows(actor.workspaceId, query);
    const plain = (row: DeviceRow) => this.#plain(row);
    const lines = async function* () {
      for await (const row of inSlices(rows)) yield Buffer.from(deviceCsvLine(plain(row)));
    };
    const day = new Date(this.#deps.clock.now()).toISOString().slice(0, 10);
    return {
      filename: `screens-${day}.csv`,
      type: 'text/csv; charset=utf-8',
      head: devicesCsvHeader(language),
      chunks: lines(),
    };
  }

  #requireGroup(actor: WorkspaceActor, { group_id, without_group_id }: DeviceQuery): void {
    for (const id of [group_id, without_group_id].flatMap((ids) => ids?.split(',') ?? []))
      if (!this.#deps.store.groupExists(actor.workspaceId, id)) throw notFound('Group');
  }

  /** Returns the given devices of the workspace as records, for lists of other features. Unknown ids are left out. */
  records(workspaceId: string, ids: readonly string[]): Device[] {
    return ids.flatMap((id) => {
      const row = this.#deps.store.find(workspaceId, id);
      return row ? [this.#plain(row)] : [];
    });
  }

  /** Returns undefined when the workspace has no such device. */
  nameOf(workspaceId: string, id: string): string | undefined {
    return this.#deps.store.find(workspaceId, id)?.name;
  }

  get(actor: WorkspaceActor, id: string): Versioned<DeviceDetail> {
    const { live, inForce, items, store, clock } = this.#deps;
    live.flush(id);
    const row = this.#records.get(actor, id);
    const { playlistId, source } = inForce.inForce(id);
    return {
      record: {
        ...this.#plain(row),
        assignments: playlistId ? items.publishedItems(playlistId) : [],
        telemetry: store.latestTelemetry(id, LATEST_REPORTS).map(toTelemetry),
        status_log: store.statusSince(id, seconds(clock) - DAY_S),
        current_playlist_id: playlistId,
        playlist_source: source,
        group_ids: store.groupsOf(id),
        wall_id: store.wallOf(id),
      },
      revision: row.revision,
    };
  }

  telemetry(actor: WorkspaceActor, id: string, hours: number): TelemetryRow[] {
    this.#deps.live.flush(id);
    return this.#deps.store
      .telemetrySince(this.#records.get(actor, id).id, seconds(this.#deps.clock) - hours * 3600)
      .map(toTelemetry);
  }

  program(actor: WorkspaceActor, id: string): DeviceProgram {
    const found = this.#deps.inForce.program(this.#records.get(actor, id).id);
    if (!found) throw notFound('Device');
    return found;
  }

  update(actor: WorkspaceActor, id: string, body: DeviceChange, ifMatch?: string): Versioned<Device> {
    const { store, clock } = this.#deps;
    const { tags, ...fields } = body;
    const change: DeviceEdit = definedOnly(fields);
    const { default_content_id: content, layout_id: layout } = change;
    return this.#edit(actor, id, ifMatch, 'device.updated', (row) => {
      if (content && !store.contentExists(actor.workspaceId, content)) throw notFound('Content');
      if (layout && !store.layoutExists(actor.workspaceId, layout)) throw notFound('Layout');
      store.update(actor.workspaceId, row.id, { ...change, updated_at: seconds(clock) });
      if (tags) this.#deps.tags.replace(actor, row.id, tags);
      return Object.keys(change).some((key) => key !== 'name' && key !== 'notes');
    });
  }

  /** Deletes a device. Its player is notified at once, deletes its content and shows a new pairing code. */
  delete(actor: WorkspaceActor, id: string, ifMatch?: string): void {
    const { db, store, bus } = this.#deps;
    db.write(() => {
      const row = this.#records.getFor(actor, id, ifMatch);
      const places = store.placesOf(row.id);
      const playlists = store.releaseOwnPlaylists(row.id);
      store.delete(row.id);
      this.#deps.plans.deviceGone(actor, row.id);
      db.afterCommit(() => bus.emit('deviceRemoved', { deviceId: row.id, workspaceId: actor.workspaceId }));
      this.#records.changed(actor, 'device.deleted', row);
      if (playlists.length > 0) announce(this.#deps, actor, { topic: 'playlists', ids: playlists, screens: false });
      for (const topic of ['groups', 'walls', 'schedules'] as const)
        if (places[topic] > 0) announce(this.#deps, actor, { topic, screens: false });
    });
  }

  /** Removes the device's own playlist, so that the device inherits the playlist of its group again. */
  clearPlaylist(actor: WorkspaceActor, id: string, ifMatch?: string): Versioned<Device> {
    return this.#edit(actor, id, ifMatch, 'device.playlist_cleared', (row) => {
      this.#deps.store.update(actor.workspaceId, row.id, { playlist_id: null, updated_at: seconds(this.#deps.clock) });
      return true;
    });
  }

  async command(
    actor: WorkspaceActor,
    id: string,
    body: CommandBody,
  ): Promise<{ id: string; status: CommandResult['status']; error?: string }> {
    const row = this.#records.get(actor, id);
    this.#record(actor, 'device.command', row, `${body.type}: ${row.name}`);
    const sent = await this.#deps.commands.send(actor.workspaceId, [row.id], body.type, body.payload);
    const result = sent.results[0];
    // The device was deleted while the command was sent.
    if (!result) throw notFound('Device');
    return { id: sent.id, status: result.status, ...(result.error !== undefined && { error: result.error }) };
  }

  identify(actor: WorkspaceActor, id: string, { seconds }: { seconds: number }): { status: IdentifyResult['status'] } {
    const row = this.#records.get(actor, id);
    this.#record(actor, 'device.identify', row, row.name);
    return { status: this.#deps.identifier.send(actor.workspaceId, [row.id], seconds)[0]?.status ?? 'offline' };
  }

  async screenshot(actor: WorkspaceActor, id: string, { fresh }: { fresh: boolean }): Promise<Picture> {
    const row = this.#records.get(actor, id);
    const picture = fresh ? await this.#deps.pictures.fresh(row.id) : this.#deps.pictures.latest(row.id);
    if (!picture) throw new ApiError(404, 'There is no screenshot of this screen yet');
    return picture;
  }

  #record(actor: WorkspaceActor, action: ActivityAction, row: DeviceRow, details: string): void {
    const { db, activity } = this.#deps;
    db.write(() => activity.add({ workspaceId: actor.workspaceId, actor, action, details, deviceId: row.id }));
  }

  /**
   * Changes a device, and logs and announces the change. `change` returns whether screens may show something else now.
   */
  #edit(
    actor: WorkspaceActor,
    id: string,
    ifMatch: string | undefined,
    action: ActivityAction,
    change: (row: DeviceRow) => boolean,
  ): Versioned<Device> {
    return this.#deps.db.write(() => {
      const row = this.#records.getFor(actor, id, ifMatch);
      const screens = change(row);
      this.#records.changed(actor, action, row, { screens });
      const changed = this.#records.get(actor, id);
      return { record: this.#plain(changed), revision: changed.revision };
    });
  }

  #plain(row: DeviceRow): Device {
    return toDevice(row, this.#deps.live.get(row.id));
  }
}
