/** How one turn takes the place of the one before: a pure function of the shared clock. */
import type { Cue, Transition } from './program.ts';

/** What is said where nothing else is: how long a transition takes that is not a cut, in milliseconds. */
export const USUAL_TRANSITION_MS = 600;

/** How the turn begins; null: by a cut. It is over before half of the turn is, however short that may be. */
export const transitionOf = ({ item, since, until }: Pick<Cue, 'item' | 'since' | 'until'>): Transition | null => {
  const { transition } = item;
  if (!transition || transition.kind === 'cut') return null;
  const ms = Math.min(transition.ms, Math.floor((until - since) / 2));
  return ms > 0 ? { kind: transition.kind, ms } : null;
};

/** How far it is at an instant (epoch milliseconds): 0 when the turn begins, 1 from when only the new picture is seen. */
export const progressAt = ({ ms }: Transition, since: number, at: number): number =>
  Math.max(0, Math.min(1, (at - since) / ms));

/** Where two pictures are that take turns, and how much is seen of them. Shares of the zone's width, 0–1. */
export interface Meeting {
  /** The new one lies on top: so far to the right, its left part uncovered, so opaque. */
  readonly right: number;
  readonly uncovered: number;
  readonly opacity: number;
  /** The old one has gone so far to the left. */
  readonly left: number;
}

/** Something of the new picture is seen from the first frame on: what is not seen at all is not drawn ahead by browsers. */
const LEAST_SEEN = 0.005;

/** Between the first frame and the last the two cover the zone together: nothing of what lies behind is seen. */
export const meetingAt = (kind: Transition['kind'], progress: number): Meeting => {
  const seen = Math.max(LEAST_SEEN, progress);
  const whole = { right: 0, uncovered: 1, opacity: 1, left: 0 };
  if (kind === 'fade') return { ...whole, opacity: seen };
  if (kind === 'push') return { ...whole, right: 1 - seen, left: seen };
  if (kind === 'wipe') return { ...whole, uncovered: seen };
  return whole;
};
