/**
 * Texts of the desktop programs in English and German: the menu of the tray, the question about the role, and small
 * windows. Texts of the command line are only in English.
 */
import { languageOf } from '../language.ts';
import type { Role } from './install-values.ts';

const en = {
  roles: { server: 'The store’s server', player: 'A screen', both: 'Both' } as Readonly<Record<Role, string>>,
  question: {
    ask: 'How will you use this computer?',
    notNow: 'Not now',
    forAll:
      'With an administrator’s password, this applies to everybody who signs in. Without it, it applies only to you.',
    later:
      'You can change it later in the menu next to the clock, or by starting Vitrine with --role server, player or both.',
    change: 'Change the use of this computer for everybody who signs in?',
    changeIt: 'Change',
    leaveIt: 'Cancel',
    serverStops: 'The server on this computer stops. Screens keep playing their content. The server’s data is kept.',
    serverStarts: 'A server starts on this computer now, and each time the computer starts.',
    screensEnd:
      'The screens of this computer stop playing, and do not start when somebody signs in. Their stored content is kept.',
    screensStart: 'The displays of this computer become screens now, and each time somebody signs in.',
    notChanged: (role: Role) =>
      `Nothing was changed. To change it, run in a terminal as an administrator: vitrine set-up --role ${role}`,
  },
  tray: {
    starting: 'Vitrine is starting',
    pausing: 'Vitrine is stopping',
    paused: 'Vitrine is paused; screens keep playing',
    failed: 'Vitrine has stopped and is restarting',
    waiting: 'The Vitrine service does not answer',
    stranger: 'Another program uses the port of the Vitrine service',
    running: 'Vitrine is running',
    online: (online: number, total: number) => `${online} of ${total} screens online`,
    start: 'Start',
    resume: 'Resume',
    pause: 'Pause',
    open: 'Open Vitrine',
    resumeAndOpen: 'Resume and open Vitrine',
    address: (address: string) => `Address: ${address}`,
    atLogin: 'Start at login',
    is: 'This computer is',
    close: 'Close this program; the service keeps running',
    quit: 'Quit',
    terminal: (command: string) => `In a terminal: ${command}`,
    adminTerminal: (command: string) => `In a terminal of the administrator: ${command}`,
  },
  address: {
    title: 'Address of this server',
    or: 'or',
    open: 'Open this address in a browser in your network.',
  },
  server: {
    notStarted: 'Vitrine could not start its server',
    notMoved: 'Vitrine’s data was not moved',
    notMovedWhy: 'The data could not be moved.',
  },
};
export type DesktopWords = typeof en;

const de: DesktopWords = {
  roles: { server: 'Der Server des Ladens', player: 'Ein Bildschirm', both: 'Beides' },
  question: {
    ask: 'Wie verwenden Sie diesen Computer?',
    notNow: 'Jetzt nicht',
    forAll:
      'Mit dem Passwort einer Administratorin oder eines Administrators gilt es für alle, die sich anmelden. Ohne Passwort gilt es nur für Sie.',
    later:
      'Sie können es später ändern: im Menü neben der Uhr, oder indem Sie Vitrine mit --role server, player oder both starten.',
    change: 'Die Verwendung dieses Computers für alle ändern, die sich anmelden?',
    changeIt: 'Ändern',
    leaveIt: 'Abbrechen',
    serverStops:
      'Der Server auf diesem Computer hält an. Die Bildschirme spielen ihre Inhalte weiter. Die Daten des Servers bleiben.',
    serverStarts: 'Auf diesem Computer startet ein Server, jetzt und bei jedem Start des Computers.',
    screensEnd:
      'Die Bildschirme dieses Computers hören auf zu spielen und starten nicht mehr, wenn sich jemand anmeldet. Ihre gespeicherten Inhalte bleiben.',
    screensStart: 'Die Anzeigen dieses Computers werden jetzt Bildschirme, und jedes Mal, wenn sich jemand anmeldet.',
    notChanged: (role) =>
      `Es wurde nichts geändert. Zum Ändern in einem Terminal mit Administratorrechten: vitrine set-up --role ${role}`,
  },
  tray: {
    starting: 'Vitrine startet',
    pausing: 'Vitrine hält an',
    paused: 'Vitrine pausiert; die Bildschirme spielen weiter',
    failed: 'Vitrine wurde beendet und startet neu',
    waiting: 'Der Vitrine-Dienst antwortet nicht',
    stranger: 'Ein anderes Programm benutzt den Port des Vitrine-Dienstes',
    running: 'Vitrine läuft',
    online: (online, total) => `${online} von ${total} Bildschirmen online`,
    start: 'Starten',
    resume: 'Fortsetzen',
    pause: 'Pausieren',
    open: 'Vitrine öffnen',
    resumeAndOpen: 'Fortsetzen und Vitrine öffnen',
    address: (address) => `Adresse: ${address}`,
    atLogin: 'Bei der Anmeldung starten',
    is: 'Dieser Computer ist',
    close: 'Dieses Programm schließen; der Dienst läuft weiter',
    quit: 'Beenden',
    terminal: (command) => `In einem Terminal: ${command}`,
    adminTerminal: (command) => `In einem Terminal mit Administratorrechten: ${command}`,
  },
  address: {
    title: 'Adresse dieses Servers',
    or: 'oder',
    open: 'Öffnen Sie diese Adresse in einem Browser in Ihrem Netz.',
  },
  server: {
    notStarted: 'Vitrine konnte seinen Server nicht starten',
    notMoved: 'Die Daten von Vitrine wurden nicht verschoben',
    notMovedWhy: 'Die Daten ließen sich nicht verschieben.',
  },
};

/** @param languages languages of the system, the preferred one first */
export const desktopWords = (
  languages: readonly string[],
): { readonly lang: 'en' | 'de'; readonly words: DesktopWords } => {
  const lang = languageOf(languages);
  return { lang, words: lang === 'de' ? de : en };
};
