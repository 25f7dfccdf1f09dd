/**
 * `npm run mutants -- PATH …`: plants faults into sources, one at a time, and says which of them no test notices.
 * The fault is in memory only (hook.mjs): the files stay as they are. One process a fault, with the tests that run that line.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Mutation, mutationsOf } from './mutations.ts';

const root = join(import.meta.dirname, '../..');
const HELP = `npm run mutants -- PATH …      plants faults into these sources or folders of sources, one at a time; prints what no test notices
                               PATH:LINE for one line of a file
  --sample N                   N of the faults, spread over the sources
  --seed N                     another choice of them (default 1)
  --least P                    how many per cent must be noticed (default 100)
  --list                       prints the faults, plants none

Faults that change nothing are listed with their reason in test/mutants/equivalent.json, and not counted.
Ends with 0 if enough was noticed, 1 if not, 2 if it could not be measured.
`;

type Equivalent = { file: string; line: string; becomes: string; why: string };
type Mutant = Mutation & { file: string; row: number; line: string; becomes: string };
type Test = { file: string; ms: number; ran: Map<string, (offset: number) => boolean> };

class Unusable extends Error {}

const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules/'));
const isTest = (file: string): boolean => file.endsWith('.test.ts');

/** Returns the sources that a path of the command line stands for. */
const sourcesAt = (path: string): string[] => {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) throw new Unusable(`There is no ${path}.`);
  if (found.isFile()) return [path];
  return filesIn(path).filter((file) => !isTest(file) && !/\/testing\/|\.config\.ts$/.test(file));
};

const mutantsOf = (file: string): Mutant[] => {
  const source = sourceOf(file);
  return mutationsOf(source).map((mutation) => {
    const begin = source.lastIndexOf('\n', mutation.start - 1) + 1;
    const end = source.indexOf('\n', mutation.start);
    const after = source.slice(begin, mutation.start) + mutation.text + source.slice(mutation.end);
    return { ...mutation, file, row: source.slice(0, begin).split('\n').length, line: source.slice(begin, end).trim(), becomes: after.split('\n')[0]!.trim() };
  });
};

/** Returns `count` of the values, the same for the same seed (a linear congruential generator, as in Numerical Recipes). */
const sampleOf = <Value>(values: Value[], count: number, seed: number): Value[] => {
  let state = seed >>> 0;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  return values
    .map((value, place) => ({ value, place, rank: next() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
};

const tests = ['shared', 'server', 'player', 'build', 'test/api'].flatMap(filesIn).filter((file) => isTest(file) && !file.endsWith('.browser.test.ts'));

const importsOf = new Map<string, string[]>();
const imports = (file: string): string[] => {
  let known = importsOf.get(file);
  if (!known) {
    const found = sourceOf(file).matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g);
    known = [...found].map((match) => join(dirname(file), match[1]!).replaceAll('\\', '/')).filter((path) => statSync(join(root, path), { throwIfNoEntry: false }));
    importsOf.set(file, known);
  }
  return known;
};
const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
  imports(from).some((file) => {
    if (file === to) return true;
    if (seen.has(file)) return false;
    seen.add(file);
    return reaches(file, to, seen);
  });

/** Returns the tests that belong to a source: those beside it, those that import it, and those of the API of its feature. */
const testsFor = (source: string): string[] => {
  const feature = basename(dirname(source));
  const near = (test: string) => dirname(test) === dirname(source) || imports(test).includes(source) || test === `test/api/${feature}.test.ts`;
  return tests.filter((test) => near(test) && reaches(test, source));
};

const folder = mkdtempSync(join(tmpdir(), 'vitrine-mutants-'));
const compiled = join(root, '.vitrine', 'compiled');
let running: number | undefined;
const endRunning = () => {
  if (running === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? running : -running, 'SIGKILL');
  } catch {}
  running = undefined;
};

/** Runs test files in a process of their own until one test fails. Resolves to whether all passed, in time. */
const run = (files: string[], { limit, env }: { limit: number; env: Record<string, string> }): Promise<boolean> =>
  new Promise((resolve) => {
    const at = (file: string) => pathToFileURL(join(import.meta.dirname, file)).href;
    const temporary = mkdtempSync(join(folder, 'run-'));
    const child = spawn(process.execPath, ['--test', '--test-isolation=none', `--test-reporter=${at('reporter.mjs')}`, ...files], {
      cwd: root,
      stdio: 'ignore',
      detached: process.platform !== 'win32',
      env: { ...process.env, NODE_COMPILE_CACHE: compiled, NODE_OPTIONS: `--import=${at('hook.mjs')} --max-old-space-size=1024`, TMPDIR: temporary, TEMP: temporary, ...env },
    });
    running = child.pid;
    const timer = setTimeout(endRunning, limit);
    child.on('exit', (code) => {
      clearTimeout(timer);
      endRunning();
      rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
      resolve(code === 0);
    });
  });

/** Returns which characters of each source ran, from what V8 wrote: of the ranges around one, the innermost says it. */
const coverageIn = (from: string): Map<string, (offset: number) => boolean> => {
  const ranges = new Map<string, { startOffset: number; endOffset: number; count: number }[][]>();
  for (const file of readdirSync(from)) {
    const { result } = JSON.parse(readFileSync(join(from, file), 'utf8'));
    for (const { url, functions } of result) ranges.set(url, [...(ranges.get(url) ?? []), functions.flatMap((each: any) => each.ranges)]);
  }
  return new Map(
    [...ranges].map(([url, processes]) => [
      url,
      (offset) =>
        processes.some((all) => {
          const around = all.filter((range) => range.startOffset <= offset && offset < range.endOffset);
          return (around.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0]?.count ?? 0) > 0;
        }),
    ]),
  );
};

