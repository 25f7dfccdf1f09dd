/** Rules of layouts (resource API, Layouts). */

import type { CopyBody } from '../../../shared/contract/content/copies.ts';
import {
  type createLayout,
  type Layout,
  MAX_LAYOUTS,
  MAX_ZONES,
  type updateLayout,
  ZONE_FILLS,
  type Zone,
  type ZoneFields,
  type ZoneInLayout,
} from '../../../shared/contract/content/layouts.ts';
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, forbidden, notFound } from '../../../shared/contract/errors.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { checkRevision, type Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { Records } from '../records.ts';
import type { LayoutRow, LayoutsStore, WhichLayouts, ZoneRow } from './layouts.store.ts';
import { TEMPLATES } from './templates.ts';

const DEFAULT_SIZE = { width: 1920, height: 1080 };

const FILLS = {
  content_id: { what: 'content', noun: 'Content' },
  widget_id: { what: 'widget', noun: 'Widget' },
  playlist_id: { what: 'playlist', noun: 'Playlist' },
} as const satisfies Record<(typeof ZONE_FILLS)[number], unknown>;

const toZone = ({ position: _order, ...zone }: ZoneRow): Zone => zone;
const toLayout = ({ revision: _etag, ...layout }: LayoutRow, zones: readonly ZoneRow[]): Layout => ({
  ...layout,
  is_template: layout.is_template === 1 ? 1 : 0,
  zones: zones.map(toZone),
});

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: LayoutsStore;
}

