/** The window's language: chosen by the person, else the browser's. Texts of the other language are not loaded. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Texts } from './texts.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const KEY = 'vitrine.language';

const loaders: Record<Language, () => Promise<Texts>> = {
  en: () => import('./en.ts').then((m) => m.en),
  de: () => import('./de.ts').then((m) => m.de),
};

const isLanguage = (value: string | null | undefined): value is Language => languages.some((l) => l === value);

export const preferredLanguage = (stored: string | null, browser: readonly string[]): Language => {
  if (isLanguage(stored)) return stored;
  for (const tag of browser) {
    const base = tag.slice(0, 2).toLowerCase();
    if (isLanguage(base)) return base;
  }
  return 'en';
};

/** Dates and numbers as in the person's own region when it speaks the language: de-AT, en-US. */
export const localeOf = (language: Language, browser: readonly string[]): string =>
  browser.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? (language === 'de' ? 'de-DE' : 'en-GB');

const load = async (language: Language): Promise<void> => {
  if (!i18next.hasResourceBundle(language, 'translation')) i18next.addResourceBundle(language, 'translation', await loaders[language]());
};

export const startTranslations = async (): Promise<void> => {
  const language = preferredLanguage(localStorage.getItem(KEY), navigator.languages);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'translation',
    ns: 'translation',
    resources: { [language]: { translation: await loaders[language]() } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  document.documentElement.lang = language;
};

export const changeLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(KEY, language);
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
};
