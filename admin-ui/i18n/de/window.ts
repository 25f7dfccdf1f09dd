import type { Texts } from '../texts.ts';

export const palette: Texts['palette'] = {
  title: 'Suchen',
  placeholder: 'Bildschirm, Gruppe, Playlist, Inhalt, Seite …',
  places: 'Seiten',
  actions: 'Aktionen',
  found: 'Ergebnisse',
  none: 'Nichts gefunden. Versuchen Sie ein anderes Wort.',
  help: 'Pfeiltasten wählen, Eingabe öffnet, Esc schließt.',
  connect: 'Bildschirm mit seinem Code verbinden',
  message: 'Jetzt eine Nachricht zeigen',
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
  more_one: '{{count}} weitere Datei',
  more_other: '{{count}} weitere Dateien',
  drop: 'Loslassen, um zu den Inhalten hochzuladen',
  tooMany: 'Mehr als {{count}} Dateien auf einmal',
  tooManyHelp:
    'Es wurde nichts hochgeladen. Legen Sie weniger Dateien auf einmal ab, zum Beispiel einen Ordner nach dem anderen.',
  empty: 'Diese Datei ist leer (0 Byte). Kopieren Sie sie noch einmal vom Ursprung, und laden Sie sie dann hoch.',
  brokenOff: 'Die Verbindung ist abgebrochen. Versuchen Sie es noch einmal.',
};
