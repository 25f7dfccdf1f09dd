/** The packaged program as it is installed, built with a stand-in for Electron's distribution or with a real one. */
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
 * Creates a folder with as much of an Electron distribution as electron-builder needs on Linux.
 * @param program shell script in place of Electron's program
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

/** Paths that electron-builder uses on this machine: the program's folder, the resources in it, and the program. */
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
  /** The folder to install. */
  readonly folder: string;
  readonly resources: string;
  /** Electron's program, or its stand-in. */
  readonly program: string;
  /** Folder with the part of the program that runs in Electron, extracted from its archive. */
  readonly desktop: string;
  /** Output of the packaging. */
  readonly said: string;
}
/** A package as a file: an installer, or an update for screens. */
export interface PackedFile {
  readonly path: string;
  /** Signature in hex; empty if unsigned. */
  readonly signature: string;
}

export interface PackedOptions {
  /** Private key in PEM. Without a key, the package is a development build. */
  readonly releaseKey?: string;
  /** Folder of a real Electron distribution. */
  readonly electron?: string | undefined;
  /** For the stand-in: a line of shell script in place of Electron's program. */
  readonly windows?: string | undefined;
  readonly version?: string;
}

export type SignedOptions = PackedOptions & { readonly releaseKey: string };

/**
 * Runs `npm run package` with its own output folder, without results of earlier runs. Resolves to the output of the
 * command.
 */
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
        // Hides a real GitHub token, with which electron-builder would also make the files for its own updater.
        GITHUB_TOKEN: 'none',
      },
      maxBuffer: 32 * 1024 * 1024,
    },
  );
  return stdout + stderr;
};

/**
 * Builds the program's folder without the static ffmpeg, which not every test machine has.
 * @param folder for the results
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

/** Builds one package format, such as `deb` or `tar.gz`. @param folder for the results */
export const packedFile = async (folder: string, form: string, options: PackedOptions = {}): Promise<PackedFile> => {
  const out = join(folder, 'out');
  const said = await pack(folder, out, ['--target', form], options);
  const ending = form === 'nsis' ? 'exe' : form;
  const [name] = globSync(`Vitrine-*.${ending}`, { cwd: out });
  if (!name) throw new Error(`no file of the form ${form} was made:\n${said}`);
  return fileAt(join(out, name));
};

/**
 * Builds a signed update for screens. electron-builder downloads a helper program for this format. If the helper is
 * missing, `tar` builds the archive.
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
