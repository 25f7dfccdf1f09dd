/**
 * `npm run package -- [--dir] [electron-builder options]`: the desktop app. The sources are stripped of their types into dist/app,
 * one file for one file, since Electron does not run TypeScript; electron-builder makes the rest of it.
 * VITRINE_ELECTRON_DIST names an Electron distribution that is there already (a stand-in too: what is beneath the windows is tested with plain Node).
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { root } from './install.mjs';

const target = join(root, 'dist', 'app');
const SOURCES = ['shared', 'server', 'player', 'build/desktop'];
/** Made for browsers by Vite, or only for tests. */
const LEFT_OUT = /(\.test\.ts|\/testing\/|^player\/(screen|web)\/(?!host\.ts))/;

/** `'./x.ts'` becomes `'./x.js'`, wherever a file of ours is named: imports, workers, URLs. */
const namesOfFiles = (code) => code.replace(/(['"`])((?:\.{1,2}\/)?[\w./-]+)\.ts\1/g, '$1$2.js$1');

const copySources = () => {
  for (const folder of SOURCES) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
      if (LEFT_OUT.test(file) || /\.(tsx|html|md)$/.test(file)) continue;
      const to = join(target, file.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(to), { recursive: true });
      if (file.endsWith('.mjs')) writeFileSync(to, namesOfFiles(readFileSync(join(root, file), 'utf8')));
      else if (file.endsWith('.ts')) writeFileSync(to, namesOfFiles(stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'))));
      else cpSync(join(root, file), to);
    }
  }
  for (const pages of ['admin', 'player', 'screen']) if (existsSync(join(root, 'dist', pages))) cpSync(join(root, 'dist', pages), join(target, 'dist', pages), { recursive: true });
  cpSync(join(root, 'build', 'icons'), join(target, 'icons'), { recursive: true });
};

const writeManifest = () => {
  const { name, version, description, license, author, dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = { name, productName: 'Vitrine', version, description, license, author, type: 'module', main: 'build/desktop/main.js', dependencies, optionalDependencies };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
};

/** The sources of the app, ready to be packaged, in dist/app. */
export const prepareApp = () => {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  copySources();
  writeManifest();
  return target;
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

/** The production dependencies as they are installed here, so that packaging needs no registry. */
const copyDependencies = () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.startsWith('node_modules/') || entry.dev || entry.devOptional || !existsSync(join(root, path))) continue;
    cpSync(join(root, path), join(target, path), { recursive: true, dereference: true, filter: (source) => !source.slice(join(root, path).length + 1).startsWith('node_modules') });
  }
};

if (process.argv[1] === import.meta.filename) {
  await drawIcons();
  prepareApp();
  copyDependencies();
  const { build, Platform } = await import('electron-builder');
  const electronDist = process.env.VITRINE_ELECTRON_DIST;
  const dir = process.argv.includes('--dir');
  const output = process.env.VITRINE_PACKAGE_OUTPUT;
  await build({
    projectDir: root,
    ...(dir && { targets: Platform.current().createTarget('dir') }),
    config: {
      extends: join(root, 'electron-builder.yml'),
      // A stand-in has no fuses to set.
      ...(electronDist && { electronDist, electronFuses: null }),
      ...(output && { directories: { app: 'dist/app', output, buildResources: 'build/icons' } }),
    },
  });
}
