/** Search in the icons of designs. Pure. */
import { ICON_WORDS } from '../../../../shared/design/drawings/icon-words.ts';

type IconName = keyof typeof ICON_WORDS;
const NAMES = Object.keys(ICON_WORDS) as IconName[];

/** Returns the name of an icon for people. @param language of the window, for example `de` */
export const iconName = (name: IconName, language: string): string =>
  ICON_WORDS[name][language.startsWith('de') ? 'de' : 'en'].split(' ')[0]!;

/** Returns the names of the icons whose words, in English or German, contain every word of the search. */
export const foundIcons = (text: string): IconName[] => {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return NAMES.filter((name) => {
    const words = `${name} ${ICON_WORDS[name].en} ${ICON_WORDS[name].de}`.toLowerCase();
    return wanted.every((word) => words.includes(word));
  });
};
