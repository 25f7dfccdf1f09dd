/** Copies of records: the options of a client and the name of the copy. */
import { z } from 'zod';
import { Name } from '../fields.ts';
import { type Language, languages } from '../people/language.ts';

const WORDS: Readonly<Record<Language, string>> = { en: 'copy', de: 'Kopie' };

/** Body of every `POST /api/…/{id}/duplicate`. */
export const CopyBody = z.object({
  /** @default name of the original with “(copy)”, or with a number if that name is taken */
  name: Name.nullish(),
  /** Language of the word “(copy)” that the server adds to the name. @default en */
  language: z.enum(languages).optional(),
});
export type CopyBody = z.infer<typeof CopyBody>;

export const COPY_NAME = 'Without a name it is called after the original: “X (copy)”, “X (copy 2)”, in `language`.';

const MAX_NAME = 200;
/** Maximum number of characters of the original name in the name of a copy. Leaves room for the word and a number. */
const MAX_STEM = 190;
const ENDING = new RegExp(` \\((?:${Object.values(WORDS).join('|')})(?: \\d+)?\\)$`);

/** Returns the start of the name that a record and all its copies share, without the word “(copy)” and the number. */
export const stemOfCopy = (name: string): string => name.replace(ENDING, '').slice(0, MAX_STEM);

/** Returns the first free name for a copy of `name`, with at most 200 characters. */
export const nameOfCopy = (
  name: string,
  { language = 'en', isTaken }: { readonly language?: Language | undefined; isTaken: (name: string) => boolean },
): string => {
  const stem = stemOfCopy(name);
  for (let n = 1; ; n++) {
    const ending = ` (${WORDS[language]}${n > 1 ? ` ${n}` : ''})`;
    const candidate = `${stem.slice(0, MAX_NAME - ending.length)}${ending}`;
    if (!isTaken(candidate)) return candidate;
  }
};
