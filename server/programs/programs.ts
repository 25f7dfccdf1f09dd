/**
 * The programs of all devices: compiled when asked for, shared by devices with the same task, compiled anew when
 * something they are made of changes, and pushed to the players whose program or placement really is another one then.
 * A change costs what it touches: only what is made of it is read and compiled anew.
 */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PlaylistDevice } from '../../shared/contract/playlists.ts';
import type { Placement } from '../../shared/program/program.ts';
import { currentPlaylistId, zonePlaylistIds } from '../../shared/program/resolve.ts';
import type { Topic } from '../../shared/protocol/live.ts';
import type { Change } from '../kernel/bus.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { recent } from '../kernel/recent.ts';
import { Assignments, ownOrInherited } from './assignment.ts';
import { compile, publishedItems, type WidgetPages } from './compile.ts';
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
]);
/** Bytes of programs that no device has any more, kept for players that are fetching them just now. */
const MAX_FORMER = 8 * 1024 * 1024;
/**
 * Devices looked at and told in one turn of the event loop: some five milliseconds. What else there is to do waits no
 * longer.
 */
const SLICE = 200;
/** Programs are compiled anew for so many milliseconds in a turn of the event loop. */
const TURN_MS = 4;
/** Records that are read anew one by one; beyond that everything is. */
const MAX_REREAD = 100;
/** Of placements. */
const MAX_NAMES = 5_000;
const NAME_DIGITS = 32;
/** How long an answer that schedules may change is good for. */
const SCHEDULE_GRAIN_MS = 1000;

/** The players that are connected (server/realtime). */
export interface Players {
  connected(workspaceId: string): Iterable<string>;
}

interface Found {
  readonly task: Task;
  readonly placement: Placement;
  readonly placementId: string;
}

/** A device on which a playlist plays, and why: `layout`, a zone has it by itself. */
interface PlaylistPlace {
  readonly deviceId: string;
  readonly source: PlaylistDevice['source'];
}

/** The playlist in force, and those that zones have by themselves; each once. */
const playlistsOf = ({ task, placement }: Found, now: number): readonly string[] => {
  const { program } = task.compiled;
  const { playlist_id } = currentPlaylistId(program, placement.timezone, now);
  const own = zonePlaylistIds(program, placement.timezone, now);
  return playlist_id === null ? own : [playlist_id, ...own.filter((id) => id !== playlist_id)];
};

const assignedOf = ({ task, placement, placementId }: Found): Assigned => task.assigned(placement, placementId);
/** As long as these are equal there is nothing new to tell the player. */
const isEqual = (one: Assigned, other: Assigned | undefined): boolean =>
  one === other || (one.id === other?.id && one.placement_id === other.placement_id);

/** Some devices, or any of a workspace, may be to show another program now. */
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
  readonly players: Players;
  readonly onError: (error: unknown) => void;
}

export class Programs implements Lifecycle {
  readonly name = 'programs';
  #onChanged: (deviceIds: readonly string[]) => void = () => {};
  #onMaybeChanged: (change: ProgramChange) => void = () => {};
  readonly #workspaces = new Map<string, Workspace>();
  /** A device never moves to another workspace. */
  readonly #workspaceOf = new Map<string, string>();
  readonly #former = new LRUCache<string, Buffer>({ maxSize: MAX_FORMER, sizeCalculation: (bytes) => bytes.length });
  readonly #names = recent<string, string>(MAX_NAMES);
  /** What each connected device was last told, to tell it only what is new. */
  readonly #told = new Map<string, Assigned>();
  /** Connected devices that a change may concern and that were not looked at since. */
  readonly #waiting = new Set<string>();
  /** Tasks whose programs may be others now, with their workspaces. */
  readonly #outdated = new Map<Task, Workspace>();
  #turn: NodeJS.Immediate | undefined;
  readonly #deps: Deps;
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Calls the one listener with devices whose program or placement is another one now. */
  onChanged(listener: (deviceIds: readonly string[]) => void): void {
    this.#onChanged = listener;
  }

  /** Calls the one listener with what may be to show something else, whether it is connected or not. */
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

