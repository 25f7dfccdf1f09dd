/**
 * `npm run package`: builds the desktop app for this system and processor (`--help` lists the options). In dist/app it
 * prepares three folders: `electron/`, which becomes Electron's archive; `vitrine/`, the programs for plain Node with
 * the pages for browsers and the packages that are not bundled; and `node/`, that Node. electron-builder does the rest;
 * the result is checked and run (packaging/parts.ts), and each file gets its signature, `<file>.sig`
 * (release-signing.ts). The key is that of the option, else VITRINE_RELEASE_KEY (a path, or the PEM text itself).
 * VITRINE_ELECTRON_DIST names an existing Electron distribution (a stand-in is possible, because the programs are
 * tested with plain Node). VITRINE_OPEN_TO_TESTS=1 leaves Electron's fuses unchanged: a stand-in has none, and
 * Playwright needs what they disable.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BUNDLE } from '../shared/desktop/entries.ts';
import { bundleDesktop, bundlePrograms, EXTERNAL, layBesideBundle } from './bundle.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { bundledFfmpeg, root, Sentence, say, withLock } from './install.mjs';
import { NoticeMissing, writeLicences } from './licences/write.ts';
import { writeBeside } from './packaging/beside.ts';
import { fits, readBinary } from './packaging/binaries.ts';
import { CannotPackage, electronOf, optionsIn, sentenceOfDownload, toolsFor, USAGE } from './packaging/options.ts';
import { requireFfmpeg, requireNode, requireOneMachine, requireWhole } from './packaging/parts.ts';
import {
  artifactName,
  CannotSign,
  keysOf,
  manifestOf,
  publisherFrom,
  signedElsewhere,
  writeNotes,
  writeSignatures,
} from './release-signing.ts';

const app = join(root, 'dist', 'app');
const electronPart = join(app, 'electron');
/** Path of our programs in a package, beside Electron's archive. build/desktop/programs.ts uses the same path. */
const programsIn = (resources) => join(resources, 'vitrine');
const ending = process.platform === 'win32' ? '.exe' : '';
const nodeIn = (resources) => join(resources, 'node', `node${ending}`);
const ffmpegIn = (resources) => join(programsIn(resources), 'node_modules', 'ffmpeg-static', `ffmpeg${ending}`);
const programs = programsIn(app);

/** Dependencies that the external packages need only during their own installation. */
const FOR_INSTALLING = new Set([
  'cross-env',
  'node-addon-api',
  '@derhuerst/http-basic',
  'env-paths',
  'https-proxy-agent',
  'progress',
]);
/**
 * Files of dependencies that are not packaged: sources, documentation, and forms of fonts that nothing uses (italics and
 * further axes, 4 MB).
 */
const LEFT_OUT =
  /^(deps|src|argon2|test|docs|binding\.gyp|files\/.*-(normal|italic)(?<!-wght-normal)\.woff2|.*\.(md|markdown|map|cpp|c|h|ts|cts|mts|woff))(\/|$)/i;

const writeManifests = ({ role, version }, keys) => {
  const ours = { ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), ...(version && { version }) };
  const manifest = `${JSON.stringify(manifestOf(ours, role, keys), null, 2)}\n`;
  for (const folder of [electronPart, programs]) writeFileSync(join(folder, 'package.json'), manifest);
};

/**
 * Returns the installed folders below node_modules that the packages of EXTERNAL need, so that packaging needs no
 * registry.
 */
const neededPackages = (wanted) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const needed = new Set();
  const add = (name, from) => {
    const inner = `${from}/node_modules/${name}`;
    const path = packages[inner] ? inner : `node_modules/${name}`;
    if (!packages[path] || needed.has(path) || FOR_INSTALLING.has(name)) return;
    needed.add(path);
    for (const dependency of Object.keys({ ...packages[path].dependencies, ...packages[path].optionalDependencies }))
      add(dependency, path);
  };
  for (const name of wanted) add(name, '');
  return [...needed].filter((path) => existsSync(join(root, path)));
};

