/**
 * What each screen made of a message, one letter a screen in the order in which they were meant, so that two thousand
 * are two kilobytes. Pure.
 */
import type { Message, MessageState } from '../../../shared/contract/messages.ts';

/** `-` nothing was heard; `s` it can be seen; `f` it failed; `e` it was seen and is over; `x` it is over unseen. */
export type Mark = '-' | 's' | 'f' | 'e' | 'x';

/** Of a screen that still has it to show: absent where it has another, or none. */
export interface Holding {
  readonly status: 'waiting' | 'sent' | 'shown' | 'failed';
  readonly isOnline: boolean;
}

/** What a player said last, after what was known of it. */
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

/** As `stateOf` says of each, without asking which screen is which. @param holdings of those that still have it */
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
