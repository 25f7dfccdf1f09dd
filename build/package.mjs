/**
 * `npm run package -- [--dir | --target NAME] [--role server|player|both] [--release-key FILE] [--also-trust KEY,KEY]`: the desktop app for this system, in all forms or
 * one. The sources are bundled into dist/app (bundle.mjs), the pages for browsers and the few packages that stay packages are laid beside them; electron-builder makes
 * the rest of it, and each file gets its signature, `<file>.sig` (release-signing.ts). The key is the option's or VITRINE_RELEASE_KEY (a path, or the PEM text itself).
 * VITRINE_ELECTRON_DIST names an Electron distribution that is there already (a stand-in too: what is beneath the windows is tested with plain Node).
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle, EXTERNAL } from './bundle.mjs';
import { root, Sentence, say } from './install.mjs';
import { artifactName, CannotSign, keysOf, manifestOf, publisherFrom, writeSignatures } from './release-signing.ts';

const target = join(root, 'dist', 'app');
/** What those packages name as dependencies for their own installation only. */
const FOR_INSTALLING = new Set(['cross-env', 'node-addon-api', '@derhuerst/http-basic', 'env-paths', 'https-proxy-agent', 'progress']);
/** Within packages: what they were made from, and what people read. */
const LEFT_OUT = /^(deps|src|argon2|test|docs|binding\.gyp|.*\.(md|markdown|map|cpp|c|h|ts|cts|mts|woff))(\/|$)/i;

const copyPages = () => {
  for (const pages of ['admin', 'player', 'screen']) if (existsSync(join(root, 'dist', pages))) cpSync(join(root, 'dist', pages), join(target, 'dist', pages), { recursive: true });
  cpSync(join(root, 'build', 'icons'), join(target, 'icons'), { recursive: true });
};

const writeManifest = (role, keys) => {
  const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifestOf(ours, role, keys), null, 2)}\n`);
};

/** Folders below node_modules that the packages of EXTERNAL need, as they are installed here, so that packaging needs no registry. */
const neededPackages = () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const needed = new Set();
  const add = (name, from) => {
    const inner = `${from}/node_modules/${name}`;
    const path = packages[inner] ? inner : `node_modules/${name}`;
    if (!packages[path] || needed.has(path) || FOR_INSTALLING.has(name)) return;
    needed.add(path);
    for (const dependency of Object.keys({ ...packages[path].dependencies, ...packages[path].optionalDependencies })) add(dependency, path);
  };
  for (const name of EXTERNAL) add(name, '');
  return [...needed].filter((path) => existsSync(join(root, path)));
};

const copyPackages = () => {
  for (const path of neededPackages()) {
    const from = join(root, path);
    const keep = (source) => source === from || (basename(source) !== 'node_modules' && !LEFT_OUT.test(source.slice(from.length + 1).replaceAll('\\', '/')));
    cpSync(from, join(target, path), { recursive: true, dereference: true, filter: keep });
  }
};

/** The app, ready to be packaged, in dist/app. */
const prepareApp = async (role, keys) => {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await bundle(target);
  copyPages();
  writeManifest(role, keys);
  copyPackages();
};

/** Icons are drawn from one SVG, so that there is one to change. */
const drawIcons = async () => {
  const { default: sharp } = await import('sharp');
  const icons = join(root, 'build', 'icons');
  for (const [name, size] of [
    ['icon.png', 1024],
    ['tray.png', 32],
  ])
    await sharp(join(icons, 'icon.svg')).resize(size, size).png().toFile(join(icons, name));
};

/** Null: it has no value. */
const option = (name) => {
  const joined = process.argv.find((arg) => arg.startsWith(`--${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 3) || null;
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : (process.argv[at + 1] ?? null);
};

const main = async () => {
  const role = option('role');
  if (role !== undefined && !['server', 'player', 'both'].includes(role)) throw new Sentence('--role is server, player or both.');
  const publisher = publisherFrom(option('release-key'), process.env);
  const keys = keysOf(publisher, option('also-trust') ?? '');
  // None of the programs that build the rest has to know it.
  delete process.env.VITRINE_RELEASE_KEY;
  await drawIcons();
  await prepareApp(role, keys);
  const { build, Platform } = await import('electron-builder');
  const electronDist = process.env.VITRINE_ELECTRON_DIST;
  const form = process.argv.includes('--dir') ? 'dir' : option('target');
  const output = process.env.VITRINE_PACKAGE_OUTPUT;
  const files = await build({
    projectDir: root,
    publish: 'never',
    ...(form && { targets: Platform.current().createTarget(form) }),
    config: {
      extends: join(root, 'electron-builder.yml'),
      // Says that the packages were laid in already: nothing is to be looked for or rebuilt.
      beforeBuild: () => Promise.resolve(false),
      // A stand-in has no fuses to set.
      ...(electronDist && { electronDist, electronFuses: null }),
      ...(output && { directories: { app: 'dist/app', output, buildResources: 'build/icons' } }),
      artifactName: artifactName(role, publisher !== undefined),
    },
  });
  if (!publisher)
    return say('Made a development build: nobody has signed it, and screens that run it take no updates. --release-key FILE signs ("vitrine release-key" makes a key).');
  const { signed, left } = await writeSignatures(files, publisher);
  for (const name of signed) say(`Signed ${name}`);
  for (const name of left) say(`Left unsigned, since its name does not say what it is: ${name}`);
  say(`Signed with the key ${publisher.publicKey}`);
};

main().catch((error) => {
  say(error instanceof Sentence || error instanceof CannotSign ? error.message : (error?.stack ?? String(error)));
  process.exitCode = 1;
});
