/**
 * Times of the week (when an item plays, when a screen is on) in words: "Monday to Friday from 9:00 to 12:00, until 24
 * December 2026".
 */
import type { TFunction } from 'i18next';
import type { PlaylistItem } from '../../../shared/contract/content/playlists.ts';
import { parseDate } from '../../../shared/program/civil.ts';
import { firstWeekday, writeDay, writeTime, writeWeekday } from '../../i18n/civil.ts';
import { formatList } from '../../i18n/format.ts';

export type Block = PlaylistItem['schedules'][number];

export const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
export const newBlock: Block = {
  days: [1, 2, 3, 4, 5],
  start: '09:00',
  end: '18:00',
  start_date: null,
  end_date: null,
};

interface Words {
  readonly t: TFunction;
  readonly locale: string;
}

/** Returns the weekdays in the order of the locale's week. */
export const weekOf = (locale: string): number[] => ALL_DAYS.map((i) => (i + firstWeekday(locale)) % 7);

/** Returns weekdays in words. Three or more days in a row become a range: "Monday to Friday and Sunday". */
const daysInWords = (days: readonly number[], { t, locale }: Words): string => {
  if (days.length === 7) return t('dayparts.everyDay');
  const week = weekOf(locale);
  const chosen = week.map((day) => days.includes(day));
  const parts: string[] = [];
  for (let i = 0; i < 7; i++) {
    if (!chosen[i]) continue;
    let last = i;
    while (last < 6 && chosen[last + 1]) last++;
    if (last - i >= 2) {
      parts.push(
        t('dayparts.span', { first: writeWeekday(locale, week[i]!), last: writeWeekday(locale, week[last]!) }),
      );
      i = last;
    } else parts.push(writeWeekday(locale, week[i]!));
  }
  return formatList(locale, parts);
};

const timeInWords = (time: string, locale: string): string => {
  const [hours, minutes] = time.split(':').map(Number);
  // Writes 24:00 for the end of a day, to distinguish it from midnight at the beginning of the day.
  return time === '24:00' ? '24:00' : writeTime(locale, ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000);
};

const dateInWords = (date: string, locale: string): string =>
  writeDay(locale, parseDate(date), { day: 'numeric', month: 'long', year: 'numeric' });

export const blockInWords = ({ days, start, end, start_date, end_date }: Block, words: Words): string => {
  const { t, locale } = words;
  const said = daysInWords(days, words);
  const allDay = start === '00:00' && end === '24:00';
  const times = { days: said, start: timeInWords(start, locale), end: timeInWords(end, locale) };
  const when = allDay
    ? t('dayparts.allDay', { days: said })
    : t(start > end ? 'dayparts.overnight' : 'dayparts.fromTo', times);
  if (start_date && end_date)
    return t('dayparts.between', { when, first: dateInWords(start_date, locale), last: dateInWords(end_date, locale) });
  if (start_date) return t('dayparts.since', { when, first: dateInWords(start_date, locale) });
  return end_date ? t('dayparts.until', { when, last: dateInWords(end_date, locale) }) : when;
};

/** Returns all times in one sentence; null if there are none, which means always. */
export const blocksInWords = (blocks: readonly Block[], words: Words): string | null =>
  blocks.length === 0 ? null : blocks.map((block) => blockInWords(block, words)).join(words.t('dayparts.or'));

/** Returns why the server would refuse a time (shared/contract/content/playlists.ts); undefined if it would not. */
export const wrongWith = ({
  days,
  start,
  end,
  start_date,
  end_date,
}: Block): 'noDays' | 'noTime' | 'sameTime' | 'datesTurned' | undefined => {
  if (days.length === 0) return 'noDays';
  if (!/^\d\d:\d\d$/.test(start) || !/^\d\d:\d\d$/.test(end)) return 'noTime';
  if (start === end) return 'sameTime';
  return start_date && end_date && start_date > end_date ? 'datesTurned' : undefined;
};
