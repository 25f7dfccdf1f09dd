/** Predicts what screens will show, with the planner and resolver that players run. Has no side effects. */
import { isDeepStrictEqual } from 'node:util';
import { createPlanner, isInForce } from '../../../shared/program/precedence.ts';
import type { Placement, Program, ProgramSchedule } from '../../../shared/program/program.ts';
import { type PlannedRank, rankOf } from '../../../shared/program/ranks.ts';
import { parseRule } from '../../../shared/program/recurrence.ts';
import { createResolver, type Deciding, type Resolver } from '../../../shared/program/resolve.ts';
import { createSeries, type Occurrence, type SeriesSpec } from '../../../shared/program/series.ts';
import { titleOf } from '../../../shared/program/titles.ts';

/**
 * Maximum number of changes during the occurrences of a plan, or in the weeks of a calendar. No user could look at
 * more.
 */
const MAX_STEPS = 2_000;
/** Latest time that a calendar can contain. */
const FAR_OFF = Date.UTC(9999, 11, 31);
/** Maximum number of occurrences that are counted and checked for overlaps. */
const MAX_COUNTED = 1_000;

export interface Stretch {
  /** Start and end in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** Record that a screen would show at a time if the previewed plan did not exist. */
export interface Shown {
  readonly kind: 'plan' | 'playlist' | 'wall' | 'default' | 'nothing';
  readonly id: string | null;
  readonly name: string;
  /** Rank of a campaign of headquarters. */
  readonly rank: PlannedRank | null;
}

/** Returns the name of the record that decides what is shown. */
export const shownBy = (program: Program, wall: Placement['wall'], { source, schedule }: Deciding): Shown => {
  const { base, fallback } = program;
  switch (source) {
    case 'schedule':
      return schedule
        ? { kind: 'plan', id: schedule.id, name: titleOf(program, schedule), rank: rankOf(schedule) }
        : { kind: 'nothing', id: null, name: '', rank: null };
    case 'fallback':
      return {
        kind: 'default',
        id: fallback?.content_id ?? fallback?.widget_id ?? null,
        name: fallback?.name ?? '',
        rank: null,
      };
    case 'layout':
      return {
        kind: 'playlist',
        id: null,
        name: program.layouts.find(({ id }) => id === base.layout_id)?.name ?? '',
        rank: null,
      };
    case 'nothing':
      return { kind: 'nothing', id: null, name: '', rank: null };
    default: {
      const name = program.playlists.find(({ id }) => id === base.playlist_id)?.name ?? base.item?.name ?? '';
      return source === 'wall' && wall
        ? { kind: 'wall', id: wall.wall_id, name, rank: null }
        : { kind: 'playlist', id: base.playlist_id, name, rank: null };
    }
  }
};

export interface Occurrences {
  /** Running occurrences, and coming occurrences that begin within the requested time, at most `max`. */
  readonly next: readonly Occurrence[];
  /** Number of occurrences; null for a series without end, or with more than 1,000 occurrences. */
  readonly count: number | null;
  /** End of the last occurrence; null when the series never ends or the end is not known. */
  readonly lastEnd: number | null;
  readonly warnings: readonly ('overlaps_itself' | 'past' | 'never')[];
}

/**
 * Computes when a plan runs.
 * @param look milliseconds from now on; only occurrences that begin within this time are listed
 */
export const occurrencesOf = (
  spec: SeriesSpec,
  { now, max, look }: { readonly now: number; readonly max: number; readonly look: number },
): Occurrences => {
  const series = createSeries(spec);
  const rule = spec.recurrence === null ? null : parseRule(spec.recurrence);
  const isEndless = rule !== null && rule.count === null && rule.until === null && spec.recurrence_end === null;
  let count = 0;
  let lastEnd = 0;
  let overlaps = false;
  for (const { start, end } of series.occurrences(Number.NEGATIVE_INFINITY, FAR_OFF)) {
    if (start < lastEnd) overlaps = true;
    lastEnd = end;
    if (++count > MAX_COUNTED) break;
  }
  const next: Occurrence[] = [];
  for (const occurrence of series.occurrences(now, now + look)) {
    if (next.push(occurrence) === max) break;
  }
  const isOver = next.length === 0 && series.occurrences(now, FAR_OFF).next().done === true;
  const isKnown = !isEndless && count <= MAX_COUNTED;
  return {
    next,
    count: isKnown ? count : null,
    lastEnd: isKnown && count > 0 ? lastEnd : null,
    warnings: [
      ...(overlaps ? (['overlaps_itself'] as const) : []),
      ...(count === 0 ? (['never'] as const) : isOver ? (['past'] as const) : []),
    ],
  };
};

/** Effect of a plan on screens that share a program. */
export interface Effect {
  /**
   * `total`: milliseconds of the plan that were examined. `seen`: milliseconds of these in which screens show the plan.
   */
  readonly total: number;
  readonly seen: number;
  /** Records that the plan displaces, each with its first time. */
  readonly displaced: ReadonlyMap<string, Shown & { readonly first: number }>;
  /** Plans that hide the plan, each with its duration in milliseconds and its first time. */
  readonly hiddenBy: ReadonlyMap<
    string,
    { readonly title: string; readonly rank: PlannedRank | null; readonly first: number; readonly ms: number }
  >;
}

/**
 * @param screen.today program of the screen without the plan
 * @param screen.timezone zone of the screen
 * @param candidate the plan as it would be in the program
 * @param times when the plan runs
 */
export const effectOf = (
  { today, wall, timezone }: { readonly today: Program; readonly wall: Placement['wall']; readonly timezone: string },
  candidate: ProgramSchedule,
  { times, layouts }: { readonly times: readonly Stretch[]; readonly layouts: Program['layouts'] },
): Effect => {
  const planAt = createPlanner(
    {
      ...today,
      layouts: [...today.layouts, ...layouts],
      schedules: [...today.schedules, candidate],
    },
    timezone,
  );
  const before = createResolver(today, timezone);
  const others = new Map(
    today.schedules.map((schedule) => [schedule.id, { title: titleOf(today, schedule), rank: rankOf(schedule) }]),
  );
  const plays = candidate.item !== null || candidate.playlist_id !== null;
  const displaced = new Map<string, Shown & { first: number }>();
  const hiddenBy = new Map<string, { title: string; rank: PlannedRank | null; first: number; ms: number }>();
  let total = 0;
  let seen = 0;
  let steps = 0;
  for (const { from, to } of times)
    for (let at = from; at < to && steps < MAX_STEPS; steps++) {
      const plan = planAt(at);
      const decided = before.deciding(at);
      const until = Math.min(plan.until, decided.until, to);
      total += until - at;
      if (isInForce(plan, candidate.id)) {
        seen += until - at;
        const isKept = decided.schedule !== null && isInForce(plan, decided.schedule.id);
        if (!isKept && (plays || decided.schedule)) {
          const shown = shownBy(today, wall, decided);
          const key = `${shown.kind} ${shown.id}`;
          if (!displaced.has(key)) displaced.set(key, { ...shown, first: at });
        }
      }
      const lost = plan.losing.find(({ schedule_id }) => schedule_id === candidate.id);
      if (lost) {
        const by = hiddenBy.get(lost.lost_to) ?? {
          ...(others.get(lost.lost_to) ?? { title: '', rank: null }),
          first: at,
          ms: 0,
        };
        hiddenBy.set(lost.lost_to, { ...by, ms: by.ms + until - at });
      }
      at = until;
    }
  return { total, seen, displaced, hiddenBy };
};

export interface DecidedSpan extends Stretch {
  readonly decided: Deciding;
}

const isSame = (a: Deciding, b: Deciding): boolean =>
  a.source === b.source &&
  a.schedule === b.schedule &&
  a.losing.length === b.losing.length &&
  a.losing.every((one, i) => isDeepStrictEqual(one, b.losing[i]));

/** Returns which record decides what is shown, for all of the time from `from` to `to`, without gaps. */
export const decidedIn = (resolver: Resolver, { from, to }: Stretch): DecidedSpan[] => {
  const spans: DecidedSpan[] = [];
  for (let at = from, steps = 0; at < to; steps++) {
    const decided = resolver.deciding(at);
    const until = steps < MAX_STEPS ? Math.min(decided.until, to) : to;
    const last = spans.at(-1);
    if (last && isSame(last.decided, decided)) spans[spans.length - 1] = { ...last, to: until };
    else spans.push({ from: at, to: until, decided });
    at = until;
  }
  return spans;
};
