/**
 * Civil dates and wall-clock times as plain numbers, without a zone.
 * A *day* is the number of days since 1970-01-01. A *local* time is milliseconds since 1970-01-01T00:00 on the wall
 * clock. Both are proleptic Gregorian. zones.ts handles time zones.
 */

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

export interface CivilDate {
  readonly year: number;
  /** Month, 1–12. */
  readonly month: number;
  /** Day of the month, 1–31. */
  readonly day: number;
}

/** Remainder of a division, with the sign of the divisor: `mod(-1, 7) === 6`. */
export const mod = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

/**
 * Returns the day number of a date. A month or day beyond its range continues into the next year or month, as in
 * `Date.UTC`.
 */
export const dayNumber = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day) / DAY_MS;

/**
 * Returns the date of a day number. The computation (Hinnant's civil_from_days) runs for every check of a rule; `Date`
 * would take twice as long.
 */
export function civilOf(day: number): CivilDate {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** Returns the weekday of a day number: 0 = Sunday … 6 = Saturday. */
export const weekdayOf = (day: number): number => mod(day + 4, 7);

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Returns the number of days of a month, 28–31. `month` is 1–12. */
export const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeapYear(year) ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;

/** Returns the day of a local time. */
export const dayOf = (local: number): number => Math.floor(local / DAY_MS);

// Dates and times are parsed digit by digit, because every schedule of every program contains some and a RegExp takes
// ten times as long.

const ZERO = '0'.charCodeAt(0);
/** Reads two digits from index `i`; NaN if there are other characters. */
const pairAt = (text: string, i: number): number => {
  const tens = text.charCodeAt(i) - ZERO;
  const ones = text.charCodeAt(i + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
};
const isDash = (text: string, i: number): boolean => text.charCodeAt(i) === 45;
const isColon = (text: string, i: number): boolean => text.charCodeAt(i) === 58;

/** Returns the day number of the date in the first ten characters, `YYYY-MM-DD`; NaN if there is no such date. */
const dayIn = (text: string): number => {
  const year = pairAt(text, 0) * 100 + pairAt(text, 2);
  const month = pairAt(text, 5);
  const day = pairAt(text, 8);
  // Date.UTC reads the years 0–99 as 1900–1999, so years below 100 are refused.
  const isDate = isDash(text, 4) && isDash(text, 7) && year >= 100 && month >= 1 && month <= 12;
  return isDate && day >= 1 && day <= daysInMonth(year, month) ? dayNumber(year, month, day) : Number.NaN;
};

/**
 * Returns the day number of a date `YYYY-MM-DD`.
 * @throws RangeError if the text is malformed or the date does not exist.
 */
export function parseDate(text: string): number {
  const day = text.length === 10 ? dayIn(text) : Number.NaN;
  if (Number.isNaN(day)) throw new RangeError(`not a date: ${text}`);
  return day;
}

/**
 * Returns the milliseconds since midnight of a time `HH:MM`, from `00:00` to `24:00`.
 * @throws RangeError if the text is malformed.
 */
export function parseClock(text: string): number {
  const match = /^(\d{2}):(\d{2})$/.exec(text);
  const hours = Number(match?.[1]);
  const minutes = Number(match?.[2]);
  if (!(minutes < 60 && hours * 60 + minutes <= 24 * 60)) throw new RangeError(`not a time of day: ${text}`);
  return (hours * 60 + minutes) * MINUTE_MS;
}

/**
 * Returns the local milliseconds of a text `YYYY-MM-DDTHH:MM[:SS]` without an offset.
 * @throws RangeError if the text is malformed or the time does not exist.
 */
export function parseLocal(text: string): number {
  const hasSeconds = text.length === 19 && isColon(text, 16);
  const isLong = hasSeconds || text.length === 16;
  const hour = pairAt(text, 11);
  const minute = pairAt(text, 14);
  const second = hasSeconds ? pairAt(text, 17) : 0;
  const isTime = text[10] === 'T' && isColon(text, 13) && hour < 24 && minute < 60 && second < 60;
  const local = dayIn(text) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000;
  if (!(isLong && isTime) || Number.isNaN(local)) throw new RangeError(`not a local date and time: ${text}`);
  return local;
}

/** Writes a day number as `YYYY-MM-DD`. */
export const formatDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Returns local milliseconds as text `YYYY-MM-DDTHH:MM:SS`, without fractions of a second. */
export const formatLocal = (local: number): string => new Date(Math.floor(local)).toISOString().slice(0, 19);