export class LayoutsService {
  readonly #deps: Deps;
  readonly #records: Records<LayoutRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, noun: 'Layout', topic: 'layouts', nameOf: (row) => row.name });
  }

  /** Creates the standard layout templates that the database does not contain yet. */
  addTemplates(): void {
    this.#deps.db.write(() => {
      for (const { id, name, zones } of TEMPLATES) {
        const made = this.#deps.store.insertMissing({
          id,
          workspace_id: null,
          name,
          ...DEFAULT_SIZE,
          is_template: 1,
          created_at: 0,
          updated_at: 0,
        });
        if (!made) continue;
        for (const [position, { name: zoneName, at, z = 0, type = 'content' }] of zones.entries()) {
          const [x_percent, y_percent, width_percent, height_percent] = at;
          this.#deps.store.insertZone({
            id: `${id}-${position + 1}`,
            layout_id: id,
            position,
            name: zoneName,
            x_percent,
            y_percent,
            width_percent,
            height_percent,
            z_index: z,
            zone_type: type,
          });
        }
      }
    });
  }

  list(actor: WorkspaceActor, which: WhichLayouts): Layout[] {
    const rows = this.#deps.store.list(actor.workspaceId, which);
    const zones = Map.groupBy(this.#deps.store.zonesOf(rows.map((row) => row.id)), (zone) => zone.layout_id);
    return rows.map((row) => toLayout(row, zones.get(row.id) ?? []));
  }

  get(actor: WorkspaceActor, id: string): Versioned<Layout> {
    return this.#versioned(this.#records.get(actor, id));
  }

  /** Returns a zone that items and schedules of this workspace may name, for other features. */
  findZone(workspaceId: string, zoneId: string): Zone | undefined {
    return this.#deps.store.findZone(workspaceId, zoneId);
  }

  create(actor: WorkspaceActor, body: BodyOf<typeof createLayout>): Versioned<Layout> {
    this.#records.requireRoom(actor, MAX_LAYOUTS);
    return this.#deps.db.write(() => {
      const row = this.#insert(actor, body.name, body.width ?? DEFAULT_SIZE.width, body.height ?? DEFAULT_SIZE.height);
      for (const [position, zone] of (body.zones ?? []).entries()) this.#insertZone(actor, row.id, position, zone);
      // No screen shows the new layout yet, so no screen is notified.
      this.#records.changed(actor, 'layout.created', row, { screens: false });
      return this.#versioned(row);
    });
  }

  update(actor: WorkspaceActor, id: string, body: BodyOf<typeof updateLayout>, ifMatch?: string): Versioned<Layout> {
    return this.#edit(actor, id, ifMatch, 'layout.updated', (row) => {
      const { zones, ...change } = body;
      if (zones) this.#replaceZones(actor, row, zones);
      return this.#versioned(
        this.#deps.store.update(row.id, { ...definedOnly(change), updated_at: seconds(this.#deps.clock) }),
      );
    });
  }

  delete(actor: WorkspaceActor, id: string, ifMatch?: string): void {
    const { bin, store } = this.#deps;
    this.#edit(actor, id, ifMatch, 'layout.deleted', (row) => {
      bin.storeRecord(actor, 'layout', row);
      const zones = store.zonesOf([row.id]).map((zone) => zone.id);
      this.#forgetZones(actor, zones);
      store.deleteSchedulesOfOnly('layout_id', row.id);
      store.delete(row.id);
    });
  }

  addZone(actor: WorkspaceActor, id: string, body: ZoneFields, ifMatch?: string): Versioned<Zone> {
    return this.#edit(actor, id, ifMatch, 'layout.updated', (row) => {
      const present = this.#deps.store.zonesOf([row.id]);
      if (present.length >= MAX_ZONES) throw badRequest(`A layout can have at most ${MAX_ZONES} zones`);
      const zone = this.#insertZone(actor, row.id, (present.at(-1)?.position ?? -1) + 1, body);
      return { record: toZone(zone), revision: this.#touch(row).revision };
    });
  }

  updateZone(actor: WorkspaceActor, id: string, zoneId: string, body: ZoneFields, ifMatch?: string): Versioned<Zone> {
    return this.#edit(actor, id, ifMatch, 'layout.updated', (row) => {
      this.#zone(row, zoneId);
      const change = this.#fieldsOf(actor, body);
      if (Object.keys(change).length > 0) this.#deps.store.updateZone(zoneId, change);
      return { record: toZone(this.#zone(row, zoneId)), revision: this.#touch(row).revision };
    });
  }

  /** @returns the layout's revision */
  deleteZone(actor: WorkspaceActor, id: string, zoneId: string, ifMatch?: string): number {
    return this.#edit(actor, id, ifMatch, 'layout.updated', (row) => {
      this.#zone(row, zoneId);
      this.#forgetZones(actor, [zoneId]);
      this.#deps.store.deleteZones([zoneId]);
      return this.#touch(row).revision;
    });
  }

  duplicate(actor: WorkspaceActor, id: string, body: CopyBody): Versioned<Layout> {
    const original = this.#records.get(actor, id);
    this.#records.requireRoom(actor, MAX_LAYOUTS);
    return this.#deps.db.write(() => {
      const row = this.#insert(
        actor,
        this.#records.nameOfCopy(actor, original.name, body),
        original.width,
        original.height,
      );
      for (const { id: _other, layout_id: _from, position, ...zone } of this.#deps.store.zonesOf([original.id]))
        this.#insertZone(actor, row.id, position, zone);
      // No screen shows the new layout yet, so no screen is notified.
      this.#records.changed(actor, 'layout.created', row, { screens: false });
      return this.#versioned(row);
    });
  }

  /** @returns the device’s revision */
  setDeviceLayout(actor: WorkspaceActor, deviceId: string, layoutId: string | null, ifMatch?: string): number {
    const { db, store, activity } = this.#deps;
    const layout = layoutId ? this.#records.get(actor, layoutId) : undefined;
    return db.write(() => {
      const device = store.device(actor.workspaceId, deviceId);
      if (!device) throw notFound('Device');
      checkRevision(ifMatch, device.revision, 'The device');
      const revision = store.updateDevice(deviceId, { layout_id: layoutId });
      activity.add({
        workspaceId: actor.workspaceId,
        actor,
        action: 'device.layout_changed',
        details: layout?.name ?? '',
        deviceId,
      });
      announce(this.#deps, actor, { topic: 'devices', ids: [deviceId] });
      return revision;
    });
  }

  /** Keeps zones that the request names by id, adds new zones, and deletes zones that the request does not name. */
  #replaceZones(actor: WorkspaceActor, row: LayoutRow, zones: readonly ZoneInLayout[]): void {
    const { store } = this.#deps;
    const present = new Map(store.zonesOf([row.id]).map((zone) => [zone.id, zone]));
    const kept = new Set<string>();
    for (const [position, { id, ...fields }] of zones.entries()) {
      if (id && present.has(id)) {
        if (kept.has(id)) throw badRequest(`zones.${position}.id: is the id of a zone that is already in this list`);
        kept.add(id);
        store.updateZone(id, { ...this.#fieldsOf(actor, fields), position });
      } else this.#insertZone(actor, row.id, position, fields);
    }
    const gone = [...present.keys()].filter((id) => !kept.has(id));
    if (gone.length === 0) return;
    this.#forgetZones(actor, gone);
    store.deleteZones(gone);
  }

  /** Announces playlists with items in deleted zones, because their items have changed. */
  #forgetZones(actor: WorkspaceActor, ids: readonly string[]): void {
    const playlists = this.#deps.store.forgetZones(ids);
    if (playlists.length === 0) return;
    announce(this.#deps, actor, { topic: 'playlists', ids: playlists, screens: false });
  }

  #insert(actor: WorkspaceActor, name: string, width: number, height: number): LayoutRow {
    const now = seconds(this.#deps.clock);
    return this.#deps.store.insert({
      id: newId(),
      workspace_id: actor.workspaceId,
      name,
      width,
      height,
      created_at: now,
      updated_at: now,
    });
  }

  /**
   * Returns the columns of a zone. A new content, widget or playlist replaces the earlier one.
   * @throws 404 for a record outside the workspace
   */
  #fieldsOf(actor: WorkspaceActor, body: ZoneFields) {
    const { store } = this.#deps;
    const fields = definedOnly(body);
    const filled = ZONE_FILLS.find((key) => fields[key]);
    if (!filled) return fields;
    const { what, noun } = FILLS[filled];
    if (!store.exists(actor.workspaceId, what, fields[filled]!)) throw notFound(noun);
    return { ...fields, content_id: null, widget_id: null, playlist_id: null, [filled]: fields[filled] };
  }

  #insertZone(actor: WorkspaceActor, layoutId: string, position: number, fields: ZoneFields): ZoneRow {
    const whole = { name: `Zone ${position + 1}`, x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 100 };
    // The id is set last, because the id in `fields` may belong to a zone of another layout.
    return this.#deps.store.insertZone({
      ...whole,
      ...this.#fieldsOf(actor, fields),
      id: newId(),
      layout_id: layoutId,
      position,
    });
  }

  #edit<T>(
    actor: WorkspaceActor,
    id: string,
    ifMatch: string | undefined,
    action: ActivityAction,
    change: (row: LayoutRow) => T,
  ): T {
    return this.#records.edit(actor, id, { action, ifMatch }, (row) => {
      if (row.is_template)
        throw forbidden('Templates cannot be changed. Duplicate the template, then change the copy.');
      return change(row);
    });
  }

  #zone(row: LayoutRow, zoneId: string): ZoneRow {
    const zone = this.#deps.store.zonesOf([row.id]).find((one) => one.id === zoneId);
    if (!zone) throw notFound('Zone');
    return zone;
  }

  #touch(row: LayoutRow): LayoutRow {
    return this.#deps.store.update(row.id, { updated_at: seconds(this.#deps.clock) });
  }

  #versioned(row: LayoutRow): Versioned<Layout> {
    return { record: toLayout(row, this.#deps.store.zonesOf([row.id])), revision: row.revision };
  }
}
