/** Opening hours of a screen, computed with the same code as on the player. */
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { DAY_MS, dayOf } from '../../../shared/program/civil.ts';
import { createGate } from '../../../shared/program/dayparting.ts';
import { toInstant, toLocal } from '../../../shared/program/zones.ts';
import { writeDay, writeTime } from '../../i18n/civil.ts';

export type Hours = Pick<Device, 'opening_hours' | 'timezone'>;

/** Returns whether a screen is open at an instant (epoch milliseconds), and when this changes; null for never. */
export const hoursAt = (
  { opening_hours, timezone }: Hours,
  instant: number,
): { open: boolean; until: number | null } => {
  const { open, until } = createGate(opening_hours, timezone)(instant);
  return { open, until: Number.isFinite(until) ? until : null };
};

/**
 * Returns a future instant by the clock at the screen: with its weekday only if it is another day, and with the date if
 * the weekday alone would mislead.
 */
export const laterInWords = (later: number, now: number, zone: string, locale: string): string => {
  const [there, here] = [toLocal(later, zone), toLocal(now, zone)];
  const days = dayOf(there) - dayOf(here);
  const time = writeTime(locale, there);
  if (days === 0) return time;
  return `${writeDay(locale, dayOf(there), days < 7 ? { weekday: 'long' } : { weekday: 'short', day: 'numeric', month: 'long' })}, ${time}`;
};

/** A part of a day in which the panel is off. `from` and `to` are shares of that day by the wall clock, 0 to 1. */
export interface Closed {
  readonly from: number;
  readonly to: number;
}

/** Limit for the number of changes in a day, a little more than one per minute. More changes could not be drawn. */
const MAX_STEPS = 1_500;

/** Returns when the panel is off on a day (a day number as in civil.ts), by its opening hours. */
export const closedOn = (hours: Hours, day: number): Closed[] => {
  const gate = createGate(hours.opening_hours, hours.timezone);
  const [start, end] = [toInstant(day * DAY_MS, hours.timezone), toInstant((day + 1) * DAY_MS, hours.timezone)];
  const share = (instant: number) => (toLocal(instant, hours.timezone) - day * DAY_MS) / DAY_MS;
  const closed: Closed[] = [];
  for (let at = start, steps = 0; at < end && steps < MAX_STEPS; steps++) {
    const { open, until } = gate(at);
    const to = Math.min(until, end);
    if (!open) closed.push({ from: share(at), to: to === end ? 1 : share(to) });
    at = to;
  }
  return closed;
};
