/**
 * The shape of the sums that are kept of plays (`play_sums`), and how a period is put together from them. A play
 * belongs where it started. Quarters are epoch quarter-hours, in which every zone's hours and days are whole; days are
 * UTC, since they only carry what has no time of day.
 */
export const QUARTER_MS = 900_000;
export const QUARTERS_A_DAY = 96;

export const Series = {
  /** Of everything; of a workspace and of each device. */
  totalByQuarter: 1,
  /** Of each content and widget; of a workspace. Of a device the plays themselves are few enough. */
  contentByQuarter: 2,
  /** Of each content and widget; of a workspace and of each device. */
  contentByDay: 3,
  /** Of each device; of a workspace. By quarter it is that device's `totalByQuarter`. */
  deviceByDay: 4,
} as const;
export type Series = (typeof Series)[keyof typeof Series];

/** Epoch milliseconds; `end` is exclusive. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** Buckets `from` to `to` (exclusive), to be added or, with `sign` -1, taken away. */
export interface Part {
  readonly grain: 'quarter' | 'day';
  readonly from: number;
  readonly to: number;
  readonly sign: 1 | -1;
}

export interface Split {
  /** What is no whole quarter: from the plays themselves. Each lies within one quarter. */
  readonly raw: readonly Period[];
  /** The whole quarters. */
  readonly quarters: { readonly from: number; readonly to: number };
  /**
   * The same quarters, from as few sums as possible: the nearest whole days, and the quarters that those have too many
   * or too few.
   */
  readonly parts: readonly Part[];
}

export const splitPeriod = ({ start, end }: Period): Split => {
  const from = Math.ceil(start / QUARTER_MS);
  const to = Math.floor(end / QUARTER_MS);
  if (from > to) return { raw: [{ start, end }], quarters: { from, to: from }, parts: [] };
  const raw = [
    { start, end: from * QUARTER_MS },
    { start: to * QUARTER_MS, end },
  ].filter((edge) => edge.start < edge.end);
  return { raw, quarters: { from, to }, parts: partsOf(from, to) };
};

const partsOf = (from: number, to: number): Part[] => {
  const firstDay = Math.round(from / QUARTERS_A_DAY);
  const lastDay = Math.round(to / QUARTERS_A_DAY);
  if (firstDay >= lastDay) return [part('quarter', from, to)].filter(isSome);
  const head = firstDay * QUARTERS_A_DAY;
  const tail = lastDay * QUARTERS_A_DAY;
  return [part('quarter', from, head), part('day', firstDay, lastDay), part('quarter', tail, to)].filter(isSome);
};

/** Backwards means too many. */
const part = (grain: Part['grain'], from: number, to: number): Part =>
  from <= to ? { grain, from, to, sign: 1 } : { grain, from: to, to: from, sign: -1 };
const isSome = ({ from, to }: Part): boolean => from < to;

export interface Subject {
  readonly kind: 'workspace' | 'device' | 'content' | 'widget' | 'other';
  readonly ref: string;
}

/** What a play counts as having shown. Without an id it is known by its name alone. */
export const subjectOf = (play: {
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly content_name: string;
}): Subject => {
  if (play.content_id !== null) return { kind: 'content', ref: play.content_id };
  if (play.widget_id !== null) return { kind: 'widget', ref: play.widget_id };
  return { kind: 'other', ref: play.content_name };
};
