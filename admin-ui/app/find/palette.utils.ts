/** Matching of names for the command palette. */

/** Normalizes a text, so that "cafe" finds "Café". */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase();

/**
 * Returns how well a name matches the typed words; null if a typed word is missing. The value is highest if a word
 * is at the start of the name, lower at the start of another word, and lowest inside a word.
 */
export const matchOf = (name: string, typed: string): number | null => {
  const text = plain(name);
  const words = plain(typed).split(/\s+/).filter(Boolean);
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return null;
    score += at === 0 ? 3 : new RegExp(`[\\s\\-_.,(/]${escaped(word)}`).test(text) ? 2 : 1;
  }
  return score;
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the best `most` matches. Equally good matches keep their order. */
export const bestOf = <T>(things: readonly T[], nameOf: (thing: T) => string, typed: string, most: number): T[] =>
  things
    .flatMap((thing) => {
      const score = matchOf(nameOf(thing), typed);
      return score === null ? [] : [{ thing, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ thing }) => thing);
