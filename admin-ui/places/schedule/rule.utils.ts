/** Between an RRULE and what a person chooses in a form. What the form cannot say is kept as it is (`custom`). */
import { civilOf, daysInMonth, formatDate, weekdayOf } from '../../../shared/program/civil.ts';
import { parseRule, type Rule } from '../../../shared/program/recurrence.ts';

export type RepeatKind = 'once' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'custom';
export type Ending =
  | { readonly kind: 'never' }
  | { readonly kind: 'date'; readonly date: string }
  | { readonly kind: 'count'; readonly count: number };

export interface Repeat {
  readonly kind: RepeatKind;
  /** Every second week: 2. */
  readonly interval: number;
  /** Of weekly ones: 0 = Sunday. */
  readonly days: readonly number[];
  /** Of monthly ones: on the same date, on the second Tuesday, on the last Tuesday. */
  readonly monthly: 'date' | 'nth' | 'last';
  readonly ending: Ending;
  /** Of `custom`. */
  readonly rule: string | null;
}

const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;

/** Which Tuesday of its month a day is: 1–5. */
export const nthOf = (day: number): number => Math.ceil(civilOf(day).day / 7);
export const isLast = (day: number): boolean => {
  const { year, month, day: date } = civilOf(day);
  return date + 7 > daysInMonth(year, month);
};

export const once = (day: number): Repeat => ({
  kind: 'once',
  interval: 1,
  days: [weekdayOf(day)],
  monthly: 'date',
  ending: { kind: 'never' },
  rule: null,
});

const endingOf = (rule: Rule, recurrenceEnd: string | null): Ending => {
  if (rule.count !== null) return { kind: 'count', count: rule.count };
  if (recurrenceEnd !== null) return { kind: 'date', date: recurrenceEnd };
  return rule.until?.kind === 'day' ? { kind: 'date', date: formatDate(rule.until.day) } : { kind: 'never' };
};

/** @param day on which it first starts */
export const repeatOf = (recurrence: string | null, recurrenceEnd: string | null, day: number): Repeat => {
  const plain = once(day);
  if (recurrence === null) return plain;
  const custom: Repeat = {
    ...plain,
    kind: 'custom',
    rule: recurrence,
    ending: recurrenceEnd === null ? { kind: 'never' } : { kind: 'date', date: recurrenceEnd },
  };
  let rule: Rule;
  try {
    rule = parseRule(recurrence);
  } catch {
    return custom;
  }
  const unsaid =
    rule.byMonth.length > 0 ||
    (rule.until !== null && rule.until.kind !== 'day') ||
    (rule.count !== null && recurrenceEnd !== null) ||
    (rule.until !== null && recurrenceEnd !== null);
  if (unsaid) return custom;
  const base = { ...plain, interval: rule.interval, ending: endingOf(rule, recurrenceEnd) };
  const weekdays = rule.byDay.map((d) => d.weekday);
  const date = civilOf(day).day;
  switch (rule.freq) {
    case 'DAILY':
      return rule.byDay.length + rule.byMonthDay.length === 0 ? { ...base, kind: 'daily' } : custom;
    case 'WEEKLY':
      return weekdays.length === 0 || weekdays.includes(weekdayOf(day))
        ? { ...base, kind: 'weekly', days: weekdays.length > 0 ? [...weekdays].sort() : plain.days }
        : custom;
    case 'MONTHLY': {
      const [only] = rule.byDay;
      if (
        rule.byDay.length === 0 &&
        (rule.byMonthDay.length === 0 || (rule.byMonthDay.length === 1 && rule.byMonthDay[0] === date))
      )
        return { ...base, kind: 'monthly' };
      if (rule.byMonthDay.length > 0 || rule.byDay.length !== 1 || only?.weekday !== weekdayOf(day)) return custom;
      if (only.nth === nthOf(day)) return { ...base, kind: 'monthly', monthly: 'nth' };
      return only.nth === -1 && isLast(day) ? { ...base, kind: 'monthly', monthly: 'last' } : custom;
    }
    case 'YEARLY':
      return rule.byDay.length + rule.byMonthDay.length === 0 ? { ...base, kind: 'yearly' } : custom;
    default:
      return rule.freq satisfies never;
  }
};

const FREQ = { daily: 'DAILY', weekly: 'WEEKLY', monthly: 'MONTHLY', yearly: 'YEARLY' } as const;

/** @param day on which it first starts: a weekly rule has that weekday, a monthly one follows its date */
export const ruleOf = (repeat: Repeat, day: number): { recurrence: string | null; recurrence_end: string | null } => {
  const recurrence_end = repeat.kind !== 'once' && repeat.ending.kind === 'date' ? repeat.ending.date : null;
  if (repeat.kind === 'once') return { recurrence: null, recurrence_end: null };
  if (repeat.kind === 'custom') return { recurrence: repeat.rule, recurrence_end };
  const parts = [`FREQ=${FREQ[repeat.kind]}`];
  if (repeat.interval > 1) parts.push(`INTERVAL=${repeat.interval}`);
  const weekday = weekdayOf(day);
  if (repeat.kind === 'weekly')
    parts.push(
      `BYDAY=${[...new Set([...repeat.days, weekday])]
        .sort()
        .map((d) => CODES[d])
        .join(',')}`,
    );
  if (repeat.kind === 'monthly' && repeat.monthly !== 'date')
    parts.push(`BYDAY=${repeat.monthly === 'last' ? -1 : nthOf(day)}${CODES[weekday]}`);
  if (repeat.ending.kind === 'count') parts.push(`COUNT=${repeat.ending.count}`);
  return { recurrence: parts.join(';'), recurrence_end };
};
