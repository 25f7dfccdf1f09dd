/**
 * The packaged program as it lies on a machine, made with a stand-in for Electron's distribution or with a real one.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';
import { type Places, placesIn } from '../../../build/desktop/programs.ts';
import { publisherFrom, writeSignatures } from '../../../build/release-signing.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * As much of an Electron distribution as electron-builder looks at on Linux.
 * @param program what is started for its own; a script
 */
const standIn = (folder: string, program = ''): string => {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak', 'locales/de.pak'])
    writeFileSync(join(folder, file), '');
  writeFileSync(
    join(folder, 'version'),
    (JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')) as { version: string }).version,
  );
  writeFileSync(join(folder, 'electron'), `#!/bin/sh\n${program}`);
  chmodSync(join(folder, 'electron'), 0o755);
  return folder;
};

/** What electron-builder calls its folder, where in it the resources lie, and the program. */
const layout = (): { readonly folder: string; readonly resources: string; readonly program: string } => {
  const arch = process.arch === 'x64' ? '' : `-${process.arch}`;
  if (process.platform === 'darwin')
    return {
      folder: `mac${arch}`,
      resources: 'Vitrine.app/Contents/Resources',
      program: 'Vitrine.app/Contents/MacOS/Vitrine',
    };
  if (process.platform === 'win32')
    return { folder: `win${arch}-unpacked`, resources: 'resources', program: 'Vitrine.exe' };
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
/** A package as a file: an installer, or what screens update from. */
export interface PackedFile {
  readonly path: string;
  /** Hex; empty: nobody has signed it. */
  readonly signature: string;
}

export interface PackedOptions {
  /** PEM; without one it is a development build. */
  readonly releaseKey?: string;
  /** Folder of a real distribution. */
  readonly electron?: string | undefined;
  /** For the stand-in: what is started instead of its program, a line of shell. */
  readonly windows?: string | undefined;
  readonly version?: string;
}

export type SignedOptions = PackedOptions & { readonly releaseKey: string };

/** `npm run package` with its own files and nothing of what it made before. Resolves to what it said. */
const pack = async (
  folder: string,
  out: string,
  form: readonly string[],
  { releaseKey = '', electron, windows, version }: PackedOptions,
): Promise<string> => {
  const { stderr, stdout } = await run(
    process.execPath,
    ['build/package.mjs', ...form, '--without-ffmpeg', ...(version ? ['--as-version', version] : [])],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        VITRINE_ELECTRON_DIST: electron ?? standIn(join(folder, 'electron'), windows),
        VITRINE_OPEN_TO_TESTS: '1',
        VITRINE_PACKAGE_OUTPUT: out,
        VITRINE_RELEASE_KEY: releaseKey,
        // A workflow's token must not make files for updaters.
        GITHUB_TOKEN: 'none',
      },
      maxBuffer: 32 * 1024 * 1024,
    },
  );
  return stdout + stderr;
};

/**
 * The program's folder. A static ffmpeg is nothing that every machine has which runs tests.
 * @param folder for what is made
 */
export const packedApp = async (folder: string, options: PackedOptions = {}): Promise<PackedApp> => {
  const out = join(folder, 'out');
  const said = await pack(folder, out, ['--dir'], options);
  const made = layout();
  const installed = join(out, made.folder);
  const resources = join(installed, made.resources);
  const archive = join(resources, 'app.asar');
  if (!existsSync(archive)) throw new Error(`no asar archive was made:\n${said}`);
  const desktop = join(folder, 'desktop');
  extractAll(archive, desktop);
  return {
    folder: installed,
    resources,
    program: join(installed, made.program),
    desktop,
    said,
    ...placesIn(resources),
  };
};

const fileAt = (path: string): PackedFile => {
  const signature = `${path}.sig`;
  return { path, signature: existsSync(signature) ? readFileSync(signature, 'utf8').trim() : '' };
};

/** One form of it, `deb` or `tar.gz` or … @param folder for what is made */
export const packedFile = async (folder: string, form: string, options: PackedOptions = {}): Promise<PackedFile> => {
  const out = join(folder, 'out');
  const said = await pack(folder, out, ['--target', form], options);
  const ending = form === 'nsis' ? 'exe' : form;
  const [name] = globSync(`Vitrine-*.${ending}`, { cwd: out });
  if (!name) throw new Error(`no file of the form ${form} was made:\n${said}`);
  return fileAt(join(out, name));
};

/**
 * What screens update from, signed. electron-builder makes it with a program that it downloads as it does Electron:
 * without it `tar` does.
 */
export const packedUpdate = async (
  folder: string,
  options: SignedOptions & { readonly version: string },
): Promise<PackedFile> => {
  if (options.electron) return packedFile(folder, process.platform === 'linux' ? 'tar.gz' : 'zip', options);
  const { folder: made } = await packedApp(folder, options);
  const path = join(folder, `Vitrine-${options.version}-linux-${process.arch}.tar.gz`);
  await run('tar', ['-czf', path, '-C', dirname(made), basename(made)]);
  await writeSignatures([path], publisherFrom(undefined, { VITRINE_RELEASE_KEY: options.releaseKey })!);
  return fileAt(path);
};
