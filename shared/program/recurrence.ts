/**
 * The calendar part of RFC 5545 recurrences: parses the text of a rule and finds its days. series.ts handles times of
 * day and zones.
 */
import { civilOf, DAY_MS, daysInMonth, isLeapYear, mod, parseLocal, weekdayOf } from './civil.ts';
import { addBounded } from './keep.ts';

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/** Inclusive end of a rule (UNTIL): a day number, a local time or an instant, depending on the form in the text. */
export type Until =
  | { readonly kind: 'day'; readonly day: number }
  | { readonly kind: 'local'; readonly local: number }
  | { readonly kind: 'instant'; readonly instant: number };

export interface Rule {
  readonly freq: Frequency;
  /** INTERVAL of the rule, at least 1. */
  readonly interval: number;
  readonly count: number | null;
  readonly until: Until | null;
  /**
   * BYDAY. `nth` counts within the month or year, from its end when negative; null: every occurrence of the weekday.
   */
  readonly byDay: readonly { readonly weekday: number; readonly nth: number | null }[];
  /** BYMONTHDAY: 1 to 31, or -1 to -31 from the end of the month. */
  readonly byMonthDay: readonly number[];
  /** BYMONTH of the rule: months from 1 to 12. */
  readonly byMonth: readonly number[];
  /**
   * BYSETPOS: positions in the set of days of each period, from its end when negative: ±1–366. Empty: the whole set.
   */
  readonly bySetPos: readonly number[];
  /** First day of the week (WKST), 0 = Sunday. Default: Monday. */
  readonly weekStart: number;
}

/** A recurrence that is malformed or not supported. `part` is the name of the invalid RRULE part. */
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
const PARTS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST'];

/**
 * Parses an RRULE: FREQ (daily to yearly) with INTERVAL, COUNT or UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS and WKST,
 * upper or lower case, with or without the prefix `RRULE:`.
 * @throws RecurrenceError with the name of the invalid part
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
    bySetPos: list(parts, 'BYSETPOS').map((value) => ranged('BYSETPOS', value, 366, true)),
    weekStart: parseWeekday('WKST', parts.get('WKST') ?? 'MO'),
  };
  if (rule.count !== null && rule.until)
    throw new RecurrenceError('UNTIL', 'COUNT and UNTIL cannot be used together; remove one of them');
  if (rule.freq === 'WEEKLY' && rule.byMonthDay.length > 0) {
    throw new RecurrenceError('BYMONTHDAY', 'BYMONTHDAY cannot be used with FREQ=WEEKLY');
  }
  requireSet(rule);
  return rule;
}

/** BYSETPOS requires another part that defines its set. @throws RecurrenceError */
function requireSet({ freq, bySetPos, byDay, byMonthDay, byMonth }: Rule): void {
  if (bySetPos.length === 0) return;
  if (byDay.length + byMonthDay.length + byMonth.length === 0)
    throw new RecurrenceError('BYSETPOS', 'BYSETPOS needs BYDAY, BYMONTHDAY or BYMONTH');
  // BYSETPOS with weeks and BYMONTH is refused: a week may begin in a month that the rule excludes, so its set would
  // depend on two months.
  if (freq === 'WEEKLY' && byMonth.length > 0)
    throw new RecurrenceError('BYSETPOS', 'FREQ=WEEKLY cannot have both BYSETPOS and BYMONTH');
}

