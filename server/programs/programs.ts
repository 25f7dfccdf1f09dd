/**
 * Manages the programs of all devices. A program is compiled on first use, shared by all devices with the same
 * assignment, recompiled when its data changes, and sent to players whose program or placement differs from the last
 * one sent. Only programs that depend on a change are reloaded and recompiled.
 */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PlaylistDevice } from '../../shared/contract/content/playlists.ts';
import type { Placement } from '../../shared/program/program.ts';
import { currentPlaylistId, zonePlaylistIds } from '../../shared/program/resolve.ts';
import type { Topic } from '../../shared/protocol/live.ts';
import type { Change } from '../kernel/bus.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { recent } from '../kernel/time/recent.ts';
import { Assignments, ownOrInherited } from './assignment.ts';
import { compile, type DesignPages, publishedItems, type WidgetPages } from './compile.ts';
import type { ProgramsStore } from './programs.store.ts';
import { type Assigned, type Task, Tasks } from './tasks.ts';

const PROGRAM_TOPICS: ReadonlySet<Topic> = new Set([
  'content',
  'playlists',
  'devices',
  'layouts',
  'groups',
  'schedules',
  'walls',
  'widgets',
  'kiosk',
  'brand',
]);
/**
 * Cache size in bytes for programs that were replaced by newer programs, because players may still be downloading them.
 */
const MAX_FORMER = 8 * 1024 * 1024;
/** Number of devices that are compared and notified per turn of the event loop. They take about five milliseconds. */
const SLICE = 200;
/** Time limit in milliseconds for recompilation per turn of the event loop. */
const TURN_MS = 4;
/** Maximum number of records that are reloaded individually; if a change names more records, everything is reloaded. */
const MAX_REREAD = 100;
/** Maximum number of cached hashes of placements. */
const MAX_NAMES = 5_000;
const NAME_DIGITS = 32;
/** Maximum age in milliseconds of cached answers that depend on schedules. */
const SCHEDULE_GRAIN_MS = 1000;

/** Connected players (server/realtime). */
export interface Players {
  connected(workspaceId: string): Iterable<string>;
}

interface Found {
  readonly task: Task;
  readonly placement: Placement;
  readonly placementId: string;
}

/**
 * A device that plays a playlist, and the source of the playlist. `layout`: a zone of the device's layout has the
 * playlist.
 */
interface PlaylistPlace {
  readonly deviceId: string;
  readonly source: PlaylistDevice['source'];
}

/** Returns the current playlist and those of zones, without duplicates. */
const playlistsOf = ({ task, placement }: Found, now: number): readonly string[] => {
  const { program } = task.compiled;
  const { playlist_id } = currentPlaylistId(program, placement.timezone, now);
  const own = zonePlaylistIds(program, placement.timezone, now);
  return playlist_id === null ? own : [playlist_id, ...own.filter((id) => id !== playlist_id)];
};

const assignedOf = ({ task, placement, placementId }: Found): Assigned => task.assigned(placement, placementId);
/** Returns whether two assignments are equal, so that the player need not be notified. */
const isEqual = (one: Assigned, other: Assigned | undefined): boolean =>
  one === other || (one.id === other?.id && one.placement_id === other.placement_id);

/** Event: the programs of some devices, or of any device of a workspace, may have changed. */
export type ProgramChange = { readonly workspaceId: string } | { readonly deviceIds: Iterable<string> };

interface Workspace {
  readonly assignments: Assignments;
  readonly tasks: Tasks;
  readonly found: Map<string, Found>;
  counts?: { readonly at: number; readonly byPlaylist: ReadonlyMap<string, number> };
}

interface Deps extends Pick<Parts, 'bus' | 'clock'> {
  readonly store: ProgramsStore;
  readonly widgets: WidgetPages;
  readonly designs: DesignPages;
  readonly players: Players;
  readonly onError: (error: unknown) => void;
}

