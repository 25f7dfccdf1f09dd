/**
 * Decides whether the time of day can be believed, by pure rules. A clock that is wrong by years (a dead battery, a
 * typing error) would delete, re-date and lock out for good, so a jump of more than a day is doubted until the clock is
 * back, the screens agree with it, or a person says that it is right.
 */

/** No correction and no change of summer time moves a clock by more than a day. */
export const JUMP_MS = 86_400_000;
/** Screens whose clock differs by no more than this agree. */
const AGREE_MS = 15 * 60_000;
/** Screens are heard for this long before they are counted: the first two need not be like the others. */
export const HEAR_MS = 30_000;
/** A screen says how late it is every 15 s. Older words are of one that left. */
const STALE_MS = 45_000;

export interface Moment {
  /** Epoch milliseconds. */
  readonly wall: number;
  readonly mono: number;
  /** `mono` with the time that the machine slept, where that is known. */
  readonly awake?: number | undefined;
}

export interface Trust {
  /** The last instant that was sure. */
  readonly sure: Moment;
  readonly doubt: Doubt | null;
}

interface Doubt {
  /** Names this jump alone: whoever confirms it has seen this one. */
  readonly id: string;
  /** When the clock began to be doubted. */
  readonly seen: Moment;
  /**
   * Says whether it jumped while the server ran. Then it is known how much time really passed, otherwise only how much
   * at least.
   */
  readonly running: boolean;
}

/**
 * Begins at a start of the server.
 * @param evidence is the newest instant that was sure before it; undefined when there is none, as in a new folder
 */
export const begin = (evidence: number | undefined, now: Moment): Trust => {
  if (evidence === undefined || Math.abs(now.wall - evidence) <= JUMP_MS) return sureAt(now);
  const sure = { ...now, wall: evidence };
  return { sure, doubt: doubtOf(sure, now, false) };
};

export const sureAt = (now: Moment): Trust => ({ sure: now, doubt: null });

/** Returns what the clock would say if nobody had set it; across a restart it is at least that. */
export const expected = ({ sure }: Trust, now: Moment): number => sure.wall + (now.mono - sure.mono);

export const look = (trust: Trust, now: Moment): Trust => {
  const { sure, doubt } = trust;
  const isFar = (from: Moment) =>
    Math.abs(now.wall - from.wall - (now.mono - from.mono)) > JUMP_MS && !isSleep(from, now);
  if (!isFar(sure)) return sureAt(now);
  if (doubt && !isFar(doubt.seen)) return trust;
  return { sure, doubt: doubtOf(sure, now, doubt?.running ?? true) };
};

/**
 * Returns what the server goes by. While it runs the time goes on as if the clock had not jumped. Across a restart a
 * clock that is behind is certainly wrong, since what was is over; one that is ahead may only have been off for long.
 */
export const timeOf = (trust: Trust, now: Moment): number => {
  if (!trust.doubt) return now.wall;
  const least = expected(trust, now);
  return trust.doubt.running ? least : Math.max(now.wall, least);
};

/** What a screen's own clock said, and when that was heard. */
export interface Opinion {
  readonly wall: number;
  readonly mono: number;
  /** Names the computer: its screens have one clock, and with it one opinion. */
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

/** Returns how many computers of screens were heard, and how many of them say that the clock is right. */
export const count = (
  opinions: Iterable<Opinion>,
  now: Moment,
): { readonly heard: number; readonly agreeing: number } => {
  const votes = votesOf(freshOf(opinions, now));
  const agreeing = votes.filter(({ wall, mono }) => Math.abs(wall + (now.mono - mono) - now.wall) <= AGREE_MS);
  return { heard: votes.length, agreeing: agreeing.length };
};

/**
 * Says whether the screens agree that the clock is right: more than half of the computers heard, and two, or the only
 * one there is.
 * @param screens is how many there are; one that is not heard may be anywhere
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
