/**
 * What the programs of a computer say to whoever sits before it, in English and German: the menu of the tray, questions
 * about the role, small windows. The command line speaks English.
 */
import { languageOf } from '../language.ts';
import type { Role } from './install-values.ts';

const en = {
  roles: { server: 'The store’s server', player: 'A screen', both: 'Both' } as Readonly<Record<Role, string>>,
  question: {
    ask: 'What is this computer?',
    notNow: 'Not now',
    forAll:
      'This applies to everybody who signs in, for which an administrator’s password is needed. Without it, it applies to you alone.',
    later:
      'You can change it later: in the menu beside the clock, or by starting Vitrine with --role server, player or both.',
    change: 'Change what this computer is, for everybody who signs in?',
    changeIt: 'Change',
    leaveIt: 'Cancel',
    serverStops:
      'The server on this computer stops, and screens continue to play what they have. Its data stays where it is.',
    serverStarts: 'A server starts on this computer, now and each time the computer starts.',
    screensEnd:
      'The screens of this computer stop playing, and do not start again when somebody signs in. What they have stored stays.',
    screensStart: 'The displays of this computer become screens, now and whenever somebody signs in.',
    notChanged: (role: Role) =>
      `This computer stays what it is. In a terminal, as an administrator: vitrine set-up --role ${role}`,
  },
  tray: {
    starting: 'Vitrine is starting',
    pausing: 'Vitrine is stopping',
    paused: 'Vitrine is paused; screens continue to play what they have',
    failed: 'Vitrine has ended and is started again',
    waiting: 'The Vitrine service does not answer',
    stranger: 'Another program answers in place of the Vitrine service',
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
    close: 'Close this program; the service continues',
    quit: 'Quit',
    terminal: (command: string) => `In a terminal: ${command}`,
    adminTerminal: (command: string) => `In a terminal of the administrator: ${command}`,
  },
  address: {
    title: 'Address of this server',
    or: 'or',
    open: 'Open it in a browser in this network.',
  },
  server: {
    notStarted: 'Vitrine could not start its server',
    notMoved: 'Vitrine’s data stays where it is',
    notMovedWhy: 'It could not be moved.',
  },
};
export type DesktopWords = typeof en;

const de: DesktopWords = {
  roles: { server: 'Der Server des Ladens', player: 'Ein Bildschirm', both: 'Beides' },
  question: {
    ask: 'Was ist dieser Computer?',
    notNow: 'Jetzt nicht',
    forAll:
      'Es gilt für alle, die sich anmelden; dafür ist das Passwort einer Administratorin oder eines Administrators nötig. Ohne es gilt es nur für Sie.',
    later:
      'Sie können es später ändern: im Menü neben der Uhr, oder indem Sie Vitrine mit --role server, player oder both starten.',
    change: 'Ändern, was dieser Computer ist, für alle, die sich anmelden?',
    changeIt: 'Ändern',
    leaveIt: 'Abbrechen',
    serverStops:
      'Der Server auf diesem Computer hält an, und Bildschirme spielen weiter, was sie haben. Seine Daten bleiben, wo sie sind.',
    serverStarts: 'Auf diesem Computer startet ein Server, jetzt und bei jedem Start des Computers.',
    screensEnd:
      'Die Bildschirme dieses Computers hören auf zu spielen und starten nicht wieder, wenn sich jemand anmeldet. Was sie gespeichert haben, bleibt.',
    screensStart: 'Die Anzeigen dieses Computers werden Bildschirme, jetzt und immer, wenn sich jemand anmeldet.',
    notChanged: (role) =>
      `Dieser Computer bleibt, was er ist. In einem Terminal, mit Administratorrechten: vitrine set-up --role ${role}`,
  },
  tray: {
    starting: 'Vitrine startet',
    pausing: 'Vitrine hält an',
    paused: 'Vitrine pausiert; Bildschirme spielen weiter, was sie haben',
    failed: 'Vitrine ist beendet und wird neu gestartet',
    waiting: 'Der Vitrine-Dienst antwortet nicht',
    stranger: 'Ein anderes Programm antwortet anstelle des Vitrine-Dienstes',
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
    open: 'Öffnen Sie sie in einem Browser in diesem Netz.',
  },
  server: {
    notStarted: 'Vitrine konnte seinen Server nicht starten',
    notMoved: 'Die Daten von Vitrine bleiben, wo sie sind',
    notMovedWhy: 'Sie ließen sich nicht verschieben.',
  },
};

/** @param languages of the system, the preferred one first */
export const desktopWords = (
  languages: readonly string[],
): { readonly lang: 'en' | 'de'; readonly words: DesktopWords } => {
  const lang = languageOf(languages);
  return { lang, words: lang === 'de' ? de : en };
};