export class Programs implements Lifecycle {
  readonly name = 'programs';
  #onChanged: (deviceIds: readonly string[]) => void = () => {};
  #onMaybeChanged: (change: ProgramChange) => void = () => {};
  readonly #workspaces = new Map<string, Workspace>();
  /** Workspace of each device. A device never moves to another workspace. */
  readonly #workspaceOf = new Map<string, string>();
  readonly #former = new LRUCache<string, Buffer>({ maxSize: MAX_FORMER, sizeCalculation: (bytes) => bytes.length });
  readonly #names = recent<string, string>(MAX_NAMES);
  /** Last assignment sent to each connected device, so that only changes are sent. */
  readonly #told = new Map<string, Assigned>();
  /** Connected devices that a change may affect and that were not compared yet. */
  readonly #waiting = new Set<string>();
  /**
   * Tasks whose programs may be outdated, each with its workspace. A task is a program with the devices that show it.
   */
  readonly #outdated = new Map<Task, Workspace>();
  #turn: NodeJS.Immediate | undefined;
  readonly #deps: Deps;
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Sets the only listener for devices whose program or placement has changed. */
  onChanged(listener: (deviceIds: readonly string[]) => void): void {
    this.#onChanged = listener;
  }

  /** Sets the only listener for possible changes of devices, connected or not. */
  onMaybeChanged(listener: (change: ProgramChange) => void): void {
    this.#onMaybeChanged = listener;
  }

  start(): void {
    const { bus } = this.#deps;
    this.#undo = [
      bus.on('changed', (change) => this.#changed(change)),
      bus.on('workspaceGone', (id) => {
        this.#drop(id);
        this.#workspaceOf.clear();
      }),
      bus.on('deviceRemoved', ({ deviceId }) => {
        this.#told.delete(deviceId);
        this.#workspaceOf.delete(deviceId);
      }),
    ];
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#waiting.clear();
    this.#outdated.clear();
  }

