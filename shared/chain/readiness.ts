/** How far a campaign is in a store, and whether it will be there when it begins: one rule for lists, counts and windows. */
import { PHASES, type Phase, type Readiness } from './campaign.ts';

/** What a store told last of a campaign, and when: epoch seconds. */
export type Heard = Omit<Readiness, 'id'> & { readonly told_at: number };
/** `unheard`: the store has not said anything of this edition. */
export type HeardPhase = Phase | 'unheard';
export const HEARD_PHASES = [...PHASES, 'unheard'] as const;

/** All of it is on the store's server. */
export const THERE: ReadonlySet<HeardPhase> = new Set(['armed', 'on_screens', 'showing']);
/** So near to its start, what nobody can forecast is late. */
const NEAR_SECONDS = 3_600;
/** A store that is connected has so long to fetch what it was given after the start, before anybody is told. */
const GRACE_SECONDS = 300;

/** What decides about it, but for what was told. Times are epoch seconds. */
interface Asked {
  /** That the store is to have. */
  readonly edition: number;
  readonly isLineUp: boolean;
  /** When the campaign begins, and when it is over. */
  readonly starts: number;
  readonly ends: number;
  /** When stores were given it. */
  readonly given: number;
  readonly now: number;
}

export interface Forecast {
  readonly phase: HeardPhase;
  /** When all of it will be there, at the rate of lately; null: it is, or nobody knows. */
  readonly ready_at: number | null;
  /** It will not be there, or not as far as is known, when the campaign begins. */
  readonly is_late: boolean;
}

const phaseOf = (heard: Heard | undefined, edition: number): HeardPhase =>
  heard?.edition === edition ? heard.phase : 'unheard';

/** Whether a store has all of an edition: then it is late nowhere. */
export const isThere = (heard: Heard | undefined, edition: number): boolean => THERE.has(phaseOf(heard, edition));

/** What is over is not late any more. */
export const forecast = (
  heard: Heard | undefined,
  { edition, isLineUp, starts, ends, given, now }: Asked,
): Forecast => {
  const phase = phaseOf(heard, edition);
  if (THERE.has(phase) || now >= ends) return { phase, ready_at: null, is_late: false };
  if (phase === 'refused') return { phase, ready_at: null, is_late: true };
  const ready_at = phase === 'fetching' && isLineUp ? readyAt(heard!, now) : null;
  const grace = isLineUp ? given + GRACE_SECONDS : given;
  const is_late = ready_at === null ? starts - now <= NEAR_SECONDS && now >= grace : ready_at > Math.max(starts, grace);
  return { phase, ready_at, is_late };
};

const readyAt = ({ bytes_left, rate, told_at }: Heard, now: number): number | null =>
  rate === null || rate === 0 ? null : Math.max(now, told_at + Math.ceil(bytes_left / rate));

export type PhaseCount = Record<HeardPhase, number>;

/** Of all stores that are to have it. @param heard of those that told of this edition, how many in each phase */
export const phaseCounts = (stores: number, heard: readonly { readonly phase: Phase; readonly stores: number }[]) => {
  const counts = Object.fromEntries(HEARD_PHASES.map((phase) => [phase, 0])) as PhaseCount;
  for (const { phase, stores: count } of heard) counts[phase] += count;
  counts.unheard = Math.max(0, stores - heard.reduce((sum, { stores: count }) => sum + count, 0));
  return counts;
};
