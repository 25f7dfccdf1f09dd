/** What browsers load is built by Vite from player/screen, player/web and admin-ui, only when its sources are other than those of the last build. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, Sentence, say, withLock } from './install.mjs';

/** What the pages' vite.config.ts take from here. */
const TOOLS = ['build/compressed.ts', 'build/first-load.ts', 'build/licences/inside.ts'];

/** `sources`: everything else a change of which must lead to a new build. */
const parts = [
  { name: 'screen', root: 'player/screen', sources: ['player/screen', 'shared'] },
  { name: 'player', root: 'player/web', sources: ['player/screen', 'player/core', 'player/web', 'shared'] },
  { name: 'admin', root: 'admin-ui', sources: ['admin-ui', 'shared'] },
];

const isSource = (name) => !name.startsWith('.') && !/\.test\.tsx?$/.test(name) && name !== 'node_modules' && name !== 'dist';

const addTo = (hash, folder) => {
  if (!existsSync(join(root, folder))) return;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (!isSource(entry.name)) continue;
    if (entry.isDirectory()) addTo(hash, path);
    else if (entry.isFile()) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
};

const sourceHash = (part) => {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const file of TOOLS) hash.update(readFileSync(join(root, file)));
  for (const folder of part.sources) addTo(hash, folder);
  return hash.digest('hex');
};

const stampOf = (part) => join(root, 'dist', `${part.name}.stamp`);

/** Without sources (a packaged copy) what is there is what there is. */
const hasSources = (part) => existsSync(join(root, part.root, 'index.html'));

const isFresh = (part, hash) => existsSync(join(root, 'dist', part.name, 'index.html')) && existsSync(stampOf(part)) && readFileSync(stampOf(part), 'utf8') === hash;

const build = async (node, part, hash) => {
  const target = join(root, 'dist', part.name);
  const fresh = join(root, 'dist', `.${part.name}-new`);
  const old = join(root, 'dist', `.${part.name}-old`);
  const result = await run(node, [join(root, 'node_modules/vite/bin/vite.js'), 'build', part.root, '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']);
  if (result.code !== 0) throw new Sentence(`The pages for browsers could not be built from ${part.root}:\n\n${result.output.trim()}`);
  // Built beside and swapped: a server that runs meanwhile never serves half a build.
  rmSync(old, { recursive: true, force: true });
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
  writeFileSync(stampOf(part), hash);
  rmSync(old, { recursive: true, force: true });
};

/** What the window's "About" reads; a start does not fail for want of it. */
const sayLicences = (node) => run(node, [join(root, 'build/licences/checkout.ts'), '--into', join(root, 'dist', 'admin')]);

const stale = (wanted, force) =>
  parts
    .filter((part) => wanted.includes(part.name) && hasSources(part))
    .map((part) => ({ part, hash: sourceHash(part) }))
    .filter(({ part, hash }) => force || !isFresh(part, hash));

/**
 * Builds what is stale.
 * @param node the Node 24 to build with
 * @param wanted names of parts; @default all
 * @throws Sentence with Vite's words when a build fails
 */
export const ensureBuilt = async (node, { wanted = parts.map((part) => part.name), force = false } = {}) => {
  if (stale(wanted, force).length === 0) return;
  await withLock('build', async () => {
    const todo = stale(wanted, force);
    if (todo.length === 0) return;
    const started = Date.now();
    say(`Building the pages for browsers (${todo.map(({ part }) => part.name).join(', ')}) …`);
    mkdirSync(join(root, 'dist'), { recursive: true });
    const results = await Promise.allSettled(todo.map(({ part, hash }) => build(node, part, hash)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    await sayLicences(node);
    say(`  built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  });
};
