/**
 * Server and player as few files as can be: reading one file instead of five hundred is most of a fast start, and Electron does not
 * run TypeScript. In a package every entry shares the chunks in `bundle/`; where the sources have the entry's file there is a
 * line that imports it, so that whatever is found by its path (workers, styles, migrations) is where it was.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build } from 'vite';
import { root } from './install.mjs';
import { packagesInside } from './licences/inside.ts';

const CHUNKS = 'bundle';
/** What plain Node starts by its path: by people, by the desktop shell, by another of these. */
const ENTRIES = [
  ...['server/main.ts', 'server/cli/main.ts', 'player/main.ts', 'player/launcher.ts', 'build/windows-service.ts'],
  ...globSync(['server/**/*.worker.ts', 'server/**/*-worker.ts', 'player/**/*.worker.ts'], { cwd: root }).map((file) => file.replaceAll('\\', '/')),
];
/** One for one, since they do something before anything else is loaded. */
const AS_THEY_ARE = globSync('server/**/*-worker.mjs', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
const DESKTOP = 'build/desktop/main.ts';
/** Read from their folders when the program runs. */
const ASSETS = ['server/db/migrations/**', 'server/**/pages/*.{css,js}'];

/** Packages that stay packages: native ones, those that look for their own files, and what is large and rarely used. None is in Electron's part. */
export const EXTERNAL = ['argon2', 'better-sqlite3', 'ffmpeg-static', 'sharp', 'systeminformation', '@fontsource-variable/inter', 'twemoji-colr-font'];

const asJavaScript = (file) => file.replace(/\.ts$/, '.js');
/** `'./x.ts'` becomes `'./x.js'` in the names of workers and programs, which no bundler sees. */
const namesOfFiles = (code) => code.replace(/(['"`])((?:\.{1,2}\/)?[\w./-]+)\.ts\1/g, '$1$2.js$1');

/**
 * Our own modules think that they lie where their sources do.
 * @param top from the bundle's folder to the one that has server/, player/ …
 * @param named what becomes of lines that name a worker or a program
 */
const keepPlaces = (top, named) => ({
  name: 'keep-places',
  enforce: 'pre',
  transform: (code, id) => {
    const file = relative(root, id).replaceAll('\\', '/');
    if (file.startsWith('..') || file.startsWith('node_modules/')) return null;
    const folder = `${top}/${dirname(file)}`;
    return code
      .replace(/const (\w+) = require\('(drizzle-orm[^']*)'\) as typeof import\('[^']*'\);/g, "import * as $1 from '$2';")
      .replace(/require\('(drizzle-orm[^']*)'\) as typeof import\('[^']*'\)/g, (_all, name) => `migrator;\nimport * as migrator from '${name}'`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${folder}')`)
      .replaceAll('import.meta.url', `new URL('${folder}/${basename(file)}', import.meta.url).href`)
      .replace(/(ENTRY = |file: '|script: )[^\n]*/g, named);
  },
});

const nameOf = (entry) => entry.replace(/\.ts$/, '').replaceAll('/', '-');

const bundleInto = (folder, entries, plugins, external = EXTERNAL) =>
  build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [...plugins, packagesInside(root)],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((file) => [nameOf(file), join(root, file)])),
        external: external.map((name) => new RegExp(`^${name}(/|$)`)),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Nothing is renamed: names of errors are compared, and a stack in a log should be readable.
          minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
        },
      },
    },
  });

/** What is in Electron's archive runs without the packages beside it. */
const withoutPackages = {
  name: 'without-packages',
  enforce: 'pre',
  resolveId: (id, from) => {
    if (EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`)))
      throw new Error(`Electron’s part has no ${id}, which ${from} imports: that belongs into a program beneath it`);
  },
};

/** Server and player of a checkout, which otherwise stays as it is: workers and whatever is read come from the sources. @param target two folders below the root */
const bundleCheckout = (target) => bundleInto(target, ['server/main.ts', 'player/main.ts'], [keepPlaces('../..', (line) => line)]);

const writeInto = (target) => (file, text) => {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), text);
};
/** Where the sources have it. */
const stub = (file) => `import '${'../'.repeat(file.split('/').length - 1)}${CHUNKS}/${nameOf(file)}.js';\n`;

/** What plain Node runs. @param target folder of the programs in the package */
export const bundlePrograms = async (target) => {
  await bundleInto(join(target, CHUNKS), ENTRIES, [keepPlaces('..', namesOfFiles)]);
  const write = writeInto(target);
  for (const file of ENTRIES) write(asJavaScript(file), stub(file));
  for (const file of AS_THEY_ARE) write(file, namesOfFiles(readFileSync(join(root, file), 'utf8')));
  for (const file of globSync(ASSETS, { cwd: root, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const from = join(file.parentPath, file.name);
    cpSync(from, join(target, relative(root, from)));
  }
};

/** What Electron runs: windows and what they decide. @param target folder of its archive */
export const bundleDesktop = async (target) => {
  await bundleInto(join(target, CHUNKS), [DESKTOP], [keepPlaces('..', namesOfFiles), withoutPackages], ['electron']);
  writeInto(target)(asJavaScript(DESKTOP), stub(DESKTOP));
};

if (process.argv[1] === import.meta.filename) await bundleCheckout(process.argv[2]);
