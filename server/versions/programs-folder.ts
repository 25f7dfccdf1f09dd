import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns where later versions of the server lie. */
export const programsFolder = (data: string): string => join(data, 'programs');

/** Tells a version that the installed one has started it: which that is, and where it lies. */
const LAUNCHED = 'VITRINE_LAUNCHED';

export interface Launcher {
  readonly version: string;
  /** The folder of its program. */
  readonly root: string;
}
export const launchedBy = ({ version, root }: Launcher): Record<string, string> => ({
  [LAUNCHED]: `${version} ${root}`,
});
/** Returns undefined for a version that was started by itself. */
export const launcherIn = (env: NodeJS.ProcessEnv): Launcher | undefined => {
  const [, version, root] = /^(\S+) (.+)$/.exec(env[LAUNCHED] ?? '') ?? [];
  return version === undefined || root === undefined ? undefined : { version, root };
};

/**
 * Says whether another version than this may have to be started. Only a service starts any, and only from a folder of
 * its own user: whoever may write there could otherwise have a program run as whoever starts the server by hand.
 */
export const mayLaunch = (data: string, env: NodeJS.ProcessEnv): boolean => {
  if (env[LAUNCHED] !== undefined || !env['VITRINE_SERVICE_NOTE']) return false;
  const folder = programsFolder(data);
  if (!existsSync(join(folder, 'state.json'))) return false;
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
};