const measured = new Map<string, Test>();
/** Runs a test file without any fault, once, and keeps how long it took and which lines it ran. */
const measure = async (file: string): Promise<Test> => {
  const known = measured.get(file);
  if (known) return known;
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const started = performance.now();
  if (!(await run([file], { limit: 180_000, env: { NODE_V8_COVERAGE: coverage } }))) throw new Unusable(`${file} fails without any fault.`);
  const test = { file, ms: performance.now() - started, ran: coverageIn(coverage) };
  rmSync(coverage, { recursive: true });
  measured.set(file, test);
  return test;
};

/** Whether a test notices the mutant: fails, or takes many times as long. */
const isNoticed = async (mutant: Mutant, all: Test[]): Promise<boolean> => {
  const { url, start, end, text } = { ...mutant, url: pathToFileURL(join(root, mutant.file)).href };
  const chosen = all.filter((test) => test.ran.get(url)?.(start)).sort((a, b) => a.ms - b.ms);
  if (chosen.length === 0) return false;
  const limit = 5_000 + 5 * chosen.reduce((sum, test) => sum + test.ms, 0);
  return !(await run(
    chosen.map((test) => test.file),
    { limit, env: { VITRINE_MUTANT: JSON.stringify({ url, start, end, text }) } },
  ));
};

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const nameOf = (mutant: Mutant) => `${mutant.file}:${mutant.row}  ${mutant.kind}\n  - ${mutant.line}\n  + ${mutant.becomes}\n`;

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sample: { type: 'string' }, seed: { type: 'string' }, least: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length === 0) throw new Unusable(`Say which sources.\n\n${HELP}`);
  const [sample, seed, least] = [values.sample ?? Number.MAX_SAFE_INTEGER, values.seed ?? 1, values.least ?? 100].map(Number) as [number, number, number];
  if (![sample, seed, least].every((number) => number >= 0)) throw new Unusable('--sample, --seed and --least are numbers.');

  const equivalents: Equivalent[] = JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'));
  const stale = new Set(equivalents);
  const planted = positionals.flatMap((path) => {
    const [place, row] = path.replace(/^\.\//, '').split(':') as [string, string?];
    return sourcesAt(place.replace(/\/$/, '')).flatMap((file) => mutantsOf(file).filter((mutant) => row === undefined || mutant.row === Number(row)));
  });
  const counted = planted.filter((mutant) => {
    const same = equivalents.filter(({ file, line, becomes }) => file === mutant.file && line === mutant.line && becomes === mutant.becomes);
    for (const each of same) stale.delete(each);
    return same.length === 0;
  });
  const gone = [...stale].filter(({ file }) => positionals.some((path) => file === path || file.startsWith(`${path}/`)));
  for (const { file, line, becomes } of gone) console.error(`equivalent.json: there is no such fault any more in ${file}:\n  - ${line}\n  + ${becomes}`);
  if (gone.length > 0) return 2;
  const chosen = sampleOf(counted, sample, seed);
  if (values.list) {
    for (const mutant of chosen) process.stdout.write(nameOf(mutant));
    return 0;
  }

  mkdirSync(compiled, { recursive: true });
  setPriority(constants.priority.PRIORITY_LOW);
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) process.once(signal, () => process.exit(code));
  process.once('exit', () => {
    endRunning();
    rmSync(folder, { recursive: true, force: true });
  });
  const scores = new Map<string, { noticed: number; all: number }>();
  let started = 0;
  for (const mutant of chosen) {
    const belonging: Test[] = [];
    for (const file of testsFor(mutant.file)) belonging.push(await measure(file));
    const before = performance.now();
    const noticed = await isNoticed(mutant, belonging);
    started += performance.now() - before;
    const score = scores.get(mutant.file) ?? { noticed: 0, all: 0 };
    scores.set(mutant.file, { noticed: score.noticed + Number(noticed), all: score.all + 1 });
    if (!noticed) process.stdout.write(nameOf(mutant));
  }
  const folders = Map.groupBy(scores, ([file]) => dirname(file));
  const sum = (rows: [string, { noticed: number; all: number }][]) =>
    rows.reduce((to, [, { noticed, all }]) => ({ noticed: to.noticed + noticed, all: to.all + all }), { noticed: 0, all: 0 });
  process.stdout.write('\n');
  for (const [name, rows] of folders) {
    for (const [file, { noticed, all }] of rows) process.stdout.write(`${percent(noticed, all).padStart(8)}  ${noticed} of ${all}  ${relative(name, file)}\n`);
    const { noticed, all } = sum(rows);
    process.stdout.write(`${percent(noticed, all).padStart(8)}  ${noticed} of ${all}  ${name}\n`);
  }
  const { noticed, all } = sum([...scores]);
  process.stdout.write(
    `${percent(noticed, all)} noticed: ${noticed} of ${all}, ${planted.length - counted.length} more change nothing; ${((1_000 * all) / started).toFixed(1)} a second\n`,
  );
  return 100 * noticed >= least * all ? 0 : 1;
};

try {
  process.exit(await main());
} catch (error) {
  if (!(error instanceof Unusable) && !String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw error;
  console.error((error as Error).message);
  process.exit(2);
}
