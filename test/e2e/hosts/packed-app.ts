/** The packaged program as it lies on a machine, made with a stand-in for Electron's distribution or with a real one. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';
import { type Places, placesIn } from '../../../build/desktop/programs.ts';

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

/** What electron-builder calls its folder, where in it the resources lie, and the program. */
const layout = (): { readonly folder: string; readonly resources: string; readonly program: string } => {
  const arch = process.arch === 'x64' ? '' : `-${process.arch}`;
  if (process.platform === 'darwin') return { folder: `mac${arch}`, resources: 'Vitrine.app/Contents/Resources', program: 'Vitrine.app/Contents/MacOS/Vitrine' };
  if (process.platform === 'win32') return { folder: `win${arch}-unpacked`, resources: 'resources', program: 'Vitrine.exe' };
  return { folder: `linux${arch}-unpacked`, resources: 'resources', program: 'vitrine' };
};

export interface PackedApp extends Places {
  /** The folder that is installed. */
  readonly folder: string;
  readonly resources: string;
  /** Electron's, or what stands for it. */
  readonly program: string;
  /** Electron's part, taken out of its archive. */
  readonly desktop: string;
  /** What packaging said. */
  readonly said: string;
}

export interface PackedOptions {
  /** PEM; without one it is a development build. */
  readonly releaseKey?: string;
  /** Folder of a real distribution. */
  readonly electron?: string;
}

/** `npm run package -- --dir` with its own files and nothing of what it made before. @param folder for what is made */
export const packedApp = async (folder: string, { releaseKey = '', electron = standIn(join(folder, 'electron')) }: PackedOptions = {}): Promise<PackedApp> => {
  const out = join(folder, 'out');
  // A static ffmpeg is nothing that every machine has which runs tests; and a workflow's token must not make files for updaters.
  const { stderr, stdout } = await run(process.execPath, ['build/package.mjs', '--dir', '--without-ffmpeg'], {
    cwd: ROOT,
    env: { ...process.env, VITRINE_ELECTRON_DIST: electron, VITRINE_OPEN_TO_TESTS: '1', VITRINE_PACKAGE_OUTPUT: out, VITRINE_RELEASE_KEY: releaseKey, GITHUB_TOKEN: 'none' },
    maxBuffer: 32 * 1024 * 1024,
  });
  const made = layout();
  const installed = join(out, made.folder);
  const resources = join(installed, made.resources);
  const archive = join(resources, 'app.asar');
  if (!existsSync(archive)) throw new Error(`no asar archive was made:\n${stdout}${stderr}`);
  const desktop = join(folder, 'desktop');
  extractAll(archive, desktop);
  return { folder: installed, resources, program: join(installed, made.program), desktop, said: stderr, ...placesIn(resources) };
};
