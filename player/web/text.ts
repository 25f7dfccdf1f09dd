/** Texts of the page around the screen, in English and German. The machine's language decides. */
import { languageOf } from '../../shared/language.ts';

const en = {
  fullScreen: 'Full screen',
  elsewhereTitle: 'This browser is already playing',
  elsewhereHint: 'Another tab or window of this browser is already the screen. Close it, or play here instead.',
  playHere: 'Play here',
  /** Word between the names of browser and system, as in “Chrome on Windows”. */
  on: 'on',
  noStorageTitle: 'This browser cannot store data',
  noStorageHint:
    'A screen stores its content in the browser. Use a window that is not private, or allow this site to store data.',
};

const de: typeof en = {
  fullScreen: 'Vollbild',
  elsewhereTitle: 'Dieser Browser spielt bereits',
  elsewhereHint:
    'Ein anderer Tab oder ein anderes Fenster dieses Browsers ist schon der Bildschirm. Dort schließen oder stattdessen hier spielen.',
  playHere: 'Hier spielen',
  on: 'auf',
  noStorageTitle: 'Dieser Browser kann nichts speichern',
  noStorageHint:
    'Ein Bildschirm speichert seine Inhalte im Browser. Bitte kein privates Fenster verwenden oder dieser Seite das Speichern erlauben.',
};

export const textsFor = (languages: readonly string[]): { readonly lang: 'en' | 'de'; readonly texts: typeof en } => {
  const lang = languageOf(languages);
  return { lang, texts: lang === 'de' ? de : en };
};
