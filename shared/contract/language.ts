/** Languages of the window, of mails, and of reports on paper. Needs no library: the window asks before any has come. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: string | null | undefined): value is Language => languages.some((l) => l === value);
