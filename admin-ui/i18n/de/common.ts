import type { Texts } from '../texts.ts';

export const common: Texts['common'] = {
  askAdmin: 'Fragen Sie jemanden, der diesen Arbeitsbereich verwaltet.',
  back: 'Zurück',
  cancel: 'Abbrechen',
  clear: 'Leeren',
  clearColor: 'Keine Farbe für {{label}}',
  close: 'Schließen',
  continue: 'Weiter',
  copied: 'Kopiert',
  copy: 'Kopieren',
  delete: 'Löschen',
  discard: 'Verwerfen',
  done: 'Fertig',
  hidePassword: 'Passwort verbergen',
  loading: 'Wird geladen',
  messages: 'Meldungen',
  moreFor: 'Mehr zu {{name}}',
  pickColor: 'Farbe wählen: {{label}}',
  remove: 'Entfernen',
  rename: 'Umbenennen',
  save: 'Änderungen speichern',
  showPassword: 'Passwort zeigen',
  tryAgain: 'Noch einmal versuchen',
  undo: 'Rückgängig',
};

export const nav: Texts['nav'] = {
  label: 'Hauptnavigation',
  screens: 'Bildschirme',
  content: 'Inhalte',
  playlists: 'Playlists',
  make: 'Gestalten',
  widgets: 'Widgets',
  kiosk: 'Kioskseiten',
  overlay: 'Einblendung',
  plan: 'Planen',
  schedule: 'Zeitplan',
  layouts: 'Layouts',
  groups: 'Gruppen',
  walls: 'Wände',
  account: 'Konto',
  signOut: 'Abmelden',
  more: 'Mehr',
  lookBack: 'Rückblick',
  reports: 'Berichte',
  activity: 'Verlauf',
  manage: 'Verwalten',
  settings: 'Einstellungen',
  workspaces: 'Arbeitsbereiche',
  workspaceMenu: 'Arbeitsbereich {{name}}, zu einem anderen gehen',
  workspaceScreens_one: '{{count}} Bildschirm',
  workspaceScreens_other: '{{count}} Bildschirme',
  userMenu: 'Konto von {{name}}',
  waiting: 'warten auf Verbindung',
};

export const app: Texts['app'] = {
  connectionLost:
    'Keine Verbindung zum Server. Was Sie sehen, ist vielleicht nicht mehr aktuell; Ihre Bildschirme spielen weiter. Neuer Versuch läuft …',
  failureHelp: 'Versuchen Sie es noch einmal. Wenn es wieder geschieht, steht der Grund im Protokoll des Servers.',
  notFound: 'Hier ist nichts',
  notFoundHelp: 'Vielleicht ist die Adresse falsch geschrieben, oder was hier war, wurde gelöscht.',
  skipToContent: 'Direkt zur Seite',
  toScreens: 'Zu den Bildschirmen',
  passwordSetBy:
    'Ihr Passwort wurde von {{organization}} gesetzt, deshalb sehen Sie nur deren Arbeitsbereiche. Öffnen Sie den Link in der Mail an Sie, oder lassen Sie es von der Server-Administration bestätigen.',
  mustChangeTitle: 'Wählen Sie Ihr eigenes Passwort',
  mustChangeLead:
    'Das Passwort, mit dem Sie sich angemeldet haben, wurde für Sie vergeben. Wählen Sie eines, das nur Sie kennen.',
  presentPassword: 'Bisheriges Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 8 Zeichen. Ein kurzer Satz ist leicht zu merken und schwer zu erraten.',
  passwordTooShort: 'Bitte mindestens 8 Zeichen.',
  changePassword: 'Passwort ändern',
  noWorkspace: 'Sie gehören noch zu keinem Arbeitsbereich',
  noWorkspaceHelp: 'Bitten Sie die Person, die sich um die Bildschirme kümmert, {{email}} einzuladen.',
};

export const problem: Texts['problem'] = {
  unknown: 'In diesem Fenster ist etwas schiefgegangen',
  unreachable: 'Der Server ist nicht erreichbar',
  forbidden: 'Das dürfen Sie nicht',
  gone: 'Das gibt es nicht mehr',
  changedByOther: 'Jemand anderes hat das inzwischen geändert. Ihre letzte Änderung wurde nicht übernommen.',
  tooLarge: 'Die Datei ist größer, als der Server annimmt',
  unknownKind: 'Diese Art von Datei kann kein Bildschirm zeigen',
  tooMany_one: 'Zu viele Versuche. Warten Sie eine Sekunde und versuchen Sie es dann noch einmal.',
  tooMany_other: 'Zu viele Versuche. Warten Sie {{count}} Sekunden und versuchen Sie es dann noch einmal.',
  diskFull:
    'Die Festplatte des Servers ist voll. Es wurde nichts geändert. Schaffen Sie Platz und versuchen Sie es noch einmal.',
  diskFailing:
    'Die Festplatte des Servers versagt. Die Bildschirme spielen weiter, aber es kann nichts gespeichert werden. Lassen Sie die Festplatte prüfen.',
  server: 'Auf dem Server ist etwas schiefgegangen',
  refused: 'Der Server hat das nicht angenommen',
};

export const form: Texts['form'] = {
  missing: '{{field}} fehlt.',
  tooLong: '{{field}} ist zu lang.',
  wrong: '{{field}} ist nicht gültig.',
};