/**
 * Returns whether a binary file is for another machine. Packages contain binaries for all machines, which are a quarter
 * of the size.
 */
const isForeign = (file) => {
  if (!statSync(file).isFile()) return false;
  const binary = readBinary(file);
  return binary !== undefined && !fits(binary, process);
};

const packagesFor = (ffmpeg) => EXTERNAL.filter((name) => ffmpeg || name !== 'ffmpeg-static');

const copyPackages = (ffmpeg) => {
  for (const path of neededPackages(packagesFor(ffmpeg))) {
    const from = join(root, path);
    const isPart = (source) =>
      basename(source) !== 'node_modules' &&
      !LEFT_OUT.test(source.slice(from.length + 1).replaceAll('\\', '/')) &&
      !isForeign(source);
    cpSync(from, join(programs, path), {
      recursive: true,
      dereference: true,
      filter: (source) => source === from || isPart(source),
    });
  }
};

const copyProgram = (from, to) => {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
};

/** Prepares our part of the package in dist/app. @param ffmpeg path; null: without ffmpeg */
const prepareApp = async (options, keys, ffmpeg) => {
  rmSync(app, { recursive: true, force: true });
  mkdirSync(app, { recursive: true });
  await bundlePrograms(join(programs, BUNDLE));
  layBesideBundle(programs);
  await bundleDesktop(electronPart);
  cpSync(join(root, 'build', 'icons'), join(electronPart, 'icons'), { recursive: true });
  for (const pages of ['admin', 'pages', 'player', 'screen'])
    if (existsSync(join(root, 'dist', pages)))
      cpSync(join(root, 'dist', pages), join(programs, 'dist', pages), { recursive: true });
  writeManifests(options, keys);
  copyPackages(ffmpeg);
  if (ffmpeg) copyProgram(ffmpeg, ffmpegIn(app));
  copyProgram(process.execPath, nodeIn(app));
  const command = process.platform === 'win32' ? 'vitrine.cmd' : 'vitrine';
  copyProgram(join(root, 'build', 'packaging', 'commands', command), join(programs, command));
  // The notices are written last, because they depend on the files in the folder.
  writeLicences(root, programs, [electronPart]);
};

/** All icons are rendered from one SVG. */
const drawIcons = async () => {
  const { default: sharp } = await import('sharp');
  const icons = join(root, 'build', 'icons');
  for (const [name, size] of [
    ['icon.png', 1024],
    ['tray.png', 32],
  ])
    await sharp(join(icons, 'icon.svg')).resize(size, size).png().toFile(join(icons, name));
};

const wholeIn = (resources, ffmpeg) =>
  requireWhole({
    node: nodeIn(resources),
    programs: programsIn(resources),
    ffmpeg: ffmpeg ? ffmpegIn(resources) : null,
    packages: packagesFor(ffmpeg),
  });

/** @returns paths of the created files */
const makePackage = async ({ form, role }, { isSigned, ffmpeg }) => {
  const { build, Platform } = await import('electron-builder');
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'));
  const electronDist = process.env.VITRINE_ELECTRON_DIST;
  const isOpen = process.env.VITRINE_OPEN_TO_TESTS === '1';
  if (isOpen) say('Packed with Electron’s fuses open, for tests alone: never hand it on.');
  const output = process.env.VITRINE_PACKAGE_OUTPUT;
  let fetching = electronOf(version, process);
  try {
    return await build({
      projectDir: root,
      publish: 'never',
      ...(form && { targets: Platform.current().createTarget(form) }),
      config: {
        extends: join(root, 'electron-builder.yml'),
        // Says to electron-builder that the dependencies are in place and need no installation or rebuild.
        beforeBuild: () => Promise.resolve(false),
        // Checks the program's folder before electron-builder packs it into a file.
        afterPack: async ({ appOutDir, packager }) => {
          requireOneMachine(appOutDir, process);
          await wholeIn(packager.getResourcesDir(appOutDir), ffmpeg);
          fetching = toolsFor(form);
        },
        ...(electronDist && { electronDist }),
        ...(isOpen && { electronFuses: null }),
        ...(output && { directories: { app: 'dist/app/electron', output, buildResources: 'build/icons' } }),
        // Without ffmpeg in the package, the ffmpeg of the system creates video thumbnails. This list is merged with
        // the list of electron-builder.yml.
        ...(!ffmpeg && process.platform === 'linux' && { deb: { fpm: ['--depends=ffmpeg'] } }),
        artifactName: artifactName(role, isSigned),
      },
    });
  } catch (error) {
    const sentence = error instanceof CannotPackage ? undefined : sentenceOfDownload(error, fetching);
    throw sentence === undefined ? error : new Sentence(sentence);
  }
};

