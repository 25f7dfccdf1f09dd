/** A recurrence as people say it: "every second week on Monday and Friday, until 24 December 2026". */
import type { TFunction } from 'i18next';
import { civilOf, dayOf, parseDate, weekdayOf } from '../../../shared/program/civil.ts';
import { parseRule, type Rule } from '../../../shared/program/recurrence.ts';
import { writeDay, writeMonth, writeWeekday } from '../../i18n/civil.ts';
import { formatList } from '../../i18n/format.ts';

interface Words {
  readonly t: TFunction;
  readonly locale: string;
}

const DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;

const NTH = { '1': 'first', '2': 'second', '3': 'third', '4': 'fourth', '5': 'fifth', '-1': 'last' } as const;

/** 1st, 2nd, 3rd, 4th. */
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

const isWorkdays = (rule: Rule) =>
  rule.byDay.length === 5 && [1, 2, 3, 4, 5].every((d) => rule.byDay.some((b) => b.weekday === d && b.nth === null));

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
  const on = rule.byMonthDay.length > 0 ? datesInWords(rule, words) : weekdaysInWords(rule, words);
  const said = () => {
    switch (rule.freq) {
      case 'DAILY':
        return on ? t('schedule.everyDayOn', { count, on }) : t('schedule.everyDay', { count });
      case 'WEEKLY': {
        if (count === 1 && rule.byDay.length === 7) return t('schedule.everyDay', { count: 1 });
        if (count === 1 && isWorkdays(rule)) return t('schedule.everyWorkday');
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
  return months ? t('schedule.inMonths', { said: said(), months }) : said();
};

/** @param first day number of the first start. One that cannot be read is said as it is written. */
export const inWords = (
  { recurrence, recurrence_end }: { recurrence: string | null; recurrence_end: string | null },
  first: number,
  words: Words,
): string => {
  const { t, locale } = words;
  if (recurrence === null) return t('schedule.once');
  let rule: Rule;
  try {
    rule = parseRule(recurrence);
  } catch {
    return recurrence;
  }
  const said = rhythm(rule, first, words);
  if (rule.count !== null) return t('schedule.times', { said, count: rule.count });
  const { until } = rule;
  const untilDay =
    until === null
      ? null
      : until.kind === 'day'
        ? until.day
        : dayOf(until.kind === 'local' ? until.local : until.instant);
  const ends = [recurrence_end === null ? null : parseDate(recurrence_end), untilDay].filter((day) => day !== null);
  return ends.length === 0 ? said : t('schedule.until', { said, date: writeDay(locale, Math.min(...ends), DATE) });
};
