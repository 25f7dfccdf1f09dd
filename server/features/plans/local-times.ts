/** Reads times from requests: local time of a zone, or a time with an offset. */
import { badRequest } from '../../../shared/contract/errors.ts';
import { formatLocal, parseDate, parseLocal } from '../../../shared/program/civil.ts';
import { toInstant, toLocal } from '../../../shared/program/zones.ts';

const hasOffset = (text: string): boolean => /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10));

/**
 * Returns the day number of a date.
 * @throws ApiError 400 that names `name`
 */
export const dayOfDate = (text: string, name: string): number => {
  try {
    return parseDate(text);
  } catch {
    throw badRequest(`${name}: must be a day that exists, like 2026-12-24`);
  }
};

const localOf = (text: string, name: string): number => {
  try {
    return parseLocal(text.length === 16 ? `${text}:00` : text.slice(0, 19));
  } catch {
    throw badRequest(`${name}: must be a date-time that exists, like 2026-12-24T09:00`);
  }
};

const offsetInstant = (text: string, name: string): number => {
  const instant = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  if (Number.isNaN(instant)) throw badRequest(`${name}: must be a date-time that exists, like 2026-12-24T09:00`);
  return instant;
};

/** Returns `YYYY-MM-DDTHH:MM:SS` in local time of the zone. @throws ApiError 400 that names `name` */
export const localIn = (zone: string, text: string, name: string): string =>
  formatLocal(hasOffset(text) ? toLocal(offsetInstant(text, name), zone) : localOf(text, name));

/**
 * Reads a date or time: an absolute time when it has an offset, else local time of the zone.
 * @throws ApiError 400 that names `name`
 */
export const instantIn = (zone: string, text: string, name: string): number => {
  const withTime = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text;
  return hasOffset(withTime) ? offsetInstant(withTime, name) : toInstant(localOf(withTime, name), zone);
};
