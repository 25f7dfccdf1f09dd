import type { Texts } from '../texts.ts';

export const find: Texts['find'] = {
  printedFirst:
    'Die ersten {{shown}} von {{total}} stehen auf diesem Papier. Vor dem Drucken suchen oder filtern, oder die Liste herunterladen.',
  searchIn: 'In {{place}} suchen',
  noneFound: 'Nichts gefunden',
  showMore_one: '{{count}} weitere Zeile zeigen',
  showMore_other: '{{count}} weitere zeigen',
  showAll: 'Suche leeren',
  tickAll_one: 'Den gefundenen auswählen',
  tickAll_other: 'Alle {{count}} auswählen',
  typeName: 'Namen eintippen',
  looking: 'Wird gesucht …',
  nothing: 'Nichts gefunden zu „{{text}}“',
  nothingYet: 'Noch ist nichts zum Auswählen da',
  failed: 'Der Server antwortet nicht. Gleich noch einmal tippen.',
  chosen: '{{label}}: ausgewählt',
  remove: '{{name}} entfernen',
  gone: 'Was hier ausgewählt war, gibt es nicht mehr',
  allScreens: 'Alle Bildschirme',
  allHint: 'Auch solche, die später dazukommen',
  everywhere: 'Überall',
  tags: 'Tags',
  folders: 'Ordner',
  labels: 'Etiketten',
  plans: 'Pläne',
  people: 'Personen',
  duplicate: 'Duplizieren',
  duplicated: '{{name}} ist angelegt',
};

/** Words that screens have. */
export const tags: Texts['tags'] = {
  new: 'Neuer Tag',
  type: 'Tag eingeben',
  title: 'Tags',
  hint: 'Wörter, um Bildschirme zu finden, zu gruppieren und für sie zu planen.',
};
