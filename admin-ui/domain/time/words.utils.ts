/** A recurrence in words: "every second week on Monday and Friday, until 24 December 2026". */
import type { TFunction } from 'i18next';
import { civilOf, DAY_MS, dayOf, parseDate, parseLocal, weekdayOf } from '../../../shared/program/civil.ts';
import { parseRule, type Rule } from '../../../shared/program/recurrence.ts';
import { writeDay, writeMonth, writeTime, writeWeekday } from '../../i18n/civil.ts';
import { formatList } from '../../i18n/format.ts';
import { type Times, workingDayOf } from './when.utils.ts';

interface Words {
  readonly t: TFunction;
  readonly locale: string;
}

const DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;

const NTH = { '1': 'first', '2': 'second', '3': 'third', '4': 'fourth', '5': 'fifth', '-1': 'last' } as const;

/** Returns a number as 1st, 2nd, 3rd, 4th. */
const ordinal = (n: number, { t, locale }: Words): string => {
  const rule = new Intl.PluralRules(locale, { type: 'ordinal' }).select(n);
  return t(`schedule.ordinal.${rule === 'zero' || rule === 'many' ? 'other' : rule}`, { n });
};

const weekdaysInWords = (rule: Rule, { t, locale }: Words): string => {
  const named = [...rule.byDay].sort((a, b) => ((a.weekday + 6) % 7) - ((b.weekday + 6) % 7));
  return formatList(
    locale,
    named.map(({ weekday, nth }) => {
      const day = writeWeekday(locale, weekday);
      if (nth === null) return day;
      const name = NTH[String(nth) as keyof typeof NTH];
      return name ? t(`schedule.nth.${name}`, { day }) : t('schedule.nth.any', { day, n: nth });
    }),
  );
};

const datesInWords = (rule: Rule, words: Words): string =>
  formatList(
    words.locale,
    rule.byMonthDay.map((date) =>
      date === -1
        ? words.t('schedule.lastDay')
        : date < 0
          ? words.t('schedule.dateFromEnd', { n: ordinal(-date, words) })
          : ordinal(date, words),
    ),
  );

/** Returns the first and the last of three or more weekdays in a row, in a week that begins on Monday. */
const inARow = (rule: Rule): readonly [number, number] | null => {
  const days = rule.byDay.map(({ weekday }) => (weekday + 6) % 7).sort((a, b) => a - b);
  const [first, last] = [days[0], days.at(-1)];
  const isRow = days.length > 2 && last! - first! === days.length - 1 && rule.byDay.every(({ nth }) => nth === null);
  return isRow ? [(first! + 1) % 7, (last! + 1) % 7] : null;
};

const rhythm = (rule: Rule, first: number, words: Words): string => {
  const { t, locale } = words;
  const count = rule.interval;
  const months =
    rule.byMonth.length > 0
      ? formatList(
          locale,
          rule.byMonth.map((month) => writeMonth(locale, month)),
        )
      : '';
  const workingDay = workingDayOf(rule);
  const on = workingDay
    ? t(`schedule.workingDay.${workingDay}`)
    : rule.byMonthDay.length > 0
      ? datesInWords(rule, words)
      : weekdaysInWords(rule, words);
  const said = () => {
    switch (rule.freq) {
      case 'DAILY':
        return on ? t('schedule.everyDayOn', { count, on }) : t('schedule.everyDay', { count });
      case 'WEEKLY': {
        if (count === 1 && rule.byDay.length === 7) return t('schedule.everyDay', { count: 1 });
        const row = inARow(rule);
        if (count === 1 && row)
          return t('schedule.everyRow', { from: writeWeekday(locale, row[0]), to: writeWeekday(locale, row[1]) });
        return t('schedule.everyWeek', { count, on: on || writeWeekday(locale, weekdayOf(first)) });
      }
      case 'MONTHLY':
        return t('schedule.everyMonth', { count, on: on || ordinal(civilOf(first).day, words) });
      case 'YEARLY':
        return t('schedule.everyYear', { count, on: on || writeDay(locale, first, { day: 'numeric', month: 'long' }) });
      default:
        return rule.freq satisfies never;
    }
  };
  const positions = formatList(locale, rule.bySetPos.map(String));
  const chosen = rule.bySetPos.length > 0 && !workingDay ? t('schedule.chosen', { said: said(), positions }) : said();
  return months ? t('schedule.inMonths', { said: chosen, months }) : chosen;
};

