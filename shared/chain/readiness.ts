/**
 * Progress of a campaign in a store, and the forecast whether the store will have all files when the campaign begins.
 * All lists and counts of headquarters use these functions.
 */
import { PHASES, type Phase, type Readiness } from './campaign.ts';

/** The last report of a store about a campaign, and the time of the report in epoch seconds. */
export type Heard = Omit<Readiness, 'id'> & { readonly told_at: number };
/** Phase of a campaign in a store. `unheard`: the store has not reported about this edition. */
export type HeardPhase = Phase | 'unheard';
export const HEARD_PHASES = [...PHASES, 'unheard'] as const;

/** Phases in which all files are on the store's server. */
export const THERE: ReadonlySet<HeardPhase> = new Set(['armed', 'on_screens', 'showing']);
/** Time before the start, in seconds, in which a campaign without a forecast counts as late. */
const NEAR_SECONDS = 3_600;
/**
 * Seconds for which a connected store may fetch a campaign that headquarters sent after the campaign's start. Then the
 * campaign counts as late.
 */
const GRACE_SECONDS = 300;

/** Inputs of the forecast besides the report. Times are epoch seconds. */
interface Asked {
  /** Number of the edition that the store should have. */
  readonly edition: number;
  readonly isLineUp: boolean;
  /** Start and end of the campaign in epoch seconds. */
  readonly starts: number;
  readonly ends: number;
  /** Time at which the stores received the campaign. */
  readonly given: number;
  readonly now: number;
}

export interface Forecast {
  readonly phase: HeardPhase;
  /**
   * Expected time, at the recent download rate, at which all files have arrived; null: all files have arrived, or
   * unknown.
   */
  readonly ready_at: number | null;
  /** Whether the campaign will not, or may not, be complete at its start. */
  readonly is_late: boolean;
}

const phaseOf = (heard: Heard | undefined, edition: number): HeardPhase =>
  heard?.edition === edition ? heard.phase : 'unheard';

/** Returns whether a store has all files of an edition. If so, the campaign is not late in this store. */
export const isThere = (heard: Heard | undefined, edition: number): boolean => THERE.has(phaseOf(heard, edition));

/** Returns the forecast for one store. A campaign that has ended is never late. */
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

/**
 * Returns the number of stores in each phase.
 * @param heard number of stores that reported about this edition, by phase
 */
export const phaseCounts = (stores: number, heard: readonly { readonly phase: Phase; readonly stores: number }[]) => {
  const counts = Object.fromEntries(HEARD_PHASES.map((phase) => [phase, 0])) as PhaseCount;
  for (const { phase, stores: count } of heard) counts[phase] += count;
  counts.unheard = Math.max(0, stores - heard.reduce((sum, { stores: count }) => sum + count, 0));
  return counts;
};
