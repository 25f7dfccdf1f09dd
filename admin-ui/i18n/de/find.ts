import type { Texts } from '../texts.ts';

export const find: Texts['find'] = {
  printedFirst:
    'Die ersten {{shown}} von {{total}} stehen auf diesem Papier. Vor dem Drucken suchen oder filtern, oder die Liste herunterladen.',
  searchIn: 'In {{place}} suchen',
  noneFound: 'Nichts heißt hier so',
  showMore_one: '{{count}} weitere Zeile zeigen',
  showMore_other: '{{count}} weitere zeigen',
  showAll: 'Alle zeigen',
  tickAll_one: 'Den einen gefundenen ankreuzen',
  tickAll_other: 'Alle {{count}} ankreuzen',
  typeName: 'Namen eintippen',
  looking: 'Wird gesucht …',
  nothing: 'Nichts heißt „{{text}}“',
  nothingYet: 'Noch ist nichts zum Auswählen da',
  failed: 'Der Server antwortet nicht. Gleich noch einmal tippen.',
  chosen: '{{label}}: ausgewählt',
  remove: '{{name}} entfernen',
  gone: 'Was hier ausgewählt war, gibt es nicht mehr',
  allScreens: 'Alle Bildschirme',
  allHint: 'Auch die, die später dazukommen',
  everywhere: 'Überall',
  tags: 'Tags',
  plans: 'Pläne',
  people: 'Personen',
};

/** Words that screens have. */
export const tags: Texts['tags'] = {
  new: 'Neuer Tag',
  type: 'Tag eingeben',
  title: 'Tags',
  hint: 'Wörter, mit denen Bildschirme gefunden, gruppiert und verplant werden.',
};
