/** Creates the planning features: layouts, playlists, groups, plans, schedules, walls. */

import { join } from 'node:path';
import { binRoutes } from '../features/bin/bin.routes.ts';
import { BinService } from '../features/bin/bin.service.ts';
import { BinStore } from '../features/bin/bin.store.ts';
import { PlacesStore } from '../features/bin/places.store.ts';
import type { ContentService } from '../features/content/content.service.ts';
import { deviceBulkRoutes } from '../features/devices/device-bulk.routes.ts';
import { DeviceBulk } from '../features/devices/device-bulk.ts';
import { DevicesStore } from '../features/devices/devices.store.ts';
import { groupRoutes } from '../features/groups/groups.routes.ts';
import { GroupsService } from '../features/groups/groups.service.ts';
import { GroupsStore } from '../features/groups/groups.store.ts';
import { layoutRoutes } from '../features/layouts/layouts.routes.ts';
import { LayoutsService } from '../features/layouts/layouts.service.ts';
import { LayoutsStore } from '../features/layouts/layouts.store.ts';
import { MessagePages } from '../features/messages/message-pages.ts';
import { messageRoutes } from '../features/messages/messages.routes.ts';
import { MessagesService } from '../features/messages/messages.service.ts';
import { MessagesStore } from '../features/messages/messages.store.ts';
import { overlayRoutes } from '../features/overlays/overlays.routes.ts';
import { OverlaysService } from '../features/overlays/overlays.service.ts';
import type { PlanFollower } from '../features/plans/plan-follower.ts';
import { PlanPreviews } from '../features/plans/plan-previews.service.ts';
import { planRoutes } from '../features/plans/plans.routes.ts';
import { PlansService } from '../features/plans/plans.service.ts';
import type { PlansStore } from '../features/plans/plans.store.ts';
import { playbackRoutes } from '../features/playback/playback.routes.ts';
import { PlaybackService } from '../features/playback/playback.service.ts';
import { PlaybackStore } from '../features/playback/playback.store.ts';
import { ApprovalWatch } from '../features/playlists/approval-watch.ts';
import { approvalRoutes } from '../features/playlists/approvals.routes.ts';
import { ApprovalsService } from '../features/playlists/approvals.service.ts';
import { ApprovalsStore } from '../features/playlists/approvals.store.ts';
import { assignmentRoutes } from '../features/playlists/assignments.routes.ts';
import { AssignmentsService } from '../features/playlists/assignments.service.ts';
import { playlistRoutes } from '../features/playlists/playlists.routes.ts';
import { PlaylistsService } from '../features/playlists/playlists.service.ts';
import type { PlaylistsStore } from '../features/playlists/playlists.store.ts';
import { ShownStore } from '../features/playlists/shown.store.ts';
import { scheduleRoutes } from '../features/schedules/schedules.routes.ts';
import { SchedulesService } from '../features/schedules/schedules.service.ts';
import type { SchedulesStore } from '../features/schedules/schedules.store.ts';
import { wallRoutes } from '../features/walls/walls.routes.ts';
import { WallsService } from '../features/walls/walls.service.ts';
import { WallsStore } from '../features/walls/walls.store.ts';
import type { WidgetsService } from '../features/widgets/widgets.service.ts';
import type { MembersService } from '../features/workspaces/members.service.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import type { Programs } from '../programs/programs.ts';
import type { Notices } from '../upkeep/notices/notices.ts';
import type { Kernel } from './kernel.ts';
import type { Presence } from './presence.ts';
import type { RealtimeParts } from './realtime.ts';

/** Pages of messages, which players download. Created before the parts for screens. */
export const createMessagePages = ({ config, db }: Kernel) => {
  const store = new MessagesStore(db);
  return { store, pages: new MessagePages({ folder: join(config.data, 'message-pages'), store }) };
};
type MessagePartsBefore = ReturnType<typeof createMessagePages>;

