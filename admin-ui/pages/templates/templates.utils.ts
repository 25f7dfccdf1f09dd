/** Dates, currencies and search of templates. Pure. */
import { TEMPLATE_TASKS, type TemplateTask } from '../../../shared/design/templates/tasks.ts';
import { DAY_MS, dayOf, formatLocal, weekdayOf } from '../../../shared/program/civil.ts';

const HOUR_MS = 3_600_000;
const SATURDAY = 6;
/** Closing time of an offer on a Saturday, in hours. */
const CLOSING = 18;

const minuteOf = (local: number): string => formatLocal(local).slice(0, 16);

/** Returns the local milliseconds (civil.ts) of an instant by the clock of this machine's time zone. */
export const localOf = (at: Date): number => at.getTime() - at.getTimezoneOffset() * 60_000;

/** Returns the minute of the next Saturday at 18:00 that is in the future. @param now local milliseconds */
export const nextSaturday = (now: number): string => {
  const saturday = dayOf(now) + ((SATURDAY - weekdayOf(dayOf(now)) + 7) % 7);
  const at = saturday * DAY_MS + CLOSING * HOUR_MS;
  return minuteOf(at > now ? at : at + 7 * DAY_MS);
};

/** Ends that a person chooses with one press. */
export const ENDS = ['today', 'saturday', 'twoWeeks'] as const;

/** Returns the minute at which something ends. A day ends at the midnight after it. @param now local milliseconds */
export const endOf = (end: (typeof ENDS)[number], now: number): string => {
  if (end === 'saturday') return nextSaturday(now);
  return minuteOf((dayOf(now) + (end === 'today' ? 1 : 15)) * DAY_MS);
};

/** Currencies of the countries whose languages and shops Vitrine knows, by region. Other regions have the euro. */
const CURRENCIES: Readonly<Record<string, string>> = {
  CH: 'CHF',
  LI: 'CHF',
  GB: 'GBP',
  US: 'USD',
  CA: 'CAD',
  AU: 'AUD',
  NZ: 'NZD',
  DK: 'DKK',
  NO: 'NOK',
  SE: 'SEK',
  PL: 'PLN',
  CZ: 'CZK',
  HU: 'HUF',
  RO: 'RON',
  JP: 'JPY',
};
export const ALL_CURRENCIES: readonly string[] = ['EUR', ...new Set(Object.values(CURRENCIES))];

/** Returns the currency of the first language tag with a region; the euro without one. */
export const currencyOf = (tags: readonly string[]): string => {
  const region = tags.map((tag) => /-([A-Z]{2})\b/.exec(tag)?.[1]).find(Boolean);
  return (region && CURRENCIES[region]) || 'EUR';
};

export const GROUPS = [
  'offers',
  'menus',
  'store',
  'people',
  'signs',
  'seasons',
] as const satisfies readonly TemplateTask['group'][];

/** Normalizes a text, so that "menu" finds "Menü". */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/**
 * Returns the tasks that match every typed word, in their order; all without words.
 * @param wordsOf the words of a task in all languages
 */
export const tasksMatching = (typed: string, wordsOf: (task: TemplateTask) => string): TemplateTask[] => {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  return TEMPLATE_TASKS.filter((task) => {
    const text = plain(wordsOf(task));
    return words.every((word) => text.includes(word));
  });
};
