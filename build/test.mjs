/**
 * `npm test`: everything, on a fresh clone too. `npm run check`: the quick part. `npm test -- playlists`: the test
 * files with that in their path. The last line is `N passed, N failed`: tests, and each check (format, types …) as one.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { ensureBuilt } from './ensure-built.mjs';
import { command, ensureInstalled, root, Sentence, say } from './install.mjs';
import { ensureSystemTools } from './system-tools.mjs';

const MINUTE = 60_000;
const artefacts = join(root, 'test-artefacts');
/** A hundred test files load the same sources: compiled once, not a hundred times. */
const compiled = join(root, '.vitrine', 'compiled');
/** Not the machine's count: sixteen test files at once starve the timers of each other. */
const CORES = Math.min(availableParallelism(), 4);

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;
/**
 * A folder in memory for what a thousand small stores write, where there is one with room: what waits for a disk is
 * most of what they take. What is about disks is not among them. Undefined: the system's own.
 */
const memoryFolder = () => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH_BYTES) return undefined;
    const folder = mkdtempSync(join(MEMORY, 'vitrine-test-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined;
  }
};

const filesIn = (folder) => {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.includes('node_modules/'))
    .sort();
};
const inBrowser = (file) => file.endsWith('.browser.test.ts');
/** They watch single frames, and need the machine to themselves; what other tests of browsers wait for is no frame. */
const FRAMES = /(screen\/(frames|media|screen|transitions)|agent\/frames)\.browser/;
/** A thousand changes, and what is left of them: with --long. */
const SOAK = /soak\.browser/;
const beside = ['shared', 'server', 'player', 'admin-ui', 'build'].flatMap(filesIn);
/** Tests of it need a whole server, on the disk: two thirds of the time that all the files beside the code take. */
const startsServer = (file) => /\b(startSite|ownedSite|openShops)\b/.test(readFileSync(join(root, file), 'utf8'));
const [served, alone] = [beside.filter(startsServer), beside.filter((file) => !inBrowser(file) && !startsServer(file))];

/** These have the machine to themselves, with --long: they take long, or watch walls, pictures and states one by one. */
const LONG =
  /e2e\/(admin-(drafts|playback-preview|providers|states)|wall)|faults\/(data-(birth|disk|kill)|disk-room|dying-disk|network|oldest-player|own-update|picture|time)/;
/**
 * The admin window's places, and journeys of many steps: what they wait for is no frame and no instant, so that
 * several at a time do.
 */
const PLACES = /e2e\/(admin-|discovery|electron|neighbour|package|pictures|restore|update|web-player)/;
const crossing = [...filesIn('test/e2e'), ...filesIn('test/faults')];
/** Disks and files that fail, at every step: processes that are started and killed, and hardly any time to watch. */
const FAULTS =
  /faults\/(alerts|backup-|bad-disk|clock|data-restore|files|folders-gone|hooks|https|import-kill|kills|left-open|move-store|upgrade-steps)/;
const e2e = crossing.filter((file) => !LONG.test(file));
/** `each`: the longest one file may take; `limit`: all of them: longer than a slow machine needs, for what hangs. */
const suites = {
  boundaries: {
    files: filesIn('test').filter((file) => !/^test\/.*\//.test(file)),
    at_once: 1,
    each: MINUTE,
    limit: 2 * MINUTE,
  },
  // One more than there are cores: some wait for processes and for time-outs.
  unit: { files: alone, at_once: CORES + 1, each: 1.5 * MINUTE, limit: 8 * MINUTE, again: true, memory: true },
  server: {
    files: served.filter((file) => !inBrowser(file)),
    at_once: CORES + 1,
    each: 1.5 * MINUTE,
    limit: 12 * MINUTE,
    again: true,
    memory: true,
  },
  api: {
    files: filesIn('test/api'),
    at_once: Math.min(CORES, 2),
    each: 4 * MINUTE,
    limit: 9 * MINUTE,
    again: true,
    memory: true,
  },
  /** Headquarters with stores, real servers all of them. */
  chain: {
    files: filesIn('test/chain'),
    // They wait for lines and pauses more than they work: with three, two cores rest a third of the time.
    at_once: Math.min(CORES + 2, 4),
    each: 3 * MINUTE,
    limit: 10 * MINUTE,
    again: true,
    memory: true,
  },
  frames: {
    files: beside.filter((file) => inBrowser(file) && FRAMES.test(file)),
    // One leaves two cores idle for two thirds of its time; what two disturb in each other is tried again alone.
    at_once: Math.min(CORES, 2),
    each: 3 * MINUTE,
    limit: 10 * MINUTE,
    pages: true,
    again: true,
    memory: true,
  },
  browser: {
    files: beside.filter((file) => inBrowser(file) && !FRAMES.test(file) && !SOAK.test(file)),
    at_once: Math.min(CORES + 1, 3),
    each: 3 * MINUTE,
    limit: 10 * MINUTE,
    pages: true,
    again: true,
    memory: true,
  },
  places: {
    files: e2e.filter((file) => PLACES.test(file)),
    at_once: Math.min(CORES + 1, 3),
    each: 5 * MINUTE,
    limit: 20 * MINUTE,
    pages: true,
    again: true,
    memory: true,
  },
  faults: {
    files: e2e.filter((file) => FAULTS.test(file)),
    at_once: Math.min(CORES + 1, 3),
    each: 5 * MINUTE,
    limit: 10 * MINUTE,
    again: true,
  },
  e2e: {
    files: e2e.filter((file) => !PLACES.test(file) && !FAULTS.test(file)),
    at_once: Math.min(CORES, 2),
    each: 5 * MINUTE,
    limit: 12 * MINUTE,
    pages: true,
    again: true,
  },
};
/** With --long: walls measured over time, each state of the window, and faults that take their time. They need the machine to themselves. */
const long = {
  files: [...beside.filter((file) => SOAK.test(file)), ...crossing.filter((file) => LONG.test(file))],
  at_once: 1,
  each: 10 * MINUTE,
  limit: 60 * MINUTE,
  pages: true,
};
/** And chance, ten minutes of each: what the chain's own suite has for a minute. */
const longChaos = {
  files: filesIn('test/chain').filter((file) => /\/chaos[^/]*$/.test(file)),
  at_once: 1,
  each: 15 * MINUTE,
  limit: 46 * MINUTE,
  env: { VITRINE_CHAOS_SECONDS: '600' },
};

const NOTHING = { passed: 0, failed: 0, skipped: 0 };
const total = { ...NOTHING };
const running = new Set();

/** Runs a program in a process group of its own, so that nothing it started outlives its time. */
const inGroup = (file, args, { limit, env = {}, show = false }) =>
  new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: root,
      detached: process.platform !== 'win32',
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      env: { ...process.env, ...env },
    });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (data) => (output += data));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child);
    }, limit);
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ ok: code === 0, output, late });
    });
  });

