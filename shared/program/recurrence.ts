/** The calendar side of RFC 5545 recurrence: rule text → which days. Times of day and zones are series.ts's business. */
import { civilOf, DAY_MS, dayNumber, daysInMonth, isLeapYear, mod, parseLocal, weekdayOf } from './civil.ts';

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/** Inclusive end of a rule: a day number, a local time or an instant, as the text had it. */
export type Until = { readonly kind: 'day'; readonly day: number } | { readonly kind: 'local'; readonly local: number } | { readonly kind: 'instant'; readonly instant: number };

export interface Rule {
  readonly freq: Frequency;
  /** ≥ 1 */
  readonly interval: number;
  readonly count: number | null;
  readonly until: Until | null;
  /** `nth` counts within the month or year, from its end when negative; null: every one. */
  readonly byDay: readonly { readonly weekday: number; readonly nth: number | null }[];
  /** ±1–31 */
  readonly byMonthDay: readonly number[];
  /** 1–12 */
  readonly byMonth: readonly number[];
  /** First day of the week, 0 = Sunday; Monday unless the rule says otherwise. */
  readonly weekStart: number;
}

/** A recurrence that is malformed, or uses what we do not support. `part` is the name of the RRULE part at fault. */
export class RecurrenceError extends Error {
  readonly part: string;
  constructor(part: string, message: string) {
    super(`recurrence: ${message}`);
    this.name = 'RecurrenceError';
    this.part = part;
  }
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const FREQUENCIES: readonly string[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] satisfies Frequency[];
const PARTS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'WKST'];

/**
 * Reads an RRULE: FREQ (daily to yearly) with INTERVAL, COUNT or UNTIL, BYDAY, BYMONTHDAY, BYMONTH and WKST, upper or
 * lower case, with or without `RRULE:` in front.
 * @throws RecurrenceError naming the part that is wrong
 */
export function parseRule(text: string): Rule {
  const parts = splitParts(text);
  const freq = parts.get('FREQ');
  if (freq === undefined) throw new RecurrenceError('FREQ', 'FREQ is missing');
  if (!FREQUENCIES.includes(freq)) {
    throw new RecurrenceError('FREQ', `FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY, not ${freq}`);
  }
  const rule: Rule = {
    freq: freq as Frequency,
    interval: wholeNumber(parts, 'INTERVAL') ?? 1,
    count: wholeNumber(parts, 'COUNT'),
    until: parseUntil(parts.get('UNTIL')),
    byDay: list(parts, 'BYDAY').map((value) => parseByDay(value, freq as Frequency)),
    byMonthDay: list(parts, 'BYMONTHDAY').map((value) => ranged('BYMONTHDAY', value, 31, true)),
    byMonth: list(parts, 'BYMONTH').map((value) => ranged('BYMONTH', value, 12, false)),
    weekStart: parseWeekday('WKST', parts.get('WKST') ?? 'MO'),
  };
  if (rule.count !== null && rule.until) throw new RecurrenceError('UNTIL', 'COUNT and UNTIL exclude each other');
  if (rule.freq === 'WEEKLY' && rule.byMonthDay.length > 0) {
    throw new RecurrenceError('BYMONTHDAY', 'BYMONTHDAY does not go with FREQ=WEEKLY');
  }
  return rule;
}

function splitParts(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  const body = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '');
  for (const part of body.split(';')) {
    const [name = '', value = '', ...rest] = part.split('=').map((side) => side.trim());
    if (!name || !value || rest.length > 0) throw new RecurrenceError(name, `"${part}" is not NAME=VALUE`);
    if (!PARTS.includes(name)) throw new RecurrenceError(name, `${name} is not supported`);
    if (parts.has(name)) throw new RecurrenceError(name, `${name} is given twice`);
    parts.set(name, value);
  }
  return parts;
}

function wholeNumber(parts: Map<string, string>, name: string): number | null {
  const text = parts.get(name);
  if (text === undefined) return null;
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1) {
    throw new RecurrenceError(name, `${name} must be a whole number from 1 to 999999, not ${text}`);
  }
  return Number(text);
}

const list = (parts: Map<string, string>, name: string): string[] =>
  parts
    .get(name)
    ?.split(',')
    .map((value) => value.trim()) ?? [];

function ranged(name: string, text: string, max: number, mayBeNegative: boolean): number {
  const value = Number(text);
  const size = mayBeNegative ? Math.abs(value) : value;
  if (!/^[+-]?\d{1,2}$/.test(text) || !(size >= 1 && size <= max)) {
    throw new RecurrenceError(name, `${name} must be ${mayBeNegative ? '±' : ''}1 to ${max}, not ${text}`);
  }
  return value;
}

function parseWeekday(name: string, text: string): number {
  const weekday = WEEKDAYS.indexOf(text);
  if (weekday < 0) throw new RecurrenceError(name, `${name} must be one of ${WEEKDAYS.join(', ')}, not ${text}`);
  return weekday;
}

function parseByDay(text: string, freq: Frequency): Rule['byDay'][number] {
  const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text);
  if (!match) throw new RecurrenceError('BYDAY', `BYDAY has weekdays like MO or -1FR, not ${text}`);
  const weekday = parseWeekday('BYDAY', match[2] as string);
  if (match[1] === undefined) return { weekday, nth: null };
  if (freq !== 'MONTHLY' && freq !== 'YEARLY') {
    throw new RecurrenceError('BYDAY', `BYDAY=${text} needs FREQ=MONTHLY or YEARLY`);
  }
  return { weekday, nth: ranged('BYDAY', match[1], freq === 'MONTHLY' ? 5 : 53, true) };
}

