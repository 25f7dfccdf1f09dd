/** Computes the transition from one play to the next as a pure function of the shared clock. */
import type { Cue, Transition } from './program.ts';

/** Default duration of a transition other than a cut, in milliseconds. */
export const USUAL_TRANSITION_MS = 600;

/** Returns the transition of a play, limited to half of the play; null: a cut. */
export const transitionOf = ({ item, since, until }: Pick<Cue, 'item' | 'since' | 'until'>): Transition | null => {
  const { transition } = item;
  if (!transition || transition.kind === 'cut') return null;
  const ms = Math.min(transition.ms, Math.floor((until - since) / 2));
  return ms > 0 ? { kind: transition.kind, ms } : null;
};

/**
 * Returns the progress at an instant (epoch milliseconds): 0 at the start of the play, 1 when only the new picture is
 * visible.
 */
export const progressAt = ({ ms }: Transition, since: number, at: number): number =>
  Math.max(0, Math.min(1, (at - since) / ms));

/** Positions and visibility of two pictures during a transition. Shares of the zone's width, 0–1. */
export interface Meeting {
  /** The new picture is on top: its offset to the right, the uncovered share from the left, and its opacity. */
  readonly right: number;
  readonly uncovered: number;
  readonly opacity: number;
  /** Offset of the old picture to the left. */
  readonly left: number;
}

/**
 * Smallest visible share of the new picture, from the first frame on. Browsers do not draw invisible content in
 * advance.
 */
const LEAST_SEEN = 0.005;

/** During the transition the two pictures together cover the zone, so nothing behind them is visible. */
export const meetingAt = (kind: Transition['kind'], progress: number): Meeting => {
  const seen = Math.max(LEAST_SEEN, progress);
  const whole = { right: 0, uncovered: 1, opacity: 1, left: 0 };
  if (kind === 'fade') return { ...whole, opacity: seen };
  if (kind === 'push') return { ...whole, right: 1 - seen, left: seen };
  if (kind === 'wipe') return { ...whole, uncovered: seen };
  return whole;
};
