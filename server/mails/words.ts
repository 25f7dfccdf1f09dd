/** What a mail is worded with: the texts of a language, and how it writes moments, numbers and the server's sentences. */
import { isLanguage, type Language } from '../../shared/contract/language.ts';
import { sentences } from '../../shared/sentences/de.ts';
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
  /** The same without the day of the week. */
  date(day: number): string;
  /** The month that a day is in. */
  month(day: number): string;
  /** @param local milliseconds of a wall clock */
  local(local: number): string;
  number(value: number): string;
  /** Words what the server or a screen said, which is English; what nobody knows stays so. */
  sentence(text: string): string;
}

/** Who reads a mail. */
export interface Reader {
  readonly email: string;
  /** As the person chose it; null: the server's. */
  readonly language: string | null;
}

let german: ((sentence: string) => string) | undefined;
const TEXTS: Readonly<Record<Language, MailTexts>> = { en, de };
const SENTENCES: Readonly<Record<Language, (text: string) => string>> = {
  en: (text) => text,
  // Its patterns are made once somebody reads German.
  de: (text) => (german ??= wordsBy(sentences))(text),
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

/** @param server the language of whoever chose none */
export const languageOf = ({ language }: Pick<Reader, 'language'>, server: Language): Language =>
  isLanguage(language) ? language : server;
