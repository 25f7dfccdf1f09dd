/** Makes the features that say what plays where and when: layouts, playlists, groups, schedules, walls. */

import type { CommandBody, CommandResult, Device, IdentifyResult } from '../../shared/contract/devices.ts';
import type { ContentService } from '../features/content/content.service.ts';
import { groupRoutes } from '../features/groups/groups.routes.ts';
import { GroupsService } from '../features/groups/groups.service.ts';
import { GroupsStore } from '../features/groups/groups.store.ts';
import { layoutRoutes } from '../features/layouts/layouts.routes.ts';
import { LayoutsService } from '../features/layouts/layouts.service.ts';
import { LayoutsStore } from '../features/layouts/layouts.store.ts';
import { overlayRoutes } from '../features/overlays/overlays.routes.ts';
import { type OverlayDelivery, OverlaysService } from '../features/overlays/overlays.service.ts';
import { assignmentRoutes } from '../features/playlists/assignments.routes.ts';
import { AssignmentsService, type MuteEvents } from '../features/playlists/assignments.service.ts';
import { playlistRoutes } from '../features/playlists/playlists.routes.ts';
import { type Playable, PlaylistsService } from '../features/playlists/playlists.service.ts';
import type { PlaylistsStore } from '../features/playlists/playlists.store.ts';
import { scheduleRoutes } from '../features/schedules/schedules.routes.ts';
import { SchedulesService } from '../features/schedules/schedules.service.ts';
import type { SchedulesStore } from '../features/schedules/schedules.store.ts';
import { wallRoutes } from '../features/walls/walls.routes.ts';
import { type Panels, WallsService } from '../features/walls/walls.service.ts';
import { WallsStore } from '../features/walls/walls.store.ts';
import type { WidgetsService } from '../features/widgets/widgets.service.ts';
import type { Bound } from '../http/api.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { serverZone } from '../kernel/server-zone.ts';
import type { Programs } from '../programs/programs.ts';
import type { Kernel } from './kernel.ts';

/** The players and the devices behind them, as these features need them. */
export interface Screens extends OverlayDelivery, Panels, MuteEvents {
  devices(workspaceId: string, ids: readonly string[]): Device[];
  deviceName(workspaceId: string, id: string): string | undefined;
  command(
    workspaceId: string,
    deviceIds: readonly string[],
    command: CommandBody['type'],
    payload: Record<string, unknown>,
  ): Promise<CommandResult[]>;
  identify(workspaceId: string, deviceIds: readonly string[], seconds: number): IdentifyResult[];
}

export interface PlanningParts {
  readonly layouts: LayoutsService;
  readonly playlists: PlaylistsService;
  readonly assignments: AssignmentsService;
  readonly groups: GroupsService;
  readonly schedules: SchedulesService;
  readonly routes: Bound[];
}

export const createPlanning = (
  kernel: Kernel,
  deps: {
    readonly cache: ResponseCache;
    readonly programs: Programs;
    readonly playlists: PlaylistsStore;
    readonly schedules: SchedulesStore;
    readonly content: Pick<ContentService, 'playable'>;
    readonly widgets: Pick<WidgetsService, 'find'>;
    readonly screens: Screens;
  },
): PlanningParts => {
  const { db } = kernel;
  const { cache, programs, content, widgets, screens } = deps;
  const layouts = new LayoutsService({ ...kernel, store: new LayoutsStore(db) });
  layouts.addTemplates();
  const zone = (workspaceId: string, id: string) => layouts.findZone(workspaceId, id);
  const playable: Playable = {
    content: (w, id) => content.playable(w, id),
    widget: (w, id) => widgets.find(w, id),
    zone,
  };
  const playlists = new PlaylistsService({ ...kernel, store: deps.playlists, playable, inForce: programs });
  const assignments = new AssignmentsService({
    ...kernel,
    store: deps.playlists,
    playlists,
    base: programs,
    mute: screens,
  });
  const groups = new GroupsService({
    ...kernel,
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
  const schedules = new SchedulesService({ ...kernel, store: deps.schedules, zones: { zone }, serverZone });
  const walls = new WallsService({ ...kernel, store: new WallsStore(db), panels: screens });
  const targets = {
    deviceName: (w: string, id: string) => screens.deviceName(w, id),
    group: (w: string, id: string) => groups.target(w, id),
  };
  const overlays = new OverlaysService({ ...kernel, targets, delivery: screens });
  return {
    layouts,
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
