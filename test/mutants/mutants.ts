/**
 * `npm run mutants -- PATH …`: puts faults into sources, one at a time, and lists the faults that no test notices. A
 * fault exists only in memory (runner.ts): the files do not change. Runs only tests that execute the faulty code, the
 * quickest first.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Mutation, mutationsOf } from './mutations.ts';
import type { Attempt, Measure, Measured, Outcome } from './runner.ts';
import { untypable } from './typed.ts';

const root = join(import.meta.dirname, '../..');
const compiled = join(root, '.vitrine', 'compiled');
const HELP = `npm run mutants -- PATH …      plants faults into these sources or folders of sources, one at a time; prints what no test notices
                               PATH:LINE for one line of a file
  --sample N                   N of the faults, spread over the sources
  --seed N                     another choice of them (default 1)
  --least P                    how many per cent must be noticed (default 100)
  --tests PATH                 only the test files with that in their path
  --also PATH                  of all test files also those with that in their path; may be given several times
  --list                       prints the faults, plants none

Faults that do not compile are left out; those that change nothing are listed with their reason in test/mutants/equivalent.json, and not counted.
Ends with 0 if enough was noticed, 1 if not, 2 if it could not be measured.
`;

type Equivalent = { file: string; line: string; becomes: string; why: string };
type Mutant = Mutation & { file: string; row: number; line: string; becomes: string };
type Score = { noticed: number; all: number };

class Unusable extends Error {}

const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules/'));
const isTest = (file: string): boolean => file.endsWith('.test.ts');

/** Returns the source files for a path on the command line. */
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
    return {
      ...mutation,
      file,
      row: source.slice(0, begin).split('\n').length,
      line: source.slice(begin, end).trim(),
      becomes: after.split('\n')[0]!.trim(),
    };
  });
};

/**
 * Returns `count` of the values, the same for the same seed (a linear congruential generator, as in Numerical Recipes).
 */
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

const tests = ['shared', 'server', 'player', 'build', 'test/api']
  .flatMap(filesIn)
  .filter((file) => isTest(file) && !file.endsWith('.browser.test.ts'));

