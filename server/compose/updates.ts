/** Creates updates: releases, their rollout to screens, and updates of the server itself. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RunningAges } from '../db/running-ages.ts';
import { HandedReleases } from '../features/updates/handed-releases.ts';
import { OwnUpdateService } from '../features/updates/own-update.service.ts';
import { ReleaseFiles } from '../features/updates/release-files.ts';
import { RolloutsService } from '../features/updates/rollouts.service.ts';
import { updateRoutes } from '../features/updates/updates.routes.ts';
import { UpdatesService } from '../features/updates/updates.service.ts';
import { UpdatesStore } from '../features/updates/updates.store.ts';
import { ROOT } from '../kernel/place.ts';
import { Aside, releasesAsideFolder } from '../media/aside.ts';
import type { BackupsService } from '../upkeep/backup/backups.service.ts';
import { isFull } from '../upkeep/disk/disk-watch.ts';
import type { Notices } from '../upkeep/notices/notices.ts';
import { VERSION } from '../version.ts';
import { launcherIn } from '../versions/programs-folder.ts';
import type { Installed } from '../versions/way.ts';
import type { AccountParts } from './accounts.ts';
import type { Kernel } from './kernel.ts';
import type { Presence } from './presence.ts';
import type { RealtimeParts } from './realtime.ts';

export const createUpdates = (
  kernel: Kernel,
  deps: {
    readonly presence: Pick<Presence, 'registry'>;
    readonly realtime: Pick<RealtimeParts, 'commands'>;
    readonly notices: Notices;
    /** Public keys of the publisher, from this server's package. */
    readonly releaseKeys: readonly string[];
    readonly backups: Pick<BackupsService, 'make' | 'pathOf'>;
    readonly proof: AccountParts['profile'];
    /** Starts another version in place of this one; undefined when no program would start the other version. */
    readonly relaunch: (() => void) | undefined;
    /** Facts about this installation; tests pass their own. */
    readonly installed?: Partial<Installed> | undefined;
  },
) => {
  const { db, clock, mono } = kernel;
  const store = new UpdatesStore(db);
  const rollouts = new RolloutsService({
    ...kernel,
    store,
    live: deps.presence.registry,
    commands: deps.realtime.commands,
    notices: deps.notices,
  });
  const { data } = kernel.config;
  const files = new ReleaseFiles(join(data, 'updates'));
  const ages = new RunningAges({ db, key: 'updates_aside', mono });
  const aside = new Aside({ dir: releasesAsideFolder(data), store: files, ages, clock, isFull: () => isFull(data) });
  const updates = new UpdatesService({ ...kernel, store, files, aside, rollouts, keys: deps.releaseKeys });
  const launcher = launcherIn(process.env);
  const root = launcher?.root ?? ROOT;
  const own = new OwnUpdateService({
    ...kernel,
    data,
    version: VERSION,
    installed: {
      platform: process.platform,
      arch: process.arch,
      root,
      keys: deps.releaseKeys,
      isService: kernel.config.service_note !== undefined,
      isPackage: root.startsWith('/opt/Vitrine/') && existsSync('/var/lib/dpkg/info/vitrine.list'),
      isCheckout: existsSync(join(root, '.git')),
      ...deps.installed,
    },
    launcher,
    releases: updates,
    files,
    backups: deps.backups,
    proof: deps.proof,
    relaunch: deps.relaunch,
  });
  return {
    routes: updateRoutes(updates, rollouts, own),
    parts: [updates, rollouts, own],
    releases: updates,
    rollouts,
    handed: new HandedReleases({ releases: updates, own, store }),
  };
};

export type UpdatesParts = ReturnType<typeof createUpdates>;