/** Removes the `.blockmap` files of electron-builder. They serve differential updates, which Vitrine does not use. */
const removeBlockMaps = (files) => {
  for (const file of files) rmSync(`${file}.blockmap`, { force: true });
  return files.filter((file) => !file.endsWith('.blockmap'));
};

/**
 * Writes the bill of materials and the checksums. A folder alone is not distributed and gets none.
 * @param files paths
 * of the created files, all in one folder
 */
const layBeside = async (files) => {
  if (files.length === 0) return;
  const { version } = JSON.parse(readFileSync(join(programs, 'package.json'), 'utf8'));
  const names = await writeBeside(files, {
    folder: dirname(files[0]),
    version,
    sbom: join(programs, 'sbom.cdx.json'),
    target: process,
  });
  say(`Beside it lie what is inside and checksums: ${names.join(', ')}`);
};

const packageApp = async (options) => {
  const publisher = publisherFrom(options.releaseKey, process.env);
  const elsewhere = publisher ? undefined : signedElsewhere(process.env);
  const keys = keysOf(publisher ?? (elsewhere === undefined ? undefined : { publicKey: elsewhere }), options.alsoTrust);
  // The key is removed from the environment, because the programs that build the rest must not see it.
  delete process.env.VITRINE_RELEASE_KEY;
  requireNode(process.execPath, process);
  const ffmpeg =
    options.ffmpeg === 'none' ? null : requireFfmpeg(options.ffmpeg?.file ?? (await bundledFfmpeg()), process);
  await ensureBuilt(process.execPath);
  await drawIcons();
  await prepareApp(options, keys, ffmpeg);
  await wholeIn(app, ffmpeg);
  const files = removeBlockMaps(await makePackage(options, { isSigned: keys.length > 0, ffmpeg }));
  await layBeside(files);
  if (!ffmpeg) say('Packed without ffmpeg: thumbnails of videos need one on the machine.');
  if (elsewhere !== undefined)
    return say(
      `Not signed here. "npm run sign", where the private half of ${elsewhere} is, signs what lies in dist/package.`,
    );
  if (!publisher)
    return say(
      'Made a development build: nobody has signed it, and screens that run it take no updates. --release-key FILE signs ("vitrine release-key" makes a key).',
    );
  const { signed, left } = await writeSignatures(files, publisher);
  for (const name of signed) say(`Signed ${name}`);
  if (files.length > 0) {
    const { version } = JSON.parse(readFileSync(join(programs, 'package.json'), 'utf8'));
    const notes = writeNotes(dirname(files[0]), version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), publisher);
    say(
      notes
        ? `What is new lies beside it, signed: ${notes}`
        : `CHANGELOG.md says nothing of ${version}: nobody will be told what is new.`,
    );
  }
  for (const name of left) say(`Left unsigned, since its name does not say what it is: ${name}`);
  say(`Signed with the key ${publisher.publicKey}`);
};

const main = async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return void process.stdout.write(USAGE);
  const options = optionsIn(args, process);
  // Takes a lock, because two builds at once would overwrite each other's dist/app.
  await withLock('package', () => packageApp(options));
};

main().catch((error) => {
  const isForPeople = [Sentence, CannotSign, CannotPackage, NoticeMissing].some((kind) => error instanceof kind);
  say(isForPeople ? error.message : (error?.stack ?? String(error)));
  // Exits at once: exit handlers of electron-builder would otherwise change the exit code to 0.
  process.exit(1);
});
