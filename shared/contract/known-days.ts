/** When a share of the plan may be shown. The window and the reports on paper follow the same rule. */
import { DAY_MS } from '../program/civil.ts';
import { toInstant } from '../program/zones.ts';

/** Day numbers, both included. */
interface Days {
  readonly start: number;
  readonly end: number;
}

/** Returns whether the plan is known from the first day on. @param seconds from when on the plan is known */
export const isKnownFrom = (seconds: number, { start }: Pick<Days, 'start'>, zone: string): boolean =>
  seconds * 1000 <= toInstant(start * DAY_MS, zone);

/**
 * Returns whether the plan is known for at least one whole day that is over, or for all of the days. A part of a day says
 * nothing about what was delivered: a screen that was paired at noon has missed the morning.
 *
 * @param seconds from when on the plan is known
 * @param now seconds
 */
export const isDayKnown = (seconds: number, days: Days, zone: string, now: number): boolean => {
  if (isKnownFrom(seconds, days, zone)) return true;
  for (let day = days.start + 1; day <= days.end; day++)
    if (seconds * 1000 <= toInstant(day * DAY_MS, zone)) return toInstant((day + 1) * DAY_MS, zone) <= now * 1000;
  return false;
};