const endGroup = (child) => {
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {}
};
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of running) endGroup(child);
    process.exit(130);
  });

const line = (name, text, started) =>
  say(`${name.padEnd(12)} ${text}  ${((Date.now() - started) / 1000).toFixed(1)} s`);

/** One check: passed or failed as a whole. */
const check = async (name, work) => {
  const started = Date.now();
  const { ok, output } = await work();
  total[ok ? 'passed' : 'failed']++;
  line(name, ok ? 'ok' : 'FAILED', started);
  if (!ok && output.trim()) say(output.trimEnd().slice(-12_000));
};

const OWN_REPORTER = './build/test-reporter.mjs';

/**
 * Runs test files.
 * @returns their counts
 * @param name of the files with the report and the counts
 * @param options.memory what they write lies in memory
 * @param options.shown the reporter whose words the terminal gets, by the stream `on`; `kept`: the one that writes the file
 */
const runFiles = async (
  node,
  name,
  files,
  { shown, on, kept, at_once = 1, limit, more = [], memory = false, env = {} },
) => {
  const counted = join(artefacts, `${name}.counts.json`);
  rmSync(counted, { force: true });
  const args = [
    '--test',
    `--test-concurrency=${at_once}`,
    ...more,
    `--test-reporter=${shown}`,
    `--test-reporter-destination=${on}`,
    `--test-reporter=${kept}`,
    `--test-reporter-destination=${join(artefacts, `${name}.txt`)}`,
  ];
  const folder = memory ? memoryFolder() : undefined;
  const { ok, late } = await inGroup(node, [...args, ...files], {
    limit,
    show: true,
    env: {
      ...env,
      VITRINE_TEST_COUNTS: counted,
      VITRINE_TEST_ARTEFACTS: artefacts,
      NODE_COMPILE_CACHE: compiled,
      ...(folder && { TMPDIR: folder }),
    },
  });
  if (folder) rmSync(folder, { recursive: true, force: true });
  const counts = existsSync(counted) ? JSON.parse(readFileSync(counted, 'utf8')) : { ...NOTHING, failed_files: [] };
  // A run that ended badly without a failed test (stopped at its limit, killed) is a failure all the same.
  if (!ok && counts.failed === 0) counts.failed = 1;
  return { ...counts, late };
};

const count = (counts) => {
  for (const key of Object.keys(total)) total[key] += counts[key];
};

/** More than these that fail are no accident of a busy machine. */
const SECOND_TRIES = 2;

/**
 * What watches a browser, kills processes or measures turns shares the machine with others: a file or two of which a
 * test failed run once more, alone. What fails again has failed; what passes is named, as what has to be made steady.
 */
const tryAgain = async (node, name, first, options) => {
  const files = first.failed_files.filter((file) => file !== undefined).map((file) => relative(root, file));
  if (first.late || files.length === 0 || files.length > SECOND_TRIES) return first;
  const again = await runFiles(node, `${name}-again`, files, { ...options, at_once: 1 });
  if (again.failed > 0 || again.late) return first;
  say(`    UNSTEADY: passed only when run again, alone: ${files.join(', ')}`);
  return { ...first, passed: first.passed + first.failed, failed: 0 };
};

