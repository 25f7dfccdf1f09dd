/**
 * Rules of playlists (resource API, Playlists). A playlist has a draft that people edit, and a snapshot that screens
 * play. Each method finds the record, checks the change, writes, announces and answers, in this order.
 */

import type { CopyBody } from '../../../shared/contract/content/copies.ts';
import {
  type createPlaylist,
  type ItemChange,
  type listPlaylists,
  MAX_PLAYLIST_ITEMS,
  MAX_PLAYLISTS,
  type NewItem,
  type Playlist,
  type PlaylistDevice,
  type PlaylistItem,
  type PlaylistVersion,
  type PlaylistVersionWithItems,
  type PlaylistWithItems,
  type updatePlaylist,
} from '../../../shared/contract/content/playlists.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import type { Transition } from '../../../shared/program/program.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { checkRevision, type Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { Programs } from '../../programs/programs.ts';
import type { ContentService } from '../content/content.service.ts';
import type { LayoutsService } from '../layouts/layouts.service.ts';
import { Records } from '../records.ts';
import { ALWAYS, validityChange } from '../validity.ts';
import type { WidgetsService } from '../widgets/widgets.service.ts';
import type { ApprovalsStore, Decision, RequestRow } from './approvals.store.ts';
import type { ItemRow, PlaylistRow, PlaylistsStore, VersionRow } from './playlists.store.ts';
import { toItem, toItems, toPlaylist, toVersion } from './playlists.view.ts';

/** Default duration in seconds of every item that is not a video. */
const DEFAULT_DURATION = 10;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: PlaylistsStore;
  readonly requests: Pick<ApprovalsStore, 'waiting' | 'decide'>;
  readonly content: Pick<ContentService, 'playable'>;
  readonly widgets: Pick<WidgetsService, 'find'>;
  readonly layouts: Pick<LayoutsService, 'findZone'>;
  readonly programs: Pick<Programs, 'displayCounts' | 'devicesPlaying'>;
  /** Slots: places in playlists of headquarters' campaigns that a store fills with its own playlists. */
  readonly slots: { requireStillFits(playlistId: string): void };
}

