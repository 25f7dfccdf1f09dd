/**
 * Edits the items of a single device (resource API, Assignments). Their playlist belongs only to the device, so an edit
 * changes one screen and is published at once. The rules of playlists apply. This service stores nothing itself.
 */

import type { NewItem, PlaylistItem } from '../../../shared/contract/content/playlists.ts';
import { notFound } from '../../../shared/contract/errors.ts';
import type { AssignmentChange } from '../../../shared/contract/screens/assignments.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { checkRevision, type Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { Programs } from '../../programs/programs.ts';
import type { ApprovalsStore } from './approvals.store.ts';
import type { PlaylistsService } from './playlists.service.ts';
import type { OwnerDevice, PlaylistRow, PlaylistsStore } from './playlists.store.ts';
import { toItem, toItems } from './playlists.view.ts';

/**
 * Sends players the event `device:mute-changed`, so that they mute or unmute an item before a new program reaches them.
 */
export interface MuteEvents {
  muteChanged(
    workspaceId: string,
    item: { playlistId: string; itemId: number; contentId: string | null; widgetId: string | null; muted: boolean },
  ): void;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: PlaylistsStore;
  readonly playlists: PlaylistsService;
  readonly programs: Pick<Programs, 'basePlaylist'>;
  readonly requests: Pick<ApprovalsStore, 'isNeeded'>;
  readonly mute: MuteEvents;
}

