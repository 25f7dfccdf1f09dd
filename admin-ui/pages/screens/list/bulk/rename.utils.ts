/**
 * Names for many screens from one pattern. `{n}` is a number, `{nn}` a number with two digits, `{name}` the present
 * name.
 */

/** Placeholders in a pattern: `{n}` is a number, `{nn}` a number with two digits, `{name}` the present name. */
const PLACE = /\{(n{1,4}|name)\}/g;

export const countsOrNames = (pattern: string): boolean => /\{(n{1,4}|name)\}/.test(pattern);

/** Returns the name that a pattern gives to a screen. */
export const nameBy = (pattern: string, name: string, number: number): string =>
  pattern
    .replace(PLACE, (_, place: string) => (place === 'name' ? name : String(number).padStart(place.length, '0')))
    .trim();

/** Returns the new names by screen id. Numbers follow the natural order of the present names. */
export const renamed = (
  screens: readonly { readonly id: string; readonly name: string }[],
  { pattern, first, locale }: { readonly pattern: string; readonly first: number; readonly locale: string },
): Map<string, string> => {
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const ordered = screens.toSorted((a, b) => compare(a.name, b.name));
  return new Map(ordered.map(({ id, name }, i) => [id, nameBy(pattern, name, first + i)]));
};
