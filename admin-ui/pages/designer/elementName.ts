import type { TFunction } from 'i18next';
import type { Element } from '../../../shared/design/elements.ts';
import { wordsOf } from '../../../shared/design/read-design.ts';

/** Characters of an element's own words in its name. */
const MAX_WORDS = 40;

/** Returns a name for people: the given name, or the type with its first words, for example "Text: Schnitzel". */
export const elementName = (element: Element, t: TFunction): string => {
  if (element.name !== '') return element.name;
  const type = t(`designer.types.${element.type}`);
  const words = wordsOf(element)
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.slice(0, MAX_WORDS);
  return words ? `${type}: ${words}` : type;
};
