/**
 * Computes whether a record is valid now, will be or has been (its validity is a start and an end), and writes this as
 * a text.
 */
import type { TFunction } from 'i18next';
import type { Valid } from '../../../shared/contract/content/validity.ts';
import { civilOf, DAY_MS, dayOf, parseLocal } from '../../../shared/program/civil.ts';
import { writeDay, writeTime } from '../../i18n/civil.ts';

/** Days before the end from which "ends soon" is shown, as on the server. */
const SOON_DAYS = 7;

/** Returns a day in its shortest form, with its year if it is not the present year. */
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

/** @param now local milliseconds (civil.ts). @returns null if nothing needs to be said */
export const standingOf = ({ valid_from, valid_until }: Valid, now: number): Standing | null => {
  const [from, until] = [localOf(valid_from), localOf(valid_until)];
  if (until !== null && until <= now) return { kind: 'over' };
  if (from !== null && from > now) return { kind: 'future', day: dayOf(from) };
  if (until === null || until - now > SOON_DAYS * DAY_MS) return null;
  // An end at midnight belongs to the day before.
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
      // Writes midnight as 24:00, because 00:00 would seem to be over already.
      return t('content.validity.today', {
        time: standing.at % DAY_MS === 0 ? '24:00' : writeTime(locale, standing.at),
      });
    case 'soon':
      return t('content.validity.inDays', { count: standing.days });
  }
};

/** Returns the validity in words: "From 1 Dec, 09:00 until 24 Dec, 18:00"; '' without limits. */
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

/**
 * Returns the time in which both an item and its content are valid. The limits are texts like 2026-12-01T09:00, so
 * their alphabetical order is their order in time.
 */
export const bothValid = (one: Valid, other: Valid): Valid => {
  const sorted = (a: string | null, b: string | null) => [a, b].filter((minute) => minute !== null).sort();
  return {
    valid_from: sorted(one.valid_from, other.valid_from).at(-1) ?? null,
    valid_until: sorted(one.valid_until, other.valid_until)[0] ?? null,
  };
};

/** Returns whether two validities never overlap. An item with such a content is never shown. */
export const neverMeet = (one: Valid, other: Valid): boolean => endsBeforeItBegins(bothValid(one, other));

/** Returns whether the end is not after the start. The server refuses such a validity. */
export const endsBeforeItBegins = ({ valid_from, valid_until }: Valid): boolean =>
  valid_from !== null && valid_until !== null && valid_until <= valid_from;