const importsOf = new Map<string, string[]>();
const imports = (file: string): string[] => {
  let known = importsOf.get(file);
  if (!known) {
    const found = sourceOf(file).matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g);
    known = [...found]
      .map((match) => join(dirname(file), match[1]!).replaceAll('\\', '/'))
      .filter((path) => statSync(join(root, path), { throwIfNoEntry: false }));
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

/** Tests for all features: activity log and announcements, isolation, missing records, and limits. */
const OF_ALL = ['acts', 'activity', 'general', 'isolation', 'harmless'].map((name) => `test/api/${name}.test.ts`);

/**
 * Returns the tests for a source: tests in its folder and tests that import it, and for a feature also the tests for
 * all features. `only` restricts the tests, and `also` adds more.
 */
const testsFor = (source: string, { only, also }: { only: string; also: readonly string[] }): string[] => {
  const isFeature = source.startsWith('server/features/') && source.endsWith('.service.ts');
  const near = (test: string) =>
    dirname(test) === dirname(source) || imports(test).includes(source) || (isFeature && OF_ALL.includes(test));
  const isWanted = (test: string) => (near(test) && test.includes(only)) || also.some((path) => test.includes(path));
  return tests.filter((test) => isWanted(test) && reaches(test, source));
};

/** Returns the test files and every source of this project that they import. */
const loadedBy = (files: string[]): string[] => {
  const seen = new Set(files);
  for (const file of seen) for (const other of imports(file)) seen.add(other);
  return [...seen];
};

const folder = mkdtempSync(join(tmpdir(), 'vitrine-mutants-'));
const urlOf = (file: string): string => pathToFileURL(join(root, file)).href;
let runner: ChildProcess | undefined;
const endRunner = () => {
  const pid = runner?.pid;
  runner = undefined;
  try {
    // Kills the process group, so that the processes that the tests started end as well.
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {}
};
const startRunner = () =>
  fork(join(import.meta.dirname, 'runner.ts'), {
    cwd: root,
    stdio: process.env.VITRINE_MUTANTS_LOUD ? 'inherit' : 'ignore',
    detached: process.platform !== 'win32',
    execArgv: ['--no-warnings', '--max-old-space-size=2048'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, TMPDIR: folder, TEMP: folder },
  });

/**
 * Sends a request to the process that runs the tests, or to a new process if the last process is no longer usable. A
 * crash or a time over `limit` (ms) counts as a failed test.
 */
const ask = (question: Measure | Attempt, limit: number): Promise<Outcome> =>
  new Promise((resolve) => {
    runner ??= startRunner();
    const asked = runner;
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      asked.removeAllListeners();
      if (outcome.spoiled) endRunner();
      resolve(outcome);
    };
    const timer = setTimeout(() => end({ failed: 'takes too long', spoiled: true }), limit);
    asked.once('message', (outcome: Outcome) => end(outcome));
    asked.once('exit', () => end({ failed: 'ended the process', spoiled: true }));
    asked.send(question);
  });

/** Tries the mutants of one source with the tests in `files`. */
const tryAll = async (
  file: string,
  mutants: Mutant[],
  files: string[],
  noticed: (mutant: Mutant, yes: boolean) => void,
): Promise<void> => {
  const place = {
    target: urlOf(file),
    fresh: loadedBy(files)
      .filter((each) => each === file || reaches(each, file))
      .map(urlOf),
  };
  const offsets = [...new Set(mutants.map(({ start }) => start))];
  const { measured, unfit = [], failed } = await ask({ ...place, files: files.map(urlOf), offsets }, 600_000);
  if (!measured) throw new Unusable(`Without any fault: ${failed}`);
  for (const failure of unfit) console.error(`Left out, for it fails without any fault: ${failure.split('\n')[0]}`);
  // Sorts the test files by their quickest test. Inside a file, the order stays, since tests may rely on it.
  const byTime = measured.sort((a, b) => a.ms - b.ms);
  const chosen = (wanted: Measured[]) =>
    [...Map.groupBy(wanted, (test) => test.file)].map(([file, all]) => ({
      file,
      indexes: all.map(({ index }) => index).sort((a, b) => a - b),
    }));
  const limitOf = (wanted: Measured[]) => 10_000 + 5 * wanted.reduce((sum, { ms }) => sum + ms, 0);
  for (const mutant of mutants) {
    const which = offsets.indexOf(mutant.start);
    const belonging = byTime.filter(({ runs }) => runs[which]);
    const outcome = await ask({ ...place, fault: mutant, tests: chosen(belonging) }, limitOf(belonging));
    noticed(mutant, outcome.failed !== undefined);
  }
  // Checks that no test fails because of data that another test leaves behind.
  const after = await ask({ ...place, tests: chosen(byTime) }, limitOf(byTime));
  if (after.failed !== undefined)
    console.error(`The tests of ${file} depend on each other, or on the time: ${after.failed}`);
};

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const nameOf = (mutant: Mutant) =>
  `${mutant.file}:${mutant.row}  ${mutant.kind}\n  - ${mutant.line}\n  + ${mutant.becomes}\n`;

const sum = (scores: Iterable<Score>): Score => {
  const to = { noticed: 0, all: 0 };
  for (const { noticed, all } of scores) {
    to.noticed += noticed;
    to.all += all;
  }
  return to;
};
/** Prints the score of each source, of each folder, and of all. Returns the total. */
const printScores = (scores: Map<string, Score>): Score => {
  const row = ({ noticed, all }: Score, name: string) =>
    process.stdout.write(`${percent(noticed, all).padStart(8)}  ${noticed} of ${all}  ${name}\n`);
  for (const [name, rows] of Map.groupBy(scores, ([file]) => dirname(file))) {
    for (const [file, score] of rows) row(score, basename(file));
    row(sum(rows.map(([, score]) => score)), name);
  }
  const total = sum(scores.values());
  row(total, 'noticed');
  return total;
};

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string' },
      seed: { type: 'string' },
      least: { type: 'string' },
      tests: { type: 'string' },
      also: { type: 'string', multiple: true },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length === 0) throw new Unusable(`Say which sources.\n\n${HELP}`);
  const [sample, seed, least] = [values.sample ?? Number.MAX_SAFE_INTEGER, values.seed ?? 1, values.least ?? 100].map(
    Number,
  ) as [number, number, number];
  if (![sample, seed, least].every((number) => number >= 0))
    throw new Unusable('--sample, --seed and --least are numbers.');

  const equivalents: Equivalent[] = JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'));
  const stale = new Set(equivalents);
  const planted = positionals.flatMap((path) => {
    const [place, row] = path.replace(/^\.\//, '').split(':') as [string, string?];
    return sourcesAt(place.replace(/\/$/, '')).flatMap((file) =>
      mutantsOf(file).filter((mutant) => row === undefined || mutant.row === Number(row)),
    );
  });
  const counted = planted.filter((mutant) => {
    const same = equivalents.filter(
      ({ file, line, becomes }) => file === mutant.file && line === mutant.line && becomes === mutant.becomes,
    );
    for (const each of same) stale.delete(each);
    return same.length === 0;
  });
  const gone = [...stale].filter(({ file }) =>
    positionals.some((path) => file === path || file.startsWith(`${path}/`)),
  );
  for (const { file, line, becomes } of gone)
    console.error(`equivalent.json: there is no such fault any more in ${file}:\n  - ${line}\n  + ${becomes}`);
  if (gone.length > 0) return 2;
  const built = await untypable(counted);
  const chosen = sampleOf(
    counted.filter((mutant) => !built.has(mutant)),
    sample,
    seed,
  );
  if (values.list) {
    for (const mutant of chosen) process.stdout.write(nameOf(mutant));
    return 0;
  }

  const scores = new Map<string, Score>();
  mkdirSync(compiled, { recursive: true });
  setPriority(constants.priority.PRIORITY_LOW);
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => {
      printScores(scores);
      process.exit(code);
    });
  process.once('exit', () => {
    endRunner();
    rmSync(folder, { recursive: true, force: true });
  });
  const began = performance.now();
  for (const [file, mutants] of Map.groupBy(chosen, (mutant) => mutant.file))
    await tryAll(
      file,
      mutants,
      testsFor(file, { only: values.tests ?? '', also: values.also ?? [] }),
      (mutant, yes) => {
        const { noticed, all } = scores.get(file) ?? { noticed: 0, all: 0 };
        scores.set(file, { noticed: noticed + Number(yes), all: all + 1 });
        if (!yes) process.stdout.write(nameOf(mutant));
      },
    );
  const seconds = (performance.now() - began) / 1_000;
  const { noticed, all } = printScores(scores);
  process.stdout.write(
    `${planted.length - counted.length} more change nothing, ${built.size} do not compile; ${(all / seconds).toFixed(1)} a second\n`,
  );
  return 100 * noticed >= least * all ? 0 : 1;
};

try {
  process.exit(await main());
} catch (error) {
  if (!(error instanceof Unusable) && !String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS'))
    throw error;
  console.error((error as Error).message);
  process.exit(2);
}
