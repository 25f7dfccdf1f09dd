/** Parses the period of a report: ISO dates and date-times, in the server's zone when they have no offset. */
import { badRequest } from '../../../shared/contract/errors.ts';
import { DAY_MS, dayOf, parseDate, parseLocal } from '../../../shared/program/civil.ts';
import type { Zone } from '../../../shared/program/zones.ts';
import type { Period } from './ingest/sums.ts';

const DEFAULT_DAYS = 30;
/**
 * Last instant that a Date can have, used when no end is given. The period then also includes plays from players with a
 * fast clock.
 */
const OPEN_END = 8_640_000_000_000_000;

/** A space is accepted as the sign of the offset, because an unencoded `+` arrives as a space. */
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?(Z|z|[+\- ]\d{2}:?\d{2})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * `end` is exclusive; an end without a time includes that day. Default start: midnight 30 days before the end or now.
 * @throws ApiError 400 that names a parameter without an ISO date or date-time, or that says that the end is before the
 * start
 */
export const parsePeriod = (
  text: { start?: string | undefined; end?: string | undefined },
  now: number,
  zone: Zone,
): Period => {
  const end = text.end === undefined ? undefined : readMember('end', text.end, zone, 1);
  const start =
    text.start === undefined
      ? zone.toInstant((dayOf(zone.toLocal(end ?? now)) - DEFAULT_DAYS) * DAY_MS)
      : readMember('start', text.start, zone, 0);
  // Also refuses an end on the day before the start. As an instant, the midnight after this day equals the start.
  if (end !== undefined && (end < start || (end === start && DATE.test(text.end!))))
    throw badRequest('end: must not be before start');
  // Accepts a start in the future without an end: the period is then empty.
  return { start, end: end ?? Math.max(start, OPEN_END) };
};

const readMember = (name: string, text: string, zone: Zone, addDays: 0 | 1): number => {
  try {
    return DATE.test(text) ? zone.toInstant((parseDate(text) + addDays) * DAY_MS) : readDateTime(text, zone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badRequest(`${name}: must be an ISO date or date-time like 2026-03-01 or 2026-03-01T09:00:00Z`);
  }
};

const readDateTime = (text: string, zone: Zone): number => {
  const [, date, clock, fraction = '', offset] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || clock === undefined) throw new RangeError(`not a date-time: ${text}`);
  const local = parseLocal(`${date}T${clock}`) + Number(fraction.padEnd(3, '0').slice(0, 3));
  return offset === undefined ? zone.toInstant(local) : local - offsetMs(offset);
};

const offsetMs = (offset: string): number => {
  if (offset.length === 1) return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 23 || minutes > 59) throw new RangeError(`not an offset: ${offset}`);
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
};