  /** Forgets what was compiled: what was read may never have been saved. */
  reset(): void {
    for (const task of this.#outdated.keys()) for (const deviceId of task.devices) this.#waiting.add(deviceId);
    this.#outdated.clear();
    for (const workspaceId of this.#workspaces.keys()) this.#onMaybeChanged({ workspaceId });
    this.#workspaces.clear();
    this.#workspaceOf.clear();
  }

  /** What a device is to show; undefined when there is no such device. Remembered as told. */
  assigned(deviceId: string): Assigned | undefined {
    const found = this.#of(deviceId);
    if (!found) return undefined;
    const assigned = assignedOf(found);
    this.#told.set(deviceId, assigned);
    return assigned;
  }

  /** Bytes of a program that the device has, or that one of its workspace had a moment ago; undefined for any other. */
  bytes(deviceId: string, programId: string): Buffer | undefined {
    const compiled = this.#of(deviceId)?.task.compiled;
    if (compiled?.id === programId) return compiled.bytes;
    return this.#former.get(`${this.#workspaceIdOf(deviceId)} ${programId}`);
  }

  /** A device's program and placement, for previews and the calendar. */
  program(deviceId: string) {
    const found = this.#of(deviceId);
    return found && { program: found.task.compiled.program, placement: found.placement };
  }

  /** What a device is planned to show: its program, and when its panel is on; undefined when there is no such device. */
  planned(deviceId: string) {
    const found = this.#of(deviceId);
    const workspaceId = this.#workspaceIdOf(deviceId);
    if (!found || !workspaceId) return undefined;
    const { id, bytes } = found.task.compiled;
    const { timezone, hours = [] } = found.placement;
    return { workspaceId, id, bytes, timezone, hours };
  }

  /** The playlist in force on a device now, and why (decisions, Device). */
  inForce(deviceId: string): {
    readonly playlistId: string | null;
    readonly source: 'schedule' | 'wall' | 'device' | 'group' | null;
  } {
    const found = this.#of(deviceId);
    if (!found) return { playlistId: null, source: null };
    const current = currentPlaylistId(found.task.compiled.program, found.placement.timezone, this.#deps.clock.now());
    return { playlistId: current.playlist_id, source: current.source };
  }

  /** The wall in which a device hangs, and all its panels; undefined: in none. */
  wallPanels(deviceId: string): { readonly wallId: string; readonly panels: readonly string[] } | undefined {
    const workspaceId = this.#workspaceIdOf(deviceId);
    return workspaceId === undefined ? undefined : this.#workspace(workspaceId).assignments.wallPanels(deviceId);
  }

  /** The panel that leads the wall in which a device hangs; undefined: in none. */
  wallLeader(deviceId: string): string | undefined {
    const workspaceId = this.#workspaceIdOf(deviceId);
    return workspaceId === undefined ? undefined : this.#workspace(workspaceId).assignments.wallLeader(deviceId);
  }

  /** The playlist that a device has or inherits when no schedule or wall says otherwise. */
  basePlaylist(deviceId: string): string | null {
    return ownOrInherited(this.#deps.store, deviceId);
  }

  /** What screens are given of a playlist, wherever it stands; also within a write that publishes it. */
  publishedItems(playlistId: string): ReturnType<typeof publishedItems> {
    return publishedItems(playlistId, this.#deps);
  }

  /** Number of devices by the playlists that play on them. */
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

  /** Devices on which the playlist is in force now, or in whose layout a zone has it, and why. */
  devicesPlaying(workspaceId: string, playlistId: string): PlaylistPlace[] {
    const now = this.#deps.clock.now();
    return [...this.#workspace(workspaceId).assignments.devices.keys()].flatMap((deviceId): PlaylistPlace[] => {
      const found = this.#of(deviceId);
      if (!found || !playlistsOf(found, now).includes(playlistId)) return [];
      const { playlistId: inForce, source } = this.inForce(deviceId);
      return [{ deviceId, source: inForce === playlistId && source ? source : 'layout' }];
    });
  }

  /** Devices whose program may show one of these contents or widgets. */
  devicesShowing(workspaceId: string, subjectIds: readonly string[]): string[] {
    const workspace = this.#workspace(workspaceId);
    const shows = [...workspace.assignments.devices.keys()].filter((id) => {
      const shown = this.#of(id)?.task.compiled.subjects;
      return shown && subjectIds.some((subject) => shown.has(subject));
    });
    return shows;
  }

  /**
   * Devices whose program is made of one of these (topic and id, see {@link Compiled.uses}): they show it now, or at some
   * time that is planned.
   */
  devicesMadeOf(workspaceId: string, what: readonly string[]): string[] {
    return [...this.#workspace(workspaceId).assignments.devices.keys()].filter((id) => {
      const uses = this.#of(id)?.task.compiled.uses;
      return uses !== undefined && what.some((one) => uses.has(one));
    });
  }

  /** A player has gone: what it was told is forgotten. */
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
    // As much as one turn holds is done at once. Changes that come while others wait are looked at together.
    if (!this.#turn) this.#tellMore();
  }

  /** Forgets what is made of what changed. Returns false when that cannot be told, so that all of it has to be. */
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
    if (topic === 'kiosk') what.push('kiosk');
    if (topic === 'content') what.push('pictures');
    for (const task of what.flatMap((one) => [...workspace.tasks.using(one)])) {
      this.#remember(workspaceId, task);
      task.outdate();
      this.#outdated.set(task, workspace);
    }
    return true;
  }

  /**
   * Reads anew who shows what, where it may have changed.
   * @returns the devices concerned; undefined: more than can be told. What is deleted takes references with it, which
   * nobody names
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

  /** A playlist's new name is told with whatever is told next. */
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

  /** Takes a device out of its task, which it may get back. */
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

  /** Most screens of a store are placed alike. */
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
