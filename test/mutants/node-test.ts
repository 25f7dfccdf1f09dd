/**
 * Replaces `node:test` in test files that runner.ts loads. Collects the tests, so that runner.ts can run selected tests
 * repeatedly.
 */
import { mock, type TestContext } from 'node:test';

type Work = (context: TestContext) => unknown;
type Options = { skip?: unknown };
export type KeptTest = { name: string; work: Work };
type Kept = { tests: KeptTest[]; before: Work[]; after: Work[] };

let kept: Kept = { tests: [], before: [], after: [] };
/** Returns the tests collected since the last call. */
export const takeKept = (): Kept => {
  const all = kept;
  kept = { tests: [], before: [], after: [] };
  return all;
};

const NOTHING = () => {};
/** Runs one test with a context, and then its `after` callbacks. */
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
