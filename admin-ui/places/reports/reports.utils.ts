/** Periods of a report, and what its charts draw. Days are numbers as in shared/program/civil.ts. */
import type { Delivery, Summary } from '../../../shared/contract/reports.ts';
import { civilOf, DAY_MS, dayNumber, formatDate, parseDate } from '../../../shared/program/civil.ts';
import { toInstant, toLocal } from '../../../shared/program/zones.ts';

export const rangeNames = [
  'today',
  'yesterday',
  'days7',
  'days30',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'custom',
] as const;
export type RangeName = (typeof rangeNames)[number];
export type Range = { name: RangeName; start: number; end: number };

export const reportViews = ['content', 'screens', 'uptime', 'plays'] as const;
export type ReportView = (typeof reportViews)[number];

/** What counts: how often something was shown, or for how long. */
export type Measure = 'plays' | 'time';

/**
 * The day it is in the shop, whose days the reports are of.
 * @param zone undefined: not known yet, then where this window is
 */
export const todayAt = (nowSeconds: number, zone?: string): number => {
  const now = new Date(nowSeconds * 1000);
  return zone === undefined
    ? dayNumber(now.getFullYear(), now.getMonth() + 1, now.getDate())
    : Math.floor(toLocal(nowSeconds * 1000, zone) / DAY_MS);
};

const dayIn = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  try {
    return parseDate(text);
  } catch {
    return undefined;
  }
};

/** What an address asks for. Anything that makes no sense is the last seven days. */
export const rangeFrom = (search: { range?: string; from?: string; to?: string }, today: number): Range => {
  const from = dayIn(search.from);
  const to = dayIn(search.to);
  if (from !== undefined && to !== undefined && from <= to) return { name: 'custom', start: from, end: to };
  const name = rangeNames.find((n) => n === search.range && n !== 'custom') ?? 'days7';
  return { name, ...daysOf(name, today) };
};

const daysOf = (name: RangeName, today: number): { start: number; end: number } => {
  const { year, month } = civilOf(today);
  switch (name) {
    case 'today':
      return { start: today, end: today };
    case 'yesterday':
      return { start: today - 1, end: today - 1 };
    case 'days30':
      return { start: today - 29, end: today };
    case 'thisMonth':
      return { start: dayNumber(year, month, 1), end: today };
    case 'lastMonth':
      return { start: dayNumber(year, month - 1, 1), end: dayNumber(year, month, 1) - 1 };
    case 'thisYear':
      return { start: dayNumber(year, 1, 1), end: today };
    case 'days7':
    case 'custom':
      return { start: today - 6, end: today };
    default:
      return name satisfies never;
  }
};

export const isoDays = ({ start, end }: { start: number; end: number }): { start: string; end: string } => ({
  start: formatDate(start),
  end: formatDate(end),
});

/** Whether it is known from the range's beginning on what was planned. @param seconds from when on it is */
export const isKnownFrom = (seconds: number, { start }: Pick<Range, 'start'>, zone: string): boolean =>
  seconds * 1000 <= toInstant(start * DAY_MS, zone);

/** Of a row in a table. */
export interface Amounts {
  readonly plays: number;
  readonly seconds: number;
  /** Absent: it is not known, or not for all of the period. */
  readonly planned?: { readonly plays: number; readonly seconds: number };
  /** Percent of the planned time; null: nothing was planned. Absent: it is not known. */
  readonly delivered?: number | null;
}

type Played = { readonly plays: number; readonly total_seconds: number };
type Planned = Pick<NonNullable<Delivery['overall']>, 'planned_plays' | 'planned_seconds' | 'delivered_pct'>;

/** Rows of what was played with what was planned; also those that were planned, and never played. */
export const plannedBy = <R extends Played>(
  played: readonly R[],
  planned: readonly (R & Planned)[] | undefined,
  keyOf: (row: R) => string,
  isWhole: boolean,
): (Amounts & { readonly key: string; readonly row: R })[] => {
  const known = new Map((planned ?? []).map((row) => [keyOf(row), row]));
  const seen = new Set(played.map(keyOf));
  const missed = isWhole ? [...known.values()].filter((row) => !seen.has(keyOf(row))) : [];
  return [...played, ...missed].map((row) => {
    const key = keyOf(row);
    const of = known.get(key);
    return {
      key,
      row,
      plays: row.plays,
      seconds: row.total_seconds,
      ...(planned && isWhole && { planned: { plays: of?.planned_plays ?? 0, seconds: of?.planned_seconds ?? 0 } }),
      ...(planned && planned.length > 0 && { delivered: of?.delivered_pct ?? null }),
    };
  });
};

/** One bar: from its first to its last day. */
export type Bucket = {
  start: number;
  end: number;
  plays: number;
  seconds: number;
  planned?: { plays: number; seconds: number };
};

/** More bars than this are a fence and no chart. */
const MAX_DAYS = 92;

/**
 * Every day of the range, also those on which nothing played; months when there are too many.
 * @param planned by day; undefined: it is not known
 */
export const bucketsOf = (
  byDay: Summary['by_day'],
  range: { start: number; end: number },
  planned?: Delivery['by_day'],
): Bucket[] => {
  const sums = new Map(byDay.map((row) => [parseDate(row.day), row]));
  const plans = new Map((planned ?? []).map((row) => [parseDate(row.day), row]));
  const months = range.end - range.start + 1 > MAX_DAYS;
  const buckets: Bucket[] = [];
  for (let day = range.start; day <= range.end; day++) {
    const { plays = 0, total_seconds: seconds = 0 } = sums.get(day) ?? {};
    const { planned_plays = 0, planned_seconds = 0 } = plans.get(day) ?? {};
    const plan = planned && { plays: planned_plays, seconds: planned_seconds };
    const last = buckets.at(-1);
    if (!months || last === undefined || civilOf(day).day === 1)
      buckets.push({ start: day, end: day, plays, seconds, ...(plan && { planned: plan }) });
    else {
      last.end = day;
      last.plays += plays;
      last.seconds += seconds;
      if (plan)
        last.planned = {
          plays: last.planned!.plays + plan.plays,
          seconds: last.planned!.seconds + plan.seconds,
        };
    }
  }
  return buckets;
};

/** Each k-th bar has words under it, so that at most `room` are written. */
export const everyKth = (count: number, room: number): number => Math.max(1, Math.ceil(count / room));

/** Where the lines of a chart's scale are: from 0 up to the first round number that holds the largest value. */
export const scaleOf = (largest: number): number[] => {
  if (largest <= 0) return [0, 1];
  const rough = largest / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power;
  const lines = [0];
  while (lines.at(-1)! < largest) lines.push(Number((lines.length * step).toPrecision(12)));
  return lines;
};

/** Time is drawn in the unit that makes small round numbers. */
export const unitOf = (largestSeconds: number): { unit: 'hour' | 'minute'; seconds: number } =>
  largestSeconds >= 2 * 3600 ? { unit: 'hour', seconds: 3600 } : { unit: 'minute', seconds: 60 };

/** 99 % is seven hours dark in a month; below 95 % somebody has to go and look. */
export const uptimeTone = (percent: number): 'good' | 'warn' | 'bad' =>
  percent >= 99 ? 'good' : percent >= 95 ? 'warn' : 'bad';

/** A percent less is seven hours of a month that a customer has paid for; with five percent they will ask. */
export const deliveredTone = (percent: number): 'good' | 'warn' | 'bad' => uptimeTone(percent);

/** The hour of any day, for formatters that want milliseconds. */
export const hourMs = (hour: number): number => (hour * DAY_MS) / 24;
