import type { Texts } from '../texts.ts';

export const find: Texts['find'] = {
  printedFirst:
    'Nur die ersten {{shown}} von {{total}} werden gedruckt. Suchen oder filtern Sie vor dem Drucken, oder laden Sie die Liste herunter.',
  searchIn: 'In {{place}} suchen',
  noneFound: 'Nichts gefunden',
  showMore_one: '{{count}} weitere Zeile zeigen',
  showMore_other: '{{count}} weitere zeigen',
  showAll: 'Suche leeren',
  tickAll_one: '{{count}} auswählen',
  tickAll_other: 'Alle {{count}} auswählen',
  typeName: 'Namen eingeben',
  looking: 'Wird gesucht …',
  nothing: 'Nichts gefunden zu „{{text}}“',
  nothingYet: 'Noch nichts zur Auswahl',
  failed: 'Der Server antwortet nicht. Versuchen Sie es gleich noch einmal.',
  chosen: '{{label}}: ausgewählt',
  remove: '{{name}} entfernen',
  gone: 'Den ausgewählten Eintrag gibt es nicht mehr',
  allScreens: 'Alle Bildschirme',
  allHint: 'Auch Bildschirme, die später dazukommen',
  everywhere: 'Überall',
  tags: 'Tags',
  folders: 'Ordner',
  labels: 'Etiketten',
  plans: 'Pläne',
  people: 'Personen',
  duplicate: 'Duplizieren',
  duplicated: '{{name}} ist angelegt',
};

/** Tags of screens. */
export const tags: Texts['tags'] = {
  new: 'Neuer Tag',
  type: 'Tag eingeben',
  title: 'Tags',
  hint: 'Wörter, um Bildschirme zu finden, zu gruppieren und zu planen.',
};
