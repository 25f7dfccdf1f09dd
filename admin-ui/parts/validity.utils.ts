/** Where something stands within its validity, and in which words. */
import type { TFunction } from 'i18next';
import type { Valid } from '../../shared/contract/validity.ts';
import { civilOf, DAY_MS, dayOf, parseLocal } from '../../shared/program/civil.ts';
import { writeDay, writeTime } from '../i18n/civil.ts';

/** What ends within so many days is said to end soon, as the server has it. */
const SOON_DAYS = 7;

/** A day as short as can be: with its year where that is another one than this. */
const writeShort = (locale: string, day: number): string => {
  const { year } = civilOf(day);
  const isThis = year === new Date().getFullYear();
  return writeDay(locale, day, { day: 'numeric', month: 'short', ...(!isThis && { year: 'numeric' }) });
};

export type Standing =
  | { readonly kind: 'over' }
  | { readonly kind: 'future'; readonly day: number }
  | { readonly kind: 'today'; readonly at: number }
  | { readonly kind: 'soon'; readonly days: number };

const localOf = (minute: string | null): number | null => {
  try {
    return minute === null ? null : parseLocal(`${minute}:00`);
  } catch {
    return null;
  }
};

/** @param now local milliseconds (civil.ts). @returns null: there is nothing to say */
export const standingOf = ({ valid_from, valid_until }: Valid, now: number): Standing | null => {
  const [from, until] = [localOf(valid_from), localOf(valid_until)];
  if (until !== null && until <= now) return { kind: 'over' };
  if (from !== null && from > now) return { kind: 'future', day: dayOf(from) };
  if (until === null || until - now > SOON_DAYS * DAY_MS) return null;
  // What ends at midnight ends with the day before.
  const days = dayOf(until - 1) - dayOf(now);
  return days === 0 ? { kind: 'today', at: until } : { kind: 'soon', days };
};

export const standingInWords = (
  standing: Standing,
  { t, locale }: { readonly t: TFunction; readonly locale: string },
): string => {
  switch (standing.kind) {
    case 'over':
      return t('content.validity.isOver');
    case 'future':
      return t('content.validity.from', {
        date: writeShort(locale, standing.day),
      });
    case 'today':
      // At 00:00 it would seem to have ended.
      return t('content.validity.today', {
        time: standing.at % DAY_MS === 0 ? '24:00' : writeTime(locale, standing.at),
      });
    case 'soon':
      return t('content.validity.inDays', { count: standing.days });
  }
};

/** "From 1 Dec, 09:00 until 24 Dec, 18:00"; '' without bounds. */
export const boundsInWords = (
  { valid_from, valid_until }: Valid,
  { t, locale }: { readonly t: TFunction; readonly locale: string },
): string => {
  const [from, until] = [localOf(valid_from), localOf(valid_until)];
  const written = (local: number) => `${writeShort(locale, dayOf(local))}, ${writeTime(locale, local)}`;
  return [
    from === null ? '' : t('content.validity.from', { date: written(from) }),
    until === null ? '' : t('content.validity.until', { date: written(until) }),
  ]
    .filter(Boolean)
    .join(' ');
};

/** What both allow: an item, and what it shows. Minutes are text that sorts as time does. */
export const bothValid = (one: Valid, other: Valid): Valid => {
  const sorted = (a: string | null, b: string | null) => [a, b].filter((minute) => minute !== null).sort();
  return {
    valid_from: sorted(one.valid_from, other.valid_from).at(-1) ?? null,
    valid_until: sorted(one.valid_until, other.valid_until)[0] ?? null,
  };
};

/** Whether the two are never valid at once: what is planned so is never shown. */
export const neverMeet = (one: Valid, other: Valid): boolean => endsBeforeItBegins(bothValid(one, other));

/** Whether it would end before it begins: no server takes that. */
export const endsBeforeItBegins = ({ valid_from, valid_until }: Valid): boolean =>
  valid_from !== null && valid_until !== null && valid_until <= valid_from;
