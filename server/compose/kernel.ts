/** Creates the basic parts of the server: data folder, database, clock, log. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { forgetRevocationsBy } from '../db/revocations.ts';
import { ActivityService } from '../features/activity/activity.service.ts';
import { ActivityStore } from '../features/activity/activity.store.ts';
import { BinStore } from '../features/bin/bin.store.ts';
import { BinKeeper } from '../features/bin/keeper.ts';
import { PlacesStore } from '../features/bin/places.store.ts';
import type { Identity } from '../identity.ts';
import { Bus } from '../kernel/bus.ts';
import { idsFollow } from '../kernel/ids.ts';
import { type FileLog, openLog } from '../kernel/log.ts';
import type { Parts } from '../kernel/parts.ts';
import { type MachineClock, systemClock } from '../kernel/time/clock.ts';
import { type DataFolder, openDataFolder } from '../upkeep/disk/data-folder.ts';
import { DiskRoom } from '../upkeep/disk/disk-room.ts';
import { lastWritten, TrustedClock } from '../upkeep/trusted-clock.ts';
import { UpkeepStore } from '../upkeep/upkeep.store.ts';

export interface Kernel extends Parts {
  readonly config: Config;
  readonly folder: DataFolder;
  readonly identity: Identity;
  readonly log: FileLog;
  /** Free space on the disk. */
  readonly room: DiskRoom;
  readonly clock: TrustedClock;
  readonly activity: ActivityService;
  readonly bin: BinKeeper;
}

export const openKernel = (config: Config, machine: MachineClock): Kernel => {
  mkdirSync(config.data, { recursive: true });
  // Runs only with this machine's clock, not with the clock of a test, and before any file is written again.
  const written = machine === systemClock ? lastWritten(config.data) : undefined;
  const log = openLog(join(config.data, 'logs'), config.log_level);
  const folder = openDataFolder(config.data);
  const { db, identity } = folder;
  db.reportTo((error) => log.error('A reaction to a change failed', { error }));
  const bus = new Bus((event, error) => log.error(`A listener of ${event} failed`, { error }));
  const clock = new TrustedClock({ machine, db, store: new UpkeepStore(db), log, bus, written });
  if (machine === systemClock) idsFollow(() => clock.now());
  forgetRevocationsBy(db.raw, clock);
  const room = new DiskRoom({ data: config.data, log, reserveUsed: folder.reserveUsed });
  db.setSpaceSource(room);
  const activity = new ActivityService({ store: new ActivityStore(db), clock, bus, db });
  const bin = new BinKeeper({ db, bus, clock, activity, store: new BinStore(db), places: new PlacesStore(db) });
  return { config, folder, identity, log, db, room, bus, clock, mono: () => machine.mono(), activity, bin };
};