/** Returns the last day of a rule; null if the rule has no end, or ends after a number of times. */
const lastDayOf = (rule: Rule, recurrenceEnd: string | null): number | null => {
  const { until } = rule;
  const untilDay =
    until === null
      ? null
      : until.kind === 'day'
        ? until.day
        : dayOf(until.kind === 'local' ? until.local : until.instant);
  const ends = [recurrenceEnd === null ? null : parseDate(recurrenceEnd), untilDay].filter((day) => day !== null);
  return ends.length === 0 ? null : Math.min(...ends);
};

const ruleOf = (recurrence: string): Rule | null => {
  try {
    return parseRule(recurrence);
  } catch {
    return null;
  }
};

/** @param first day number of the first start. An unreadable rule is returned as it is. */
export const inWords = (
  { recurrence, recurrence_end }: Pick<Times, 'recurrence' | 'recurrence_end'>,
  first: number,
  words: Words,
): string => {
  const { t, locale } = words;
  if (recurrence === null) return t('schedule.once');
  const rule = ruleOf(recurrence);
  if (!rule) return recurrence;
  const said = rhythm(rule, first, words);
  if (rule.count !== null) return t('schedule.times', { said, count: rule.count });
  const last = lastDayOf(rule, recurrence_end);
  return last === null ? said : t('schedule.until', { said, date: writeDay(locale, last, DATE) });
};

/** Returns a date, with the year if it is not the present year. */
const dateIn = (day: number, year: number, locale: string, weekday: boolean): string =>
  writeDay(locale, day, {
    ...(weekday && { weekday: 'long' as const }),
    day: 'numeric',
    month: 'long',
    ...(civilOf(day).year !== year && { year: 'numeric' as const }),
  });

/** Returns the hours in words: from a start to an end, or "all day". */
export const hoursInWords = (start: number, end: number, { t, locale }: Words): string =>
  start % DAY_MS === 0 && end - start === DAY_MS
    ? t('schedule.allDay')
    : `${writeTime(locale, start)}–${writeTime(locale, end)}`;

/**
 * Returns a whole plan in one sentence: "Every Monday to Friday from 30 November to 11 December, 09:00–18:00, on 12
 * screens".
 * @param where like "on 12 screens"; empty while unknown
 * @param year present year, which is left out
 */
export const sentenceOf = (
  times: Times,
  { where, year, ...words }: Words & { where: string; year: number },
): string => {
  const { t, locale } = words;
  const [start, end] = [parseLocal(times.start_time), parseLocal(times.end_time)];
  const first = dayOf(start);
  const withWhere = (said: string) => (where ? `${said}, ${where}` : said);
  const date = (day: number, weekday = false) => dateIn(day, year, locale, weekday);
  if (times.recurrence === null) {
    if (end - start <= DAY_MS)
      return withWhere(t('schedule.said.day', { day: date(first, true), hours: hoursInWords(start, end, words) }));
    if (start % DAY_MS === 0 && end % DAY_MS === 0)
      return withWhere(t('schedule.said.days', { from: date(first, true), to: date(dayOf(end) - 1, true) }));
    const at = (local: number) =>
      t('schedule.said.at', { day: date(dayOf(local), true), time: writeTime(locale, local) });
    return withWhere(t('schedule.said.through', { from: at(start), to: at(end) }));
  }
  const rule = ruleOf(times.recurrence);
  if (!rule) return withWhere(times.recurrence);
  const last = rule.count === null ? lastDayOf(rule, times.recurrence_end) : null;
  const said = rhythm(rule, first, words);
  const from = date(first);
  const span =
    rule.count !== null
      ? t('schedule.said.count', { said, from, count: rule.count })
      : last === null
        ? t('schedule.said.onward', { said, from })
        : t('schedule.said.span', { said, from, to: date(last) });
  const days = Math.ceil((end - start) / DAY_MS);
  const hours =
    days > 1
      ? t('schedule.said.long', {
          from: writeTime(locale, start),
          to: writeTime(locale, end),
          count: dayOf(end) - first,
        })
      : hoursInWords(start, end, words);
  return withWhere(`${span}, ${hours}`);
};
