/**
 * The programs of the desktop app as few files as can be: Electron does not run TypeScript, and reading one file instead of five
 * hundred is most of a fast start. Every entry shares the chunks in `bundle/`; where the sources have the entry's file there is a
 * line that imports it, so that whatever is found by its path (workers, styles, migrations) is where it was.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build } from 'vite';
import { root } from './install.mjs';

const CHUNKS = 'bundle';
/** What is started by its path: by people, by the desktop shell, by another of these. */
const ENTRIES = [
  'server/serve.ts',
  'server/cli/main.ts',
  'player/main.ts',
  ...globSync(['server/**/*.worker.ts', 'server/**/*-worker.ts'], { cwd: root }).map((file) => file.replaceAll('\\', '/')),
  'build/desktop/main.ts',
];
/** One for one, since they do something before anything else is loaded. */
const AS_THEY_ARE = ['server/main.ts', ...globSync('server/**/*-worker.mjs', { cwd: root }).map((file) => file.replaceAll('\\', '/'))];
/** Read from their folders when the program runs. */
const ASSETS = ['server/db/migrations/**', 'server/**/pages/*.{css,js}'];

/** Packages that stay packages: native ones, those that look for their own files, and what is large and rarely used. */
export const EXTERNAL = ['argon2', 'better-sqlite3', 'ffmpeg-static', 'sharp', 'systeminformation', '@fontsource-variable/inter'];

const asJavaScript = (file) => file.replace(/\.ts$/, '.js');
/** `'./x.ts'` becomes `'./x.js'` in the names of workers and programs, which no bundler sees. */
const namesOfFiles = (code) => code.replace(/(['"`])((?:\.{1,2}\/)?[\w./-]+)\.ts\1/g, '$1$2.js$1');

/** Our own modules think that they lie where their sources do. */
const keepPlaces = {
  name: 'keep-places',
  enforce: 'pre',
  transform: (code, id) => {
    const file = relative(root, id).replaceAll('\\', '/');
    if (file.startsWith('..') || file.startsWith('node_modules/')) return null;
    const folder = `../${dirname(file)}`;
    return code
      .replace(/const (\w+) = require\('(drizzle-orm[^']*)'\) as typeof import\('[^']*'\);/g, "import * as $1 from '$2';")
      .replace(/require\('(drizzle-orm[^']*)'\) as typeof import\('[^']*'\)/g, (_all, name) => `migrator;\nimport * as migrator from '${name}'`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${folder}')`)
      .replaceAll('import.meta.url', `new URL('${folder}/${asJavaScript(file).split('/').at(-1)}', import.meta.url).href`)
      .replace(/(ENTRY = [^\n]*|file: '|script: [^\n]*)/g, namesOfFiles);
  },
};

/** @param target folder of the app */
export const bundle = async (target) => {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [keepPlaces],
    ssr: { noExternal: true, external: [...EXTERNAL, 'electron'] },
    build: {
      ssr: true,
      outDir: join(target, CHUNKS),
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((file) => [file.replace(/\.ts$/, '').replaceAll('/', '-'), join(root, file)])),
        external: [...EXTERNAL.map((name) => new RegExp(`^${name}(/|$)`)), 'electron'],
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Names of errors are compared; names of nothing else are worth a byte to anybody.
          keepNames: true,
          minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
        },
      },
    },
  });
  const write = (file, text) => {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), text);
  };
  for (const file of ENTRIES) write(asJavaScript(file), `import '${'../'.repeat(file.split('/').length - 1)}${CHUNKS}/${file.replace(/\.ts$/, '').replaceAll('/', '-')}.js';\n`);
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
