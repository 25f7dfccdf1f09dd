/** Searching and choosing by typing. */
export const find = {
  printedFirst:
    'Only the first {{shown}} of {{total}} are printed. Search or filter before printing, or download the list.',
  searchIn: 'Search in {{place}}',
  noneFound: 'Nothing found',
  showMore_one: 'Show {{count}} more',
  showMore_other: 'Show {{count}} more',
  showAll: 'Clear the search',
  tickAll_one: 'Select {{count}}',
  tickAll_other: 'Select all {{count}}',
  typeName: 'Type a name',
  looking: 'Searching…',
  nothing: 'Nothing found for “{{text}}”',
  nothingYet: 'Nothing to choose yet',
  failed: 'The server does not answer. Try again in a moment.',
  chosen: '{{label}}: selected',
  remove: 'Remove {{name}}',
  gone: 'The selected entry no longer exists',
  allScreens: 'All screens',
  allHint: 'Including screens that you connect later',
  everywhere: 'Everywhere',
  tags: 'Tags',
  folders: 'Folders',
  labels: 'Labels',
  plans: 'Plans',
  people: 'People',
  duplicate: 'Duplicate',
  duplicated: '{{name}} is created',
};

/** Tags of screens. */
export const tags = {
  new: 'New tag',
  type: 'Type a tag',
  title: 'Tags',
  hint: 'Words for finding, grouping and planning screens.',
};
