/**
 * Languages of the admin window, of mails and of PDF reports. This file imports no library, because the admin window
 * loads it before any library.
 */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string | null | undefined): value is Language => languages.some((l) => l === value);
