/**
 * The programs of all devices: compiled when asked for, shared by devices with the same task, compiled anew when
 * something they are made of changes, and pushed to the players whose program or placement really is another one then.
 */

import { hash } from 'node:crypto';
import type { Placement } from '../../shared/program/program.ts';
import { currentPlaylistId } from '../../shared/program/resolve.ts';
import type { Topic } from '../../shared/protocol/live.ts';
import type { Change } from '../kernel/bus.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { recent } from '../kernel/recent.ts';
import { Assignments, ownOrInherited } from './assignment.ts';
import { type Compiled, compile, type WidgetPages } from './compile.ts';
import type { ProgramsStore } from './programs.store.ts';

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
/** Programs that no device has any more are kept for players that are fetching them just now. */
const MAX_FORMER = 500;
/**
 * Devices looked at and told in one turn of the event loop: some five milliseconds. What else there is to do waits no
 * longer.
 */
const SLICE = 200;
/** Programs kept for a workspace that no device of it has now: one may be given back what it had. */
const MAX_UNUSED = 100;
/** Records that are read anew one by one; beyond that everything is. */
const MAX_REREAD = 100;
/** Of placements. */
const MAX_NAMES = 5_000;
const NAME_DIGITS = 32;
/** How long an answer that schedules may change is good for. */
const SCHEDULE_GRAIN_MS = 1000;

export interface Assigned {
  readonly id: string;
  /** Path on the server's origin; the bytes behind it never change. */
  readonly url: string;
  readonly placement: Placement;
  /** Another for each other placement, the same after a restart: the player says with it which one it has. */
  readonly placement_id: string;
}

/** The players that are connected (server/realtime). */
export interface Players {
  connected(workspaceId: string): Iterable<string>;
}

interface Found {
  /** Under which its program is shared. */
  readonly key: string;
  readonly compiled: Compiled;
  readonly placement: Placement;
  readonly placementId: string;
  /** Equal as long as there is nothing new to tell the player. */
  readonly tellKey: string;
}

interface Workspace {
  readonly assignments: Assignments;
  readonly compiled: Map<string, Compiled>;
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
  readonly #workspaces = new Map<string, Workspace>();
  /** A device never moves to another workspace. */
  readonly #workspaceOf = new Map<string, string>();
  readonly #former = recent<string, Buffer>(MAX_FORMER);
  readonly #names = recent<string, string>(MAX_NAMES);
  /** What each connected device was last told, to tell it only what is new. */
  readonly #told = new Map<string, string>();
  /** Connected devices that a change may concern and that were not looked at since. */
  readonly #waiting = new Set<string>();
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

