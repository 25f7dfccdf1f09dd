/**
 * Checks the parts packaged in addition to our code: Node, ffmpeg, pages, native modules. Each part is checked before
 * packaging and again in the result, because a package without a part looks complete until a store uses it.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Binary, faultsIn, fits, nameOf, needsElsewhere, readBinary, type Target } from './binaries.ts';
import { CannotPackage } from './options.ts';

const targetName = ({ platform, arch }: Target): string => `${platform}-${arch}`;

/** @throws CannotPackage when the program would not run on other machines */
const requirePortable = (what: string, file: string, target: Target, instead: string): void => {
  let binary: Binary | undefined;
  try {
    accessSync(file, constants.X_OK);
    binary = readBinary(file);
  } catch (error) {
    throw new CannotPackage(
      `${what} ${file} cannot be packed: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message}. ${instead}`,
    );
  }
  const needed = binary ? needsElsewhere(binary) : [];
  const fault = !binary
    ? 'it is no program'
    : !fits(binary, target)
      ? `it is for ${nameOf(binary)}, and this package for ${targetName(target)}`
      : binary.cut
        ? 'it is cut off'
        : needed.length > 0
          ? `it needs ${needed.slice(0, 3).join(', ')}, which other machines do not have`
          : undefined;
  if (fault) throw new CannotPackage(`${what} ${file} cannot be packed: ${fault}. ${instead}`);
};

/** @param node the running Node, because programs and native modules were tested with it */
export const requireNode = (node: string, target: Target): void =>
  requirePortable(
    'Node',
    node,
    target,
    'Let npm set up its package "node" (delete node_modules and start again), or use a Node from nodejs.org.',
  );

const FFMPEG_WAYS =
  'Give one that is linked statically with --ffmpeg FILE, or do without with --without-ffmpeg (thumbnails of videos then need one on the machine).';

/** @param file null: there is none @throws CannotPackage */
export const requireFfmpeg = (file: string | null, target: Target): string => {
  if (file === null)
    throw new CannotPackage(
      `There is no ffmpeg to pack: npm’s package ffmpeg-static has not fetched one. ${FFMPEG_WAYS}`,
    );
  requirePortable('ffmpeg', file, target, FFMPEG_WAYS);
  return file;
};

/** Paths of the resources of a package on the disk, before or after packaging. */
export interface Resources {
  readonly node: string;
  /** Folder with server/, player/, dist/ and node_modules. */
  readonly programs: string;
  /** Path of ffmpeg; null: without ffmpeg. */
  readonly ffmpeg: string | null;
  /** Names of packages that are not bundled. Some of them are loaded on demand. */
  readonly packages: readonly string[];
}

const PAGES = ['admin/index.html', 'player/index.html', 'screen/index.html', 'pages/clock.js'];
/** Code that makes each native module load its binary; '' if an import of the module does so. */
const NATIVE: Readonly<Record<string, string>> = {
  argon2: '',
  'better-sqlite3': "new native(':memory:').close()",
  sharp: "await native({ create: { width: 1, height: 1, channels: 3, background: 'red' } }).png().toBuffer()",
};
const PROGRAMS = ['server/main.js', 'player/main.js', 'server/cli/main.js'];
const LIMIT_MS = 60_000;

/**
 * Script that is loaded first. It refuses modules outside of the package: if the package is inside a checkout, Node
 * would find missing modules there.
 */
const ONLY_WITHIN = `import { registerHooks } from 'node:module';
registerHooks({ resolve(name, context, next) {
  const found = next(name, context);
  if (found.url.startsWith('file:') && !found.url.startsWith(process.env.VITRINE_WITHIN)) throw new Error(name + ' is not in the package');
  return found;
} });`;

/**
 * Runs the packaged programs with the packaged Node.
 * @throws CannotPackage with what is missing
 */
export const requireWhole = async ({ node, programs, ffmpeg, packages }: Resources): Promise<void> => {
  for (const name of PAGES)
    if (!existsSync(join(programs, 'dist', name)))
      throw new CannotPackage(`The package lacks the page dist/${name}: npm run build makes it, then package again.`);
  for (const name of packages)
    if (!existsSync(join(programs, 'node_modules', name, 'package.json')))
      throw new CannotPackage(`The package lacks node_modules/${name}: npm ci installs it, then package again.`);
  const { NODE_OPTIONS: _options, NODE_PATH: _path, ...env } = process.env;
  // Environment without the Node options and without the data folder of the person who packages.
  const within = {
    ...env,
    VITRINE_WITHIN: `${pathToFileURL(programs).href}/`,
    VITRINE_DATA: join(programs, 'no-store'),
  };
  const runNode = (...args: readonly string[]) =>
    run(node, ['--import', `data:text/javascript,${encodeURIComponent(ONLY_WITHIN)}`, ...args], {
      cwd: programs,
      env: within,
    });
  const works = async (what: string, fault: Promise<string | undefined>, instead: string) => {
    const why = await fault;
    if (why !== undefined) throw new CannotPackage(`${what} does not run in the package: ${why}. ${instead}`);
  };
  await works(
    'Node',
    run(node, ['--version'], { cwd: programs, env }),
    'Let npm set up its package "node" (delete node_modules and start again).',
  );
  for (const [name, code] of Object.entries(NATIVE)) {
    const instead = `Either its version has no binary for ${process.platform}-${process.arch}, for which nothing can be packaged then, or node_modules is another machine’s: delete it and start again.`;
    await works(
      `The native module ${name}`,
      runNode('--input-type=module', '-e', `const { default: native } = await import('${name}'); ${code}`),
      instead,
    );
  }
  for (const program of PROGRAMS)
    await works(
      program,
      runNode(program, '--version'),
      'What it misses belongs into EXTERNAL of build/bundle.mjs, or into node_modules: npm ci.',
    );
  if (ffmpeg !== null) await works('ffmpeg', run(ffmpeg, ['-version'], { cwd: programs, env }), FFMPEG_WAYS);
};

/** Runs a program. Resolves with the reason of a failure. */
const run = (
  file: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(file, [...args], { cwd, env, timeout: LIMIT_MS, windowsHide: true }, (error, _said, complaint) => {
      if (!error) return resolve(undefined);
      const line =
        complaint.split('\n').find((each) => /^\w*Error( \[\w+\])?: /.test(each)) ?? complaint.trim().split('\n')[0];
      resolve((line || error.message.split('\n')[0]!).trim().slice(0, 300));
    });
  });

/** @param made the whole folder, including Electron's files @throws CannotPackage */
export const requireOneMachine = (made: string, target: Target): void => {
  const faults = faultsIn(made, target);
  if (faults.length > 0)
    throw new CannotPackage(
      `What was made is not for ${targetName(target)} alone (${faults.length} files): ${faults.slice(0, 5).join('; ')}. Delete node_modules and dist, and package again on such a machine.`,
    );
};
