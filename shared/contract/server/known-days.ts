/**
 * Decides whether a report may show which share of the planned plays was shown. The share needs days for which the
 * server knows the whole plan. The admin window and the PDF reports use these functions.
 */
import { DAY_MS } from '../../program/civil.ts';
import { toInstant } from '../../program/zones.ts';

/** First and last day as day numbers, both inclusive. */
interface Days {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns whether the plan is known from the first day on.
 * @param seconds time since which the plan is known, epoch seconds
 */
export const isKnownFrom = (seconds: number, { start }: Pick<Days, 'start'>, zone: string): boolean =>
  seconds * 1000 <= toInstant(start * DAY_MS, zone);

/**
 * Returns whether the plan is known for at least one whole day that is over, or for all of the days. A day that is
 * known only in part gives no correct share: a screen that was paired at noon has missed the morning.
 * @param seconds time since which the plan is known, epoch seconds
 * @param now epoch seconds
 */
export const isDayKnown = (seconds: number, days: Days, zone: string, now: number): boolean => {
  if (isKnownFrom(seconds, days, zone)) return true;
  for (let day = days.start + 1; day <= days.end; day++)
    if (seconds * 1000 <= toInstant(day * DAY_MS, zone)) return toInstant((day + 1) * DAY_MS, zone) <= now * 1000;
  return false;
};
