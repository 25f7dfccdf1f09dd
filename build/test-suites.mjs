/**
 * Lists the test files and assigns each to a suite. For most files the suite follows from the folder and the imports.
 * Other files declare their suite in a line `// Suite: NAME`: every file in `test/e2e` and `test/faults`, and tests of
 * single frames.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { root } from './install.mjs';

const MINUTE = 60_000;
/** Number of cores to use, at most 4, because sixteen test files at once delay each other's timers. */
export const CORES = Math.min(availableParallelism(), 4);

const filesIn = (folder) => {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/'))
    .sort();
};

/** Suites that a file can declare. */
const DECLARED = new Set(['frames', 'window', 'faults', 'journeys', 'long']);
const DECLARATION = /^\/\/ Suite: (.*)$/m;
const STARTS_SERVER = /\b(startSite|ownedSite|openShops)\b/;
const FOLDERS = ['shared', 'server', 'player', 'admin-ui', 'build', 'test'];

/** @throws Error that names the file when it declares an unknown suite, or lacks a required declaration */
export const suiteOf = (file, text) => {
  const declared = DECLARATION.exec(text)?.[1];
  if (declared !== undefined) {
    if (!DECLARED.has(declared))
      throw new Error(`${file}: there is no suite "${declared}". There are: ${[...DECLARED].join(', ')}.`);
    return declared;
  }
  if (file.startsWith('test/api/')) return 'api';
  if (file.startsWith('test/chain/')) return 'chain';
  if (/^test\/(e2e|faults)\//.test(file))
    throw new Error(`${file}: add a line "// Suite: NAME" with one of ${[...DECLARED].join(', ')}.`);
  if (file.startsWith('test/')) return 'boundaries';
  if (file.endsWith('.browser.test.ts')) return 'browser';
  return STARTS_SERVER.test(text) ? 'server' : 'unit';
};

// Does not use `Object.groupBy`, because this file also runs on Node 20.
const bySuite = {};
for (const file of FOLDERS.flatMap(filesIn)) {
  const name = suiteOf(file, readFileSync(join(root, file), 'utf8'));
  bySuite[name] = [...(bySuite[name] ?? []), file];
}

/** Matches files that change or measure their process: they do not share the process with other files. */
const OWN_PROCESS =
  /\bprocess\.env\[[^\]]+\] = |\bdelete process\.env|\bprocess\.(chdir|exit|umask)\b|\bmock\.(timers|getter|module)\b|\blongestTurn\b/;
/** Returns whether a test file needs a separate process. */
export const needsOwnProcess = (text) => OWN_PROCESS.test(text);

/**
 * Distributes files to processes.
 * @param most maximum number of files per process
 * @param isAlone returns whether a file needs a separate process
 * @returns lists of files; those with the first files come first
 */
export const groupsOf = (files, most, isAlone) => {
  const alone = files.filter(isAlone);
  const others = files.filter((file) => !alone.includes(file));
  const count = Math.ceil(others.length / most);
  // Files in sequence go to different processes, because the slowest files are the first ones.
  const groups = Array.from({ length: count }, (_, i) => others.filter((_file, at) => at % count === i));
  const first = (group) => files.indexOf(group[0]);
  return [...alone.map((file) => [file]), ...groups].toSorted((a, b) => first(a) - first(b));
};

/**
 * Suites. `at_once`: number of files in parallel. `each`: time limit per test; `limit`: time
 * limit for the suite, longer than a slow machine needs. `again`: one or two failed files run once more, alone.
 * `together`: maximum number of files that share a process; `shared`: modules whose hooks belong to the process.
 * `memory`: temporary folders are in memory, which tests of disks do not allow. `pages`: the suite needs pages built by
 * Vite.
 */
