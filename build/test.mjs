/**
 * `npm test`: runs all tests, also on a fresh clone. `npm run check`: the quick part. `npm test -- playlists`: test
 * files with that text in their path. The last line is `N passed, N failed`; each check (format, types …) counts as
 * one.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './ensure-built.mjs';
import { command, ensureInstalled, root, Sentence, say } from './install.mjs';
import { ensureSystemTools } from './system-tools.mjs';
import { testsReaching } from './test-changed.mjs';
import { CORES, groupsOf, LANES, longChaos, needsOwnProcess, ONE_BY_ONE, suites } from './test-suites.mjs';
import { addRun, tooUnsteady } from './test-unsteady.mjs';

const MINUTE = 60_000;
const artefacts = join(root, 'test-artefacts');
/** Folder of the compile cache, because a hundred test files load the same sources. */
const compiled = join(root, '.vitrine', 'compiled');
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;
/**
 * Returns a folder in memory for temporary files; undefined if there is none with enough space. Without this folder,
 * tests with a thousand small stores mostly wait for the disk. Not used for tests of disks.
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

const NOTHING = { passed: 0, failed: 0, skipped: 0 };
const total = { ...NOTHING };
const running = new Set();

/** Runs a program in a separate process group, so that all processes that it started end at its time limit. */
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

/** Runs a check, which counts as one test. */
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
 * @param name name of the files with the report and the counts
 * @param options.memory puts temporary folders in memory
 * @param options.shown reporter for the terminal, on the stream `on`; `kept`: reporter for the file
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
  // A run that ended without a failed test because of its time limit or a signal also counts as a failure.
  if (!ok && counts.failed === 0) counts.failed = 1;
  return { ...counts, late };
};

const count = (counts) => {
  for (const key of Object.keys(total)) total[key] += counts[key];
};

/** Files of this run that passed only at the second attempt. */
const unsteady = [];
/** Largest number of failed files that run a second time. If more files fail, the cause is not a coincidence. */
const SECOND_TRIES = 2;

/**
 * Runs one or two failed files once more, alone, because tests that watch a browser, kill processes or measure timing
 * share the machine with others. A second failure counts as a failure; a file that passes is reported as unsteady.
 */
const tryAgain = async (node, name, first, options) => {
  const files = first.failed_files.filter((file) => file !== undefined).map((file) => relative(root, file));
  if (first.late || files.length === 0 || files.length > SECOND_TRIES) return first;
  const again = await runFiles(node, `${name}-again`, files, { ...options, at_once: 1 });
  if (again.failed > 0 || again.late) return first;
  say(`    UNSTEADY: passed only when run again, alone: ${files.join(', ')}`);
  unsteady.push(...files);
  return { ...first, passed: first.passed + first.failed, failed: 0 };
};

/**
 * Writes a program for each group of files that share a process (test-group.mjs). Returns the paths of the programs.
 * @param limit time limit per file in milliseconds
 */
const groupPrograms = (name, { files, together, shared = [] }, limit) => {
  const folder = join(artefacts, 'groups');
  mkdirSync(folder, { recursive: true });
  const isAlone = (file) => needsOwnProcess(readFileSync(join(root, file), 'utf8'));
  const absolute = (paths) => paths.map((path) => join(root, path));
  return groupsOf(files, together, isAlone).map((group, at) => {
    const program = join(folder, `${name}-${at + 1}.mjs`);
    const options = { limit, shared: absolute(shared), relativeTo: root };
    writeFileSync(
      program,
      `import { runTogether } from ${JSON.stringify(pathToFileURL(join(root, 'build/test-group.mjs')).href)};\n` +
        `await runTogether(${JSON.stringify(absolute(group))}, ${JSON.stringify(options)});\n`,
    );
    return relative(root, program);
  });
};

/**
 * Runs a suite once, and reports it unless files failed that get a second attempt.
 * @param besides true while other suites run: fewer files run at once, and the suite gets more time
 * @returns the second attempt with the report; undefined when none is needed
 */
const runOnce = async (node, name, suite, { besides = false } = {}) => {
  const { files, each, again = false, memory = false, env = {}, together } = suite;
  if (files.length === 0) return undefined;
  const started = Date.now();
  const at_once = besides ? Math.min(suite.at_once, CORES) : suite.at_once;
  const limit = besides ? 2 * suite.limit : suite.limit;
  const more = [`--test-timeout=${each}`];
  const options = { shown: OWN_REPORTER, on: 'stderr', kept: 'spec', at_once, limit, more, memory, env };
  // The limit of Node would apply to the process, which runs several files. Here the limit applies to each file.
  const first = together
    ? await runFiles(node, name, groupPrograms(name, suite, limit / 2), {
        ...options,
        more: [`--test-timeout=${limit}`],
      })
    : await runFiles(node, name, files, options);
  const report = (counts) => {
    count(counts);
    const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
    const late = counts.late ? `; stopped after ${limit / MINUTE} minutes` : '';
    line(name, `${counts.passed} passed, ${counts.failed} failed${skipped} in ${files.length} files${late}`, started);
  };
  if (again && first.failed > 0) return async () => report(await tryAgain(node, name, first, options));
  report(first);
  return undefined;
};