function parseUntil(text: string | undefined): Until | null {
  if (text === undefined) return null;
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/.exec(text);
  try {
    if (!match) throw new RangeError();
    const [, year, month, day, hour, minute, second, utc] = match;
    const local = parseLocal(`${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`);
    if (hour === undefined) return { kind: 'day', day: local / DAY_MS };
    return utc ? { kind: 'instant', instant: local } : { kind: 'local', local };
  } catch {
    throw new RecurrenceError('UNTIL', `UNTIL must be a date (20261231) or date-time (20261231T235959Z), not ${text}`);
  }
}

/** The days a rule falls on. COUNT and UNTIL are not applied. */
export interface DayPattern {
  /** The first matching day ≥ `day`, at most `limit` (default: 400 years on, after which no rule begins anew). */
  next(day: number, limit?: number): number | null;
  /** The last matching day ≤ `day`. */
  previous(day: number): number | null;
}

/** A full Gregorian cycle: what does not match within it never will (with INTERVAL=1), or matters to nobody. */
const REACH_DAYS = 146_097;

/** Matching days from `first` on (day numbers); `rule` null: `first` alone. `first` itself counts only if it matches. */
export function dayPattern(rule: Rule | null, first: number): DayPattern {
  if (!rule) {
    return {
      next: (day, limit = Number.POSITIVE_INFINITY) => (day <= first && first <= limit ? first : null),
      previous: (day) => (day >= first ? first : null),
    };
  }
  const skip = daySkipper(rule, first);
  return {
    next(day, limit = Number.POSITIVE_INFINITY) {
      const start = Math.max(day, first);
      const last = Math.min(limit, start + REACH_DAYS);
      for (let at = start, step: number; at <= last; at += step) {
        step = skip(at, true);
        if (step === 0) return at;
      }
      return null;
    },
    previous(day) {
      const last = Math.max(first, day - REACH_DAYS);
      for (let at = day, step: number; at >= last; at -= step) {
        step = skip(at, false);
        if (step === 0) return at;
      }
      return null;
    },
  };
}

/**
 * 0 for a matching day, otherwise how many days one may move on (or back) without passing a matching one. Testing days
 * and leaping over dead periods instead of expanding periods keeps every rule part a one-line condition, and lets a
 * schedule that began years ago be asked about today.
 */
function daySkipper(rule: Rule, first: number): (day: number, forward: boolean) => number {
  const { freq, interval, weekStart } = rule;
  const origin = civilOf(first);
  const weekOf = (day: number): number => Math.floor((day + 4 - weekStart) / 7);
  // RFC 5545: what the rule leaves open is taken from the start.
  const dateIsOpen = rule.byDay.length === 0 && rule.byMonthDay.length === 0;
  const months = freq === 'YEARLY' && dateIsOpen && rule.byMonth.length === 0 ? [origin.month] : rule.byMonth;
  const monthDays = (freq === 'MONTHLY' || freq === 'YEARLY') && dateIsOpen ? [origin.day] : rule.byMonthDay;
  const byDay = freq === 'WEEKLY' && rule.byDay.length === 0 ? [{ weekday: weekdayOf(first), nth: null }] : rule.byDay;
  const nthWithinYear = freq === 'YEARLY' && rule.byMonth.length === 0;

  const monthMatches = (year: number, month: number): boolean =>
    (months.length === 0 || months.includes(month)) &&
    (freq !== 'YEARLY' || mod(year - origin.year, interval) === 0) &&
    (freq !== 'MONTHLY' || mod((year - origin.year) * 12 + month - origin.month, interval) === 0);

  return (day, forward) => {
    const { year, month, day: dayOfMonth } = civilOf(day);
    const monthLength = daysInMonth(year, month);
    if (!monthMatches(year, month)) return forward ? monthLength - dayOfMonth + 1 : dayOfMonth;
    if (freq === 'DAILY') {
      const past = mod(day - first, interval);
      if (past > 0) return forward ? interval - past : past;
    }
    if (freq === 'WEEKLY') {
      const past = mod(weekOf(day) - weekOf(first), interval);
      const intoWeek = mod(weekdayOf(day) - weekStart, 7);
      if (past > 0) return forward ? (interval - past) * 7 - intoWeek : (past - 1) * 7 + intoWeek + 1;
    }
    if (monthDays.length > 0 && !monthDays.includes(dayOfMonth) && !monthDays.includes(dayOfMonth - monthLength - 1)) {
      return 1;
    }
    if (byDay.length === 0) return 0;
    const weekday = weekdayOf(day);
    const position = nthWithinYear ? day - dayNumber(year, 1, 1) : dayOfMonth - 1;
    const length = nthWithinYear ? (isLeapYear(year) ? 366 : 365) : monthLength;
    const matches = byDay.some(
      ({ weekday: wanted, nth }) => wanted === weekday && (nth === null || (nth > 0 ? Math.floor(position / 7) + 1 === nth : Math.floor((length - 1 - position) / 7) + 1 === -nth)),
    );
    return matches ? 0 : 1;
  };
}
