/**
 * Converts the time of a plan between the form (first day, last day, hours, weekdays) and the stored values (the first
 * occurrence, and a recurrence rule). Rules that the form cannot express are kept as they are (`custom`).
 */
import {
  civilOf,
  DAY_MS,
  dayNumber,
  dayOf,
  daysInMonth,
  formatDate,
  formatLocal,
  parseDate,
  parseLocal,
  weekdayOf,
} from '../../../shared/program/civil.ts';
import { parseRule, type Rule } from '../../../shared/program/recurrence.ts';

/**
 * `days`: the same hours on each chosen weekday from the first day to the last; `through`: one period from the first
 * day's time to the last day's; `custom`: a rule that the form cannot express.
 */
export const RHYTHMS = ['days', 'through', 'everyDays', 'everyWeeks', 'monthly', 'yearly', 'custom'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

export type Ending =
  | { readonly kind: 'date'; readonly date: string }
  | { readonly kind: 'never' }
  | { readonly kind: 'count'; readonly count: number };

/** First or last working day (Monday to Friday) of a month. */
export type WorkingDay = 'firstWorking' | 'lastWorking';
export const WORKING_DAYS: readonly WorkingDay[] = ['firstWorking', 'lastWorking'];

/** Dates are `YYYY-MM-DD` and times `HH:MM` (with seconds, if there are any), as the browser's fields give them. */
export interface When {
  /** First day; empty while incomplete, like the other texts. */
  readonly first: string;
  readonly ending: Ending;
  readonly allDay: boolean;
  readonly from: string;
  /** End time. If it is not after `from`, it is on the next day. */
  readonly to: string;
  /** Weekdays in order, 0 = Sunday; all seven mean every day. For `days` and `everyWeeks`. */
  readonly days: readonly number[];
  readonly rhythm: Rhythm;
  /** 2 means every second week. For `everyDays`, `everyWeeks`, `monthly` and `yearly`. */
  readonly interval: number;
  /** For `monthly`: the same date, the second Tuesday, the last Tuesday, the first or last working day. */
  readonly monthly: 'date' | 'nth' | 'last' | WorkingDay;
  /** For `custom`: the recurrence rule, and the number of days from the start to the end of the first occurrence. */
  readonly kept: { readonly recurrence: string; readonly endsAfter: number } | null;
}

/** Times of a plan as in the contract: the first occurrence by the wall clock, and its recurrence. */
export interface Times {
  readonly start_time: string;
  readonly end_time: string;
  readonly recurrence: string | null;
  readonly recurrence_end: string | null;
}

export const EVERY_DAY: readonly number[] = [0, 1, 2, 3, 4, 5, 6];
const WORKING_WEEK: readonly number[] = [1, 2, 3, 4, 5];
const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
const OPEN = '09:00';
const CLOSE = '18:00';

/** Returns 1 to 5: the position of a day among the days of its month that have the same weekday. */
const nthOf = (day: number): number => Math.ceil(civilOf(day).day / 7);
export const isLastOfMonth = (day: number): boolean => {
  const { year, month, day: date } = civilOf(day);
  return date + 7 > daysInMonth(year, month);
};

const attempt = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
/** Returns the day; null while the date is being typed: date fields have the year 202 before they have 2026. */
export const dayOfText = (text: string): number | null => {
  const day = attempt(() => parseDate(text));
  return day !== null && day >= 0 ? day : null;
};
/** Returns the milliseconds since midnight; null while the time is being typed. */
const clockOf = (text: string): number | null => attempt(() => parseLocal(`1970-01-01T${text}`));
const timeOf = (local: number): string => formatLocal(local).slice(11, 19).replace(/:00$/, '');

/** Returns a plan of one day with the shop's hours, or with the given hours. */
export const newWhen = (day: number, hours?: { readonly from: number; readonly to: number }): When => ({
  first: formatDate(day),
  ending: { kind: 'date', date: formatDate(day) },
  allDay: hours === undefined,
  from: hours ? timeOf(hours.from * 60_000) : OPEN,
  to: hours ? timeOf(hours.to * 60_000) : CLOSE,
  days: EVERY_DAY,
  rhythm: 'days',
  interval: 1,
  monthly: 'date',
  kept: null,
});

const endingOf = (rule: Rule, recurrenceEnd: string | null): Ending => {
  if (rule.count !== null) return { kind: 'count', count: rule.count };
  if (recurrenceEnd !== null) return { kind: 'date', date: recurrenceEnd };
  return rule.until?.kind === 'day' ? { kind: 'date', date: formatDate(rule.until.day) } : { kind: 'never' };
};

/** Returns whether a rule chooses the first or the last working day of a month; null if it chooses other days. */
export const workingDayOf = ({ freq, byDay, byMonthDay, bySetPos }: Rule): WorkingDay | null => {
  const days = byDay.map(({ weekday }) => weekday).sort();
  const isWorkingWeek = byDay.every(({ nth }) => nth === null) && days.join() === WORKING_WEEK.join();
  if (freq !== 'MONTHLY' || !isWorkingWeek || byMonthDay.length > 0 || bySetPos.length !== 1) return null;
  return bySetPos[0] === 1 ? 'firstWorking' : bySetPos[0] === -1 ? 'lastWorking' : null;
};

/** Returns the first or last working day of the month of a day. */
const workingDayIn = (which: WorkingDay, day: number): number => {
  const { year, month } = civilOf(day);
  const days = Array.from({ length: daysInMonth(year, month) }, (_, i) => dayNumber(year, month, i + 1));
  const isWorking = (one: number) => WORKING_WEEK.includes(weekdayOf(one));
  return (which === 'firstWorking' ? days.find(isWorking) : days.findLast(isWorking))!;
};

/** Returns the first day not before the given day that is the first or last working day of its month. */
const workingDayFrom = (which: WorkingDay, day: number): number => {
  const own = workingDayIn(which, day);
  const { year, month } = civilOf(day);
  return own >= day ? own : workingDayIn(which, dayNumber(year, month + 1, 1));
};

/** Returns the form's values for a rule; null if the form cannot express the rule. */
const rhythmOf = (rule: Rule, day: number): Partial<When> | null => {
  const working = workingDayOf(rule);
  // The form supports the rule part BYSETPOS only for working days of a month.
  if (rule.bySetPos.length > 0 && (!working || rule.byMonth.length > 0 || workingDayIn(working, day) !== day))
    return null;
  if (working) return { rhythm: 'monthly', interval: rule.interval, monthly: working };
  const on = rule.byDay.map(({ weekday }) => weekday).sort();
  const plain = rule.byDay.length + rule.byMonthDay.length === 0;
  const { interval } = rule;
  switch (rule.freq) {
    case 'DAILY':
      if (!plain) return null;
      return interval === 1 ? { rhythm: 'days' } : { rhythm: 'everyDays', interval };
    case 'WEEKLY': {
      const days = on.length > 0 ? on : [weekdayOf(day)];
      if (interval === 1) return { rhythm: 'days', days };
      // The first day decides which weeks count in a rule like "every second week". It must be one of the weekdays of
      // the rule, because the form would change the first day otherwise.
      const counted = rule.weekStart === 1 && days.includes(weekdayOf(day));
      return counted ? { rhythm: 'everyWeeks', interval, days } : null;
    }
    case 'MONTHLY': {
      const [only] = rule.byDay;
      const onDate =
        rule.byMonthDay.length === 0 || (rule.byMonthDay.length === 1 && rule.byMonthDay[0] === civilOf(day).day);
      if (rule.byDay.length === 0) return onDate ? { rhythm: 'monthly', interval } : null;
      if (rule.byMonthDay.length > 0 || rule.byDay.length !== 1 || only?.weekday !== weekdayOf(day)) return null;
      if (only.nth === nthOf(day)) return { rhythm: 'monthly', interval, monthly: 'nth' };
      return only.nth === -1 && isLastOfMonth(day) ? { rhythm: 'monthly', interval, monthly: 'last' } : null;
    }
    case 'YEARLY':
      return plain ? { rhythm: 'yearly', interval } : null;
    default:
      return rule.freq satisfies never;
  }
};

/** Returns the form's values for a stored plan. */
export const whenOf = ({ start_time, end_time, recurrence, recurrence_end }: Times): When => {
  const [start, end] = [parseLocal(start_time), parseLocal(end_time)];
  const day = dayOf(start);
  const wholeDays = start % DAY_MS === 0 && end % DAY_MS === 0;
  const once: When = {
    ...newWhen(day),
    allDay: wholeDays,
    ...(!wholeDays && { from: timeOf(start), to: timeOf(end) }),
  };
  const isLong = end - start > DAY_MS;
  if (recurrence === null) {
    if (!isLong) return once;
    const last = wholeDays ? dayOf(end) - 1 : dayOf(end);
    return { ...once, ending: { kind: 'date', date: formatDate(last) }, ...(!wholeDays && { rhythm: 'through' }) };
  }
  const ending: Ending = recurrence_end === null ? { kind: 'never' } : { kind: 'date', date: recurrence_end };
  const endsAfter = dayOf(end) - day;
  const custom: When = {
    ...once,
    allDay: false,
    from: timeOf(start),
    to: timeOf(end),
    rhythm: 'custom',
    ending,
    kept: { recurrence, endsAfter },
  };
  const rule = attempt(() => parseRule(recurrence));
  if (!rule || isLong) return custom;
  const unsaid =
    rule.byMonth.length > 0 ||
    (rule.until !== null && rule.until.kind !== 'day') ||
    ((rule.count !== null || rule.until !== null) && recurrence_end !== null);
  const rhythm = unsaid ? null : rhythmOf(rule, day);
  return rhythm ? { ...once, ending: endingOf(rule, recurrence_end), ...rhythm } : custom;
};

export type WhenMistake =
  | 'badFirst'
  | 'badLast'
  | 'badHours'
  | 'lastBeforeFirst'
  | 'noDays'
  | 'noDayBetween'
  | 'endBeforeStart';

/** Returns the first chosen weekday on or after a day. */
const firstOn = (day: number, days: readonly number[]): number => {
  let at = day;
  while (!days.includes(weekdayOf(at))) at++;
  return at;
};

/** Returns whether the form shows weekdays. A single day has none. */
export const showsWeekdays = ({ rhythm, first, ending }: When): boolean =>
  rhythm === 'everyWeeks' || (rhythm === 'days' && !(ending.kind === 'date' && ending.date === first));

const byDay = (days: readonly number[]): string =>
  `BYDAY=${[...days]
    .sort()
    .map((d) => CODES[d])
    .join(',')}`;

const isWorkingDay = (monthly: When['monthly']): monthly is WorkingDay => WORKING_DAYS.includes(monthly as WorkingDay);

const ruleText = (when: When, day: number): string => {
  const every = when.interval > 1 ? [`INTERVAL=${when.interval}`] : [];
  const count = when.ending.kind === 'count' ? [`COUNT=${when.ending.count}`] : [];
  switch (when.rhythm) {
    case 'days':
      return [when.days.length === 7 ? 'FREQ=DAILY' : `FREQ=WEEKLY;${byDay(when.days)}`, ...count].join(';');
    case 'everyDays':
      return ['FREQ=DAILY', ...every, ...count].join(';');
    case 'everyWeeks':
      return ['FREQ=WEEKLY', ...every, byDay(when.days), ...count].join(';');
    case 'monthly': {
      if (isWorkingDay(when.monthly)) {
        const position = `BYSETPOS=${when.monthly === 'firstWorking' ? 1 : -1}`;
        return ['FREQ=MONTHLY', ...every, byDay(WORKING_WEEK), position, ...count].join(';');
      }
      const nth = when.monthly === 'last' ? -1 : nthOf(day);
      const on = when.monthly === 'date' ? [] : [`BYDAY=${nth}${CODES[weekdayOf(day)]}`];
      return ['FREQ=MONTHLY', ...every, ...on, ...count].join(';');
    }
    case 'yearly':
      return ['FREQ=YEARLY', ...every, ...count].join(';');
    case 'custom':
      return when.kept?.recurrence ?? '';
    case 'through':
      return '';
    default:
      return when.rhythm satisfies never;
  }
};

/** Returns the values to store, or the first mistake. */
export const timesOf = (when: When): { readonly times: Times } | { readonly mistake: WhenMistake } => {
  const day = dayOfText(when.first);
  if (day === null) return { mistake: 'badFirst' };
  const { ending, rhythm } = when;
  const last = ending.kind === 'date' ? dayOfText(ending.date) : null;
  if (ending.kind === 'date' && last === null) return { mistake: 'badLast' };
  if (last !== null && last < day) return { mistake: 'lastBeforeFirst' };
  const isWhole = when.allDay && rhythm !== 'custom';
  const from = isWhole ? 0 : clockOf(when.from);
  const to = isWhole ? 0 : clockOf(when.to);
  if (from === null || to === null) return { mistake: 'badHours' };
  const of = (start: number, end: number, recurrence: string | null, end_date: number | null) => ({
    times: {
      start_time: formatLocal(start),
      end_time: formatLocal(end),
      recurrence,
      recurrence_end: end_date === null ? null : formatDate(end_date),
    },
  });
  if (rhythm === 'through') {
    const end = (last ?? day) * DAY_MS + (isWhole ? DAY_MS : to);
    return end <= day * DAY_MS + from ? { mistake: 'endBeforeStart' } : of(day * DAY_MS + from, end, null, null);
  }
  if (rhythm === 'custom') {
    const end = (day + (when.kept?.endsAfter ?? 0)) * DAY_MS + to;
    const start = day * DAY_MS + from;
    return end <= start ? { mistake: 'endBeforeStart' } : of(start, end, ruleText(when, day), last);
  }
  const length = to > from ? to - from : to - from + DAY_MS;
  const isOne = rhythm === 'days' && last === day;
  const weekdays = !isOne && (rhythm === 'days' || rhythm === 'everyWeeks') ? when.days : EVERY_DAY;
  if (weekdays.length === 0) return { mistake: 'noDays' };
  // Starts the plan on a day that the rule includes. Other calendar programs count the first day as an occurrence, even
  // if the rule does not include it.
  const begin =
    rhythm === 'monthly' && isWorkingDay(when.monthly) ? workingDayFrom(when.monthly, day) : firstOn(day, weekdays);
  if (last !== null && begin > last) return { mistake: 'noDayBetween' };
  const start = begin * DAY_MS + from;
  if (isOne) return of(start, start + length, null, null);
  // A plan for all hours of all days is stored as one long occurrence.
  if (rhythm === 'days' && isWhole && weekdays.length === 7 && last !== null)
    return of(start, (last + 1) * DAY_MS, null, null);
  return of(start, start + length, ruleText(when, begin), last);
};

/** Sets a new first day, and moves the last day so that the duration stays. */
export const withFirst = (when: When, first: string): When => {
  const { ending } = when;
  const [before, after] = [dayOfText(when.first), dayOfText(first)];
  const last = ending.kind === 'date' ? dayOfText(ending.date) : null;
  if (before === null || after === null || last === null || last < before) return { ...when, first };
  return { ...when, first, ending: { kind: 'date', date: formatDate(last + after - before) } };
};

/**
 * Returns the probable intention of a plan whose occurrences overlap ("30 November 9:00 to 11 December 18:00, each
 * Monday to Friday"): these hours of each day, until the last day of the first occurrence.
 */
export const meantBy = (when: When): When | null => {
  const day = dayOfText(when.first);
  if (when.rhythm !== 'custom' || !when.kept || when.kept.endsAfter < 1 || day === null) return null;
  const rule = attempt(() => parseRule(when.kept?.recurrence ?? ''));
  if (!rule || (rule.freq !== 'DAILY' && rule.freq !== 'WEEKLY')) return null;
  const on = rule.byDay.map(({ weekday }) => weekday).sort();
  const days = rule.freq === 'DAILY' ? EVERY_DAY : on.length > 0 ? on : [weekdayOf(day)];
  return {
    ...newWhen(day),
    allDay: false,
    from: when.from,
    to: when.to,
    days,
    ending: { kind: 'date', date: formatDate(day + when.kept.endsAfter) },
  };
};
