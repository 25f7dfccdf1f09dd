/**
 * Pure rules that decide whether the time of day can be trusted. A clock that is wrong by years (dead battery, typing
 * error) would delete records, date them wrongly and lock people out for good. So the server distrusts a jump of more
 * than a day until the clock is set back, the screens agree with it, or a person confirms it.
 */

/**
 * Longest jump of the clock in milliseconds that the server trusts. Clock corrections and changes to or from summer
 * time stay below one day.
 */
export const JUMP_MS = 86_400_000;
/** Maximum difference in milliseconds between the clocks of a screen and the server for the screen to agree. */
const AGREE_MS = 15 * 60_000;
/**
 * Time in milliseconds for which reports of screens are collected before they are counted, because the first two
 * screens may not be typical.
 */
export const HEAR_MS = 30_000;
/**
 * Maximum age of a report in milliseconds. A screen reports its clock every 15 s, so older reports are from screens
 * that have disconnected.
 */
const STALE_MS = 45_000;

export interface Moment {
  /** Time of the wall clock in epoch milliseconds. */
  readonly wall: number;
  readonly mono: number;
  /** Monotonic time (`mono`) plus the time that the machine slept, where known. */
  readonly awake?: number | undefined;
}

export interface Trust {
  /** The last instant at which the clock was trusted. */
  readonly sure: Moment;
  readonly doubt: Doubt | null;
}

interface Doubt {
  /** Id of this jump, so that a confirmation applies only to the jump that the person saw. */
  readonly id: string;
  /** Instant at which the clock became untrusted. */
  readonly seen: Moment;
  /**
   * Whether the clock jumped while the server was running. The elapsed time is then known; otherwise only its
   * minimum is known.
   */
  readonly running: boolean;
}

/**
 * Returns the state at the start of the server.
 * @param evidence newest trusted instant before the start; undefined when there is none, as in a new folder
 */
export const begin = (evidence: number | undefined, now: Moment): Trust => {
  if (evidence === undefined || Math.abs(now.wall - evidence) <= JUMP_MS) return sureAt(now);
  const sure = { ...now, wall: evidence };
  return { sure, doubt: doubtOf(sure, now, false) };
};

export const sureAt = (now: Moment): Trust => ({ sure: now, doubt: null });

/** Returns the time that the clock would show if nobody had set it. After a restart, the result is a lower bound. */
export const expected = ({ sure }: Trust, now: Moment): number => sure.wall + (now.mono - sure.mono);

export const judgeClock = (trust: Trust, now: Moment): Trust => {
  const { sure, doubt } = trust;
  const isFar = (from: Moment) =>
    Math.abs(now.wall - from.wall - (now.mono - from.mono)) > JUMP_MS && !isSleep(from, now);
  if (!isFar(sure)) return sureAt(now);
  if (doubt && !isFar(doubt.seen)) return trust;
  return { sure, doubt: doubtOf(sure, now, doubt?.running ?? true) };
};

/**
 * Returns the time that the server uses. After a jump while the server runs, time goes on as if the clock had not
 * jumped. After a restart, a clock that is behind is certainly wrong; a clock that is ahead may be right, because the
 * machine may have been off for long.
 */
export const timeOf = (trust: Trust, now: Moment): number => {
  if (!trust.doubt) return now.wall;
  const least = expected(trust, now);
  return trust.doubt.running ? least : Math.max(now.wall, least);
};

/** Clock reading that a screen reported, and the monotonic time of the report. */
export interface Opinion {
  readonly wall: number;
  readonly mono: number;
  /** Id of the computer. All screens of a computer share one clock, so they count as one opinion. */
  readonly computer: string;
}

export const freshOf = (opinions: Iterable<Opinion>, now: Moment): Opinion[] =>
  [...opinions].filter(({ mono }) => now.mono - mono <= STALE_MS);

const votesOf = (fresh: readonly Opinion[]): Opinion[] => {
  const newest = new Map<string, Opinion>();
  for (const opinion of fresh)
    if (opinion.mono >= (newest.get(opinion.computer)?.mono ?? Number.NEGATIVE_INFINITY))
      newest.set(opinion.computer, opinion);
  return [...newest.values()];
};

/** Counts the computers that reported, and those that agree with the server's clock. */
export const count = (
  opinions: Iterable<Opinion>,
  now: Moment,
): { readonly heard: number; readonly agreeing: number } => {
  const votes = votesOf(freshOf(opinions, now));
  const agreeing = votes.filter(({ wall, mono }) => Math.abs(wall + (now.mono - mono) - now.wall) <= AGREE_MS);
  return { heard: votes.length, agreeing: agreeing.length };
};

/**
 * Returns whether the screens confirm the clock: more than half of the computers that reported agree, and these are at
 * least two computers, or the only computer.
 * @param screens total number of connected screens; a screen without a
 * report may be on a computer of its own
 */
export const agreed = (opinions: Iterable<Opinion>, now: Moment, screens: number): boolean => {
  const fresh = freshOf(opinions, now);
  const { heard, agreeing } = count(fresh, now);
  const computers = heard + Math.max(0, screens - fresh.length);
  return agreeing >= Math.max(1, Math.min(2, computers)) && agreeing * 2 > heard;
};

const isSleep = (from: Moment, now: Moment): boolean =>
  from.awake !== undefined &&
  now.awake !== undefined &&
  Math.abs(now.wall - from.wall - (now.awake - from.awake)) <= JUMP_MS;

const doubtOf = (sure: Moment, seen: Moment, running: boolean): Doubt => ({
  id: `${Math.round(sure.wall)}-${Math.round(seen.wall)}`,
  seen,
  running,
});
