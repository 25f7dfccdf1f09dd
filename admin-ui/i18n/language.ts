/**
 * Selects the language of the admin window and loads its texts. Uses no library, because this code runs before any
 * library is loaded (main.tsx).
 */
import { isLanguage, type Language } from '../../shared/contract/people/language.ts';
import { browserStore } from '../components/hooks/browserStore.ts';
import type { FirstTexts, Texts } from './texts.ts';

const KEY = 'vitrine.language';

/** Loaders of the texts per language. `first`: texts of the frame and the screens page. `all`: all texts. */
const loaders: Record<Language, { readonly first: () => Promise<FirstTexts>; readonly all: () => Promise<Texts> }> = {
  en: { first: () => import('./en.first.ts').then((m) => m.first), all: () => import('./en.ts').then((m) => m.en) },
  de: { first: () => import('./de.first.ts').then((m) => m.first), all: () => import('./de.ts').then((m) => m.de) },
};

export const firstTextsOf = (language: Language): Promise<FirstTexts> => loaders[language].first();
export const textsOf = (language: Language): Promise<Texts> => loaders[language].all();

/**
 * Returns a function that translates the server's English sentences. For English, it replaces outdated sentences by
 * their present wording.
 */
export const sentencesOf = async (language: Language): Promise<(sentence: string) => string> => {
  const [{ formerInEnglish, withFormer }, { wordsBy }, german] = await Promise.all([
    import('../../shared/sentences/former.ts'),
    import('../../shared/sentences/words.ts'),
    language === 'de' ? import('../../shared/sentences/de.ts') : undefined,
  ]);
  return wordsBy(german ? withFormer(german.sentences) : formerInEnglish());
};

export const preferredLanguage = (stored: string | null, browser: readonly string[]): Language => {
  if (isLanguage(stored)) return stored;
  for (const tag of browser) {
    const base = tag.slice(0, 2).toLowerCase();
    if (isLanguage(base)) return base;
  }
  return 'en';
};

/** Returns the user's chosen language, otherwise the browser's language. */
export const ownLanguage = (): Language => preferredLanguage(browserStore.getItem(KEY), navigator.languages);
export const storeLanguage = (language: Language): void => void browserStore.setItem(KEY, language);

/**
 * Returns the locale for dates and numbers: the region of the browser if its language is the language of the window,
 * such as de-AT or en-AU. The English texts are British, so en-US becomes en-GB: "22 November, 02:40", as in e-mails
 * and reports.
 */
export const localeOf = (language: Language, browser: readonly string[]): string =>
  browser.find((tag) => tag.toLowerCase().startsWith(`${language}-`) && tag.toLowerCase() !== 'en-us') ??
  (language === 'de' ? 'de-DE' : 'en-GB');
