/**
 * Finds the data folder before any other module is loaded, because the compile cache in this folder speeds up their
 * loading.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the system's data folder for an application. */
export const appDataFolder = (name: string, env: NodeJS.ProcessEnv = process.env): string => {
  if (process.platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), name);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', name);
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), name.toLowerCase().replaceAll(' ', '-'));
};

/** Returns the same folder as config.ts. For a command line that config.ts refuses, the result may be any folder. */
export const dataFolderIn = (args: readonly string[], env: NodeJS.ProcessEnv): string => {
  const at = args.findLastIndex((arg) => arg === '--data' || arg.startsWith('--data='));
  const given = at < 0 ? undefined : args[at] === '--data' ? args[at + 1] : args[at]!.slice('--data='.length);
  return given ?? (env['VITRINE_DATA'] || appDataFolder('Vitrine', env));
};
