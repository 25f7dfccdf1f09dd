/**
 * Finds the translation of a sentence. The sentence may contain values, so it is recognized by its fixed words. Pure.
 */

/**
 * Pattern of a sentence about a request field, for example `current_password: is wrong`. The field name stays, because
 * forms find their field by it.
 */
const OF_MEMBER = /^([a-z_][\w.]*(?:, [a-z_][\w.]*)*: )(.+)$/s;
/**
 * Pattern of a sentence about an item, for example `Offers.jpg: the image cannot be read`. The name of the item may be
 * any text.
 */
const AFTER_NAME = /: /g;
/** Maximum number of colons in the name of an item. Names come from outside, and each colon costs another search. */
const MOST_COLONS = 6;
/** Maximum number of sentences in a text. A longer text has no translation. */
const MOST_SENTENCES = 20;
/** Maximum number of adjacent sentences for which one common translation is searched. */
const LONGEST_RUN = 4;
/** Pattern of the gap between two sentences. */
const SENTENCES = /(?<=[.!?]) (?=[A-Z\d])/;
const HOLE = /\{(\d)\}/g;
/** Maximum nesting of sentences inside the values of other sentences. */
const DEEPEST = 3;

interface Pattern {
  readonly words: RegExp;
  readonly said: string;
  /**
   * Number of characters of the sentence without its values. Of two matching sentences, the longer sentence is more
   * specific.
   */
  readonly length: number;
  /** True: the sentence ends with a value. This last value may be longer than one sentence. */
  readonly isOpen: boolean;
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const patternOf = (sentence: string, said: string): Pattern => ({
  words: new RegExp(
    `^${sentence
      .split(/\{\d\}/)
      .map(quoted)
      .join('(.+?)')}$`,
    's',
  ),
  said,
  length: sentence.replace(HOLE, '').length,
  isOpen: /\{\d\}$/.test(sentence),
});

/** @param known translations by English sentence, with `{0}` … for values */
export const wordsBy = (known: Readonly<Record<string, string>>): ((sentence: string) => string) => {
  const patterns = Object.entries(known)
    .filter(([sentence]) => sentence.includes('{0}'))
    .map(([sentence, said]) => patternOf(sentence, said))
    .sort((a, b) => b.length - a.length);
  /** @param isLax true: a value in the middle may be longer than one sentence */
  const find = (sentence: string, depth = 0, isLax = false): string | undefined => {
    const whole = Object.hasOwn(known, sentence) ? known[sentence] : undefined;
    if (whole !== undefined || depth > DEEPEST) return whole;
    const ofMember = OF_MEMBER.exec(sentence);
    const inner = ofMember && find(ofMember[2]!, depth + 1, isLax);
    if (ofMember && inner) return ofMember[1] + inner;
    for (const { words, said, isOpen } of patterns) {
      const values = words.exec(sentence)?.slice(1);
      if (
        !values ||
        (!isLax && values.some((value, n) => SENTENCES.test(value) && !(isOpen && n === values.length - 1)))
      )
        continue;
      return said.replace(HOLE, (_, n: string) => {
        const value = values[Number(n)]!;
        return find(value, depth + 1, isLax) ?? (SENTENCES.test(value) ? each(value) : undefined) ?? value;
      });
    }
    for (const { index } of depth > 1 ? [] : [...sentence.matchAll(AFTER_NAME)].slice(0, MOST_COLONS)) {
      const reason = find(sentence.slice(index + 2), depth + 1, isLax);
      if (reason !== undefined) return sentence.slice(0, index + 2) + reason;
    }
    return undefined;
  };
  /** Translates a text. Returns undefined if none of the sentences is known. */
  const each = (text: string): string | undefined => {
    const parts = text.split(SENTENCES);
    if (parts.length > MOST_SENTENCES) return undefined;
    const said: string[] = [];
    let isKnown = false;
    while (parts.length > 0) {
      // Some sentences are translated together with the sentence that follows.
      const runs = parts.slice(0, LONGEST_RUN).map((_, i) => parts.slice(0, i + 1).join(' '));
      const end = runs.findIndex((run) => find(run) !== undefined);
      isKnown ||= end >= 0;
      said.push((end >= 0 && find(runs[end]!)) || runs[0]!);
      parts.splice(0, Math.max(1, end + 1));
    }
    return isKnown ? said.join(' ') : undefined;
  };
  return (text) => find(text) ?? each(text) ?? find(text, 0, true) ?? text;
};
