import type { first } from './en.first.ts';
import type { en } from './en.ts';

/** Type of a translation: exactly the keys of the original, with any text. */
export type Translated<T> = { [K in keyof T]: T[K] extends string ? string : Translated<T[K]> };
export type Texts = Translated<typeof en>;
export type FirstTexts = Translated<typeof first>;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}
