/**
 * Geometry of the calendar with resolved plans: rows are screens, columns are hours or days. Pure functions; times
 * are minutes by each screen's wall clock since the first midnight of the view.
 */
import type { CalendarLine, CalendarRow, CalendarSpan } from '../../../../shared/contract/screens/plans.ts';
import { DAY_MS, MINUTE_MS, parseLocal } from '../../../../shared/program/civil.ts';
import { toLocal } from '../../../../shared/program/zones.ts';

export const DAY_MIN = 1440;

/** A period in which the same source provides the content. The displaced plans may change within it. */
export interface Block {
  /** Key that stays the same while the block is moved: the plan, and the number of its block in this row. */
  readonly key: string;
  readonly source: CalendarSpan['source'];
  readonly planId: string | null;
  /** Rank of a campaign of headquarters, which cannot be moved here; null for a plan. */
  readonly rank: CalendarSpan['rank'];
  readonly title: string;
  readonly color: string | null;
  /** Start and end in minutes since the first midnight of the view; `to` is greater than `from`. */
  readonly from: number;
  readonly to: number;
  /** `continues`: the block began before the view. `goesOn`: the block ends after the view. */
  readonly continues: boolean;
  readonly goesOn: boolean;
  readonly hidden: CalendarSpan['hidden'];
  /** Number of the group's screens that show the block, in the combined row of a group. */
  readonly screens?: number;
}

const isSameThing = (a: Omit<Block, 'key'>, b: Omit<Block, 'key'>): boolean =>
  a.source === b.source && a.planId === b.planId && a.title === b.title && a.to === b.from;

/** @param first day number of the first column */
export const blocksOf = (
  { spans, timezone }: Pick<CalendarRow, 'spans' | 'timezone'>,
  first: number,
  days: number,
): Block[] => {
  const end = days * DAY_MIN;
  const minutes = (epoch: number) => (toLocal(epoch * 1000, timezone) - first * DAY_MS) / MINUTE_MS;
  const found: Omit<Block, 'key'>[] = [];
  for (const span of spans) {
    const [begins, ends] = [minutes(span.from_epoch), minutes(span.to_epoch)];
    const block = {
      source: span.source,
      planId: span.plan_id,
      rank: span.rank,
      title: span.title,
      color: span.color,
      from: Math.max(0, begins),
      to: Math.min(end, ends),
      continues: begins < 0,
      goesOn: ends > end,
      hidden: span.hidden,
    };
    // An hour that repeats when clocks are set back has no length by the wall clock and is left out.
    if (block.to <= block.from) continue;
    const last = found.at(-1);
    if (!last || !isSameThing(last, block)) {
      found.push(block);
      continue;
    }
    const known = new Set(last.hidden.map(({ plan_id }) => plan_id));
    const hidden = [...last.hidden, ...block.hidden.filter(({ plan_id }) => !known.has(plan_id))];
    found[found.length - 1] = { ...last, to: block.to, goesOn: block.goesOn, hidden };
  }
  const counts = new Map<string, number>();
  return found.map((block) => {
    const of = block.planId ?? block.source;
    const nth = counts.get(of) ?? 0;
    counts.set(of, nth + 1);
    return { ...block, key: `${of} ${nth}` };
  });
};

/** Returns the blocks for the combined row of a group. Blocks of different plans may overlap. */
export const blocksOfLine = ({ spans }: Pick<CalendarLine, 'spans'>, first: number, days: number): Block[] => {
  const end = days * DAY_MIN;
  return spans.flatMap(({ source, plan_id, rank, title, color, screens, ...span }, nth) => {
    const [begins, ends] = [span.start, span.end].map((local) => (parseLocal(local) - first * DAY_MS) / MINUTE_MS) as [
      number,
      number,
    ];
    const [from, to] = [Math.max(0, begins), Math.min(end, ends)];
    const cut = { continues: begins < 0, goesOn: ends > end };
    if (to <= from) return [];
    return { ...{ key: `${nth}`, source, planId: plan_id, rank, title, color, from, to, hidden: [], screens }, ...cut };
  });
};

/** Returns the parts of the blocks on one day, in minutes since midnight of that day. */
export const onDay = (blocks: readonly Block[], column: number): Block[] => {
  const midnight = column * DAY_MIN;
  return blocks
    .filter(({ from, to }) => from < midnight + DAY_MIN && to > midnight)
    .map((block) => ({
      ...block,
      from: Math.max(0, block.from - midnight),
      to: Math.min(DAY_MIN, block.to - midnight),
      continues: block.continues || block.from < midnight,
      goesOn: block.goesOn || block.to > midnight + DAY_MIN,
    }));
};

