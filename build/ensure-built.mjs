/**
 * Builds programs and web pages when their sources have changed: the bundle of server and player; by Vite the pages of
 * player/screen, player/web and admin-ui; and the pages of widgets and kiosk pages.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root, run, Sentence, say, withLock } from './install.mjs';

const MINUTE = 60_000;

/** Files of this folder that the vite.config.ts of the pages import. */
const TOOLS = ['build/compressed.ts', 'build/first-load.ts', 'build/licences/inside.ts'];
const vite = (folder) => (into) => [
  'node_modules/vite/bin/vite.js',
  'build',
  folder,
  '--outDir',
  into,
  '--emptyOutDir',
  '--logLevel',
  'warn',
];

/**
 * Parts to build, by their folder in dist. `sources`: paths whose change requires a new build; `proof`: a file that
 * each build creates; `command`: arguments for Node to build into a folder.
 */
const parts = [
  {
    name: 'programs',
    sources: ['build', 'player', 'server', 'shared'],
    proof: 'server-main.js',
    command: (into) => ['build/bundle.mjs', into],
  },
  {
    name: 'screen',
    sources: ['player/screen', 'shared', ...TOOLS],
    proof: 'index.html',
    command: vite('player/screen'),
  },
  {
    name: 'player',
    sources: ['player/screen', 'player/core', 'player/web', 'shared', ...TOOLS],
    proof: 'index.html',
    command: vite('player/web'),
  },
  { name: 'admin', sources: ['admin-ui', 'shared', ...TOOLS], proof: 'index.html', command: vite('admin-ui') },
  {
    name: 'pages',
    sources: ['build/pages.mjs', 'server/features', 'shared'],
    proof: 'clock.js',
    command: (into) => ['build/pages.mjs', into],
  },
];

/** @returns the path of a bundled program. @param name file name without extension */
export const program = (name) => join(root, 'dist', 'programs', `${name}.js`);

const isSource = (name) =>
  !name.startsWith('.') && !/\.test\.tsx?$/.test(name) && name !== 'node_modules' && name !== 'dist';

const addTo = (hash, path) => {
  if (statSync(join(root, path)).isFile()) return hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  for (const name of readdirSync(join(root, path)).sort()) if (isSource(name)) addTo(hash, `${path}/${name}`);
};

const sourceHash = ({ sources }) => {
  const hash = createHash('sha256');
  for (const path of ['package-lock.json', ...sources]) addTo(hash, path);
  return hash.digest('hex');
};

const stampOf = ({ name }) => join(root, 'dist', `${name}.stamp`);

const isFresh = (part, hash) =>
  existsSync(join(root, 'dist', part.name, part.proof)) &&
  existsSync(stampOf(part)) &&
  readFileSync(stampOf(part), 'utf8') === hash;

const build = async (node, part, hash) => {
  const [target, fresh, old] = [part.name, `.${part.name}-new`, `.${part.name}-old`].map((name) =>
    join(root, 'dist', name),
  );
  const result = await run(node, part.command(fresh));
  if (result.code !== 0) throw new Sentence(`Vitrine’s ${part.name} could not be built:\n\n${result.output.trim()}`);
  // Built in a separate folder and swapped, so that a running server never serves half a build.
  rmSync(old, { recursive: true, force: true });
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
  if (part.name === 'programs' && existsSync(old)) keepChunks(old, target, part.proof);
  writeFileSync(stampOf(part), hash);
  rmSync(old, { recursive: true, force: true });
};

/**
 * Keeps the chunks of the previous build, for a running program that has not loaded all of them. Removes chunks of
 * older builds.
 */
const keepChunks = (old, target, proof) => {
  const began = (statSync(join(old, proof), { throwIfNoEntry: false })?.mtimeMs ?? 0) - MINUTE;
  cpSync(old, target, {
    recursive: true,
    force: false,
    preserveTimestamps: true,
    filter: (file) => statSync(file).mtimeMs > began,
  });
};

/** Writes the data of the window's "About" page; a failure does not stop the start. */
const sayLicences = (node) =>
  run(node, [join(root, 'build/licences/checkout.ts'), '--into', join(root, 'dist', 'admin')]);

const stale = (wanted, force) =>
  parts
    .filter(({ name }) => wanted.includes(name))
    .map((part) => ({ part, hash: sourceHash(part) }))
    .filter(({ part, hash }) => force || !isFresh(part, hash));

/**
 * Builds outdated parts.
 * @param node Node 24 to build with
 * @param wanted names of parts; @default all
 * @throws Sentence with the bundler's output when a build fails
 */
export const ensureBuilt = async (node, { wanted = parts.map(({ name }) => name), force = false } = {}) => {
  if (stale(wanted, force).length === 0) return;
  await withLock('build', async () => {
    const todo = stale(wanted, force);
    if (todo.length === 0) return;
    const started = Date.now();
    say(`Building what has changed (${todo.map(({ part }) => part.name).join(', ')}) …`);
    mkdirSync(join(root, 'dist'), { recursive: true });
    const results = await Promise.allSettled(todo.map(({ part, hash }) => build(node, part, hash)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    if (todo.some(({ part }) => part.name !== 'programs')) await sayLicences(node);
    say(`  built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  });
};
