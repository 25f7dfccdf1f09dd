/** The parts of the page in their order; each has an address (`?part=`) and a line in the table of contents. */
export const serverParts = [
  'name',
  'reach',
  'names',
  'https',
  'storage',
  'backups',
  'keeping',
  'exchange',
  'mail',
  'notices',
  'providers',
  'hosts',
  'log',
] as const;
export type ServerPart = (typeof serverParts)[number];

export const partId = (part: ServerPart): string => `server-${part}`;
