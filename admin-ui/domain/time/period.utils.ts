/** Periods of a report. Days are numbers as in shared/program/civil.ts. */
import { civilOf, DAY_MS, dayNumber, formatDate, parseDate } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';

export const rangeNames = [
  'today',
  'yesterday',
  'days7',
  'days30',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'custom',
] as const;
export type RangeName = (typeof rangeNames)[number];
export type Range = { name: RangeName; start: number; end: number };

/**
 * Returns the present day in the shop, whose days the reports use.
 * @param zone undefined while unknown: then the time zone of the browser
 */
export const todayAt = (nowSeconds: number, zone?: string): number => {
  const now = new Date(nowSeconds * 1000);
  return zone === undefined
    ? dayNumber(now.getFullYear(), now.getMonth() + 1, now.getDate())
    : Math.floor(toLocal(nowSeconds * 1000, zone) / DAY_MS);
};

const dayIn = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  try {
    return parseDate(text);
  } catch {
    return undefined;
  }
};

/** Returns the period that an address contains. Invalid values give the last seven days. */
export const rangeFrom = (search: { range?: string; from?: string; to?: string }, today: number): Range => {
  const from = dayIn(search.from);
  const to = dayIn(search.to);
  if (from !== undefined && to !== undefined && from <= to) return { name: 'custom', start: from, end: to };
  const name = rangeNames.find((n) => n === search.range && n !== 'custom') ?? 'days7';
  return { name, ...daysOf(name, today) };
};

const daysOf = (name: RangeName, today: number): { start: number; end: number } => {
  const { year, month } = civilOf(today);
  switch (name) {
    case 'today':
      return { start: today, end: today };
    case 'yesterday':
      return { start: today - 1, end: today - 1 };
    case 'days30':
      return { start: today - 29, end: today };
    case 'thisMonth':
      return { start: dayNumber(year, month, 1), end: today };
    case 'lastMonth':
      return { start: dayNumber(year, month - 1, 1), end: dayNumber(year, month, 1) - 1 };
    case 'thisYear':
      return { start: dayNumber(year, 1, 1), end: today };
    case 'days7':
    case 'custom':
      return { start: today - 6, end: today };
    default:
      return name satisfies never;
  }
};

export const isoDays = ({ start, end }: { start: number; end: number }): { start: string; end: string } => ({
  start: formatDate(start),
  end: formatDate(end),
});
