/** Finding and choosing by typing. */
export const find = {
  printedFirst:
    'The first {{shown}} of {{total}} are on this paper. Search or filter before printing, or download the list.',
  searchIn: 'Search in {{place}}',
  noneFound: 'Nothing found',
  showMore_one: 'Show {{count}} more',
  showMore_other: 'Show {{count}} more',
  showAll: 'Clear the search',
  tickAll_one: 'Select the one found',
  tickAll_other: 'Select all {{count}}',
  typeName: 'Type a name',
  looking: 'Looking…',
  nothing: 'Nothing found for “{{text}}”',
  nothingYet: 'There is nothing to choose yet',
  failed: 'The server does not answer. Type again in a moment.',
  chosen: '{{label}}: selected',
  remove: 'Remove {{name}}',
  gone: 'What was selected here no longer exists',
  allScreens: 'All screens',
  allHint: 'Including those that are connected later',
  everywhere: 'Everywhere',
  tags: 'Tags',
  folders: 'Folders',
  labels: 'Labels',
  plans: 'Plans',
  people: 'People',
  duplicate: 'Duplicate',
  duplicated: '{{name}} is created',
};

/** Words that screens have. */
export const tags = {
  new: 'New tag',
  type: 'Type a tag',
  title: 'Tags',
  hint: 'Words to find screens, to group them and to plan for them.',
};
