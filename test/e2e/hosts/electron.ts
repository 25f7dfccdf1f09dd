/** The real Electron program, if installed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Path of the Electron program inside an Electron distribution. */
const PROGRAM =
  process.platform === 'darwin'
    ? 'Electron.app/Contents/MacOS/Electron'
    : process.platform === 'win32'
      ? 'electron.exe'
      : 'electron';
/**
 * Folder of an Electron distribution to use instead of the package `electron`. The package reads the same environment
 * variable.
 */
const OTHER = process.env['ELECTRON_OVERRIDE_DIST_PATH'];

/**
 * Returns the folder of an Electron distribution; undefined if there is none. It may be fetched at the first start, or
 * from a mirror.
 */
export const electronDistribution = (): string | undefined => {
  const path = OTHER ?? join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'dist');
  if (existsSync(join(path, PROGRAM))) return path;
  if (OTHER) throw new Error(`ELECTRON_OVERRIDE_DIST_PATH names ${OTHER}, where there is no ${PROGRAM}`);
  return undefined;
};

/**
 * Returns the options with which Chromium starts here. It cannot use its sandbox as root, nor without user namespaces,
 * which Ubuntu permits only to programs that it knows.
 * @param isInstalled true if the installer has made the program known to the system
 */
export const sandboxArgs = (isInstalled = false): readonly string[] => {
  const isUnknown = process.platform === 'linux' && !isInstalled && spawnSync('unshare', ['-Ur', 'true']).status !== 0;
  return process.getuid?.() === 0 || isUnknown ? ['--no-sandbox'] : [];
};
