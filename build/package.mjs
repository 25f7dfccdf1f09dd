/**
 * `npm run package -- [--dir | --target NAME] [--role server|player|both]`: the desktop app for this system, in all forms or one. The sources are bundled into dist/app
 * (bundle.mjs), the pages for browsers and the few packages that stay packages are laid beside them; electron-builder makes the rest of it.
 * VITRINE_ELECTRON_DIST names an Electron distribution that is there already (a stand-in too: what is beneath the windows is tested with plain Node).
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle, EXTERNAL } from './bundle.mjs';
import { root, Sentence, say } from './install.mjs';

const target = join(root, 'dist', 'app');
/** What those packages name as dependencies for their own installation only. */
const FOR_INSTALLING = new Set(['cross-env', 'node-addon-api', '@derhuerst/http-basic', 'env-paths', 'https-proxy-agent', 'progress']);
/** Within packages: what they were made from, and what people read. */
const LEFT_OUT = /^(deps|src|argon2|test|docs|binding\.gyp|.*\.(md|markdown|map|cpp|c|h|ts|cts|mts|woff))(\/|$)/i;

const copyPages = () => {
  for (const pages of ['admin', 'player', 'screen']) if (existsSync(join(root, 'dist', pages))) cpSync(join(root, 'dist', pages), join(target, 'dist', pages), { recursive: true });
  cpSync(join(root, 'build', 'icons'), join(target, 'icons'), { recursive: true });
};

/** @param role what the installed program is without being asked; undefined: it asks at its first start */
const writeManifest = (role) => {
  const { name, version, description, license, author } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // No dependencies: they are laid in below, and electron-builder would look for a package manager to list them.
  const manifest = { name, productName: 'Vitrine', version, description, license, author, type: 'module', main: 'build/desktop/main.js', ...(role && { vitrineRole: role }) };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
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
const prepareApp = async (role) => {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await bundle(target);
  copyPages();
  writeManifest(role);
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

const option = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};

const main = async () => {
  const role = option('role');
  if (role !== undefined && !['server', 'player', 'both'].includes(role)) throw new Sentence('--role is server, player or both.');
  await drawIcons();
  await prepareApp(role);
  const { build, Platform } = await import('electron-builder');
  const electronDist = process.env.VITRINE_ELECTRON_DIST;
  const form = process.argv.includes('--dir') ? 'dir' : option('target');
  const output = process.env.VITRINE_PACKAGE_OUTPUT;
  await build({
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
      // An installer for one role says so in its name.
      ...(role && { artifactName: `\${productName}-${role}-\${version}-\${os}-\${arch}.\${ext}` }),
    },
  });
};

main().catch((error) => {
  say(error instanceof Sentence ? error.message : (error?.stack ?? String(error)));
  process.exitCode = 1;
});