  start(): void {
    const { bus } = this.#deps;
    this.#undo = [
      bus.on('changed', (change) => this.#changed(change)),
      bus.on('workspaceGone', (id) => {
        this.#workspaces.delete(id);
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
  }

  /** Forgets what was compiled: what was read may never have been saved. */
  reset(): void {
    this.#workspaces.clear();
    this.#workspaceOf.clear();
  }

  /** What a device is to show; undefined when there is no such device. Remembered as told. */
  assigned(deviceId: string): Assigned | undefined {
    const found = this.#of(deviceId);
    if (!found) return undefined;
    this.#told.set(deviceId, found.tellKey);
    return {
      id: found.compiled.id,
      url: `/api/player/programs/${found.compiled.id}`,
      placement: found.placement,
      placement_id: found.placementId,
    };
  }

  /** Bytes of a program that the device has, or that one of its workspace had a moment ago; undefined for any other. */
  bytes(deviceId: string, programId: string): Buffer | undefined {
    const found = this.#of(deviceId);
    if (found?.compiled.id === programId) return found.compiled.bytes;
    return this.#former.get(`${this.#workspaceIdOf(deviceId)} ${programId}`);
  }

  /** A device's program and placement, for previews and the calendar. */
  program(deviceId: string) {
    const found = this.#of(deviceId);
    return found && { program: found.compiled.program, placement: found.placement };
  }

  /** The playlist in force on a device now, and why (decisions, Device). */
  inForce(deviceId: string): {
    readonly playlistId: string | null;
    readonly source: 'schedule' | 'wall' | 'device' | 'group' | null;
  } {
    const found = this.#of(deviceId);
    if (!found) return { playlistId: null, source: null };
    const current = currentPlaylistId(found.compiled.program, found.placement.timezone, this.#deps.clock.now());
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

  /** Number of devices by the playlist in force on them. */
  displayCounts(workspaceId: string): ReadonlyMap<string, number> {
    const workspace = this.#workspace(workspaceId);
    const now = this.#deps.clock.now();
    const fresh =
      workspace.counts && (!workspace.assignments.hasSchedules || now - workspace.counts.at < SCHEDULE_GRAIN_MS);
    if (fresh) return workspace.counts!.byPlaylist;
    const byPlaylist = new Map<string, number>();
    for (const deviceId of workspace.assignments.devices.keys()) {
      const { playlistId } = this.inForce(deviceId);
      if (playlistId) byPlaylist.set(playlistId, (byPlaylist.get(playlistId) ?? 0) + 1);
    }
    workspace.counts = { at: now, byPlaylist };
    return byPlaylist;
  }

  /** Devices on which the playlist is in force now, and why. */
  devicesPlaying(
    workspaceId: string,
    playlistId: string,
  ): { readonly deviceId: string; readonly source: 'schedule' | 'wall' | 'device' | 'group' }[] {
    return [...this.#workspace(workspaceId).assignments.devices.keys()].flatMap((deviceId) => {
      const now = this.inForce(deviceId);
      return now.playlistId === playlistId && now.source ? [{ deviceId, source: now.source }] : [];
    });
  }

  /** Devices whose program may show one of these contents or widgets. */
  devicesShowing(workspaceId: string, subjectIds: readonly string[]): string[] {
    const workspace = this.#workspace(workspaceId);
    const shows = [...workspace.assignments.devices.keys()].filter((id) => {
      const compiled = this.#of(id)?.compiled;
      return compiled && subjectIds.some((subject) => compiled.subjects.has(subject));
    });
    return shows;
  }

  /** A player has gone: what it was told is forgotten. */
  forget(deviceId: string): void {
    this.#told.delete(deviceId);
    this.#waiting.delete(deviceId);
  }

  #changed({ workspaceId, topic, screens, ids }: Change): void {
    if (!PROGRAM_TOPICS.has(topic) || screens === false) return;
    const concerned = this.#refresh(workspaceId, topic, ids);
    for (const deviceId of concerned ?? this.#deps.players.connected(workspaceId))
      if (!concerned || this.#told.has(deviceId)) this.#waiting.add(deviceId);
    // As much as one turn holds is done at once. Changes that come while others wait are looked at together.
    if (!this.#turn) this.#tellMore();
  }

  /**
   * Forgets what is made of what changed.
   * @returns the devices concerned, where that can be told; undefined: any of the workspace
   */
  #refresh(workspaceId: string, topic: Topic, ids: readonly string[] | undefined): readonly string[] | undefined {
    const workspace = this.#workspaces.get(workspaceId);
    if (!workspace) return undefined;
    const few = ids && ids.length <= MAX_REREAD ? ids : undefined;
    const concerned =
      few &&
      (topic === 'schedules'
        ? workspace.assignments.rereadSchedules(few)
        : topic === 'devices'
          ? workspace.assignments.rereadDevices(few)
          : undefined);
    if (!concerned || workspace.compiled.size > workspace.found.size + MAX_UNUSED) {
      this.#remember(workspaceId, workspace.compiled.values());
      this.#workspaces.delete(workspaceId);
      return undefined;
    }
    delete workspace.counts;
    for (const deviceId of concerned) {
      const found = workspace.found.get(deviceId);
      if (!found) continue;
      workspace.found.delete(deviceId);
      this.#remember(workspaceId, [found.compiled]);
      // Nobody shares it any more: who has these schedules is concerned as well.
      if (topic === 'schedules') workspace.compiled.delete(found.key);
    }
    return concerned;
  }

  #tell(): void {
    const changed: string[] = [];
    let looked = 0;
    for (const deviceId of this.#waiting) {
      if (looked++ === SLICE) break;
      this.#waiting.delete(deviceId);
      const found = this.#of(deviceId);
      if (found && this.#told.get(deviceId) !== found.tellKey) changed.push(deviceId);
    }
    if (changed.length > 0) this.#onChanged(changed);
    this.#turn = this.#waiting.size > 0 ? setImmediate(() => this.#tellMore()) : undefined;
  }

  #tellMore(): void {
    this.#turn = undefined;
    try {
      this.#tell();
    } catch (error) {
      this.#deps.onError(error);
      if (this.#waiting.size > 0) this.#turn = setImmediate(() => this.#tellMore());
    }
  }

  #remember(workspaceId: string, before: Iterable<Compiled>): void {
    for (const { id, bytes } of before) this.#former.set(`${workspaceId} ${id}`, bytes);
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
    let compiled = workspace.compiled.get(assignment.key);
    if (!compiled) {
      compiled = compile(workspaceId, assignment, { store: this.#deps.store, widgets: this.#deps.widgets });
      workspace.compiled.set(assignment.key, compiled);
    }
    const { placement } = assignment;
    const placementId = this.#nameOf(placement);
    const found: Found = {
      key: assignment.key,
      compiled,
      placement,
      placementId,
      tellKey: `${compiled.id} ${placementId}`,
    };
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
        compiled: new Map(),
        found: new Map(),
      };
      this.#workspaces.set(workspaceId, workspace);
    }
    return workspace;
  }
}
