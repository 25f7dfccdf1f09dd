/** The part of the composition root that makes updates of the screens: releases and their rollout. */
import { join } from 'node:path';
import type { Database } from './db/database.ts';
import { RunningAges } from './db/running-ages.ts';
import { ReleaseFiles } from './features/updates/release-files.ts';
import { type LiveScreens, RolloutsService, type UpdateNotices } from './features/updates/rollouts.service.ts';
import { updateRoutes } from './features/updates/updates.routes.ts';
import { UpdatesService } from './features/updates/updates.service.ts';
import { UpdatesStore } from './features/updates/updates.store.ts';
import type { Bound } from './http/api.ts';
import type { ActivityLog } from './kernel/activity.ts';
import type { Bus } from './kernel/bus.ts';
import type { Clock } from './kernel/clock.ts';
import type { Lifecycle } from './kernel/lifecycle.ts';
import type { Log } from './kernel/log.ts';
import { Aside, releasesAsideFolder } from './media/aside.ts';
import { isFull } from './upkeep/disk-watch.ts';

export interface UpdatesParts {
  readonly routes: readonly Bound[];
  readonly parts: readonly Lifecycle[];
  /** For tests, which do not wait for a clock. */
  readonly releases: UpdatesService;
  readonly rollouts: RolloutsService;
}

export const createUpdates = (deps: {
  config: { readonly data: string };
  db: Database;
  bus: Bus;
  clock: Clock;
  /** Milliseconds that never jump. */
  mono: () => number;
  activity: ActivityLog;
  log: Log;
  screens: LiveScreens;
  notices: () => UpdateNotices;
  /** The publisher's, of this server's own package. */
  releaseKeys: readonly string[];
}): UpdatesParts => {
  const { db, bus, clock, activity, log, screens, notices } = deps;
  const store = new UpdatesStore(db);
  const rollouts = new RolloutsService({ db, store, bus, clock, activity, log, screens, notices });
  const { data } = deps.config;
  const files = new ReleaseFiles(join(data, 'updates'));
  const ages = new RunningAges({ db, key: 'updates_aside', mono: deps.mono });
  const aside = new Aside({ dir: releasesAsideFolder(data), store: files, ages, clock, isFull: () => isFull(data) });
  const updates = new UpdatesService({ db, store, files, aside, clock, activity, log, turns: rollouts, keys: deps.releaseKeys });
  return { routes: updateRoutes(updates, rollouts), parts: [updates, rollouts], releases: updates, rollouts };
};
