/** Finding and choosing by typing. */
export const find = {
  printedFirst:
    'The first {{shown}} of {{total}} are on this paper. Search or filter before printing, or download the list.',
  searchIn: 'Search in {{place}}',
  noneFound: 'Nothing here is called that',
  showMore_one: 'Show {{count}} more',
  showMore_other: 'Show {{count}} more',
  showAll: 'Show all',
  tickAll_one: 'Tick the one found',
  tickAll_other: 'Tick all {{count}}',
  typeName: 'Type a name',
  looking: 'Looking…',
  nothing: 'Nothing is called “{{text}}”',
  nothingYet: 'There is nothing to choose yet',
  failed: 'The server does not answer. Type again in a moment.',
  chosen: '{{label}}: chosen',
  remove: 'Remove {{name}}',
  gone: 'What was chosen here no longer exists',
  allScreens: 'All screens',
  allHint: 'Also those that are connected later',
  everywhere: 'Everywhere',
  tags: 'Tags',
  plans: 'Plans',
  people: 'People',
};

/** Words that screens have. */
export const tags = {
  new: 'New tag',
  type: 'Type a tag',
  title: 'Tags',
  hint: 'Words by which screens are found, grouped and planned for.',
};
