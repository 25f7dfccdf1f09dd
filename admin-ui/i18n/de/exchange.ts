import type { Texts } from '../texts.ts';

export const exchange: Texts['exchange'] = {
  lead: 'Inhalte, Widgets, Kioskseiten, Layouts, Playlists, Gruppen und Pläne als eine ZIP-Datei. Bildschirme, Personen und Berichte sind nicht enthalten.',
  workspace: 'Der Arbeitsbereich, in dem Sie sind: {{name}}.',
  export: 'Exportieren',
  exported: 'Der Export ist gespeichert',
  import: 'Importieren…',
  importTitle: '{{file}} importieren',
  take: 'Importieren',
  from: {
    vitrine: 'Ein Export von Vitrine. All das wird in {{workspace}} neu angelegt; was dort ist, ändert sich nicht.',
    screentinker:
      'Ein Export von screentinker. All das wird in {{workspace}} neu angelegt; was dort ist, ändert sich nicht.',
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
  noFiles: 'Die Dateien der Inhalte sind nicht darin: Nur Inhalte mit einer Web-Adresse werden importiert.',
  screensMissing_one: 'Einen Bildschirm namens {{names}} gibt es hier nicht. Seine Pläne fehlen dann.',
  screensMissing_other: 'Bildschirme namens {{names}} gibt es hier nicht. Ihre Pläne fehlen dann.',
  groupsThere_one: 'Die Gruppe {{names}} gibt es schon. Sie bleibt, wie sie ist, und bekommt die Pläne.',
  groupsThere_other: 'Die Gruppen {{names}} gibt es schon. Sie bleiben, wie sie sind, und bekommen die Pläne.',
  sent: '{{share}} gesendet',
  taking: 'Das Hochladen ist fertig. Der Import läuft.',
  done: 'Import abgeschlossen',
  added: 'Hinzugekommen in {{workspace}}:',
  leftOut_one: '{{count}} Eintrag fehlt',
  leftOut_other: '{{count}} Einträge fehlen',
};
