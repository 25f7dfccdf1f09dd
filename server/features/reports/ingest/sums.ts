/**
 * Format of the stored sums of plays (`play_sums`), and how a period is composed of these sums. A play counts where it
 * started. Quarters are epoch quarter-hours, which divide the hours and days of every zone. Days are UTC, because they
 * are only used for sums without a time of day.
 */
export const QUARTER_MS = 900_000;
export const QUARTERS_A_DAY = 96;

export const Series = {
  /** Sums of all plays by quarter-hour, per workspace and per device. */
  totalByQuarter: 1,
  /**
   * Plays by content and widget and by quarter-hour, per workspace. A device has so few plays that they are read
   * directly.
   */
  contentByQuarter: 2,
  /** Plays by content and widget, per workspace and per device, by day. */
  contentByDay: 3,
  /** Plays by device and day, per workspace. For sums by quarter-hour, the `totalByQuarter` of the device is used. */
  deviceByDay: 4,
} as const;
export type Series = (typeof Series)[keyof typeof Series];

/** Epoch milliseconds; `end` is exclusive. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** A range of stored sums, `from` to `to` (exclusive). The sums are added, or subtracted when `sign` is -1. */
export interface Part {
  readonly grain: 'quarter' | 'day';
  readonly from: number;
  readonly to: number;
  readonly sign: 1 | -1;
}

export interface Split {
  /** Times outside whole quarter-hours, read from the plays. Each of these times lies within one quarter-hour. */
  readonly raw: readonly Period[];
  /** The whole quarter-hours in the period. */
  readonly quarters: { readonly from: number; readonly to: number };
  /**
   * The same quarter-hours composed of as few sums as possible: the nearest whole days, plus or minus the quarter-hours
   * at both ends.
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

/** Returns a range of sums that is added. A range whose end comes before its start is turned round and subtracted. */
const part = (grain: Part['grain'], from: number, to: number): Part =>
  from <= to ? { grain, from, to, sign: 1 } : { grain, from: to, to: from, sign: -1 };
const isSome = ({ from, to }: Part): boolean => from < to;

export interface Subject {
  readonly kind: 'workspace' | 'device' | 'content' | 'widget' | 'other';
  readonly ref: string;
}

/** Returns the record to which a play counts. A record without an id is identified by its name. */
export const subjectOf = (play: {
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly content_name: string;
}): Subject => {
  if (play.content_id !== null) return { kind: 'content', ref: play.content_id };
  if (play.widget_id !== null) return { kind: 'widget', ref: play.widget_id };
  return { kind: 'other', ref: play.content_name };
};
