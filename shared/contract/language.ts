/**
 * Languages of the window, mails and PDF reports. Uses no library, because the window needs it before any library is
 * loaded.
 */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string | null | undefined): value is Language => languages.some((l) => l === value);