/** Returns whether the calendar names a block: plans, and hours without content or with only fallback content. */
export const isTold = ({ source }: Pick<Block, 'source'>): boolean =>
  source === 'schedule' || source === 'nothing' || source === 'fallback';

/** Bar for a plan that plays on consecutive days. */
export interface Bar {
  readonly key: string;
  readonly block: Block;
  /** First and last column, both included. */
  readonly first: number;
  readonly last: number;
  readonly lane: number;
}

/** Returns bars for the plans over several days, earliest first. Each bar is in the first free lane. */
export const barsOf = (blocks: readonly Block[], days: number): Bar[] => {
  const open = new Map<string, { block: Block; first: number; last: number }>();
  const bars: { block: Block; first: number; last: number }[] = [];
  for (const block of blocks.filter(isTold)) {
    const of = block.planId ?? block.source;
    const first = Math.floor(block.from / DAY_MIN);
    const last = Math.min(days, Math.ceil(block.to / DAY_MIN)) - 1;
    const before = open.get(of);
    if (before && first <= before.last + 1) {
      before.last = Math.max(before.last, last);
      before.block = { ...before.block, hidden: [...before.block.hidden, ...block.hidden] };
      continue;
    }
    const bar = { block, first, last };
    open.set(of, bar);
    bars.push(bar);
  }
  return inLanes(bars);
};

const inLanes = (bars: readonly Omit<Bar, 'key' | 'lane'>[]): Bar[] => {
  const ends: number[] = [];
  return bars
    .toSorted((a, b) => a.first - b.first || b.last - a.last)
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.first);
      const lane = free < 0 ? ends.length : free;
      ends[lane] = bar.last + 1;
      return { ...bar, key: bar.block.key, lane };
    });
};

/** Returns bars for blocks of one day that may overlap. Columns are hours and may be fractional. */
export const hourBarsOf = (blocks: readonly Block[]): Bar[] =>
  inLanes(blocks.filter(isTold).map((block) => ({ block, first: block.from / 60, last: block.to / 60 - 1 })));

/**
 * Returns the names of the content that plays without a plan. The name that plays longest, summed over all screens,
 * comes first. The names fill the grey part of a row.
 */
export const basesOf = (blocks: readonly Block[]): string[] => {
  const weights = new Map<string, number>();
  for (const { planId, source, title, from, to, screens = 1 } of blocks)
    if (planId === null && title !== '' && !isTold({ source }))
      weights.set(title, (weights.get(title) ?? 0) + (to - from) * screens);
  return [...weights].sort(([, a], [, b]) => b - a).map(([title]) => title);
};

/** Bar for consecutive days that have the same playlists and no plan. */
export interface BaseBar {
  readonly names: readonly string[];
  /** First and last column, both included. */
  readonly first: number;
  readonly last: number;
}

/** Returns bars for content that plays without a plan. Consecutive days with the same names are one bar. */
export const baseBarsOf = (blocks: readonly Block[], days: number): BaseBar[] => {
  const bars: BaseBar[] = [];
  for (let column = 0; column < days; column++) {
    const names = basesOf(onDay(blocks, column));
    if (names.length === 0) continue;
    const before = bars.at(-1);
    const isSame = before?.last === column - 1 && before.names.join('\n') === names.join('\n');
    if (isSame) bars[bars.length - 1] = { ...before, last: column };
    else bars.push({ names, first: column, last: column });
  }
  return bars;
};

/** Minutes by which the start and the end of a plan move. */
export interface Shift {
  readonly start: number;
  readonly end: number;
}
/** Part of a plan that a drag moves: the whole plan, or only its start or end. */
export type Grip = 'move' | 'start' | 'end';

export const shiftBy = (grip: Grip, minutes: number): Shift => ({
  start: grip === 'end' ? 0 : minutes,
  end: grip === 'start' ? 0 : minutes,
});
export const added = (a: Shift | undefined, b: Shift): Shift =>
  a ? { start: a.start + b.start, end: a.end + b.end } : b;

/** Minimum duration of a block in minutes. A shorter block could not be seen and dragged. */
const LEAST_MIN = 5;

/** Returns the block moved by a shift: while it is dragged, and until the server has answered. */
export const shifted = (block: Block, { start, end }: Shift): Block => {
  const from = block.from + start;
  return { ...block, from, to: Math.max(from + LEAST_MIN, block.to + end) };
};

/** Limits a movement in minutes so that the start stays before the end. */
export const limited = (grip: Grip, minutes: number, { from, to }: Block): number =>
  grip === 'start' ? Math.min(minutes, to - from - LEAST_MIN) : minutes;
