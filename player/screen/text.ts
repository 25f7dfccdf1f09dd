/** Texts of the pages that a screen shows without a program, in English and German. The machine's language decides. */
import { languageOf } from '../../shared/language.ts';

const en = {
  searchingTitle: 'Searching for your Vitrine server',
  searchingHint: 'This screen is searching the local network. Make sure that the server is switched on and connected.',
  setup: 'Or enter the server’s address yourself:',
  choosingTitle: 'Several servers found',
  choosingStep:
    'Open Vitrine on your computer, choose Screens, and enter this code to connect the screen to your server.',
  choosingHint: 'Enter the code only on your own server.',
  storeTitle: 'Waiting to be connected',
  storeStep: 'Open Vitrine on your computer, choose Screens, and enter the code of your store.',
  pairingTitle: 'Connect this screen',
  pairingStep: 'Open Vitrine on your computer, choose Screens, and enter this code.',
  scan: 'Or scan with your phone',
  server: 'Server',
  fingerprint: 'Fingerprint',
};

const de: typeof en = {
  searchingTitle: 'Vitrine-Server wird gesucht',
  searchingHint:
    'Dieser Bildschirm sucht im lokalen Netz. Bitte prüfen, ob der Server eingeschaltet und verbunden ist.',
  setup: 'Oder die Adresse des Servers selbst eingeben:',
  choosingTitle: 'Mehrere Server gefunden',
  choosingStep:
    'Vitrine am Computer öffnen, Bildschirme wählen und diesen Code eingeben, um den Bildschirm mit Ihrem Server zu verbinden.',
  choosingHint: 'Den Code nur auf dem eigenen Server eingeben.',
  storeTitle: 'Wartet auf Verbindung',
  storeStep: 'Vitrine am Computer öffnen, Bildschirme wählen und den Code der Filiale eingeben.',
  pairingTitle: 'Diesen Bildschirm verbinden',
  pairingStep: 'Vitrine am Computer öffnen, Bildschirme wählen und diesen Code eingeben.',
  scan: 'Oder mit dem Handy scannen',
  server: 'Server',
  fingerprint: 'Fingerabdruck',
};

export type Texts = typeof en;

export const textsFor = (languages: readonly string[]): { readonly lang: 'en' | 'de'; readonly texts: Texts } => {
  const lang = languageOf(languages);
  return { lang, texts: lang === 'de' ? de : en };
};
