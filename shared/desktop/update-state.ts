/**
 * Which version of a program runs, of a screen's or of the server: a pure account of the one in use, the one on trial
 * and those that did not come up. A version on trial has two starts to be healthy; after that the one before it runs
 * again, for good.
 */
import { z } from 'zod';
import { ReleaseVersion } from '../protocol/release-signature.ts';

/** The exit code by which a version asks whoever started it for another start, of the version whose turn it is. */
export const RESTART_CODE = 75;

export const UpdateState = z.object({
  format: z.literal(1),
  /** Null: the program as it was installed. */
  current: ReleaseVersion.nullable(),
  /** To return to from `current`. */
  previous: ReleaseVersion.nullable(),
  trial: z.object({ version: ReleaseVersion, starts: z.number().int().min(0) }).nullable(),
  /** The newest last: why each did not come up. */
  failed: z.array(z.object({ version: ReleaseVersion, reason: z.string() })),
  /** What a version asked to be started with from now on; another version is started without. */
  again: z
    .object({ version: z.string(), args: z.array(z.string()) })
    .nullable()
    .default(null),
});
export type UpdateState = z.infer<typeof UpdateState>;

export const NOTHING_YET: UpdateState = {
  format: 1,
  current: null,
  previous: null,
  trial: null,
  failed: [],
  again: null,
};

/** A version on trial is given up after so many starts. */
export const MAX_TRIAL_STARTS = 2;
const FAILURES_KEPT = 10;

export interface Choice {
  readonly state: UpdateState;
  /** Null: the installed program itself. */
  readonly run: string | null;
  readonly trial: boolean;
}

/** What to start now. @param installed version of the program that asks, which somebody may have installed anew */
export const choose = (state: UpdateState, installed: string): Choice => {
  const { trial } = state;
  if (trial && trial.starts < MAX_TRIAL_STARTS) {
    return { state: { ...state, trial: { ...trial, starts: trial.starts + 1 } }, run: trial.version, trial: true };
  }
  const settled = trial ? broken(state, trial.version, 'it did not come up') : state;
  const isNewer = settled.current !== null && compareVersions(settled.current, installed) > 0;
  return {
    state: isNewer ? settled : { ...settled, current: null, previous: null },
    run: isNewer ? settled.current : null,
    trial: false,
  };
};

/** The version lies ready; it is tried at the next start. */
export const staged = (state: UpdateState, version: string): UpdateState => ({
  ...state,
  trial: { version, starts: 0 },
  failed: state.failed.filter((one) => one.version !== version),
});

/** The version on trial has come up. */
export const healthy = (state: UpdateState, version: string): UpdateState =>
  state.trial?.version === version ? { ...state, previous: state.current, current: version, trial: null } : state;

/** The version is not started again; the one before it is. */
export const broken = (state: UpdateState, version: string, reason: string): UpdateState => {
  const failed = [...state.failed.filter((one) => one.version !== version), { version, reason }].slice(-FAILURES_KEPT);
  if (state.trial?.version === version) return { ...state, trial: null, failed };
  return state.current === version ? { ...state, current: state.previous, previous: null, failed } : state;
};

/** Somebody wants the version before the one in use. */
export const returned = (state: UpdateState): UpdateState => ({
  ...state,
  current: state.previous,
  previous: null,
  trial: null,
});

/** Takes back the count of a start that said nothing about the version on trial. */
export const uncounted = (state: UpdateState, version: string | null): UpdateState =>
  state.trial && state.trial.version === version
    ? { ...state, trial: { ...state.trial, starts: Math.max(0, state.trial.starts - 1) } }
    : state;

/** A version that asks for ever more options would never run. */
const MOST_OPTIONS = 8;

/**
 * With what a version is to be started too. Undefined: it asks for nothing new.
 * @param version that runs, the installed one too
 */
export const withOptions = (state: UpdateState, version: string, args: readonly string[]): UpdateState | undefined => {
  const before = optionsOf(state, version);
  const all = [...new Set([...before, ...args])];
  return all.length > before.length && all.length <= MOST_OPTIONS
    ? { ...state, again: { version, args: all } }
    : undefined;
};
export const optionsOf = ({ again }: UpdateState, version: string): readonly string[] =>
  again?.version === version ? again.args : [];

/** Versions whose files may still be needed. */
export const needed = ({ current, previous, trial }: UpdateState): ReadonlySet<string> =>
  new Set([current, previous, trial?.version].filter((version) => version != null));

/** As semver orders them; negative: `a` is older. */
export const compareVersions = (a: string, b: string): number => {
  const [first, second] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < 3; i++) if (first.numbers[i] !== second.numbers[i]) return first.numbers[i]! - second.numbers[i]!;
  // A pre-release comes before its release.
  if (first.pre === '' || second.pre === '') return Number(first.pre === '') - Number(second.pre === '');
  return first.pre.localeCompare(second.pre, 'en', { numeric: true });
};

const partsOf = (version: string) => {
  const [numbers = '', ...pre] = version.split('-');
  return { numbers: numbers.split('.').map((part) => Number(part) || 0), pre: pre.join('-') };
};
