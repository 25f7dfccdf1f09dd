/** Makes the features that say what plays where and when: layouts, playlists, groups, schedules, walls. */
import type { CommandBody, CommandResult, Device, IdentifyResult } from '../shared/contract/devices.ts';
import type { Database } from './db/database.ts';
import { groupRoutes } from './features/groups/groups.routes.ts';
import { GroupsService } from './features/groups/groups.service.ts';
import { GroupsStore } from './features/groups/groups.store.ts';
import { layoutRoutes } from './features/layouts/layouts.routes.ts';
import type { LayoutsService } from './features/layouts/layouts.service.ts';
import { overlayRoutes } from './features/overlays/overlays.routes.ts';
import { type OverlayDelivery, OverlaysService } from './features/overlays/overlays.service.ts';
import { assignmentRoutes } from './features/playlists/assignments.routes.ts';
import { AssignmentsService, type MuteEvents } from './features/playlists/assignments.service.ts';
import { playlistRoutes } from './features/playlists/playlists.routes.ts';
import { type Playable, PlaylistsService } from './features/playlists/playlists.service.ts';
import type { PlaylistsStore } from './features/playlists/playlists.store.ts';
import { scheduleRoutes } from './features/schedules/schedules.routes.ts';
import { SchedulesService } from './features/schedules/schedules.service.ts';
import type { SchedulesStore } from './features/schedules/schedules.store.ts';
import { wallRoutes } from './features/walls/walls.routes.ts';
import { type Panels, WallsService } from './features/walls/walls.service.ts';
import { WallsStore } from './features/walls/walls.store.ts';
import type { Bound } from './http/api.ts';
import type { ResponseCache } from './http/response-cache.ts';
import type { ActivityLog } from './kernel/activity.ts';
import type { Bus } from './kernel/bus.ts';
import type { Clock } from './kernel/clock.ts';
import type { Programs } from './programs/programs.ts';

/** The players and the devices behind them, as these features need them. */
export interface Screens extends OverlayDelivery, Panels, MuteEvents {
  devices(workspaceId: string, ids: readonly string[]): Device[];
  deviceName(workspaceId: string, id: string): string | undefined;
  command(workspaceId: string, deviceIds: readonly string[], command: CommandBody['type'], payload: Record<string, unknown>): Promise<CommandResult[]>;
  identify(workspaceId: string, deviceIds: readonly string[], seconds: number): IdentifyResult[];
}

export interface PlanningParts {
  readonly playlists: PlaylistsService;
  readonly assignments: AssignmentsService;
  readonly groups: GroupsService;
  readonly schedules: SchedulesService;
  readonly routes: Bound[];
}

export const createPlanning = (deps: {
  db: Database;
  bus: Bus;
  clock: Clock;
  activity: ActivityLog;
  cache: ResponseCache;
  programs: Programs;
  layouts: LayoutsService;
  playlistsStore: PlaylistsStore;
  schedulesStore: SchedulesStore;
  playable: Omit<Playable, 'zone'>;
  screens: Screens;
}): PlanningParts => {
  const { db, bus, clock, activity, cache, programs, layouts, screens } = deps;
  const common = { db, bus, clock, activity };
  const zone = (workspaceId: string, id: string) => layouts.findZone(workspaceId, id);
  const playable: Playable = { content: (w, id) => deps.playable.content(w, id), widget: (w, id) => deps.playable.widget(w, id), zone };
  const playlists = new PlaylistsService({ ...common, store: deps.playlistsStore, playable, inForce: programs });
  const assignments = new AssignmentsService({ ...common, store: deps.playlistsStore, playlists, base: programs, mute: screens });
  const groups = new GroupsService({
    ...common,
    store: new GroupsStore(db),
    others: {
      devices: (workspaceId, ids) => screens.devices(workspaceId, ids),
      requirePlayable: (actor, item) => assignments.requirePlayable(actor, item),
      append: (actor, deviceId, item) => void assignments.add(actor, deviceId, item),
      basePlaylist: (deviceId) => programs.basePlaylist(deviceId),
      command: (workspaceId, ids, command, payload) => screens.command(workspaceId, ids, command, payload),
      identify: (workspaceId, ids, seconds) => screens.identify(workspaceId, ids, seconds),
    },
  });
  const serverZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const schedules = new SchedulesService({ ...common, store: deps.schedulesStore, zones: { zone }, serverZone });
  const walls = new WallsService({ ...common, store: new WallsStore(db), panels: screens });
  const targets = { deviceName: (w: string, id: string) => screens.deviceName(w, id), group: (w: string, id: string) => groups.target(w, id) };
  const overlays = new OverlaysService({ db, bus, activity, targets, delivery: screens });
  return {
    playlists,
    assignments,
    groups,
    schedules,
    routes: [
      ...playlistRoutes(playlists, cache),
      ...assignmentRoutes(assignments),
      ...layoutRoutes(layouts),
      ...groupRoutes(groups),
      ...scheduleRoutes(schedules),
      ...wallRoutes(walls),
      ...overlayRoutes(overlays),
    ],
  };
};
