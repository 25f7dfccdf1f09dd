/** Electron's own program, where there is one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Within a distribution. */
const PROGRAM = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : process.platform === 'win32' ? 'electron.exe' : 'electron';
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
 * For a program that was only unpacked: Chromium has no sandbox to give to root, and none without user namespaces, which Ubuntu lets
 * only those programs use that it knows (an installed one is made known).
 */
export const sandboxArgs = (): readonly string[] => {
  const isRoot = process.getuid?.() === 0;
  const hasNone = isRoot || (process.platform === 'linux' && spawnSync('unshare', ['-Ur', 'true']).status !== 0);
  return hasNone ? ['--no-sandbox'] : [];
};
