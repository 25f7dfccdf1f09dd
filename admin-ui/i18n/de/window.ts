import type { Texts } from '../texts.ts';

export const palette: Texts['palette'] = {
  open: 'Suchen',
  title: 'Gehe zu',
  placeholder: 'Bildschirm, Gruppe, Playlist, Inhalt, Seite …',
  places: 'Orte',
  actions: 'Tun',
  found: 'Gefunden',
  none: 'Nichts heißt so.',
  help: 'Pfeiltasten wählen, Eingabe geht hin, Esc schließt.',
  connect: 'Bildschirm mit seinem Code verbinden',
  message: 'Jetzt eine Meldung auf Bildschirme bringen',
  newPlaylist: 'Eine neue Playlist anlegen',
  inHandbook: '„{{words}}“ im Handbuch suchen',
  upload: 'Bilder und Videos hochladen',
};

export const uploads: Texts['uploads'] = {
  title_one: '{{count}} Datei wird hochgeladen',
  title_other: '{{count}} Dateien werden hochgeladen',
  doneTitle_one: '{{count}} Datei hochgeladen',
  doneTitle_other: '{{count}} Dateien hochgeladen',
  failedTitle_one: '{{count}} Datei konnte nicht hochgeladen werden',
  failedTitle_other: '{{count}} Dateien konnten nicht hochgeladen werden',
  waiting: 'Wartet',
  checking: 'Wird geprüft …',
  cancelled: 'Abgebrochen',
  cancel: 'Hochladen von {{name}} abbrechen',
  retry: '{{name}} noch einmal hochladen',
  progress: 'Hochladen von {{name}}',
  total: 'Alle Uploads',
  collapse: 'Weniger zeigen',
  expand: 'Alle Uploads zeigen',
  empty: 'Diese Datei ist leer',
  brokenOff: 'Die Verbindung brach ab',
};
