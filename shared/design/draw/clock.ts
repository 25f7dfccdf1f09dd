/** Clocks and countdowns, by the shared clock and in the zone of the screen. */
import type { Element } from '../elements.ts';
import type { DrawContext } from './context.ts';
import { box } from './dom.ts';

type Of<T extends Element['type']> = Extract<Element, { type: T }>;
interface Fitted {
  readonly node: HTMLElement | SVGElement;
  readonly fit?: () => boolean;
  readonly content: HTMLElement;
}

const MINUTE_MS = 60_000;
const zoneOf = ({ timezone }: DrawContext): { timeZone?: string } =>
  timezone === undefined ? {} : { timeZone: timezone };

/**
 * Returns the local minute `YYYY-MM-DDTHH:MM` of an instant as if it were UTC, in milliseconds, so that two local
 * minutes can be subtracted.
 */
const localMs = (at: number, context: DrawContext): number => {
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

const countdown = (part: Fitted, element: Of<'countdown'>, context: DrawContext) => {
  let shown = '';
  const tick = (): void => {
    const left = Date.parse(`${element.until}:00Z`) - localMs(context.now(), context);
    const key = left <= 0 ? 'over' : String(Math.ceil(left / MINUTE_MS));
    if (key === shown) return;
    shown = key;
    if (left <= 0) part.content.replaceChildren(element.after);
    else if (element.shows === 'date') {
      const date = new Intl.DateTimeFormat(context.locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
      part.content.replaceChildren(date.format(Date.parse(`${element.until}:00Z`)));
    } else
      part.content.replaceChildren(
        box(
          {
            display: 'flex',
            gap: '0.5em',
            'justify-content': { start: 'flex-start', center: 'center', end: 'flex-end' }[element.align],
          },
          ...blocksLeft(left, context.locale).map(([number, unit]) =>
            box(
              { 'text-align': 'center', 'font-variant-numeric': 'tabular-nums' },
              number,
              box({ 'font-size': '0.36em', 'font-weight': 500 }, unit),
            ),
          ),
        ),
      );
    part.fit?.();
  };
  tick();
  return { ...part, tick };
};

const clock = (part: Fitted, element: Of<'clock'>, context: DrawContext) => {
  const formats = {
    time: new Intl.DateTimeFormat(context.locale, { hour: 'numeric', minute: '2-digit', ...zoneOf(context) }),
    date: new Intl.DateTimeFormat(context.locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      ...zoneOf(context),
    }),
  };
  let shown = '';
  const tick = (): void => {
    const now = context.now();
    const [time, date] = [formats.time.format(now), formats.date.format(now)];
    if (shown === `${time} ${date}`) return;
    shown = `${time} ${date}`;
    const lines = { time: [time], date: [date], both: [time, date] }[element.shows];
    part.content.replaceChildren(
      ...lines.map((line, i) =>
        box({ 'font-size': i === 0 ? undefined : '0.36em', 'font-weight': i === 0 ? undefined : 500 }, line),
      ),
    );
    part.fit?.();
  };
  tick();
  return { ...part, tick };
};

export const drawClock = { clock, countdown };
