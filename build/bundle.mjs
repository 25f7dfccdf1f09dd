/**
 * Server and player as few files as can be: Electron does not run TypeScript, and reading one file instead of five hundred is most
 * of a fast start. In the app every entry shares the chunks in `bundle/`; where the sources have the entry's file there is a
 * line that imports it, so that whatever is found by its path (workers, styles, migrations) is where it was.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { build } from 'vite';
import { root } from './install.mjs';

const CHUNKS = 'bundle';
/** What is started by its path: by people, by the desktop shell, by another of these. */
const ENTRIES = [
  'server/serve.ts',
  'server/cli/main.ts',
  'player/main.ts',
  ...globSync(['server/**/*.worker.ts', 'server/**/*-worker.ts', 'player/**/*.worker.ts'], { cwd: root }).map((file) => file.replaceAll('\\', '/')),
  'build/desktop/main.ts',
];
/** One for one, since they do something before anything else is loaded. */
const AS_THEY_ARE = ['server/main.ts', ...globSync('server/**/*-worker.mjs', { cwd: root }).map((file) => file.replaceAll('\\', '/'))];
/** Read from their folders when the program runs. */
const ASSETS = ['server/db/migrations/**', 'server/**/pages/*.{css,js}'];

/** Packages that stay packages: native ones, those that look for their own files, and what is large and rarely used. */
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

const bundleInto = (folder, entries, places) =>
  build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [places],
    ssr: { noExternal: true, external: [...EXTERNAL, 'electron'] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((file) => [nameOf(file), join(root, file)])),
        external: [...EXTERNAL.map((name) => new RegExp(`^${name}(/|$)`)), 'electron'],
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Nothing is renamed: names of errors are compared, and a stack in a log should be readable.
          minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
        },
      },
    },
  });

/** Server and player of a checkout, which otherwise stays as it is: workers and whatever is read come from the sources. @param target two folders below the root */
const bundlePrograms = async (target) => {
  await bundleInto(
    target,
    ['server/serve.ts', 'player/main.ts'],
    keepPlaces('../..', (line) => line),
  );
  const main = stripTypeScriptTypes(readFileSync(join(root, 'server/main.ts'), 'utf8'));
  writeFileSync(join(target, 'server-main.js'), main.replace("'./serve.ts'", `'./${nameOf('server/serve.ts')}.js'`));
};

/** @param target folder of the app */
export const bundle = async (target) => {
  await bundleInto(join(target, CHUNKS), ENTRIES, keepPlaces('..', namesOfFiles));
  const write = (file, text) => {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), text);
  };
  for (const file of ENTRIES) write(asJavaScript(file), `import '${'../'.repeat(file.split('/').length - 1)}${CHUNKS}/${nameOf(file)}.js';\n`);
  for (const file of AS_THEY_ARE) {
    const code = readFileSync(join(root, file), 'utf8');
    write(asJavaScript(file), namesOfFiles(file.endsWith('.ts') ? stripTypeScriptTypes(code) : code));
  }
  for (const file of globSync(ASSETS, { cwd: root, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const from = join(file.parentPath, file.name);
    cpSync(from, join(target, relative(root, from)));
  }
};

if (process.argv[1] === import.meta.filename) await bundlePrograms(process.argv[2]);
