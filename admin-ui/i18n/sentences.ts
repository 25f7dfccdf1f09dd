/**
 * Sentences that the server and the screens say by themselves, in the language of the window. Small, since it is there
 * from the first: what knows the sentences comes with the texts (i18n.ts).
 */
type Word = (sentence: string) => string;

let word: Word = (sentence) => sentence;

/** The same in the person's language; as it is where nobody knows it. */
export const worded: Word = (sentence) => word(sentence);

/** From now on sentences are worded so. */
export const wordBy = (next: Word): void => {
  word = next;
};
