/** Data for the chart of plays. Days are numbers as in shared/program/civil.ts. */
import type { Delivery, Summary } from '../../../shared/contract/server/reports.ts';
import { civilOf, DAY_MS, parseDate } from '../../../shared/program/civil.ts';

/** The measured value: number of plays, or duration. */
export type Measure = 'plays' | 'time';

/** A bar of the chart: from its first to its last day. */
export type Bucket = {
  start: number;
  end: number;
  plays: number;
  seconds: number;
  planned?: { plays: number; seconds: number };
};

/** Maximum number of bars. With more bars, the chart would not be readable. */
const MAX_DAYS = 92;

/**
 * Returns a bar for every day of the range, including days without plays; for every month if there are too many days.
 * @param planned by day; undefined if unknown
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

/** Returns k: every k-th bar has a label, so that at most `room` labels are drawn. */
export const everyKth = (count: number, room: number): number => Math.max(1, Math.ceil(count / room));

/** Returns the values of the chart's grid lines: from 0 to the first round number that covers the largest value. */
export const scaleOf = (largest: number): number[] => {
  if (largest <= 0) return [0, 1];
  const rough = largest / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power;
  const lines = [0];
  while (lines.at(-1)! < largest) lines.push(Number((lines.length * step).toPrecision(12)));
  return lines;
};

/** Returns the unit of time that gives small round numbers. */
export const unitOf = (largestSeconds: number): { unit: 'hour' | 'minute'; seconds: number } =>
  largestSeconds >= 2 * 3600 ? { unit: 'hour', seconds: 3600 } : { unit: 'minute', seconds: 60 };

/** Returns the hour on an arbitrary day, for formatters that need milliseconds. */
export const hourMs = (hour: number): number => (hour * DAY_MS) / 24;
