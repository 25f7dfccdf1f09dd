/**
 * Runs test files for mutants.ts, repeatedly in one process: only the mutated module and its importers are reloaded
 * each time. The fault is inserted while Node loads the module. Exchanges messages with its parent process.
 */
import { Session } from 'node:inspector/promises';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { type KeptTest, runTest, takeKept } from './node-test.ts';

/**
 * Runs the tests in `files`. Reports the duration of each test, and which of the `offsets` in `target` the test
 * executed.
 */
export type Measure = { target: string; fresh: string[]; files: string[]; offsets: number[] };
export type Measured = { file: string; index: number; ms: number; runs: boolean[] };
/** Runs the named tests until one fails, with or without a fault in `target`. */
export type Attempt = {
  target: string;
  fresh: string[];
  fault?: { start: number; end: number; text: string };
  tests: { file: string; indexes: number[] }[];
};
/**
 * Answer of the process. `unfit`: tests that fail without any fault, for example because of time limits. `spoiled`: the
 * failure may affect the next attempt, so that this process should not be reused.
 */
export type Outcome = { measured?: Measured[]; unfit?: string[]; failed?: string; spoiled?: boolean };

const STAND_IN = new URL('./node-test.ts', import.meta.url).href;
let generation = 0;
let asked: Measure | Attempt;
let fresh = new Set<string>();

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test' && context.parentURL !== STAND_IN) return { url: STAND_IN, shortCircuit: true };
    const resolved = next(specifier, context);
    return fresh.has(resolved.url) ? { ...resolved, url: `${resolved.url}?${generation}` } : resolved;
  },
  load(url, context, next) {
    const plain = url.split('?')[0]!;
    if (!fresh.has(plain)) return next(url, context);
    const source = stripped(plain, String(next(plain, { ...context, format: 'module-typescript' }).source));
    return { format: 'module', source, shortCircuit: true };
  },
});

const known = new Map<string, string>();
/**
 * Returns a module as JavaScript with unchanged character positions, and with the fault if the module is the target.
 */
const stripped = (url: string, source: string): string => {
  if ('fault' in asked && asked.fault && url === asked.target) {
    const { start, end, text } = asked.fault;
    return stripTypeScriptTypes(source.slice(0, start) + text + source.slice(end));
  }
  const code = known.get(url) ?? stripTypeScriptTypes(source);
  known.set(url, code);
  return code;
};

let giveUp: (reason: Error) => void = () => {};
let spoiled = false;
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error) => {
    spoiled = true;
    giveUp(error as Error);
  });
// The process has nothing left to do while a test still waits: this counts as a failure of the test.
process.on('beforeExit', () => {
  spoiled = true;
  giveUp(new Error('nothing is left to wait for'));
});

/** Loads a test file and runs `each` with its tests, between its before and after hooks. */
const inFile = async (file: string, each: (tests: KeptTest[]) => Promise<void>): Promise<void> => {
  takeKept();
  await import(`${file}?${generation}`);
  const { tests, before, after } = takeKept();
  await runTest(file, async (context) => {
    for (const work of after) context.after(() => work(context));
    for (const work of before) await work(context);
    await each(tests);
  });
};

const attempt = async ({ tests }: Attempt): Promise<Outcome> => {
  for (const { file, indexes } of tests)
    await inFile(file, async (all) => {
      for (const { name, work } of indexes.map((index) => all[index]!)) await runTest(name, work);
    });
  return {};
};

const measure = async ({ target, files, offsets }: Measure): Promise<Outcome> => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  /**
   * Returns for each offset whether it was executed since the last call. The count of the innermost range around the
   * offset decides.
   */
  const ran = async (): Promise<boolean[]> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ranges = result
      .filter(({ url }) => url.split('?')[0] === target)
      .flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
    ranges.sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
    return offsets.map(
      (offset) =>
        (ranges.find(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)?.count ?? 0) > 0,
    );
  };
  const measured: Measured[] = [];
  const unfit: string[] = [];
  for (const file of files) {
    await ran();
    generation++;
    await inFile(file, async (all) => {
      const always = await ran();
      for (const [index, { name, work }] of all.entries()) {
        const started = performance.now();
        const failure = await runTest(name, work).then(
          () => undefined,
          (error) => String(error),
        );
        const ms = performance.now() - started;
        const now = await ran();
        if (failure) {
          unfit.push(`${file}: ${name}: ${failure}`);
          continue;
        }
        measured.push({ file, index, ms, runs: now.map((yes, i) => yes || always[i]!) });
      }
    });
  }
  session.disconnect();
  return { measured, unfit };
};

process.on('message', async (message: Measure | Attempt) => {
  asked = message;
  fresh = new Set(asked.fresh);
  generation++;
  process.channel?.unref();
  const outcome = await new Promise<Outcome>((resolve) => {
    giveUp = (error) => resolve({ failed: String(error?.stack ?? error) });
    ('files' in asked ? measure(asked) : attempt(asked)).then(resolve, giveUp);
  });
  giveUp = () => {};
  process.channel?.ref();
  process.send?.({ ...outcome, spoiled });
});
