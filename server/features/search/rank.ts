/** Ranks how well a name matches the typed text. Both are folded (server/db/fold.ts). Has no side effects. */

/** Characters after which a word begins, as in names by people and cameras. */
const BREAKS = new Set(' -_.,:;/\\()[]+&#\'"');

/** The typed text, split once for many names. */
export interface Typed {
  readonly text: string;
  readonly words: readonly string[];
}

/** Limit of words that are matched. */
const MAX_WORDS = 8;

export const typed = (folded: string): Typed => {
  const text = folded.trim().replace(/\s+/g, ' ');
  return { text, words: text.split(' ').slice(0, MAX_WORDS) };
};

/**
 * 0: the name begins with the text; 1: each typed word begins a word of the name; 2: the name contains each typed word;
 * undefined: a word is missing.
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
  /** Sort key for names with the same rank (`orderOf`). */
  readonly order: string;
}

/** Digits of the longest number that is sorted by value. */
const DIGITS = 9;

/** Returns the sort key of a name: Till 2 before Till 10. */
export const orderOf = (text: string): string => text.replace(/\d+/g, (number) => number.padStart(DIGITS, '0'));

/** Returns the best matches, sorted by rank and name, and the number of all matches. Examines each name once. */
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
