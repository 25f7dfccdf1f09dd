/** Makes updates of the screens: releases and their rollout. */

import { join } from 'node:path';
import { RunningAges } from '../db/running-ages.ts';
import { ReleaseFiles } from '../features/updates/release-files.ts';
import { RolloutsService } from '../features/updates/rollouts.service.ts';
import { updateRoutes } from '../features/updates/updates.routes.ts';
import { UpdatesService } from '../features/updates/updates.service.ts';
import { UpdatesStore } from '../features/updates/updates.store.ts';
import { Aside, releasesAsideFolder } from '../media/aside.ts';
import { isFull } from '../upkeep/disk-watch.ts';
import type { Notices } from '../upkeep/notices/notices.ts';
import type { Kernel } from './kernel.ts';
import type { Presence } from './presence.ts';
import type { RealtimeParts } from './realtime.ts';

export const createUpdates = (
  kernel: Kernel,
  deps: {
    readonly presence: Pick<Presence, 'book'>;
    readonly realtime: Pick<RealtimeParts, 'commands'>;
    readonly notices: Notices;
    /** The publisher's, of this server's own package. */
    readonly releaseKeys: readonly string[];
  },
) => {
  const { db, clock, mono } = kernel;
  const store = new UpdatesStore(db);
  const rollouts = new RolloutsService({
    ...kernel,
    store,
    live: deps.presence.book,
    commands: deps.realtime.commands,
    notices: deps.notices,
  });
  const { data } = kernel.config;
  const files = new ReleaseFiles(join(data, 'updates'));
  const ages = new RunningAges({ db, key: 'updates_aside', mono });
  const aside = new Aside({ dir: releasesAsideFolder(data), store: files, ages, clock, isFull: () => isFull(data) });
  const updates = new UpdatesService({ ...kernel, store, files, aside, rollouts, keys: deps.releaseKeys });
  return { routes: updateRoutes(updates, rollouts), parts: [updates, rollouts], releases: updates, rollouts };
};

export type UpdatesParts = ReturnType<typeof createUpdates>;