  /** Clears all compiled programs after a rollback, because their data may never have been saved. */
  reset(): void {
    for (const task of this.#outdated.keys()) for (const deviceId of task.devices) this.#waiting.add(deviceId);
    this.#outdated.clear();
    for (const workspaceId of this.#workspaces.keys()) this.#onMaybeChanged({ workspaceId });
    this.#workspaces.clear();
    this.#workspaceOf.clear();
  }

  /**
   * Returns the assignment (program and placement) of a device, and remembers that it was sent; undefined when the
   * device does not exist.
   */
  assigned(deviceId: string): Assigned | undefined {
    const found = this.#of(deviceId);
    if (!found) return undefined;
    const assigned = assignedOf(found);
    this.#told.set(deviceId, assigned);
    return assigned;
  }

  /**
   * Returns the bytes of a program that the device has, or that a device of its workspace had shortly before; undefined
   * for any other program.
   */
  bytes(deviceId: string, programId: string): Buffer | undefined {
    const compiled = this.#of(deviceId)?.task.compiled;
    if (compiled?.id === programId) return compiled.bytes;
    return this.#former.get(`${this.#workspaceIdOf(deviceId)} ${programId}`);
  }

  /** Returns a device's program and placement, for previews and the calendar. */
  program(deviceId: string) {
    const found = this.#of(deviceId);
    return found && { program: found.task.compiled.program, placement: found.placement };
  }

  /** Returns the planned program of a device and its opening hours; undefined when the device does not exist. */
  planned(deviceId: string) {
    const found = this.#of(deviceId);
    const workspaceId = this.#workspaceIdOf(deviceId);
    if (!found || !workspaceId) return undefined;
    const { id, bytes } = found.task.compiled;
    const { timezone, hours = [] } = found.placement;
    return { workspaceId, id, bytes, timezone, hours };
  }

  /** Returns the current playlist of a device and its source. */
  inForce(deviceId: string): {
    readonly playlistId: string | null;
    readonly source: 'schedule' | 'wall' | 'device' | 'group' | null;
  } {
    const found = this.#of(deviceId);
    if (!found) return { playlistId: null, source: null };
    const current = currentPlaylistId(found.task.compiled.program, found.placement.timezone, this.#deps.clock.now());
    return { playlistId: current.playlist_id, source: current.source };
  }

  /** Returns the wall that contains a device, with all its panels; undefined when the device is in no wall. */
  wallPanels(deviceId: string): { readonly wallId: string; readonly panels: readonly string[] } | undefined {
    const workspaceId = this.#workspaceIdOf(deviceId);
    return workspaceId === undefined ? undefined : this.#workspace(workspaceId).assignments.wallPanels(deviceId);
  }

  /** Returns the leading panel of the wall that contains a device; undefined when the device is in no wall. */
  wallLeader(deviceId: string): string | undefined {
    const workspaceId = this.#workspaceIdOf(deviceId);
    return workspaceId === undefined ? undefined : this.#workspace(workspaceId).assignments.wallLeader(deviceId);
  }

  /** Returns the playlist that a device has or inherits without schedules and walls. */
  basePlaylist(deviceId: string): string | null {
    return ownOrInherited(this.#deps.store, deviceId);
  }

  /**
   * Returns the items that screens get for a playlist. Can be called within the write transaction that publishes the
   * playlist.
   */
  publishedItems(playlistId: string): ReturnType<typeof publishedItems> {
    return publishedItems(playlistId, this.#deps);
  }

  /** Returns the number of devices by current playlist. */
  displayCounts(workspaceId: string): ReadonlyMap<string, number> {
    const workspace = this.#workspace(workspaceId);
    const now = this.#deps.clock.now();
    const fresh =
      workspace.counts && (!workspace.assignments.hasSchedules || now - workspace.counts.at < SCHEDULE_GRAIN_MS);
    if (fresh) return workspace.counts!.byPlaylist;
    const byPlaylist = new Map<string, number>();
    const known = new Map<Task, Map<string, readonly string[]>>();
    for (const deviceId of workspace.assignments.devices.keys()) {
      const found = this.#of(deviceId);
      if (!found) continue;
      const { task, placement } = found;
      let byZone = known.get(task);
      if (!byZone) known.set(task, (byZone = new Map()));
      let playlists = byZone.get(placement.timezone);
      if (!playlists) byZone.set(placement.timezone, (playlists = playlistsOf(found, now)));
      for (const id of playlists) byPlaylist.set(id, (byPlaylist.get(id) ?? 0) + 1);
    }
    workspace.counts = { at: now, byPlaylist };
    return byPlaylist;
  }

  /** Returns devices that currently play the playlist or have it in a zone of their layout, each with the source. */
  devicesPlaying(workspaceId: string, playlistId: string): PlaylistPlace[] {
    const now = this.#deps.clock.now();
    return [...this.#workspace(workspaceId).assignments.devices.keys()].flatMap((deviceId): PlaylistPlace[] => {
      const found = this.#of(deviceId);
      if (!found || !playlistsOf(found, now).includes(playlistId)) return [];
      const { playlistId: inForce, source } = this.inForce(deviceId);
      return [{ deviceId, source: inForce === playlistId && source ? source : 'layout' }];
    });
  }

  /** Returns devices whose program may show one of these contents or widgets. */
  devicesShowing(workspaceId: string, subjectIds: readonly string[]): string[] {
    const workspace = this.#workspace(workspaceId);
    const shows = [...workspace.assignments.devices.keys()].filter((id) => {
      const shown = this.#of(id)?.task.compiled.subjects;
      return shown && subjectIds.some((subject) => shown.has(subject));
    });
    return shows;
  }

  /**
   * Returns devices whose program depends on one of these records (topic and id, see {@link Compiled.uses}), now or at
   * a planned time.
   */
  devicesMadeOf(workspaceId: string, what: readonly string[]): string[] {
    return [...this.#workspace(workspaceId).assignments.devices.keys()].filter((id) => {
      const uses = this.#of(id)?.task.compiled.uses;
      return uses !== undefined && what.some((one) => uses.has(one));
    });
  }

  /** Removes the assignment that was sent to a player. Called when the player has disconnected. */
  forget(deviceId: string): void {
    this.#told.delete(deviceId);
    this.#waiting.delete(deviceId);
  }

  #changed({ workspaceId, topic, screens, ids }: Change): void {
    if (!PROGRAM_TOPICS.has(topic)) return;
    const workspace = this.#workspaces.get(workspaceId);
    if (screens === false) {
      if (topic === 'playlists' && workspace) this.#renamed(workspaceId, workspace, ids ?? []);
      return;
    }
    const isKnown =
      workspace && ids && ids.length <= MAX_REREAD && this.#refresh(workspaceId, workspace, { topic, ids });
    if (!isKnown) {
      this.#drop(workspaceId);
      this.#onMaybeChanged({ workspaceId });
      for (const deviceId of this.#deps.players.connected(workspaceId)) this.#waiting.add(deviceId);
    }
    // Processes the first devices at once. Changes that arrive while other devices wait are processed together.
    if (!this.#turn) this.#tellMore();
  }

  /**
   * Discards the programs that depend on the changed records. Returns false when the dependent programs are unknown and
   * everything must be reloaded.
   */
  #refresh(
    workspaceId: string,
    workspace: Workspace,
    { topic, ids }: { topic: Topic; ids: readonly string[] },
  ): boolean {
    const concerned = this.#reread(workspaceId, workspace, { topic, ids });
    if (!concerned) return false;
    delete workspace.counts;
    this.#onMaybeChanged({ deviceIds: concerned });
    for (const deviceId of concerned) {
      this.#release(workspaceId, workspace, deviceId);
      if (this.#told.has(deviceId)) this.#waiting.add(deviceId);
    }
    const what = ids.map((id) => `${topic} ${id}`);
    if (topic === 'kiosk' || topic === 'brand') what.push(topic);
    if (topic === 'content') what.push('pictures');
    for (const task of what.flatMap((one) => [...workspace.tasks.using(one)])) {
      this.#remember(workspaceId, task);
      task.outdate();
      this.#outdated.set(task, workspace);
    }
    return true;
  }

  /**
   * Reloads assignments that may have changed.
   * @returns the affected devices; undefined after a deletion, because the
   * deletion also removed references that the event does not list
   */
  #reread(
    workspaceId: string,
    { assignments, tasks }: Workspace,
    { topic, ids }: { topic: Topic; ids: readonly string[] },
  ): Iterable<string> | undefined {
    const { store } = this.#deps;
    const unless = (isGone: (id: string) => boolean) => (ids.some(isGone) ? undefined : []);
    switch (topic) {
      case 'devices':
        return assignments.rereadDevices(ids);
      case 'schedules':
        return assignments.rereadSchedules(ids);
      case 'groups':
        return assignments.rereadGroups(ids);
      case 'walls':
        return assignments.rereadWalls(ids);
      case 'playlists':
        return unless((id) => !store.playlist(workspaceId, id));
      case 'content':
        return unless((id) => !store.content(workspaceId, id));
      case 'widgets':
        return unless((id) => !store.widget(workspaceId, id));
      case 'layouts': {
        const zones = [...assignments.zones(), ...tasks.used('zones')];
        return zones.every((id) => store.hasZone(id)) ? unless((id) => !store.layout(workspaceId, id)) : undefined;
      }
      default:
        return [];
    }
  }

  /** Updates the name of a playlist without notifying screens. Screens get the name with the next change. */
  #renamed(workspaceId: string, { tasks }: Workspace, ids: readonly string[]): void {
    for (const id of ids)
      for (const task of tasks.using(`playlists ${id}`)) {
        const known = task.ready?.program.playlists.find((playlist) => playlist.id === id);
        if (!known || known.name === this.#deps.store.playlist(workspaceId, id)?.name) continue;
        this.#remember(workspaceId, task);
        task.outdate();
      }
  }

  #drop(workspaceId: string): void {
    for (const task of this.#workspaces.get(workspaceId)?.tasks.all() ?? []) {
      this.#remember(workspaceId, task);
      this.#outdated.delete(task);
    }
    this.#workspaces.delete(workspaceId);
  }

  /**
   * Removes a device from its task (a program with the devices that show it). Deletes the task when it has no other
   * device.
   */
  #release(workspaceId: string, workspace: Workspace, deviceId: string): void {
    const task = workspace.found.get(deviceId)?.task;
    if (!task) return;
    workspace.found.delete(deviceId);
    this.#remember(workspaceId, task);
    task.devices.delete(deviceId);
    if (task.devices.size === 0) workspace.tasks.drop(task);
  }

  #tell(): void {
    const until = performance.now() + TURN_MS;
    for (const [task, { tasks }] of this.#outdated) {
      this.#outdated.delete(task);
      if (!tasks.has(task) || task.announced === task.compiled.id) continue;
      task.announced = task.compiled.id;
      this.#onMaybeChanged({ deviceIds: task.devices });
      for (const deviceId of task.devices) if (this.#told.has(deviceId)) this.#waiting.add(deviceId);
      if (performance.now() > until) break;
    }
    const changed: string[] = [];
    let looked = 0;
    for (const deviceId of this.#waiting) {
      if (looked++ === SLICE) break;
      this.#waiting.delete(deviceId);
      const found = this.#of(deviceId);
      if (found && !isEqual(assignedOf(found), this.#told.get(deviceId))) changed.push(deviceId);
    }
    if (changed.length > 0) this.#onChanged(changed);
    this.#again();
  }

  #again(): void {
    const isLeft = this.#waiting.size + this.#outdated.size > 0;
    this.#turn = isLeft ? setImmediate(() => this.#tellMore()) : undefined;
  }

  #tellMore(): void {
    this.#turn = undefined;
    try {
      this.#tell();
    } catch (error) {
      this.#deps.onError(error);
      this.#again();
    }
  }

  #remember(workspaceId: string, { ready }: Task): void {
    if (ready) this.#former.set(`${workspaceId} ${ready.id}`, ready.bytes);
  }

