/**
 * Writes days and wall-clock times (shared/program/civil.ts) for a locale. They have no time zone, so none is applied.
 */
import { DAY_MS } from '../../shared/program/civil.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();
const formatterOf = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${locale}${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  formatters.set(key, known);
  return known;
};

/** Writes a day for a locale. `day`: days since 1970-01-01, as in civil.ts. */
export const writeDay = (
  locale: string,
  day: number,
  options: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' },
): string => formatterOf(locale, options).format(day * DAY_MS);

/**
 * Writes the range from the first to the last day, both included. The month is written only once if both have the
 * same.
 */
export const writeDays = (locale: string, first: number, last: number): string =>
  formatterOf(locale, { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(first * DAY_MS, last * DAY_MS);

/** Writes a wall-clock time. `local`: milliseconds as in civil.ts. */
export const writeTime = (locale: string, local: number, withSeconds = false): string =>
  formatterOf(locale, { hour: '2-digit', minute: '2-digit', ...(withSeconds && { second: '2-digit' }) }).format(local);

/** Writes a full hour in short form: 14:00, 2 PM. */
export const writeHour = (locale: string, local: number): string => {
  const { hour12 } = formatterOf(locale, { hour: 'numeric' }).resolvedOptions();
  return hour12 ? formatterOf(locale, { hour: 'numeric' }).format(local) : writeTime(locale, local);
};

/** Writes the name of a weekday; 0 is Sunday. 4 January 1970 was a Sunday. */
export const writeWeekday = (locale: string, weekday: number, style: 'long' | 'short' | 'narrow' = 'long'): string =>
  writeDay(locale, 3 + weekday, { weekday: style });

/** Writes the name of a month; 1 is January. */
export const writeMonth = (locale: string, month: number): string =>
  formatterOf(locale, { month: 'long' }).format(Date.UTC(1970, month - 1, 1));

/** Returns the first weekday of a week; 0 is Sunday. */
export const firstWeekday = (locale: string): number => {
  const tag = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  const { firstDay } = tag.getWeekInfo?.() ?? tag.weekInfo ?? { firstDay: /-(US|CA|JP|BR|MX)$/.test(locale) ? 7 : 1 };
  return firstDay % 7;
};
