/** The packaged program, made with a stand-in for Electron's distribution, and taken out of its archive. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..', '..');

/** As much of an Electron distribution as electron-builder looks at on Linux. */
const standIn = (folder: string): string => {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak', 'locales/de.pak']) writeFileSync(join(folder, file), '');
  writeFileSync(join(folder, 'version'), (JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')) as { version: string }).version);
  writeFileSync(join(folder, 'electron'), '#!/bin/sh\n');
  chmodSync(join(folder, 'electron'), 0o755);
  return folder;
};

/** @param releaseKey PEM; without one it is a development build. @returns the folder of the program, as it lies in the archive */
export const packedApp = async (folder: string, releaseKey = ''): Promise<string> => {
  const electron = standIn(join(folder, 'electron'));
  await run(process.execPath, ['build/package.mjs', '--dir'], {
    cwd: ROOT,
    env: { ...process.env, VITRINE_ELECTRON_DIST: electron, VITRINE_PACKAGE_OUTPUT: join(folder, 'out'), VITRINE_RELEASE_KEY: releaseKey },
    maxBuffer: 32 * 1024 * 1024,
  });
  const archive = join(folder, 'out', 'linux-unpacked', 'resources', 'app.asar');
  if (!existsSync(archive)) throw new Error('no asar archive was made');
  const app = join(folder, 'app');
  extractAll(archive, app);
  return app;
};
