/**
 * State of the versions of a program (of a screen or of the server): the current version, the version on trial, and
 * failed versions. Pure. A version on trial has two starts to become healthy. After two failed starts, the previous
 * version runs again and stays.
 */
import { z } from 'zod';
import { ReleaseVersion } from '../protocol/releases/release-signature.ts';

/** Exit code of a version that requests a new start. The launcher then starts the version that should run now. */
export const RESTART_CODE = 75;

export const UpdateState = z.object({
  format: z.literal(1),
  /** Version in use; null: the program as installed. */
  current: ReleaseVersion.nullable(),
  /** Version to which `current` can return. */
  previous: ReleaseVersion.nullable(),
  trial: z.object({ version: ReleaseVersion, starts: z.number().int().min(0) }).nullable(),
  /** Versions that were given up, on trial or in use, each with the reason; newest last. */
  failed: z.array(z.object({ version: ReleaseVersion, reason: z.string() })),
  /** Options that a version requested for all its later starts. Other versions are started without these options. */
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

/** Maximum number of starts of a version on trial. After that, the version counts as failed. */
export const MAX_TRIAL_STARTS = 2;
const FAILURES_KEPT = 10;

export interface Choice {
  readonly state: UpdateState;
  /** Version to start; null: the installed program itself. */
  readonly run: string | null;
  readonly trial: boolean;
}

/**
 * Returns the version to start now.
 * @param installed version of the calling program. It may be newer than the stored state, because a person has
 * installed it
 */
export const choose = (state: UpdateState, installed: string): Choice => {
  const { trial } = state;
  if (trial && trial.starts < MAX_TRIAL_STARTS) {
    return { state: { ...state, trial: { ...trial, starts: trial.starts + 1 } }, run: trial.version, trial: true };
  }
  const settled = trial ? broken(state, trial.version, 'the version did not start') : state;
  const isNewer = settled.current !== null && compareVersions(settled.current, installed) > 0;
  return {
    state: isNewer ? settled : { ...settled, current: null, previous: null },
    run: isNewer ? settled.current : null,
    trial: false,
  };
};

/** Returns the state with a new version on trial, which runs from the next start on. */
export const staged = (state: UpdateState, version: string): UpdateState => ({
  ...state,
  trial: { version, starts: 0 },
  failed: state.failed.filter((one) => one.version !== version),
});

/** Returns the state after the version on trial became healthy. */
export const healthy = (state: UpdateState, version: string): UpdateState =>
  state.trial?.version === version ? { ...state, previous: state.current, current: version, trial: null } : state;

/** Returns the state without the failed version. The previous version runs again. */
export const broken = (state: UpdateState, version: string, reason: string): UpdateState => {
  const failed = [...state.failed.filter((one) => one.version !== version), { version, reason }].slice(-FAILURES_KEPT);
  if (state.trial?.version === version) return { ...state, trial: null, failed };
  return state.current === version ? { ...state, current: state.previous, previous: null, failed } : state;
};

/** Returns the state after a person requested the previous version. */
export const returned = (state: UpdateState): UpdateState => ({
  ...state,
  current: state.previous,
  previous: null,
  trial: null,
});

/**
 * Returns the state with one start less for the version on trial. For a start that ended for a reason outside of the
 * version.
 */
export const uncounted = (state: UpdateState, version: string | null): UpdateState =>
  state.trial && state.trial.version === version
    ? { ...state, trial: { ...state.trial, starts: Math.max(0, state.trial.starts - 1) } }
    : state;

/** Maximum number of options. It prevents that a version requests one more option at each start and never runs. */
const MOST_OPTIONS = 8;

/**
 * Returns the state with additional options for a version. Undefined: the version has these options already.
 * @param version running version, also the installed version
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

/** Returns the versions whose files may still be needed. */
export const needed = ({ current, previous, trial }: UpdateState): ReadonlySet<string> =>
  new Set([current, previous, trial?.version].filter((version) => version != null));

/** Compares two versions like semver. Negative: `a` is older than `b`. */
export const compareVersions = (a: string, b: string): number => {
  const [first, second] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < 3; i++) if (first.numbers[i] !== second.numbers[i]) return first.numbers[i]! - second.numbers[i]!;
  // A pre-release is older than its release.
  if (first.pre === '' || second.pre === '') return Number(first.pre === '') - Number(second.pre === '');
  return first.pre.localeCompare(second.pre, 'en', { numeric: true });
};

const partsOf = (version: string) => {
  const [numbers = '', ...pre] = version.split('-');
  return { numbers: numbers.split('.').map((part) => Number(part) || 0), pre: pre.join('-') };
};
