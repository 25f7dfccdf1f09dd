/**
 * State of a message on each of its screens, one character per screen in the order of the targets, so that two thousand
 * screens need two kilobytes. Pure.
 */
import type { Message, MessageState } from '../../../shared/contract/screens/messages.ts';

/**
 * State of a screen as a character: `-` no report; `s` showing; `f` failed; `e` was shown and is over; `x` over without
 * being shown.
 */
export type Mark = '-' | 's' | 'f' | 'e' | 'x';

/** State on a screen that still has the message. Absent if the screen has another overlay or none. */
export interface Holding {
  readonly status: 'waiting' | 'sent' | 'shown' | 'failed';
  readonly isOnline: boolean;
}

/** Returns the new state of a screen after a report of the player. */
export const markAfter = (before: Mark, said: 'shown' | 'failed' | 'cleared'): Mark => {
  if (said === 'shown') return 's';
  if (said === 'failed') return 'f';
  return before === 's' || before === 'e' ? 'e' : before === 'f' ? 'f' : 'x';
};

export const stateOf = (mark: Mark, holding: Holding | undefined): MessageState => {
  if (mark === 'f') return 'failed';
  if (mark === 's') return holding ? 'shown' : 'ended';
  if (mark === 'e') return 'ended';
  if (mark === 'x' || !holding) return 'missed';
  return holding.isOnline ? 'sent' : 'offline';
};

type Counts = Pick<Message, MessageState | 'total'>;

/**
 * Counts the screens in each state of `stateOf`, although it is not known here which of them still have the message.
 * @param holdings states of the screens that still have the message
 */
export const countsOf = (marks: string, holdings: readonly Holding[]): Counts => {
  const of = { '-': 0, s: 0, f: 0, e: 0, x: 0 };
  for (const mark of marks) of[mark as Mark]++;
  const shown = Math.min(of.s, holdings.filter(({ status }) => status === 'shown').length);
  const waiting = holdings.filter(({ status }) => status === 'waiting' || status === 'sent');
  const sent = Math.min(of['-'], waiting.filter(({ isOnline }) => isOnline).length);
  const offline = Math.min(of['-'] - sent, waiting.length - sent);
  return {
    total: marks.length,
    shown,
    sent,
    offline,
    failed: of.f,
    ended: of.s - shown + of.e,
    missed: of['-'] - sent - offline + of.x,
  };
};