const runSuite = async (node, name, { files, at_once, each, limit, again = false, memory = false, env = {} }) => {
  if (files.length === 0) return;
  const started = Date.now();
  const more = [`--test-timeout=${each}`];
  const options = { shown: OWN_REPORTER, on: 'stderr', kept: 'spec', at_once, limit, more, memory, env };
  const first = await runFiles(node, name, files, options);
  const counts = again && first.failed > 0 ? await tryAgain(node, name, first, options) : first;
  count(counts);
  const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
  line(
    name,
    `${counts.passed} passed, ${counts.failed} failed${skipped} in ${files.length} files${counts.late ? `; stopped after ${limit / MINUTE} minutes` : ''}`,
    started,
  );
};

const bin = (node, script, ...args) => [node, [join(root, 'node_modules', script), ...args]];
const tool = (name, [file, args]) => check(name, () => inGroup(file, args, { limit: 3 * MINUTE }));

const format = (node) =>
  tool('format, lint', bin(node, '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'));
const types = (node) => tool('types', bin(node, 'typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'));
const unused = (node) => tool('unused', bin(node, 'knip/bin/knip.js', '--no-progress'));
const pages = (node) =>
  check('pages', async () => {
    try {
      await ensureBuilt(node);
      return { ok: true, output: '' };
    } catch (error) {
      return { ok: false, output: error.message };
    }
  });

const everything = async (node) => {
  await ensureSystemTools();
  await Promise.all([format(node), types(node), unused(node)]);
  await runSuite(node, 'boundaries', suites.boundaries);
  await runSuite(node, 'unit', suites.unit);
  await pages(node);
  for (const name of ['server', 'api', 'chain', 'frames', 'browser', 'places', 'faults', 'e2e'])
    await runSuite(node, name, suites[name]);
  if (process.argv.includes('--long')) {
    await runSuite(node, 'long', long);
    await runSuite(node, 'long-chaos', longChaos);
  } else
    say(`not run: ${long.files.length} files of walls, states, faults and long runs; npm test -- --long runs them too`);
};

const quickly = async (node) => {
  await ensureSystemTools(['ffmpeg']);
  await Promise.all([format(node), types(node)]);
  await runSuite(node, 'boundaries', suites.boundaries);
  await runSuite(node, 'unit', suites.unit);
};

const suite = async (node, name) => {
  if (!suites[name]) throw new Sentence(`There is no suite ${name}. There are: ${Object.keys(suites).join(', ')}.`);
  await ensureSystemTools();
  await pages(node);
  await runSuite(node, name, suites[name]);
};

/** Some files only, with the name of every test. */
const only = async (node, patterns) => {
  const wanted = (file) => patterns.some((pattern) => file.includes(pattern.replace(/^\.\//, '')));
  const chosen = [...Object.values(suites), long].flatMap((suite) =>
    suite.files.filter(wanted).map((file) => ({ file, pages: suite.pages, memory: suite.memory ?? false })),
  );
  if (chosen.length === 0) throw new Sentence(`No test file has ${patterns.join(' or ')} in its path.`);
  await ensureSystemTools();
  await ensureBuilt(node, chosen.some((test) => test.pages) ? {} : { wanted: ['pages'] });
  const files = chosen.map((test) => test.file);
  const memory = chosen.every((test) => test.memory);
  const how = { shown: 'spec', on: 'stdout', kept: OWN_REPORTER, limit: 15 * MINUTE, memory };
  count(await runFiles(node, 'some', files, how));
};

const HELP = `npm test                    everything: format, types, boundaries, unit tests, the API, browsers, journeys
npm test -- PATH [PATH …]   the test files with that in their path, with the name of every test
npm test -- --suite NAME    one part of it: ${Object.keys(suites).join(', ')}
npm test -- --long          also what wants the machine to itself for long
npm run check               the quick part: format, types, boundaries, unit tests that need no server

Screenshots and full reports are left in test-artefacts. The last line is "N passed, N failed".
`;

await command(async () => {
  const started = Date.now();
  const args = process.argv.slice(2);
  if (args.includes('--help')) return void process.stdout.write(HELP);
  const unknown = args.find((arg) => arg.startsWith('-') && !['--quick', '--long', '--suite'].includes(arg));
  if (unknown) throw new Sentence(`There is no option ${unknown}. npm test -- --help lists what there is.`);
  const node = await ensureInstalled();
  mkdirSync(artefacts, { recursive: true });
  if (args[0] === '--quick') await quickly(node);
  else if (args[0] === '--suite') await suite(node, args[1]);
  else if (args[0] === '--long') await everything(node);
  else if (args.length > 0) await only(node, args);
  else await everything(node);
  line('all', total.skipped ? `${total.skipped} skipped` : '', started);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
});
