/**
 * Stands in for `node:test` in a test file that runner.ts loads: keeps the tests, for runner.ts to run those it wants,
 * as often as it wants.
 */
import { mock, type TestContext } from 'node:test';

type Work = (context: TestContext) => unknown;
type Options = { skip?: unknown };
export type KeptTest = { name: string; work: Work };
type Kept = { tests: KeptTest[]; before: Work[]; after: Work[] };

let kept: Kept = { tests: [], before: [], after: [] };
/** Returns what has been kept since it was last asked. */
export const takeKept = (): Kept => {
  const all = kept;
  kept = { tests: [], before: [], after: [] };
  return all;
};

const NOTHING = () => {};
/** Runs one test with what it may ask of its context, and what it asked to be done after it. */
export const runTest = async (name: string, work: Work): Promise<void> => {
  const after: (() => unknown)[] = [];
  const context = {
    name,
    mock,
    signal: new AbortController().signal,
    after: (undo: () => unknown) => void after.push(undo),
    diagnostic: NOTHING,
    skip: NOTHING,
    test: (inner: string, ...given: [Work] | [Options, Work]) => runTest(inner, given.at(-1) as Work),
  };
  try {
    await work(context as unknown as TestContext);
  } finally {
    for (const undo of after) await undo();
    mock.reset();
  }
};

export const test = (name: string, ...given: [Work] | [Options, Work]): void => {
  const [options, work] = given.length === 2 ? given : [{}, given[0]];
  if (!(options as Options).skip) kept.tests.push({ name, work });
};
export const describe = (_name: string, work: () => void): void => work();
export const before = (work: Work): void => void kept.before.push(work);
export const after = (work: Work): void => void kept.after.push(work);
export { mock };
