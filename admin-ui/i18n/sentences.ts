/**
 * Translates sentences from the server and the screens. This file is small, since it is part of the first load; the
 * translations are loaded with the other texts (i18n.ts).
 */
type Word = (sentence: string) => string;

let word: Word = (sentence) => sentence;

/** Returns the sentence in the user's language; unchanged if it has no translation. */
export const worded: Word = (sentence) => word(sentence);

/** Sets the translation function. */
export const wordBy = (next: Word): void => {
  word = next;
};