export class PlaylistsService {
  readonly #deps: Deps;
  readonly #records: Records<PlaylistRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, noun: 'Playlist', topic: 'playlists', nameOf: (row) => row.name });
  }

  list(actor: WorkspaceActor, { owner }: QueryOf<typeof listPlaylists>): Playlist[] {
    const displays = this.#deps.programs.displayCounts(actor.workspaceId);
    return this.#deps.store
      .list(actor.workspaceId, owner)
      .map(({ row, item_count }) => toPlaylist(row, item_count, displays.get(row.id) ?? 0));
  }

  /** Returns the playlist without its items. */
  plain(actor: WorkspaceActor, id: string, ifMatch?: string): Versioned<Playlist> {
    const row = this.#records.getFor(actor, id, ifMatch);
    return { record: this.#plain(row), revision: row.revision };
  }

  create(actor: WorkspaceActor, body: BodyOf<typeof createPlaylist>): Versioned<Playlist> {
    const { store, clock, db } = this.#deps;
    this.#records.requireRoom(actor, MAX_PLAYLISTS);
    const now = seconds(clock);
    return db.write(() => {
      const row = store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        name: body.name,
        description: body.description ?? '',
        created_at: now,
        updated_at: now,
      });
      this.#records.changed(actor, 'playlist.created', row, { screens: false });
      return { record: toPlaylist(row, 0, 0), revision: row.revision };
    });
  }

  /** Copies a playlist. The copy is a draft of the workspace, even when the original belongs to headquarters. */
  duplicate(actor: WorkspaceActor, id: string, body: CopyBody): Versioned<PlaylistWithItems> {
    const { store, clock, db } = this.#deps;
    const original = this.#records.get(actor, id);
    const { description, transition } = original;
    this.#records.requireRoom(actor, MAX_PLAYLISTS);
    const now = seconds(clock);
    return db.write(() => {
      const row = store.insert({
        id: newId(),
        workspace_id: actor.workspaceId,
        name: this.#records.nameOfCopy(actor, original.name, body),
        ...{ description, transition },
        created_at: now,
        updated_at: now,
      });
      store.copyDraft(original.id, row.id);
      this.#records.changed(actor, 'playlist.created', row, { screens: false });
      return this.#withItems(row);
    });
  }

  update(
    actor: WorkspaceActor,
    id: string,
    body: BodyOf<typeof updatePlaylist>,
    ifMatch?: string,
  ): Versioned<Playlist> {
    return this.#records.edit(actor, id, { action: 'playlist.updated', ifMatch, screens: false }, (row) => {
      const changed = this.#touch(row, {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.description !== undefined && { description: body.description ?? '' }),
        ...(body.transition !== undefined && transitionChange(row, body.transition)),
      });
      return { record: this.#plain(changed), revision: changed.revision };
    });
  }

  /** Deletes a playlist. References become null, and schedules that showed nothing else are deleted. */
  delete(actor: WorkspaceActor, id: string, ifMatch?: string): void {
    this.#records.edit(actor, id, { action: 'playlist.deleted', ifMatch }, (row) => {
      this.#deps.bin.storeRecord(actor, 'playlist', row);
      this.#deps.store.deleteSchedulesOfOnly('playlist_id', row.id);
      this.#deps.store.delete(row.id);
    });
  }

  /**
   * Saves the draft as the snapshot that screens play. An empty draft is allowed: screens then show the fallback.
   * @throws ApiError 400 when the playlist fills a slot (a place in a campaign of headquarters) and would not fit any
   * more
   */
  publish(actor: WorkspaceActor, id: string, ifMatch?: string): Versioned<PlaylistWithItems> {
    return this.#records.edit(actor, id, { action: 'playlist.published', ifMatch }, (row) => {
      const asked = this.#deps.requests.waiting(row.id);
      const published = this.#publish(actor, row, asked?.is_stale === 0 ? asked.user_name : null);
      if (asked) this.settle(actor, asked, 'approved');
      return this.#withItems(published);
    });
  }

  /** Publishes the version that a member requested. Called within the write transaction of the decision. */
  approve(actor: WorkspaceActor, asked: RequestRow, answer: string): void {
    this.#records.edit(actor, asked.playlist_id, { action: 'playlist.approved' }, (row) => {
      this.#publish(actor, row, asked.user_name);
      this.settle(actor, asked, 'approved', answer);
    });
  }

  /** Saves the decision about a request. Called within a write transaction. */
  settle(actor: WorkspaceActor, { id, playlist_id }: RequestRow, state: Decision['state'], answer = ''): void {
    this.#deps.requests.decide(id, {
      state,
      answer,
      decided_at: seconds(this.#deps.clock),
      decided_by: actor.userId,
      decided_by_name: actor.userName,
    });
    announce(this.#deps, actor, { topic: 'approvals', ids: [playlist_id] });
  }

  discard(actor: WorkspaceActor, id: string, ifMatch?: string): Versioned<PlaylistWithItems> {
    return this.#records.edit(actor, id, { action: 'playlist.discarded', ifMatch, screens: false }, (row) => {
      if (row.published_ms === null)
        throw badRequest('This playlist was never published, so it has no published version to return to');
      this.#deps.store.discardItems(row.id);
      return this.#withItems(this.#touch(row, { status: 'published' }));
    });
  }

  /**
   * Returns the versions that users published, newest first. Automatic publishing after an edit of a device makes no
   * version.
   */
  versions(actor: WorkspaceActor, id: string): PlaylistVersion[] {
    return this.#deps.store.versions(this.#records.get(actor, id).id).map(toVersion);
  }

  version(actor: WorkspaceActor, id: string, versionId: number): PlaylistVersionWithItems {
    const version = this.#version(this.#records.get(actor, id), versionId);
    const items = toItems(this.#deps.store.itemsOfVersion(version));
    const { length } = version.items;
    const { transition } = version;
    return { ...toVersion({ ...version, item_count: length }), transition, items, missing: length - items.length };
  }

  /** Makes a version the draft. Screens change only when the draft is published. */
  returnTo(actor: WorkspaceActor, id: string, versionId: number, ifMatch?: string): Versioned<PlaylistWithItems> {
    return this.#records.edit(actor, id, { action: 'playlist.returned', ifMatch, screens: false }, (row) => {
      const version = this.#version(row, versionId);
      this.#deps.store.draftFrom(version);
      return this.#withItems(this.#touch(row, { status: 'draft', transition: version.transition }));
    });
  }

  items(actor: WorkspaceActor, id: string): Versioned<PlaylistItem[]> {
    const row = this.#records.get(actor, id);
    return { record: toItems(this.#deps.store.items(row.id)), revision: row.revision };
  }

  addItem(actor: WorkspaceActor, id: string, body: NewItem, ifMatch?: string): Versioned<PlaylistItem> {
    return this.#editItems(actor, id, ifMatch, (row) => this.insertItem(row, body).id);
  }

  updateItem(
    actor: WorkspaceActor,
    id: string,
    itemId: number,
    body: ItemChange,
    ifMatch?: string,
  ): Versioned<PlaylistItem> {
    return this.#editItems(actor, id, ifMatch, (row) => {
      const item = this.#item(row, itemId);
      this.changeItem(row, item, body);
      return item.id;
    });
  }

  removeItem(actor: WorkspaceActor, id: string, itemId: number, ifMatch?: string): Versioned<ItemRow> {
    const { store, clock } = this.#deps;
    return this.#records.edit(actor, id, { action: 'playlist.edited', ifMatch, screens: false }, (row) => {
      const item = this.#item(row, itemId);
      store.deleteItem(item.id);
      store.closeGaps(row.id);
      return { record: item, revision: store.toDraft(row.id, seconds(clock)).revision };
    });
  }

  reorder(actor: WorkspaceActor, id: string, order: readonly number[], ifMatch?: string): Versioned<PlaylistItem[]> {
    return this.#records.edit(actor, id, { action: 'playlist.edited', ifMatch, screens: false }, (row) => {
      this.applyOrder(row, order);
      const { revision } = this.#deps.store.toDraft(row.id, seconds(this.#deps.clock));
      return { record: toItems(this.#deps.store.items(row.id)), revision };
    });
  }

  schedulesOf(actor: WorkspaceActor, id: string, itemId: number): PlaylistItem['schedules'] {
    return this.#item(this.#records.get(actor, id), itemId).blocks;
  }

  replaceSchedules(
    actor: WorkspaceActor,
    id: string,
    itemId: number,
    blocks: PlaylistItem['schedules'],
    ifMatch?: string,
  ): Versioned<PlaylistItem['schedules']> {
    return this.#records.edit(actor, id, { action: 'playlist.edited', ifMatch, screens: false }, (row) => {
      this.#deps.store.setBlocks(this.#item(row, itemId).id, blocks);
      return { record: blocks, revision: this.#deps.store.toDraft(row.id, seconds(this.#deps.clock)).revision };
    });
  }

  /** @returns the device’s revision */
  assign(actor: WorkspaceActor, id: string, deviceId: string, ifMatch?: string): number {
    const { store, db, activity } = this.#deps;
    const row = this.#records.get(actor, id);
    const device = store.device(actor.workspaceId, deviceId);
    if (!device) throw notFound('Device');
    checkRevision(ifMatch, device.revision, 'The device');
    return db.write(() => {
      const revision = store.updateDevice(deviceId, { playlist_id: row.id });
      activity.add({
        workspaceId: actor.workspaceId,
        actor,
        action: 'playlist.assigned',
        details: row.name,
        deviceId,
      });
      announce(this.#deps, actor, { topic: 'devices', ids: [deviceId] });
      announce(this.#deps, actor, { topic: 'playlists', ids: [row.id], screens: false });
      return revision;
    });
  }

  /** Returns the items that screens play; empty when the playlist was never published. */
  published(actor: WorkspaceActor, id: string): PlaylistItem[] {
    return this.publishedItems(this.#records.get(actor, id).id);
  }

  /** Returns the screens that change when the playlist is published. */
  devices(actor: WorkspaceActor, id: string): PlaylistDevice[] {
    const playing = this.#deps.programs.devicesPlaying(actor.workspaceId, this.#records.get(actor, id).id);
    const sources = new Map(playing.map(({ deviceId, source }) => [deviceId, source]));
    return this.#deps.store
      .devices([...sources.keys()])
      .map((device) => ({ ...device, source: sources.get(device.device_id)! }));
  }

  /** Returns the items that screens play, for the detail of a device. */
  publishedItems(playlistId: string): PlaylistItem[] {
    return toItems(this.#deps.store.publishedWithSubjects(playlistId));
  }

  // — for features that edit playlists in their own way (assignments, groups), within their write transaction —

  /**
   * @returns the default duration in seconds: a clip's own length rounded up, else 10.
   * @throws 404 for a record outside the workspace
   */
  requirePlayable(workspaceId: string, body: NewItem): number {
    if (body.zone_id) this.#requireZone(workspaceId, body.zone_id);
    if (body.widget_id) {
      if (!this.#deps.widgets.find(workspaceId, body.widget_id)) throw notFound('Widget');
      return DEFAULT_DURATION;
    }
    const content = this.#deps.content.playable(workspaceId, body.content_id!);
    if (!content) throw notFound('Content');
    return content.durationSec === null ? DEFAULT_DURATION : Math.max(1, Math.ceil(content.durationSec));
  }

  /**
   * Inserts an item at its position and moves the items behind it.
   * @throws 404 for a reference outside the workspace
   */
  insertItem(row: PlaylistRow, body: NewItem): ItemRow {
    const { store } = this.#deps;
    store.closeGaps(row.id);
    const ids = store.itemIds(row.id);
    if (ids.length >= MAX_PLAYLIST_ITEMS)
      throw badRequest(
        `A playlist can have at most ${MAX_PLAYLIST_ITEMS} items. Delete items that are not needed, or use another playlist.`,
      );
    const duration = this.requirePlayable(row.workspace_id, body);
    const at = Math.min(body.sort_order ?? ids.length, ids.length);
    const item = store.insertItem({
      playlist_id: row.id,
      content_id: body.content_id ?? null,
      widget_id: body.widget_id ?? null,
      zone_id: body.zone_id ?? null,
      sort_order: at,
      duration_sec: body.duration_sec ?? duration,
      ...ALWAYS,
      ...validityChange(ALWAYS, body),
    });
    if (body.transition) store.updateItem(item.id, { transition: body.transition });
    if (at < ids.length) store.setOrder(row.id, ids.toSpliced(at, 0, item.id));
    return item;
  }

  changeItem(row: PlaylistRow, item: ItemRow, body: ItemChange): void {
    const { store } = this.#deps;
    if (body.zone_id) this.#requireZone(row.workspace_id, body.zone_id);
    store.closeGaps(row.id);
    const change = {
      ...definedOnly({ duration_sec: body.duration_sec, zone_id: body.zone_id, transition: body.transition }),
      ...validityChange(item, body),
    };
    if (Object.keys(change).length > 0) store.updateItem(item.id, change);
    if (body.sort_order !== undefined) {
      const others = store.itemIds(row.id).filter((other) => other !== item.id);
      store.setOrder(row.id, others.toSpliced(Math.min(body.sort_order, others.length), 0, item.id));
    }
  }

  /** @throws 400 unless `order` names every item exactly once */
  applyOrder(row: PlaylistRow, order: readonly number[]): void {
    const present = new Set(this.#deps.store.itemIds(row.id));
    if (
      order.length !== present.size ||
      new Set(order).size !== order.length ||
      !order.every((item) => present.has(item))
    ) {
      throw badRequest(`order: must contain the id of each of the playlist’s ${present.size} items exactly once`);
    }
    this.#deps.store.setOrder(row.id, order);
  }

  #publish(actor: WorkspaceActor, row: PlaylistRow, asked_by_name: string | null): PlaylistRow {
    const { store, clock } = this.#deps;
    // The playlist was published before versions existed, so the items that screens play now become the first version.
    if (row.published_ms !== null && store.versions(row.id).length === 0)
      store.saveVersion(row, { user_id: null, user_name: '', asked_by_name: null });
    store.publishItems(row.id);
    this.#deps.slots.requireStillFits(row.id);
    const published = this.#touch(row, { status: 'published', published_ms: clock.now() });
    store.saveVersion(published, { user_id: actor.userId, user_name: actor.userName, asked_by_name });
    return published;
  }

  #editItems(
    actor: WorkspaceActor,
    id: string,
    ifMatch: string | undefined,
    change: (row: PlaylistRow) => number,
  ): Versioned<PlaylistItem> {
    return this.#records.edit(actor, id, { action: 'playlist.edited', ifMatch, screens: false }, (row) => {
      const itemId = change(row);
      const { revision } = this.#deps.store.toDraft(row.id, seconds(this.#deps.clock));
      return { record: toItem(this.#deps.store.item(itemId)!), revision };
    });
  }

  #item(row: PlaylistRow, itemId: number): ItemRow {
    const item = this.#deps.store.findItem(row.id, itemId);
    if (!item) throw notFound('Playlist item');
    return item;
  }

  #version(row: PlaylistRow, versionId: number): VersionRow {
    const version = this.#deps.store.version(row.id, versionId);
    if (!version) throw notFound('Version');
    return version;
  }

  #touch(row: PlaylistRow, change: Partial<PlaylistRow>): PlaylistRow {
    return this.#deps.store.update(row.id, { ...change, updated_at: seconds(this.#deps.clock) });
  }

  #plain(row: PlaylistRow): Playlist {
    return toPlaylist(
      row,
      this.#deps.store.countItems(row.id),
      this.#deps.programs.displayCounts(row.workspace_id).get(row.id) ?? 0,
    );
  }

  #withItems(row: PlaylistRow): Versioned<PlaylistWithItems> {
    const items = toItems(this.#deps.store.items(row.id));
    const displays = this.#deps.programs.displayCounts(row.workspace_id).get(row.id) ?? 0;
    return { record: { ...toPlaylist(row, items.length, displays), items }, revision: row.revision };
  }

  #requireZone(workspaceId: string, zoneId: string): void {
    if (!this.#deps.layouts.findZone(workspaceId, zoneId)) throw notFound('Zone');
  }
}

/** A different transition makes the playlist a draft. */
const transitionChange = (row: PlaylistRow, transition: Transition | null): Partial<PlaylistRow> =>
  sameTransition(row.transition, transition) ? {} : { transition, status: 'draft' };

const sameTransition = (a: Transition | null, b: Transition | null): boolean => a?.kind === b?.kind && a?.ms === b?.ms;
