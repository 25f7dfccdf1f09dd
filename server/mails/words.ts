/** Language of an e-mail: its texts, its formats, and translations of the server's sentences. */
import { isLanguage, type Language } from '../../shared/contract/people/language.ts';
import { sentences } from '../../shared/sentences/de.ts';
import { formerInEnglish, withFormer } from '../../shared/sentences/former.ts';
import { wordsBy } from '../../shared/sentences/words.ts';
import { de } from './de.ts';
import { en, type MailTexts } from './en.ts';
import { dateIn, dayIn, localIn, momentIn, monthIn, numberIn } from './format.ts';

export interface MailWords {
  readonly texts: MailTexts;
  /** @param at epoch seconds */
  moment(at: number): string;
  /** @param day as in shared/program/civil.ts */
  day(day: number): string;
  /** Formats the number of a day as a date without the day of the week. */
  date(day: number): string;
  /** Formats the month and year that contain the day. */
  month(day: number): string;
  /** @param local milliseconds of a wall clock */
  local(local: number): string;
  number(value: number): string;
  /** Translates an English sentence of the server or a screen; unknown sentences are returned unchanged. */
  sentence(text: string): string;
}

/** Recipient of an e-mail. */
export interface Reader {
  readonly email: string;
  /** Language that the person chose; null: the server's language. */
  readonly language: string | null;
}

const TEXTS: Readonly<Record<Language, MailTexts>> = { en, de };
const known = new Map<Language, (sentence: string) => string>();
/** Compiles the patterns of sentences when the first e-mail in the language is sent. */
const wordsOf = (language: Language): ((sentence: string) => string) => {
  let words = known.get(language);
  if (!words) known.set(language, (words = wordsBy(language === 'de' ? withFormer(sentences) : formerInEnglish())));
  return words;
};
const SENTENCES: Readonly<Record<Language, (text: string) => string>> = {
  en: (text) => wordsOf('en')(text),
  de: (text) => wordsOf('de')(text),
};

export const wordsIn = (language: Language): MailWords => ({
  texts: TEXTS[language],
  moment: (at) => momentIn(language, at),
  day: (day) => dayIn(language, day),
  date: (day) => dateIn(language, day),
  month: (day) => monthIn(language, day),
  local: (local) => localIn(language, local),
  number: (value) => numberIn(language, value),
  sentence: SENTENCES[language],
});

/** @param server language for readers who chose none */
export const languageOf = ({ language }: Pick<Reader, 'language'>, server: Language): Language =>
  isLanguage(language) ? language : server;
