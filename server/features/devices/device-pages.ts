/**
 * Caches the device list as serialized JSON: each device until that device changes, and each page of the list until any
 * device of the workspace changes. A heartbeat then costs only the JSON of one device, regardless of the number of
 * devices and the length of their history.
 */

import type { LRUCache } from 'lru-cache';
import type { AnswerOf } from '../../../shared/contract/endpoint.ts';
import { isAmong } from '../../../shared/contract/screens/device-state.ts';
import type { countDevices, DeviceQuery } from '../../../shared/contract/screens/devices.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { RawJson } from '../../http/api.ts';
import type { Bus } from '../../kernel/bus.ts';
import { recent } from '../../kernel/time/recent.ts';
import { findDevices, type Listed, stateNow, textOf } from './device-query.ts';
import type { DeviceRow, DevicesStore } from './devices.store.ts';
import { type LiveState, toDevice } from './devices.view.ts';

/** Current state of devices (server/realtime). */
export interface LiveDevices {
  get(deviceId: string): LiveState | undefined;
  /** Calls the listener on every change. Returns a function that removes the listener. */
  onChange(listener: (workspaceId: string, deviceId: string) => void): () => void;
  /** Writes the known state of a device to the database if this state is not saved yet. */
  flush(deviceId: string): void;
}

/** Maximum number of workspaces in the cache. The server of a single store has one workspace. */
const MAX_WORKSPACES = 50;
/** Maximum number of cached pages of the list per workspace. */
const MAX_PAGES = 20;
/** Topics that clear cached device rows: a deleted record of these kinds also disappears from the rows that name it. */
const ROW_TOPICS: ReadonlySet<Topic> = new Set(['content', 'playlists', 'layouts']);

const ALL: DeviceQuery = {};
const QUERY_MEMBERS = [
  'ids',
  'q',
  'status',
  'group_id',
  'without_group_id',
  'layout_id',
  'tag',
  'version',
  'sort',
  'direction',
] satisfies (keyof DeviceQuery)[];

const keyOf = (query: DeviceQuery): string => JSON.stringify(QUERY_MEMBERS.map((member) => query[member] ?? null));

interface Entry extends Listed {
  json: Buffer | undefined;
}

interface Workspace {
  /** Device rows, sorted by name; undefined when the list must be read again. */
  order: Entry[] | undefined;
  byId: Map<string, Entry>;
  stamp: number;
  /** Complete, sorted results of the queries since the last change. */
  readonly found: LRUCache<string, readonly Entry[]>;
  /** Whether a cached result depends on the members of a group. */
  hasGrouped: boolean;
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
      if (topic === 'groups') this.#regroup(workspaceId);
      // Lists can be sorted by playlist name.
      else if (topic === 'playlists' && screens === false) this.#outdateOf(workspaceId);
      else if (topic === 'devices' || (screens !== false && ROW_TOPICS.has(topic))) this.#reread(workspaceId);
    });
    deps.bus.on('workspaceGone', (workspaceId) => this.#workspaces.delete(workspaceId));
  }

  /** @param query.group_id and query.without_group_id are groups of the workspace */
  page(workspaceId: string, limit: number, offset: number, query: DeviceQuery = ALL): RawJson {
    const workspace = this.#workspace(workspaceId);
    const key = `${limit} ${offset} ${keyOf(query)}`;
    const ready = workspace.pages.get(key);
    if (ready) return ready;
    const order = this.#asked(workspaceId, workspace, query);
    const parts = order
      .slice(offset, offset + limit)
      .map(
        (entry) => (entry.json ??= Buffer.from(JSON.stringify(toDevice(entry.row, this.#deps.live.get(entry.row.id))))),
      );
    const page = new RawJson(arrayOf(parts), { etag: `"${this.#deps.run}-${workspace.stamp}"`, total: order.length });
    workspace.pages.set(key, page);
    return page;
  }

  counts(workspaceId: string): AnswerOf<typeof countDevices> {
    const all = this.#asked(workspaceId, this.#workspace(workspaceId), ALL);
    const states = all.map(({ row }) => stateNow(this.#deps.live.get(row.id)));
    const count = (wanted: 'online' | 'problems') => states.filter((state) => isAmong(state, wanted)).length;
    const layouts = Map.groupBy(all, ({ row }) => row.layout_id);
    return {
      total: all.length,
      online: count('online'),
      problems: count('problems'),
      layouts: [...layouts].flatMap(([layout_id, some]) =>
        layout_id === null ? [] : { layout_id, count: some.length },
      ),
    };
  }

  /**
   * Returns all devices that match the query, sorted.
   * @param query.group_id and query.without_group_id are groups of the workspace
   */
  rows(workspaceId: string, query: DeviceQuery): readonly DeviceRow[] {
    return this.#asked(workspaceId, this.#workspace(workspaceId), query).map(({ row }) => row);
  }

  #asked(workspaceId: string, workspace: Workspace, query: DeviceQuery): readonly Entry[] {
    workspace.order ??= this.#read(workspace, workspaceId);
    const asked = keyOf(query);
    const ready = workspace.found.get(asked);
    if (ready) return ready;
    const found = this.#found(workspace.order, query);
    workspace.found.set(asked, found);
    workspace.hasGrouped ||= query.group_id !== undefined || query.without_group_id !== undefined;
    return found;
  }

  #found(order: readonly Entry[], query: DeviceQuery): readonly Entry[] {
    const { live, store } = this.#deps;
    const membersOf = (group: string | undefined) =>
      group === undefined ? undefined : new Set(group.split(',').flatMap((id) => [...store.membersOf(id)]));
    return findDevices(order, query, {
      live: (id) => live.get(id),
      members: membersOf(query.group_id),
      others: membersOf(query.without_group_id),
      playlistName: (id) => store.playlistName(id),
    });
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

  #outdateOf(workspaceId: string): void {
    const workspace = this.#workspaces.get(workspaceId);
    if (workspace) this.#outdate(workspace);
  }

  #regroup(workspaceId: string): void {
    const workspace = this.#workspaces.get(workspaceId);
    if (workspace?.hasGrouped) this.#outdate(workspace);
  }

  #outdate(workspace: Workspace): void {
    workspace.stamp = ++this.#stamps;
    workspace.found.clear();
    workspace.hasGrouped = false;
    workspace.pages.clear();
  }

  #read(workspace: Workspace, workspaceId: string): Entry[] {
    const order = this.#deps.store.list(workspaceId).map((row): Entry => ({ row, json: undefined, text: textOf(row) }));
    workspace.byId = new Map(order.map((entry) => [entry.row.id, entry]));
    return order;
  }

  #workspace(workspaceId: string): Workspace {
    const known = this.#workspaces.get(workspaceId);
    if (known) return known;
    const workspace: Workspace = {
      order: undefined,
      byId: new Map(),
      stamp: ++this.#stamps,
      found: recent(MAX_PAGES),
      hasGrouped: false,
      pages: recent(MAX_PAGES),
    };
    this.#workspaces.set(workspaceId, workspace);
    return workspace;
  }
}

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

const arrayOf = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat([OPEN, ...parts.flatMap((part, i) => (i > 0 ? [COMMA, part] : [part])), CLOSE]);
