/** Tones and sums of the states of a remote command, the state in the address of its page, and durations of the form. */
import {
  REMOTE_COMMAND_STATES,
  type RemoteCommand,
  type RemoteCommandState,
} from '../../../../shared/contract/headquarters/remote-commands.ts';
import type { Tone } from '../../../components/frame/Page.tsx';

export const toneOfState: Record<RemoteCommandState, Tone | undefined> = {
  refused: 'bad',
  expired: 'warn',
  taken_back: undefined,
  waiting: 'info',
  told: 'info',
  done: 'good',
};

/** Parses a state; undefined for an unknown word. */
export const stateOf = (word: string | undefined): RemoteCommandState | undefined =>
  REMOTE_COMMAND_STATES.find((one) => one === word);

export const storesOf = ({ states }: Pick<RemoteCommand, 'states'>): number =>
  REMOTE_COMMAND_STATES.reduce((sum, state) => sum + states[state], 0);

/** Returns whether results of the command may still arrive. */
export const isUnderWay = ({ states }: Pick<RemoteCommand, 'states'>): boolean => states.waiting + states.told > 0;

/** Durations that the form offers for the validity of a command, in minutes. */
export const LASTING = ['15', '60', '240', '1440', '10080'] as const;
export type Lasting = (typeof LASTING)[number];