export const createPlanning = (
  kernel: Kernel,
  deps: {
    readonly cache: ResponseCache;
    readonly programs: Programs;
    readonly playlists: PlaylistsStore;
    readonly schedules: SchedulesStore;
    readonly plans: PlanFollower;
    readonly planned: PlansStore;
    readonly content: Pick<ContentService, 'playable'>;
    readonly members: Pick<MembersService, 'forget'>;
    readonly widgets: Pick<WidgetsService, 'find'>;
    readonly slots: ConstructorParameters<typeof PlaylistsService>[0]['slots'];
    readonly notices: Pick<Notices, 'approvalWanted'>;
    readonly presence: Pick<Presence, 'registry' | 'isOnline'>;
    readonly messages: MessagePartsBefore;
    /** Address of this server for players. */
    readonly origin: () => string;
    readonly realtime: Pick<
      RealtimeParts,
      'devices' | 'tags' | 'commands' | 'identify' | 'overlays' | 'wallSync' | 'mute'
    >;
  },
) => {
  const { db } = kernel;
  const { cache, programs, presence, realtime } = deps;
  const layouts = new LayoutsService({ ...kernel, store: new LayoutsStore(db) });
  layouts.addTemplates();
  const requests = new ApprovalsStore(db);
  const playlists = new PlaylistsService({ ...kernel, ...deps, store: deps.playlists, requests, layouts });
  const approvalWatch = new ApprovalWatch({ ...kernel, store: requests, tell: deps.notices });
  const approvals = new ApprovalsService({
    ...kernel,
    store: requests,
    shown: new ShownStore(db),
    playlists,
    asked: approvalWatch.asked,
  });
  const assignments = new AssignmentsService({
    ...{ ...kernel, ...realtime, store: deps.playlists },
    ...{ playlists, programs, requests },
  });
  const groups = new GroupsService({
    ...kernel,
    ...realtime,
    ...deps,
    store: new GroupsStore(db),
    assignments,
    isOnline: presence.isOnline,
  });
  const bulk = new DeviceBulk({ ...kernel, ...realtime, store: new DevicesStore(db), members: groups });
  const plans = new PlansService({ ...kernel, store: deps.planned, layouts, serverZone, tags: realtime.tags });
  const schedules = new SchedulesService({ ...kernel, store: deps.schedules, plans, serverZone });
  const walls = new WallsService({ ...kernel, ...realtime, store: new WallsStore(db), live: presence.registry });
  const bin = new BinService({
    ...kernel,
    store: new BinStore(db),
    places: new PlacesStore(db),
    plans: deps.plans,
    groups,
  });
  const overlays = new OverlaysService({ ...kernel, ...realtime, groups });
  const messages = new MessagesService({
    ...kernel,
    ...realtime,
    ...deps.messages,
    groups,
    isOnline: presence.isOnline,
    origin: deps.origin,
  });
  return {
    layouts,
    playlists,
    assignments,
    groups,
    schedules,
    bin,
    approvals,
    approvalWatch,
    /** Parts to start, in this order. */
    parts: [deps.messages.pages, messages, approvalWatch],
    routes: [
      ...playlistRoutes(playlists, cache),
      ...approvalRoutes(approvals),
      ...assignmentRoutes(assignments),
      ...layoutRoutes(layouts),
      ...deviceBulkRoutes(bulk),
      ...groupRoutes(groups),
      ...scheduleRoutes(schedules),
      ...planRoutes(plans, new PlanPreviews({ ...kernel, store: deps.planned, plans, layouts, programs })),
      ...playbackRoutes(new PlaybackService({ store: new PlaybackStore(db), programs, plans })),
      ...wallRoutes(walls),
      ...overlayRoutes(overlays),
      ...messageRoutes(messages),
      ...binRoutes(bin),
    ],
  };
};

export type PlanningParts = ReturnType<typeof createPlanning>;