const runSuite = async (node, name, suite) => {
  const secondAttempt = await runOnce(node, name, suite);
  await secondAttempt?.();
};

/**
 * Runs lists of suites beside each other, because tests that wait leave processor time to others. Second attempts come
 * last, when nothing else runs.
 * @param lanes lists of names; the suites of a list run one after another
 */
const runBesides = async (node, lanes) => {
  const secondAttempts = [];
  let lanesLeft = lanes.length;
  const runLane = async (names) => {
    for (const name of names) secondAttempts.push(await runOnce(node, name, suites[name], { besides: lanesLeft > 1 }));
    lanesLeft--;
  };
  await Promise.all(lanes.map(runLane));
  for (const secondAttempt of secondAttempts) await secondAttempt?.();
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
  // With --long, property tests run more random cases (test/run-count.ts).
  if (process.argv.includes('--long')) process.env.VITRINE_THOROUGH = '1';
  await ensureSystemTools();
  await Promise.all([format(node), types(node), unused(node)]);
  await runSuite(node, 'boundaries', suites.boundaries);
  await pages(node);
  await runBesides(node, LANES);
  for (const name of ONE_BY_ONE) await runSuite(node, name, suites[name]);
  const { long } = suites;
  if (process.argv.includes('--long')) {
    await runSuite(node, 'long', long);
    await runSuite(node, 'long-chaos', longChaos);
  } else
    say(`not run: ${long.files.length} files of walls, states, faults and long runs; npm test -- --long runs them too`);
  countUnsteady();
};

/** A file that repeatedly needs its second attempt counts as failed, so that people repair the test. */
const countUnsteady = () => {
  const runs = addRun(join(artefacts, 'unsteady.json'), unsteady);
  for (const { file, times, of } of tooUnsteady(runs)) {
    total.failed++;
    say(`    FAILED: ${file} needed a second try in ${times} of the last ${of} runs. Make it steady.`);
  }
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

/** Runs selected files and shows the name of every test. */
const only = async (node, patterns) => {
  const wanted = (file) => patterns.some((pattern) => file.includes(pattern.replace(/^\.\//, '')));
  const chosen = Object.values(suites).flatMap((suite) =>
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

/** Runs the tests that a change can affect, suite by suite, without --long. */
const affected = async (node, base) => {
  const files = new Set(testsReaching(base));
  await ensureSystemTools();
  const { long, ...others } = suites;
  const chosen = Object.entries(others).map(([name, suite]) => [
    name,
    { ...suite, files: suite.files.filter((file) => files.has(file)) },
  ]);
  const left = long.files.filter((file) => files.has(file));
  if (chosen.some(([, suite]) => suite.pages && suite.files.length > 0)) await pages(node);
  for (const [name, suite] of chosen) await runSuite(node, name, suite);
  if (left.length > 0) say(`not run, as they take long: ${left.join(', ')}`);
};

const HELP = `npm test                    everything: format, types, boundaries, unit tests, the API, browsers, journeys
npm test -- PATH [PATH …]   the test files with that in their path, with the name of every test
npm test -- --suite NAME    one part of it: ${Object.keys(suites).join(', ')}
npm test -- --changed [BASE] the tests that a change since the commit BASE (HEAD) can affect
npm test -- --long          also what wants the machine to itself for long
npm run check               the quick part: format, types, boundaries, unit tests that need no server

Screenshots and full reports are left in test-artefacts. The last line is "N passed, N failed".
`;

await command(async () => {
  const started = Date.now();
  const args = process.argv.slice(2);
  if (args.includes('--help')) return void process.stdout.write(HELP);
  const unknown = args.find(
    (arg) => arg.startsWith('-') && !['--quick', '--long', '--suite', '--changed'].includes(arg),
  );
  if (unknown) throw new Sentence(`There is no option ${unknown}. npm test -- --help lists what there is.`);
  const node = await ensureInstalled();
  mkdirSync(artefacts, { recursive: true });
  if (args[0] === '--quick') await quickly(node);
  else if (args[0] === '--suite') await suite(node, args[1]);
  else if (args[0] === '--changed') await affected(node, args[1] ?? 'HEAD');
  else if (args[0] === '--long') await everything(node);
  else if (args.length > 0) await only(node, args);
  else await everything(node);
  line('all', total.skipped ? `${total.skipped} skipped` : '', started);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
});
