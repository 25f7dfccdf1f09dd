/** The few words of the page around the screen. English and German, by the machine's language. */
import { languageOf } from '../../shared/language.ts';

const en = {
  fullScreen: 'Full screen',
  elsewhereTitle: 'This browser is already playing',
  elsewhereHint:
    'A browser is one screen, and another tab or window of this one shows it. Close that one, or show it here instead.',
  playHere: 'Play here',
  /** Chrome on Windows. */
  on: 'on',
  noStorageTitle: 'This browser does not allow storing',
  noStorageHint:
    'A screen stores its program in the browser, and here that is not allowed. Use a window that is not private, or allow this site to store data.',
};

const de: typeof en = {
  fullScreen: 'Vollbild',
  elsewhereTitle: 'Dieser Browser spielt bereits',
  elsewhereHint:
    'Ein Browser ist ein Bildschirm, und ein anderer Tab oder ein anderes Fenster zeigt ihn schon. Dort schließen oder stattdessen hier zeigen.',
  playHere: 'Hier spielen',
  on: 'auf',
  noStorageTitle: 'Dieser Browser darf nichts speichern',
  noStorageHint:
    'Ein Bildschirm legt sein Programm im Browser ab, und das ist hier nicht erlaubt. Bitte kein privates Fenster verwenden oder dieser Seite das Speichern erlauben.',
};

export const textsFor = (languages: readonly string[]): { readonly lang: 'en' | 'de'; readonly texts: typeof en } => {
  const lang = languageOf(languages);
  return { lang, texts: lang === 'de' ? de : en };
};