export const suites = {
  boundaries: { at_once: 1, each: MINUTE, limit: 2 * MINUTE },
  // Number of parallel files: one more than the number of cores, because some tests wait for processes and timeouts.
  unit: { at_once: CORES + 1, each: 1.5 * MINUTE, limit: 8 * MINUTE, again: true, memory: true },
  server: { at_once: CORES + 1, each: 1.5 * MINUTE, limit: 12 * MINUTE, again: true, memory: true, together: 8 },
  api: { at_once: Math.min(CORES, 2), each: 4 * MINUTE, limit: 9 * MINUTE, again: true, memory: true },
  // Suite with a headquarters and stores. These tests wait for connections and pauses: with three at once, two cores
  // are idle a third of the time.
  chain: { at_once: Math.min(CORES + 2, 4), each: 3 * MINUTE, limit: 10 * MINUTE, again: true, memory: true },
  // Suite with tests of single video frames. One file at a time leaves two cores idle for two thirds of the time.
  frames: { at_once: Math.min(CORES, 2), each: 3 * MINUTE, limit: 10 * MINUTE, pages: true, again: true, memory: true },
  browser: {
    at_once: Math.min(CORES + 1, 3),
    each: 3 * MINUTE,
    limit: 10 * MINUTE,
    pages: true,
    again: true,
    memory: true,
  },
  // Suite with pages of the admin window and tasks of many steps. Exact timing does not matter, so several files run at
  // once.
  window: {
    at_once: Math.min(CORES + 1, 3),
    each: 5 * MINUTE,
    limit: 20 * MINUTE,
    pages: true,
    again: true,
    memory: true,
    together: 4,
    shared: ['test/e2e/hosts/browser.ts'],
  },
  // Suite with disks and files that fail at every step. Its tests start and kill processes.
  faults: { at_once: Math.min(CORES + 1, 3), each: 5 * MINUTE, limit: 10 * MINUTE, again: true },
  journeys: { at_once: Math.min(CORES, 2), each: 5 * MINUTE, limit: 12 * MINUTE, pages: true, again: true },
  // Suite for --long only: walls measured over time, each state of the admin window, slow faults.
  long: { at_once: 1, each: 10 * MINUTE, limit: 60 * MINUTE, pages: true },
};
/** Suites that run beside each other after `boundaries`: those that compute, and those that mostly wait. */
export const LANES = [
  ['unit', 'server', 'api', 'window'],
  ['chain', 'faults'],
];
/** Suites that run after them, one at a time, because their tests measure pictures and timing. */
export const ONE_BY_ONE = ['browser', 'frames', 'journeys'];
/** Files of more than 20 s on a small computer start first, so that the last one does not run alone at the end. */
const SLOW_FIRST = [
  'server/headquarters/plays/pg-connection',
  'server/headquarters/commands/remote-commands',
  'server/headquarters/transport/refusals',
  'server/media/convert',
  'build/installer/deb',
  'player/agent/files/state-folder',
  'server/media/kinds/unplayable',
  'build/licences/licences',
  'server/features/exchange/import-slices',
  'server/upkeep/upkeep',
  'server/features/content/conversions',
  'server/upkeep/backup/media-kept',
  'server/features/reports/ingest/play-seals',
  'test/api/loop-hold',
  'test/chain/doctor',
  'test/chain/chaos-postgres',
  'test/chain/chaos',
].map((name) => `${name}.test.ts`);
const rank = (file) => (SLOW_FIRST.includes(file) ? SLOW_FIRST.indexOf(file) : SLOW_FIRST.length);
for (const [name, suite] of Object.entries(suites))
  suite.files = (bySuite[name] ?? []).toSorted((a, b) => rank(a) - rank(b));

/** Suite with random faults: ten minutes each with --long. In the suite `chain` they take one minute each. */
export const longChaos = {
  files: suites.chain.files.filter((file) => /\/chaos[^/]*$/.test(file)),
  at_once: 1,
  each: 15 * MINUTE,
  limit: 46 * MINUTE,
  env: { VITRINE_CHAOS_SECONDS: '600' },
};
