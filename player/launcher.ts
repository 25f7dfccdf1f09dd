/**
 * `node player/launcher.js [--updates DIR] [--installed-only] [options of the program]`: keeps a screen's program
 * running (updates/launcher.ts).
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FolderInUse, FolderLock } from './agent/files/lock.store.ts';
import { stderrLog as log, nodeTime } from './agent/node-ports.ts';
import { ROOT } from './agent/place.ts';
import { windowArgs } from './desktop/window-system.ts';
import { launcherArgs, launcherEnv, userDataOf, windowsProgramOf } from './updates/installed.ts';
import { Launcher } from './updates/launcher.ts';
import { mishapCounter } from './updates/mishaps.ts';
import { startVersion } from './updates/start-version.ts';
import { UpdateFiles } from './updates/update-files.ts';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const { platform, env } = process;

/**
 * Lock of the updates folder. The variable is used until the end, because garbage collection may close a lock that
 * nothing refers to.
 */
let lock: FolderLock | undefined;
/**
 * Returns false if another launcher uses this folder. On a disk that supports no lock, only the lock of the shell
 * applies.
 */
const isAlone = (folder: string): boolean => {
  try {
    mkdirSync(folder, { recursive: true });
    lock = new FolderLock(join(folder, 'launcher.db'), log);
    lock.start();
    return true;
  } catch (error) {
    if (error instanceof FolderInUse) return false;
    log.warn(`${folder} could not be locked`, error);
    return true;
  }
};

const { updates, program, installedOnly, rest } = launcherArgs(process.argv.slice(2));
const folder = updates ?? join(userDataOf(platform, env), 'updates');

if (isAlone(folder)) {
  const mishaps = join(folder, 'mishaps.json');
  const launcher = new Launcher({
    files: new UpdateFiles(folder, log),
    installed: { version, program: program ?? windowsProgramOf(ROOT, platform, env) },
    args: [...rest, ...windowArgs({ platform, env, args: rest }, (line) => log.info(line))],
    env: {
      ...launcherEnv([process.execPath, ...process.argv.slice(1)]),
      VITRINE_MISHAPS: mishaps,
      ...(!installedOnly && { VITRINE_UPDATES: folder }),
    },
    takesUpdates: !installedOnly,
    start: startVersion,
    count: mishapCounter({ path: mishaps, now: nodeTime.wall, log }),
    time: nodeTime,
    log,
    platform,
  });
  // A closed terminal must not make a screen dark. Other signals end the launcher.
  process.on('SIGHUP', () => {});
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => launcher.stop());
  // After an unexpected error, the launcher continues, so that the screen keeps playing.
  process.on('uncaughtException', (error) => log.error('the launcher met what it did not expect', error));
  await launcher.run();
  lock?.stop();
  process.exit(0);
}