function splitParts(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  const body = text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '');
  for (const part of body.split(';')) {
    const [name = '', value, ...rest] = part.split('=').map((side) => side.trim());
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
  if (!/^[+-]?\d{1,3}$/.test(text) || !(size >= 1 && size <= max)) {
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
  if (!match) throw new RecurrenceError('BYDAY', `BYDAY must contain weekdays like MO or -1FR, not ${text}`);
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

/** The days of a rule. COUNT and UNTIL are not applied here. */
export interface DayPattern {
  /**
   * Returns the first matching day ≥ `day`, at most `limit` (default: 400 years later, after which the calendar
   * repeats).
   */
  next(day: number, limit?: number): number | null;
  /** Returns the last matching day ≤ `day`. */
  previous(day: number): number | null;
  /** Returns the matching day number `n`, from 1, at most `limit`; null: there are fewer. */
  nth(n: number, limit: number): number | null;
}

/** Maximum number of cached rules. There are few distinct rules and many schedules. */
const MAX_RULES = 200;
const MAX_KEPT_LENGTH = 200;
const rules = new Map<string, Rule>();

/** Like {@link parseRule}, but cached by text. The result is shared and must not be changed. @throws RecurrenceError */
export function ruleOf(text: string): Rule {
  const known = rules.get(text);
  if (known) return known;
  const rule = parseRule(text);
  return text.length > MAX_KEPT_LENGTH ? rule : addBounded(rules, MAX_RULES, text, rule);
}

/**
 * Limit of a search in days: 400 years, after which the Gregorian calendar repeats. A rule with INTERVAL=1 and no match
 * in this time never matches; a later match of any other rule is irrelevant.
 */
export const REACH_DAYS = 146_097;

/**
 * Returns the matching days from `first` on (day numbers); `rule` null: only `first`. With a rule, `first` counts only
 * if it matches.
 */
export function dayPattern(rule: Rule | null, first: number): DayPattern {
  if (!rule) {
    const only = (limit: number) => (first <= limit ? first : null);
    return {
      next: (day, limit = Number.POSITIVE_INFINITY) => (day <= first ? only(limit) : null),
      previous: (day) => (day >= first ? first : null),
      nth: (n, limit) => (n === 1 ? only(limit) : null),
    };
  }
  const { matching, onward, back } = monthsOf(rule, first);
  // The last month is remembered, because the next call mostly needs a day in the same month.
  let [recentStart, recentDays] = [Number.NaN, 0];
  const next: DayPattern['next'] = (day, limit = Number.POSITIVE_INFINITY) => {
    const start = Math.max(day, first);
    const last = Math.min(limit, start + REACH_DAYS);
    if (start >= recentStart) {
      const days = recentDays & from(start - recentStart);
      if (days !== 0) return within(recentStart + lowest(days), last);
    }
    for (const at = monthOf(start); at.start <= last; onward(at)) {
      const all = matching(at);
      const days = all & from(start - at.start);
      if (days === 0) continue;
      [recentStart, recentDays] = [at.start, all];
      return within(at.start + lowest(days), last);
    }
    return null;
  };
  return {
    next,
    previous(day) {
      const last = Math.max(first, day - REACH_DAYS);
      for (const at = monthOf(day); at.start + 31 > last; back(at)) {
        const days = matching(at) & upTo(day - at.start) & from(last - at.start);
        if (days !== 0) return at.start + highest(days);
      }
      return null;
    },
    nth(n, limit) {
      let left = n;
      for (const at = monthOf(first); at.start <= limit; onward(at)) {
        let days = matching(at) & from(first - at.start);
        const count = countOf(days);
        if (count < left) {
          left -= count;
          continue;
        }
        while (--left > 0) days &= days - 1;
        return within(at.start + lowest(days), limit);
      }
      return null;
    },
  };
}

const within = (day: number, last: number): number | null => (day <= last ? day : null);

// A set of days of a month is a number with bit 0 for the first day. Each month needs only a few operations for any
// rule, so no rule needs more than the 4,800 months of 400 years.

const ALL_DAYS = 0x7fff_ffff;
const lowest = (days: number): number => 31 - Math.clz32(days & -days);
const highest = (days: number): number => 31 - Math.clz32(days);
/** Returns a mask of the days from index `i` on; all days for a negative index. */
const from = (i: number): number => (i <= 0 ? ALL_DAYS : i > 30 ? 0 : (ALL_DAYS << i) & ALL_DAYS);
/** Returns a mask of the days up to index `i`. */
const upTo = (i: number): number => (i >= 30 ? ALL_DAYS : i < 0 ? 0 : (1 << (i + 1)) - 1);
const countOf = (days: number): number => {
  let count = 0;
  for (let left = days; left !== 0; left &= left - 1) count++;
  return count;
};
/** Returns a mask of every `step`th day from index `i` on. */
const everyFrom = (i: number, step: number): number => {
  let days = 0;
  for (let at = i; at < 31; at += step) days |= 1 << at;
  return days;
};

/** A month in a search, which moves forwards or backwards. */
interface Month {
  year: number;
  /** Month, 1–12. */
  month: number;
  /** Day number of the month's first day. */
  start: number;
}

const monthOf = (day: number): Month => {
  const { year, month, day: dayOfMonth } = civilOf(day);
  return { year, month, start: day - dayOfMonth + 1 };
};
const forward = (at: Month): void => {
  at.start += daysInMonth(at.year, at.month);
  if (++at.month > 12) {
    at.month = 1;
    at.year++;
  }
};
const backward = (at: Month): void => {
  if (--at.month < 1) {
    at.month = 12;
    at.year--;
  }
  at.start -= daysInMonth(at.year, at.month);
};

const toMonth = (at: Month, year: number, month: number): void => {
  at.year = year;
  at.month = month;
  at.start = firstOf(year, month);
};

/**
 * Returns the day number of a month's first day: the inverse of `civilOf`. Uses arithmetic because `Date` takes twice
 * as long.
 */
const firstOf = (year: number, month: number): number => {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5);
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
};

interface Months {
  /** Returns the matching days of a month, including days before `first`. */
  readonly matching: (at: Month) => number;
  /** Moves to the next month, skipping years and months that INTERVAL or other parts exclude. */
  readonly onward: (at: Month) => void;
  readonly back: (at: Month) => void;
}

function monthsOf(rule: Rule, first: number): Months {
  const { freq, interval, weekStart } = rule;
  const origin = civilOf(first);
  const inYear = yearMatcher(rule, first);
  const weekOf = (day: number): number => Math.floor((day + 4 - weekStart) / 7);
  const originWeek = weekOf(first);

  /** Returns the days of the matching weeks: every `interval`th week from the week of `first`. */
  const weeksOf = (start: number): number => {
    let days = 0;
    let week = weekOf(start);
    for (week += mod(originWeek - week, interval); ; week += interval) {
      const begin = week * 7 - 4 + weekStart - start;
      if (begin > 30) return days;
      days |= from(begin) & upTo(begin + 6);
    }
  };

  const matching = ({ year, month, start }: Month): number => {
    if (freq === 'YEARLY' && mod(year - origin.year, interval) !== 0) return 0;
    if (freq === 'MONTHLY' && mod((year - origin.year) * 12 + month - origin.month, interval) !== 0) return 0;
    const days = inYear(year)[month - 1]!;
    if (days === 0 || interval === 1) return days;
    if (freq === 'DAILY') return days & everyFrom(mod(first - start, interval), interval);
    return freq === 'WEEKLY' ? days & weeksOf(start) : days;
  };
  /**
   * Returns the number of months to the next month that INTERVAL includes, in the direction of `sign`; 0: this month is
   * included.
   */
  const leftOut = ({ year, month }: Month, sign: 1 | -1): number => {
    if (freq === 'MONTHLY') return mod(sign * (origin.month - month + (origin.year - year) * 12), interval);
    const years = freq === 'YEARLY' ? mod(sign * (origin.year - year), interval) : 0;
    if (years === 0) return 0;
    return sign > 0 ? years * 12 - month + 1 : years * 12 - 12 + month;
  };
  const walk = (sign: 1 | -1, step: (at: Month) => void) => (at: Month) => {
    step(at);
    const months = leftOut(at, sign);
    if (months > 0) {
      const count = at.year * 12 + at.month - 1 + sign * months;
      toMonth(at, Math.floor(count / 12), mod(count, 12) + 1);
    }
    if (inYear(at.year) === NO_DAYS) toMonth(at, at.year, sign > 0 ? 12 : 1);
    else if (freq === 'DAILY' && interval > 31) {
      const edge = sign > 0 ? at.start : at.start + 30;
      const day = edge + sign * mod(sign * (first - edge), interval);
      if (sign > 0 ? day > at.start + 30 : day < at.start) Object.assign(at, monthOf(day));
    }
  };
  return { matching, onward: walk(1, forward), back: walk(-1, backward) };
}

/**
 * Cache: the matching days of each month, for the fourteen different kinds of years. The key contains the parts of the
 * rule's first day that influence these days.
 */
type Years = Map<number, (readonly number[] | undefined)[]>;
const yearsOf = new WeakMap<Rule, Years>();
/** Maximum number of cached entries per rule. A year has fewer different first days. */
const MAX_YEARS = 500;

/** The twelve months of a year in which no day matches. */
const NO_DAYS: readonly number[] = Array.from({ length: 12 }, () => 0);

/**
 * Returns the days of each month that match BYMONTH, BYMONTHDAY and BYDAY. There are only fourteen different kinds of
 * years, so each kind is computed once.
 */
function yearMatcher(rule: Rule, first: number): (year: number) => readonly number[] {
  const { freq } = rule;
  const origin = civilOf(first);
  // If the rule does not contain a part, the value is taken from the first day (RFC 5545).
  const dateIsOpen = rule.byDay.length === 0 && rule.byMonthDay.length === 0;
  const months = freq === 'YEARLY' && dateIsOpen && rule.byMonth.length === 0 ? [origin.month] : rule.byMonth;
  const monthDays = (freq === 'MONTHLY' || freq === 'YEARLY') && dateIsOpen ? [origin.day] : rule.byMonthDay;
  const weekdays =
    freq === 'WEEKLY' && rule.byDay.length === 0 ? [{ weekday: weekdayOf(first), nth: null }] : rule.byDay;
  // In a weekly rule, BYSETPOS selects the same weekdays in each week, so the rule is converted to these weekdays.
  const byDay = freq === 'WEEKLY' && rule.bySetPos.length > 0 ? chosenWeekdays(rule, weekdays) : weekdays;
  const nthWithinYear = freq === 'YEARLY' && rule.byMonth.length === 0;

  /**
   * @param begin index of the period in the month
   * @param length number of days in which `nth` counts
   * @param weekday weekday of the first day of the period
   */
  const weekdaysOf = (begin: number, length: number, weekday: number): number => {
    let days = 0;
    for (const { weekday: wanted, nth } of byDay) {
      const once = mod(wanted - weekday, 7);
      if (nth === null) {
        days |= everyFrom(mod(begin + once, 7), 7);
        continue;
      }
      const position = nth > 0 ? once + (nth - 1) * 7 : once + (Math.floor((length - 1 - once) / 7) + 1 + nth) * 7;
      const index = begin + position;
      if (position >= 0 && position < length && index >= 0 && index < 31) days |= 1 << index;
    }
    return days;
  };

  const workOut = (year: number): readonly number[] => {
    const newYear = firstOf(year, 1);
    const yearLength = isLeapYear(year) ? 366 : 365;
    const days = Array.from({ length: 12 }, (_, i) => {
      if (months.length > 0 && !months.includes(i + 1)) return 0;
      const length = daysInMonth(year, i + 1);
      const start = firstOf(year, i + 1);
      let days = upTo(length - 1);
      if (monthDays.length > 0)
        days &= monthDays.reduce(
          (set, day) => set | (Math.abs(day) <= length ? 1 << (day > 0 ? day - 1 : length + day) : 0),
          0,
        );
      if (byDay.length > 0)
        days &= nthWithinYear
          ? weekdaysOf(newYear - start, yearLength, weekdayOf(newYear))
          : weekdaysOf(0, length, weekdayOf(start));
      return days;
    });
    const chosen = choose(rule, days);
    return chosen.some((some) => some !== 0) ? chosen : NO_DAYS;
  };

  const isOpen = months !== rule.byMonth || monthDays !== rule.byMonthDay || weekdays !== rule.byDay;
  const firstDate = isOpen ? (origin.month * 32 + origin.day) * 7 + weekdayOf(first) : 0;
  const known = yearsOf.get(rule) ?? new Map();
  yearsOf.set(rule, known);
  const years = known.get(firstDate) ?? addBounded(known, MAX_YEARS, firstDate, []);
  let recentYear = Number.NaN;
  let recent: readonly number[] = [];
  return (year) => {
    if (year !== recentYear) {
      const kind = weekdayOf(firstOf(year, 1)) * 2 + (isLeapYear(year) ? 1 : 0);
      recent = years[kind] ??= workOut(year);
      recentYear = year;
    }
    return recent;
  };
}

/** Returns the indexes, among `count` entries, at the positions of BYSETPOS. */
const indexesOf = (positions: readonly number[], count: number): ReadonlySet<number> =>
  new Set(positions.map((position) => (position > 0 ? position - 1 : count + position)));

/** @param weekdays weekdays of the rule, or the weekday of the first day */
const chosenWeekdays = ({ bySetPos, weekStart }: Rule, weekdays: Rule['byDay']): Rule['byDay'] => {
  const inWeek = [...new Set(weekdays.map(({ weekday }) => mod(weekday - weekStart, 7)))].sort();
  const chosen = indexesOf(bySetPos, inWeek.length);
  const found = inWeek.filter((_, i) => chosen.has(i)).map((day) => ({ weekday: mod(day + weekStart, 7), nth: null }));
  return found.length > 0 ? found : NEVER;
};
/** A weekday that occurs in no year. An empty list would mean every day. */
const NEVER: Rule['byDay'] = [{ weekday: 0, nth: 1000 }];

/** Returns the days of a year, by month, at the positions of BYSETPOS in each period of the rule. */
const choose = ({ freq, bySetPos }: Rule, months: readonly number[]): readonly number[] => {
  if (bySetPos.length === 0 || freq === 'WEEKLY') return months;
  // With DAILY, the set of a period has at most one day.
  if (freq === 'DAILY') return bySetPos.some((position) => Math.abs(position) === 1) ? months : NO_DAYS;
  if (freq === 'MONTHLY') return months.map((days) => pickDays(days, indexesOf(bySetPos, countOf(days)), 0));
  const chosen = indexesOf(
    bySetPos,
    months.reduce((sum, days) => sum + countOf(days), 0),
  );
  let before = 0;
  return months.map((days) => {
    const picked = pickDays(days, chosen, before);
    before += countOf(days);
    return picked;
  });
};

/** @param before index of the first of these days in its set */
const pickDays = (days: number, chosen: ReadonlySet<number>, before: number): number => {
  let picked = 0;
  let at = before;
  for (let left = days; left !== 0; left &= left - 1) if (chosen.has(at++)) picked |= left & -left;
  return picked;
};
