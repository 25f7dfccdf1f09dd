/**
 * Sets up i18next with the language of the admin window: the user's choice, otherwise the browser's language. Texts
 * of the other language are not loaded.
 */
import i18next, { type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../shared/contract/people/language.ts';
import { formatNumber } from './format.ts';
import { firstTextsOf, ownLanguage, sentencesOf, storeLanguage, textsOf } from './language.ts';
import { wordBy } from './sentences.ts';

const complete = new Map<Language, Promise<void>>();

const completeOf = (language: Language): Promise<void> => {
  const begun =
    complete.get(language) ??
    Promise.all([textsOf(language), sentencesOf(language)]).then(([texts, words]) => {
      i18next.addResourceBundle(language, 'translation', texts);
      wordBy(words);
    });
  complete.set(language, begun);
  // Forgets a failed load, so that the next call loads the texts again.
  begun.catch(() => complete.delete(language));
  return begun;
};

/**
 * Placeholders whose numbers are sizes in pixels. They get no thousands separator, as on a data sheet: 1920 × 1080.
 */
const PIXELS: ReadonlySet<unknown> = new Set(['width', 'height']);

/** Formats numbers in texts with the thousands separator of the locale: 10,000 or 10.000. */
const numbers: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value, _format, language = 'en', options) =>
    typeof value === 'number' && !PIXELS.has(options?.['interpolationkey']) ? formatNumber(language, value, 3) : value,
};

export const startTranslations = async (): Promise<void> => {
  const language = ownLanguage();
  await i18next
    .use(numbers)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      defaultNS: 'translation',
      ns: 'translation',
      resources: { [language]: { translation: await firstTextsOf(language) } },
      interpolation: { escapeValue: false, alwaysFormat: true },
      // Renders again when the remaining texts are loaded.
      react: { useSuspense: false, bindI18nStore: 'added' },
    });
  document.documentElement.lang = language;
};

/** Loads a part of the window together with the texts that the first load leaves out. */
export const withTexts = async <T>(load: () => Promise<T>): Promise<T> => {
  const [part] = await Promise.all([load(), completeOf(ownLanguage())]);
  return part;
};

export const changeLanguage = async (language: Language): Promise<void> => {
  storeLanguage(language);
  await completeOf(language);
  wordBy(await sentencesOf(language));
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
};