export class AssignmentsService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns the items that an edit would start from, so that a client can name these items in the edit. */
  list(actor: WorkspaceActor, deviceId: string): PlaylistItem[] {
    const device = this.#device(actor, deviceId);
    const own = this.#alone(actor, device);
    if (own) return toItems(this.#deps.store.items(own.id));
    const base = this.#deps.programs.basePlaylist(device.id);
    return base ? this.#deps.playlists.publishedItems(base) : [];
  }

  add(actor: WorkspaceActor, deviceId: string, body: NewItem, ifMatch?: string): Versioned<PlaylistItem> {
    return this.#deps.db.write(() => {
      const device = this.#device(actor, deviceId);
      checkRevision(ifMatch, this.#listedRevision(actor, device), 'The playlist');
      const { playlist } = this.#own(actor, device);
      const item = this.#deps.playlists.insertItem(playlist, body);
      const { revision } = this.#publish(actor, playlist, deviceId);
      return { record: this.#view(item.id), revision };
    });
  }

  /** Reorders the items. `order` may contain ids that `list` returned before the device got its own playlist. */
  reorder(
    actor: WorkspaceActor,
    deviceId: string,
    order: readonly number[],
    ifMatch?: string,
  ): Versioned<PlaylistItem[]> {
    return this.#deps.db.write(() => {
      const device = this.#device(actor, deviceId);
      checkRevision(ifMatch, this.#listedRevision(actor, device), 'The playlist');
      const { playlist, copies } = this.#own(actor, device);
      this.#deps.playlists.applyOrder(
        playlist,
        order.map((id) => copies.get(id) ?? id),
      );
      const { revision } = this.#publish(actor, playlist, deviceId);
      return { record: toItems(this.#deps.store.items(playlist.id)), revision };
    });
  }

  /** @returns how many items were copied. @throws 404 when there is nothing to copy */
  copy(
    actor: WorkspaceActor,
    fromId: string,
    toId: string,
    options: { replace: boolean },
    ifMatch?: string,
  ): Versioned<number> {
    const { db, programs, store } = this.#deps;
    const from = this.#device(actor, fromId);
    const to = this.#device(actor, toId);
    return db.write(() => {
      checkRevision(ifMatch, this.#listedRevision(actor, to), 'The playlist');
      const source = programs.basePlaylist(from.id);
      const items = source ? store.published(source) : [];
      if (items.length === 0) throw notFound('Anything to copy');
      const { playlist } = this.#own(actor, to);
      if (options.replace) store.deleteItems(playlist.id);
      store.appendCopies(playlist.id, items);
      const { revision } = this.#publish(actor, playlist, to.id);
      return { record: items.length, revision };
    });
  }

  update(actor: WorkspaceActor, itemId: number, body: AssignmentChange, ifMatch?: string): Versioned<PlaylistItem> {
    return this.#deps.db.write(() => {
      const { playlist, item } = this.#itemOf(actor, itemId, ifMatch);
      const { muted, ...change } = body;
      this.#deps.store.closeGaps(playlist.id);
      const edits = Object.values(change).some((value) => value !== undefined);
      if (edits) this.#deps.playlists.changeItem(playlist, item, change);
      if (muted !== undefined) this.#setMuted(actor, playlist, itemId, muted === 1);
      if (muted !== undefined && !edits) this.#record(actor, playlist, this.#ownerOf(playlist));
      const revision = edits
        ? this.#saved(actor, playlist)
        : this.#deps.store.update(playlist.id, { updated_at: seconds(this.#deps.clock) }).revision;
      return { record: this.#view(itemId), revision };
    });
  }

  remove(actor: WorkspaceActor, itemId: number, ifMatch?: string): Versioned<{ content_id: string | null }> {
    return this.#deps.db.write(() => {
      const { playlist, item } = this.#itemOf(actor, itemId, ifMatch);
      this.#deps.store.deleteItem(item.id);
      this.#deps.store.closeGaps(playlist.id);
      return { record: { content_id: item.content_id }, revision: this.#saved(actor, playlist) };
    });
  }

  /**
   * Lets groups check an item before they {@link add} the item to each screen.
   * @throws 404 for an unknown item
   */
  requirePlayable(actor: WorkspaceActor, body: NewItem): void {
    this.#deps.playlists.requirePlayable(actor.workspaceId, body);
  }

  #setMuted(actor: WorkspaceActor, playlist: PlaylistRow, itemId: number, muted: boolean): void {
    const { store, db, mute, bus } = this.#deps;
    store.setMuted(playlist.id, itemId, muted);
    const item = store.findItem(playlist.id, itemId)!;
    db.afterCommit(() => {
      mute.muteChanged(playlist.workspace_id, {
        playlistId: playlist.id,
        itemId,
        contentId: item.content_id,
        widgetId: item.widget_id,
        muted,
      });
      bus.emit('changed', {
        workspaceId: playlist.workspace_id,
        topic: 'playlists',
        ids: [playlist.id],
        by: actor.userId,
      });
    });
  }

  /** Returns the revision of the playlist that `list` shows, or undefined when the device has no playlist. */
  #listedRevision(actor: WorkspaceActor, device: OwnerDevice): number | undefined {
    const playlistId = this.#deps.programs.basePlaylist(device.id);
    return playlistId ? this.#deps.store.find(actor.workspaceId, playlistId)?.revision : undefined;
  }

  /** Returns the device's playlist when only this device plays it and it has no unpublished changes. */
  #alone(actor: WorkspaceActor, device: OwnerDevice): PlaylistRow | undefined {
    const current = device.playlist_id ? this.#deps.store.find(actor.workspaceId, device.playlist_id) : undefined;
    // Where publishing needs approval, an edit of a screen never publishes a draft of another member.
    const isDecided = current?.published_ms !== null || this.#deps.requests.isNeeded(actor.workspaceId);
    const pending = current?.status === 'draft' && isDecided && current.owner_device_id !== device.id;
    return current && !pending && !this.#deps.store.sharedBeyond(current.id, device.id) ? current : undefined;
  }

  /**
   * Returns the device's own playlist. Makes a playlist with a copy of the current items when the device has none of
   * its own.
   */
  #own(actor: WorkspaceActor, device: OwnerDevice): { playlist: PlaylistRow; copies: ReadonlyMap<number, number> } {
    const { store, clock } = this.#deps;
    const current = this.#alone(actor, device);
    if (current?.owner_device_id === device.id) return { playlist: current, copies: new Map() };
    if (current)
      return {
        playlist: store.update(current.id, { owner_device_id: device.id, made_for_owner: false }),
        copies: new Map(),
      };
    const now = seconds(clock);
    const base = this.#deps.programs.basePlaylist(device.id);
    const playlist = store.insert({
      id: newId(),
      workspace_id: actor.workspaceId,
      name: device.name,
      owner_device_id: device.id,
      made_for_owner: true,
      created_at: now,
      updated_at: now,
    });
    const copies = base ? store.appendCopies(playlist.id, store.published(base)) : new Map<number, number>();
    store.updateDevice(device.id, { playlist_id: playlist.id });
    return { playlist, copies };
  }

  /** Publishes when the playlist is the device's own playlist. Otherwise the draft waits until a user publishes it. */
  #saved(actor: WorkspaceActor, playlist: PlaylistRow): number {
    const owner = this.#ownerOf(playlist);
    if (owner) return this.#publish(actor, playlist, owner).revision;
    const { revision } = this.#deps.store.update(playlist.id, {
      status: 'draft',
      updated_at: seconds(this.#deps.clock),
    });
    this.#announce(actor, playlist, null, { screens: false });
    return revision;
  }

  #publish(actor: WorkspaceActor, playlist: PlaylistRow, deviceId: string): PlaylistRow {
    const { store, clock } = this.#deps;
    store.publishItems(playlist.id);
    const row = store.update(playlist.id, {
      status: 'published',
      published_ms: clock.now(),
      updated_at: seconds(clock),
    });
    this.#announce(actor, playlist, deviceId);
    return row;
  }

  #announce(
    actor: WorkspaceActor,
    playlist: PlaylistRow,
    deviceId: string | null,
    also: { screens?: boolean } = {},
  ): void {
    this.#record(actor, playlist, deviceId);
    if (deviceId) announce(this.#deps, actor, { topic: 'devices', ids: [deviceId], ...also });
    announce(this.#deps, actor, { topic: 'playlists', ids: [playlist.id], ...also });
  }

  #record(actor: WorkspaceActor, playlist: PlaylistRow, deviceId: string | null): void {
    this.#deps.activity.add({
      workspaceId: playlist.workspace_id,
      actor,
      action: 'assignment.changed',
      details: playlist.name,
      deviceId,
    });
  }

  /** Returns the device that owns the playlist, if nothing else plays it; otherwise null. */
  #ownerOf({ id, owner_device_id: owner }: PlaylistRow): string | null {
    return owner && !this.#deps.store.sharedBeyond(id, owner) ? owner : null;
  }

  #itemOf(actor: WorkspaceActor, itemId: number, ifMatch: string | undefined) {
    const playlist = this.#deps.store.playlistOfItem(actor.workspaceId, itemId);
    const item = playlist && this.#deps.store.findItem(playlist.id, itemId);
    if (!playlist || !item) throw notFound('Assignment');
    checkRevision(ifMatch, playlist.revision, 'The playlist');
    return { playlist, item };
  }

  #view(itemId: number): PlaylistItem {
    return toItem(this.#deps.store.item(itemId)!);
  }

  #device(actor: WorkspaceActor, deviceId: string): OwnerDevice {
    const device = this.#deps.store.device(actor.workspaceId, deviceId);
    if (!device) throw notFound('Device');
    return device;
  }
}
