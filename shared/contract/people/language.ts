/**
 * Languages of the admin window, of mails and of PDF reports. Imports no library, because the admin window needs this
 * file before any library is loaded.
 */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string | null | undefined): value is Language => languages.some((l) => l === value);
