/** Finds a sentence by its words around what stands in it. Pure. */

/** `current_password: is wrong` is said of a member; the name stays, forms find their field by it. */
const OF_MEMBER = /^([a-z_][\w.]*(?:, [a-z_][\w.]*)*: )(.+)$/s;
/** Between two sentences. */
const SENTENCES = /(?<=[.!?]) (?=[A-Z\d])/;
const HOLE = /\{(\d)\}/g;
/** A value may be a sentence again, and have another in it. */
const DEEPEST = 3;

interface Pattern {
  readonly words: RegExp;
  readonly said: string;
  /** Of the sentence without its values: of two that fit, the one that says more. */
  readonly length: number;
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
});

/** @param known by the English sentence, with `{0}` … for values */
export const wordsBy = (known: Readonly<Record<string, string>>): ((sentence: string) => string) => {
  const patterns = Object.entries(known)
    .filter(([sentence]) => sentence.includes('{0}'))
    .map(([sentence, said]) => patternOf(sentence, said))
    .sort((a, b) => b.length - a.length);
  const find = (sentence: string, depth: number): string | undefined => {
    const whole = Object.hasOwn(known, sentence) ? known[sentence] : undefined;
    if (whole !== undefined || depth > DEEPEST) return whole;
    const ofMember = OF_MEMBER.exec(sentence);
    const inner = ofMember && find(ofMember[2]!, depth + 1);
    if (ofMember && inner) return ofMember[1] + inner;
    for (const { words, said } of patterns) {
      const values = words.exec(sentence)?.slice(1);
      if (values)
        return said.replace(HOLE, (_, n: string) => find(values[Number(n)]!, depth + 1) ?? values[Number(n)]!);
    }
    return undefined;
  };
  const each = (text: string): string => {
    const parts = text.split(SENTENCES);
    const said: string[] = [];
    while (parts.length > 0) {
      // Some are known together with the one that follows.
      const ends = parts.map((_, i) => i + 1);
      const end = ends.find((one) => find(parts.slice(0, one).join(' '), 0) !== undefined) ?? 1;
      const sentence = parts.splice(0, end).join(' ');
      said.push(find(sentence, 0) ?? sentence);
    }
    return said.join(' ');
  };
  return (text) => find(text, 0) ?? each(text);
};
