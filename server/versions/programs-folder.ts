import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the folder of later versions of the server. */
export const programsFolder = (data: string): string => join(data, 'programs');

/**
 * Name of the environment variable by which a version learns which installed version started it, and the folder of this
 * installed version.
 */
const LAUNCHED = 'VITRINE_LAUNCHED';

export interface Launcher {
  readonly version: string;
  /** Folder of the program of the installed version. */
  readonly root: string;
}
export const launchedBy = ({ version, root }: Launcher): Record<string, string> => ({
  [LAUNCHED]: `${version} ${root}`,
});
/** Returns the installed version that started this version; undefined for a version that was started directly. */
export const launcherIn = (env: NodeJS.ProcessEnv): Launcher | undefined => {
  const [, version, root] = /^(\S+) (.+)$/.exec(env[LAUNCHED] ?? '') ?? [];
  return version === undefined || root === undefined ? undefined : { version, root };
};

/**
 * Returns whether another version may have to be started. Only a service does this, and only from a folder owned by its
 * user; otherwise anybody who can write to the folder could make a person who starts the server by hand run a foreign
 * program.
 */
export const mayLaunch = (data: string, env: NodeJS.ProcessEnv): boolean => {
  if (env[LAUNCHED] !== undefined || !env['VITRINE_SERVICE_NOTE']) return false;
  const folder = programsFolder(data);
  if (!existsSync(join(folder, 'state.json'))) return false;
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
};
