import type { Texts } from '../texts.ts';

export const exchange: Texts['exchange'] = {
  lead: 'Inhalte, Widgets, Kioskseiten, Layouts, Playlists, Gruppen und Pläne als eine ZIP-Datei. Bildschirme, Personen und Berichte sind nicht enthalten.',
  workspace: 'Aktueller Arbeitsbereich: {{name}}.',
  export: 'Exportieren',
  exported: 'Der Export ist gespeichert',
  import: 'Importieren…',
  importTitle: '{{file}} importieren',
  take: 'Importieren',
  from: {
    vitrine: 'Ein Export von Vitrine. Alles wird in {{workspace}} neu angelegt; Vorhandenes ändert sich nicht.',
    screentinker:
      'Ein Export von screentinker. Alles wird in {{workspace}} neu angelegt; Vorhandenes ändert sich nicht.',
  },
  kinds: {
    contents: 'Inhalte',
    widgets: 'Widgets',
    kiosk_pages: 'Kioskseiten',
    layouts: 'Layouts',
    playlists: 'Playlists',
    groups: 'Gruppen',
    schedules: 'Pläne',
  },
  empty: 'Der Export ist leer.',
  noFiles: 'Der Export enthält die Dateien nicht: Nur Inhalte mit einer Web-Adresse werden importiert.',
  screensMissing_one: 'Einen Bildschirm namens {{names}} gibt es hier nicht. Seine Pläne werden übersprungen.',
  screensMissing_other: 'Bildschirme namens {{names}} gibt es hier nicht. Ihre Pläne werden übersprungen.',
  groupsThere_one: 'Die Gruppe {{names}} gibt es schon. Sie ändert sich nicht und bekommt die Pläne.',
  groupsThere_other: 'Die Gruppen {{names}} gibt es schon. Sie ändern sich nicht und bekommen die Pläne.',
  sent: '{{share}} gesendet',
  taking: 'Das Hochladen ist fertig. Der Import läuft.',
  done: 'Import abgeschlossen',
  added: 'Hinzugefügt in {{workspace}}:',
  leftOut_one: '{{count}} Eintrag wurde übersprungen',
  leftOut_other: '{{count}} Einträge wurden übersprungen',
};
