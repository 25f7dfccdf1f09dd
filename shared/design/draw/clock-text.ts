/** Words of clocks and countdowns, by the shared clock and in the zone of the screen. Pure. */
import type { Element } from '../elements.ts';
import type { DrawContext } from './context.ts';

type Of<T extends Element['type']> = Extract<Element, { type: T }>;
type Zone = Pick<DrawContext, 'locale' | 'timezone'>;

/** Look of a countdown: space between its blocks in em, size and weight of the units below the numbers. */
export const COUNTDOWN = { gap: 0.5, unitSize: 0.36, unitWeight: 500 };
/** Look of the date below the time. */
export const SECOND_LINE = { size: 0.36, weight: 500 };

const MINUTE_MS = 60_000;
const zoneOf = ({ timezone }: Zone): { timeZone?: string } => (timezone === undefined ? {} : { timeZone: timezone });

/**
 * Returns the local minute `YYYY-MM-DDTHH:MM` of an instant as if it were UTC, in milliseconds, so that two local
 * minutes can be subtracted.
 */
const localMs = (at: number, context: Zone): number => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    hourCycle: 'h23',
    ...zoneOf(context),
  } as Intl.DateTimeFormatOptions).formatToParts(at);
  const part = (type: string): number => Number(parts.find((found) => found.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
};

/** Returns the lines of a countdown: text and unit per block. Empty after the end. */
const blocksLeft = (leftMs: number, locale: string): readonly (readonly [number: string, unit: string])[] => {
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  const amounts = [
    ['day', Math.floor(minutes / 1440)],
    ['hour', Math.floor(minutes / 60) % 24],
    ['minute', minutes % 60],
  ] as const;
  const first = amounts.findIndex(([, amount]) => amount > 0);
  return amounts.slice(Math.max(first, 0)).map(([unit, amount]) => {
    const parts = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).formatToParts(amount);
    return [String(amount), parts.find(({ type }) => type === 'unit')?.value ?? ''];
  });
};

/** Text of a countdown, or its blocks. */
export type CountdownContent = string | readonly (readonly [number: string, unit: string])[];

/**
 * Returns a function of the epoch milliseconds, called about once a second. Returns the same object until the words
 * change. After the end: the text of the element, which may be empty.
 */
export const countdownText = (element: Of<'countdown'>, zone: Zone): ((now: number) => CountdownContent) => {
  const until = Date.parse(`${element.until}:00Z`);
  let last: { readonly key: number; readonly content: CountdownContent } | undefined;
  const contentOf = (left: number): CountdownContent => {
    if (left <= 0) return element.after;
    if (element.shows === 'date')
      return new Intl.DateTimeFormat(zone.locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(until);
    return blocksLeft(left, zone.locale);
  };
  return (now) => {
    const left = until - localMs(now, zone);
    const key = Math.max(Math.ceil(left / MINUTE_MS), 0);
    if (last?.key !== key) last = { key, content: contentOf(left) };
    return last.content;
  };
};

/** Returns a function from epoch milliseconds to the lines of a clock. The second line is smaller. */
export const clockText = ({ shows }: Of<'clock'>, zone: Zone): ((now: number) => string[]) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(zone.locale, { ...options, ...zoneOf(zone) });
  const time = format({ hour: 'numeric', minute: '2-digit' });
  const date = format({ weekday: 'long', day: 'numeric', month: 'long' });
  const formats = { time: [time], date: [date], both: [time, date] }[shows];
  return (now) => formats.map((one) => one.format(now));
};
