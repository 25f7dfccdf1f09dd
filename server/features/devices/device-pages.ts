/**
 * Keeps the device list as ready bytes: each device's JSON until that device changes, each page until any of its
 * workspace does. A heartbeat costs one device's JSON, however many there are and however long their history.
 */

import type { LRUCache } from 'lru-cache';
import type { Topic } from '../../../shared/protocol/live.ts';
import { RawJson } from '../../http/api.ts';
import type { Bus } from '../../kernel/bus.ts';
import { recent } from '../../kernel/recent.ts';
import type { DeviceRow, DevicesStore } from './devices.store.ts';
import { type LiveState, toDevice } from './devices.view.ts';

/** Knows devices as they are now (server/realtime). */
export interface LiveDevices {
  get(deviceId: string): LiveState | undefined;
  /** Hears of every change. Returns what ends that. */
  onChange(listener: (workspaceId: string, deviceId: string) => void): () => void;
  /** Writes down what is known of a device and not on disk yet. */
  flush(deviceId: string): void;
}

/** Keeps the lists of this many workspaces; a server of one store has one. */
const MAX_WORKSPACES = 50;
/** Keeps this many pages of one workspace. */
const MAX_PAGES = 20;
/** Clears references in device rows when one of these is deleted. */
const ROW_TOPICS: ReadonlySet<Topic> = new Set(['content', 'playlists', 'layouts']);

interface Entry {
  readonly row: DeviceRow;
  json: Buffer | undefined;
}

interface Workspace {
  /** Sorted by name; undefined means that it is to be read again. */
  order: Entry[] | undefined;
  byId: Map<string, Entry>;
  stamp: number;
  readonly pages: LRUCache<string, RawJson>;
}

interface Deps {
  readonly store: DevicesStore;
  readonly live: LiveDevices;
  readonly bus: Bus;
  readonly run: string;
}

export class DevicePages {
  readonly #deps: Deps;
  readonly #workspaces = recent<string, Workspace>(MAX_WORKSPACES);
  #stamps = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.live.onChange((workspaceId, deviceId) => this.#touch(workspaceId, deviceId));
    deps.bus.on('changed', ({ workspaceId, topic, screens }) => {
      if (topic === 'devices' || (screens !== false && ROW_TOPICS.has(topic))) this.#reread(workspaceId);
    });
    deps.bus.on('workspaceGone', (workspaceId) => this.#workspaces.delete(workspaceId));
  }

  page(workspaceId: string, limit: number, offset: number): RawJson {
    const workspace = this.#workspace(workspaceId);
    const order = (workspace.order ??= this.#read(workspace, workspaceId));
    const key = `${limit} ${offset}`;
    const ready = workspace.pages.get(key);
    if (ready) return ready;
    const parts = order
      .slice(offset, offset + limit)
      .map(
        (entry) => (entry.json ??= Buffer.from(JSON.stringify(toDevice(entry.row, this.#deps.live.get(entry.row.id))))),
      );
    const page = new RawJson(arrayOf(parts), { etag: `"${this.#deps.run}-${workspace.stamp}"`, total: order.length });
    workspace.pages.set(key, page);
    return page;
  }

  #touch(workspaceId: string, deviceId: string): void {
    const workspace = this.#workspaces.get(workspaceId);
    if (!workspace) return;
    const entry = workspace.byId.get(deviceId);
    if (entry) entry.json = undefined;
    this.#outdate(workspace);
  }

  #reread(workspaceId: string): void {
    const workspace = this.#workspaces.get(workspaceId);
    if (!workspace) return;
    workspace.order = undefined;
    this.#outdate(workspace);
  }

  #outdate(workspace: Workspace): void {
    workspace.stamp = ++this.#stamps;
    workspace.pages.clear();
  }

  #read(workspace: Workspace, workspaceId: string): Entry[] {
    const order = this.#deps.store.list(workspaceId).map((row): Entry => ({ row, json: undefined }));
    workspace.byId = new Map(order.map((entry) => [entry.row.id, entry]));
    return order;
  }

  #workspace(workspaceId: string): Workspace {
    const known = this.#workspaces.get(workspaceId);
    if (known) return known;
    const workspace: Workspace = { order: undefined, byId: new Map(), stamp: ++this.#stamps, pages: recent(MAX_PAGES) };
    this.#workspaces.set(workspaceId, workspace);
    return workspace;
  }
}

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

const arrayOf = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat([OPEN, ...parts.flatMap((part, i) => (i > 0 ? [COMMA, part] : [part])), CLOSE]);
