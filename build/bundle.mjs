/**
 * Bundles server and player into few files: reading one file instead of five hundred halves the start time, and
 * Electron does not run TypeScript. The bundle is the same in a checkout and in a package, at the same place relative
 * to the root: dist/programs (shared/desktop/entries.ts).
 */
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { BUNDLE, bundledName, ENTRIES } from '../shared/desktop/entries.ts';
import { root } from './install.mjs';
import { packagesInside } from './licences/inside.ts';

/** Paths where installers, services, the desktop program and people find programs in a package. */
const DOORS = ['server/main', 'server/cli/main', 'player/main', 'player/launcher', 'build/windows-service'];
const DESKTOP = 'build/desktop/main';
/** Files that programs read from their folders at run time. */
const ASSETS = ['server/db/migrations/**'];

/**
 * Packages that are not bundled: native ones, those that locate their own files, and large ones that are rarely used.
 * None is allowed in Electron's part.
 */
export const EXTERNAL = [
  'argon2',
  'better-sqlite3',
  'ffmpeg-static',
  'sharp',
  'systeminformation',
  ...['bitter', 'caveat', 'fraunces', 'inter', 'nunito', 'oswald'].map((font) => `@fontsource-variable/${font}`),
  'twemoji-colr-font',
];

/** Vite plugin that refuses imports of `EXTERNAL` packages, because code in Electron's archive must not use them. */
const withoutPackages = {
  name: 'without-packages',
  enforce: 'pre',
  resolveId: (id, from) => {
    if (EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`)))
      throw new Error(`Electron’s part has no ${id}, which ${from} imports: that belongs into a program beneath it`);
  },
};

/**
 * Vite plugin that replaces an import of `node:http` by the object that `require` returns. For a normal import Node
 * evaluates all exports, including WebSocket, and so loads its copy of undici: 20 ms and 3 MB of the server's start.
 */
const HTTP = '\0plain-http';
const plainHttp = {
  name: 'plain-http',
  enforce: 'pre',
  resolveId: (id, _from, { kind }) => (id === 'node:http' && kind !== 'require-call' ? HTTP : undefined),
  load: (id) => {
    if (id !== HTTP) return undefined;
    const all = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule('node:http')));
    const names = all.filter(([, { get }]) => get === undefined).map(([name]) => name);
    return `const http = process.getBuiltinModule('node:http');\nexport default http;\nexport const { ${names.join(', ')} } = http;`;
  },
};

const bundle = (folder, entries, { plugins = [], external = EXTERNAL } = {}) =>
  build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [plainHttp, ...plugins, packagesInside(root)],
    resolve: { alias: [{ find: /^.*\/drizzle\.ts$/, replacement: join(root, 'server/db/drizzle.bundled.mjs') }] },
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [bundledName(entry), join(root, `${entry}.ts`)])),
        external: external.map((name) => new RegExp(`^${name}(/|$)`)),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Names are not shortened: names of errors are compared, and stack traces in logs should be readable.
          minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
        },
      },
    },
  });

/** Bundles the programs for plain Node. @param folder target folder */
export const bundlePrograms = (folder) => bundle(folder, ENTRIES);

/** Bundles Electron's code: windows and their logic. @param target folder of its archive */
export const bundleDesktop = (target) =>
  bundle(join(target, BUNDLE), [DESKTOP], { plugins: [withoutPackages], external: ['electron'] });

/**
 * Copies the files that programs read at run time into a package. A checkout needs no copies, because these files are
 * already there.
 * @param target folder of the programs in the package
 */
export const layBesideBundle = (target) => {
  for (const file of globSync(ASSETS, { cwd: root, withFileTypes: true })) {
    const from = join(file.parentPath, file.name);
    if (file.isFile()) cpSync(from, join(target, from.slice(root.length)));
  }
  for (const door of DOORS) {
    const file = join(target, `${door}.js`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `import '${'../'.repeat(door.split('/').length - 1)}${BUNDLE}/${bundledName(door)}.js';\n`);
  }
};

if (process.argv[1] === import.meta.filename) await bundlePrograms(process.argv[2]);
