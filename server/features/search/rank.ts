/** Ranks names by how well they match a query. Names and query must be folded (server/db/fold.ts). Pure. */

/** Characters after which a word starts, in names by people and cameras. */
const BREAKS = new Set(' -_.,:;/\\()[]+&#\'"');

/** A parsed query, which is compared with many names. */
export interface Typed {
  readonly text: string;
  readonly words: readonly string[];
}

/** Maximum number of words in a query. Further words are ignored. */
const MAX_WORDS = 8;

export const typed = (folded: string): Typed => {
  const text = folded.trim().replace(/\s+/g, ' ');
  return { text, words: text.split(' ').slice(0, MAX_WORDS) };
};

/**
 * Rank of a match. 0: the name starts with the query; 1: each query word starts a word of the name; 2: the name
 * contains each word. No match: undefined.
 */
export type Rank = 0 | 1 | 2;

export const rankOf = (name: string, { text, words }: Typed): Rank | undefined => {
  let begins = true;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at < 0) return undefined;
    begins &&= beginsWord(name, word, at);
  }
  return name.startsWith(text) ? 0 : begins ? 1 : 2;
};

const beginsWord = (name: string, word: string, first: number): boolean => {
  for (let at = first; at >= 0; at = name.indexOf(word, at + 1)) if (at === 0 || BREAKS.has(name[at - 1]!)) return true;
  return false;
};

interface Named {
  readonly id: string;
  readonly text: string;
  /** Sort key among entries of equal rank (`orderOf`). */
  readonly order: string;
}

/** Maximum number of digits of a number that is sorted by value. */
const DIGITS = 9;

/** Returns the sort key of a name, by which Till 2 comes before Till 10. */
export const orderOf = (text: string): string => text.replace(/\d+/g, (number) => number.padStart(DIGITS, '0'));

/** Returns the best matches and the total. Matches of equal rank are sorted by name. Examines each entry once. */
export const bestOf = <T extends Named>(
  all: Iterable<T>,
  wanted: Typed,
  limit: number,
): { readonly best: T[]; readonly total: number } => {
  const ranks: [T[], T[], T[]] = [[], [], []];
  for (const each of all) {
    const rank = rankOf(each.text, wanted);
    if (rank !== undefined) ranks[rank].push(each);
  }
  const best: T[] = [];
  for (const rank of ranks) {
    if (best.length >= limit) break;
    best.push(...rank.sort(byOrder).slice(0, limit - best.length));
  }
  return { best, total: ranks[0].length + ranks[1].length + ranks[2].length };
};

const byOrder = (a: Named, b: Named): number =>
  a.order < b.order ? -1 : a.order > b.order ? 1 : a.id < b.id ? -1 : Number(a.id > b.id);
