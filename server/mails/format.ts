/** Formats times, days and numbers for e-mails in their language, in the server's time zone. */
import type { Language } from '../../shared/contract/people/language.ts';
import { DAY_MS } from '../../shared/program/civil.ts';
import { serverZone } from '../kernel/time/server-zone.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** Cache of formatters, because creating one costs a hundred times as much as using it. */
const known = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();
const made = <T extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => T): T => {
  const found = (known.get(key) as T | undefined) ?? make();
  known.set(key, found);
  return found;
};
const dates = (language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  made(`${language} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(LOCALES[language], options));

/** @param at epoch seconds @param zone IANA */
export const momentIn = (language: Language, at: number, zone = serverZone()): string =>
  dates(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(at * 1000);

/** @param day days since 1970-01-01, as in shared/program/civil.ts */
export const dayIn = (language: Language, day: number): string =>
  dates(language, { dateStyle: 'full', timeZone: 'UTC' }).format(day * DAY_MS);

export const dateIn = (language: Language, day: number): string =>
  dates(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day * DAY_MS);

/** @param day any day of the month */
export const monthIn = (language: Language, day: number): string =>
  dates(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(day * DAY_MS);

/** @param local milliseconds of a wall clock, as in shared/program/civil.ts */
export const localIn = (language: Language, local: number): string =>
  dates(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(local);

export const numberIn = (language: Language, value: number, maximumFractionDigits = 1): string =>
  made(
    `${language} ${maximumFractionDigits}`,
    () => new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits }),
  ).format(value);
