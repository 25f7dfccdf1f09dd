import type { Texts } from '../texts.ts';

export const account: Texts['account'] = {
  title: 'Konto',
  you: 'Sie',
  name: 'Name',
  nameSaved: 'Ihr Name ist gespeichert',
  display: 'Dieses Fenster',
  displayLead: 'Wird in diesem Browser gemerkt.',
  language: 'Sprache',
  languages: { en: 'English', de: 'Deutsch' },
  theme: 'Aussehen',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  password: 'Passwort',
  passwordLead: 'Wenn Sie es ändern, werden Sie überall sonst abgemeldet.',
  passwordChanged: 'Ihr Passwort ist geändert. Andere Geräte sind abgemeldet.',
  wrongPassword: 'Das ist nicht Ihr bisheriges Passwort.',
  signOut: 'Abmelden',
  signOutLead: 'Ihre Bildschirme spielen weiter.',
};
