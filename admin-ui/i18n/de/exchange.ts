import type { Texts } from '../texts.ts';

export const exchange: Texts['exchange'] = {
  lead: 'Inhalte, Widgets, Kioskseiten, Layouts, Playlists, Gruppen und Pläne als eine ZIP-Datei. Bildschirme, Personen und Berichte gehören nicht dazu.',
  workspace: 'Der Arbeitsbereich, in dem Sie sind: {{name}}.',
  export: 'Exportieren',
  exported: 'Der Export ist gespeichert',
  import: 'Importieren…',
  importTitle: '{{file}} übernehmen',
  take: 'Übernehmen',
  from: {
    vitrine: 'Ein Export von Vitrine. All das kommt neu zu {{workspace}} hinzu; nichts, was da ist, ändert sich.',
    screentinker:
      'Ein Export von screentinker. All das kommt neu zu {{workspace}} hinzu; nichts, was da ist, ändert sich.',
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
  empty: 'Es ist nichts darin.',
  noFiles: 'Die Dateien der Inhalte sind nicht darin: Nur Inhalte mit einer Adresse im Web kommen mit.',
  screensMissing_one: 'Einen Bildschirm namens {{names}} gibt es hier nicht. Seine Pläne bleiben weg.',
  screensMissing_other: 'Bildschirme namens {{names}} gibt es hier nicht. Ihre Pläne bleiben weg.',
  groupsThere_one: 'Die Gruppe {{names}} gibt es schon. Sie bleibt, wie sie ist, und bekommt die Pläne.',
  groupsThere_other: 'Die Gruppen {{names}} gibt es schon. Sie bleiben, wie sie sind, und bekommen die Pläne.',
  sent: '{{share}} gesendet',
  taking: 'Alles ist angekommen. Es wird an seinen Platz gebracht.',
  done: 'Übernommen',
  added: 'Hinzugekommen in {{workspace}}:',
  leftOut_one: '{{count}} Sache blieb weg',
  leftOut_other: '{{count}} Sachen blieben weg',
};
