/** Words for rollouts to stores, and the waves of a rollout in the editor. */
import { WAVE_STATES, type WaveChoice, type WaveState } from '../../../../shared/chain/rollouts.ts';
import type { RolloutState, StoreRollout } from '../../../../shared/contract/headquarters/rollouts.ts';
import type { Tone } from '../../../components/frame/Page.tsx';

export const toneOfWaveState: Record<WaveState, Tone | undefined> = {
  unhealthy: 'bad',
  refused: 'warn',
  unreachable: 'warn',
  waiting: undefined,
  told: 'info',
  fetching: 'info',
  installing: 'info',
  healthy: 'good',
  left_out: undefined,
};

export const toneOfRollout: Record<RolloutState, Tone | undefined> = {
  running: 'info',
  paused: 'warn',
  stopped: 'bad',
  done: 'good',
  ended: undefined,
};

/** Parses a state; undefined for an unknown word. */
export const waveStateOf = (word: string | undefined): WaveState | undefined => WAVE_STATES.find((one) => one === word);

type States = Readonly<Record<WaveState, number>>;
export const storesIn = (states: States): number => WAVE_STATES.reduce((sum, state) => sum + states[state], 0);

/** Returns the number of stores in each state, summed over all waves. */
export const statesOf = ({ waves }: Pick<StoreRollout, 'waves'>): States =>
  Object.fromEntries(
    WAVE_STATES.map((state) => [state, waves.reduce((sum, wave) => sum + wave.states[state], 0)]),
  ) as States;

export const isOpenRollout = ({ status }: Pick<StoreRollout, 'status'>): boolean =>
  status === 'running' || status === 'paused' || status === 'stopped';

/** A wave in the editor. */
export interface WaveDraft {
  /** Key of the row in the editor. */
  readonly key: number;
  readonly which: WaveChoice['which'];
  readonly ids: readonly string[];
  readonly count: number | null;
  readonly region: string;
  readonly tag: string;
}

export const newWave = (key: number, which: WaveChoice['which'], more: Partial<WaveDraft> = {}): WaveDraft => ({
  key,
  which,
  ids: [],
  count: 10,
  region: '',
  tag: '',
  ...more,
});

/** Returns the default waves: one chosen store, ten stores, a region if there are several, all stores. */
export const firstWaves = (regions: readonly string[]): WaveDraft[] => [
  newWave(0, 'named'),
  newWave(1, 'count'),
  ...(regions.length > 1 ? [newWave(2, 'region', { region: regions[0]! })] : []),
  newWave(3, 'rest'),
];

/** Returns the wave for the request; undefined if the wave is incomplete. */
export const choiceOf = ({ which, ids, count, region, tag }: WaveDraft): WaveChoice | undefined => {
  switch (which) {
    case 'named':
      return ids.length > 0 ? { which, ids: [...ids] } : undefined;
    case 'count':
      return count === null ? undefined : { which, count };
    case 'region':
      return region === '' ? undefined : { which, region };
    case 'tag':
      return tag === '' ? undefined : { which, tag };
    case 'rest':
      return { which };
  }
};
