/** Electron's own program, where there is one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Within a distribution. */
const PROGRAM =
  process.platform === 'darwin'
    ? 'Electron.app/Contents/MacOS/Electron'
    : process.platform === 'win32'
      ? 'electron.exe'
      : 'electron';
/** Of another distribution than the package `electron` fetches: named by a path, as that package has it itself. */
const OTHER = process.env['ELECTRON_OVERRIDE_DIST_PATH'];

/** Where a distribution lies; undefined: nowhere, which is for the first start or a mirror to change. */
export const electronDistribution = (): string | undefined => {
  const path = OTHER ?? join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'dist');
  if (existsSync(join(path, PROGRAM))) return path;
  if (OTHER) throw new Error(`ELECTRON_OVERRIDE_DIST_PATH names ${OTHER}, where there is no ${PROGRAM}`);
  return undefined;
};

/**
 * Chromium has no sandbox to give to root, and none without user namespaces, which Ubuntu lets only those programs use
 * that it knows.
 * @param isInstalled it has been made known
 */
export const sandboxArgs = (isInstalled = false): readonly string[] => {
  const isUnknown = process.platform === 'linux' && !isInstalled && spawnSync('unshare', ['-Ur', 'true']).status !== 0;
  return process.getuid?.() === 0 || isUnknown ? ['--no-sandbox'] : [];
};