  #workspaceIdOf(deviceId: string): string | undefined {
    const known = this.#workspaceOf.get(deviceId);
    if (known) return known;
    const workspaceId = this.#deps.store.device(deviceId)?.workspace_id;
    if (workspaceId) this.#workspaceOf.set(deviceId, workspaceId);
    return workspaceId;
  }

  #of(deviceId: string): Found | undefined {
    const workspaceId = this.#workspaceIdOf(deviceId);
    if (!workspaceId) return undefined;
    const workspace = this.#workspace(workspaceId);
    const known = workspace.found.get(deviceId);
    if (known) return known;
    const assignment = workspace.assignments.of(deviceId);
    if (!assignment) return undefined;
    const task = workspace.tasks.of(assignment);
    task.devices.add(deviceId);
    const { placement } = assignment;
    const found: Found = { task, placement, placementId: this.#nameOf(placement) };
    workspace.found.set(deviceId, found);
    return found;
  }

  /** Returns a short hash of the placement. Cached, because most screens of a store have the same placement. */
  #nameOf(placement: Placement): string {
    const text = JSON.stringify(placement);
    let name = this.#names.get(text);
    if (name) return name;
    this.#names.set(text, (name = hash('sha256', text).slice(0, NAME_DIGITS)));
    return name;
  }

  #workspace(workspaceId: string): Workspace {
    let workspace = this.#workspaces.get(workspaceId);
    if (!workspace) {
      workspace = {
        assignments: new Assignments(this.#deps.store, workspaceId),
        tasks: new Tasks((assignment) => compile(workspaceId, assignment, this.#deps)),
        found: new Map(),
      };
      this.#workspaces.set(workspaceId, workspace);
    }
    return workspace;
  }
}
