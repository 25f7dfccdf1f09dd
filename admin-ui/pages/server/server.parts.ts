/**
 * The pages of the server's settings in order, each with its sections. The address of a section (`?part=`) opens the
 * page that contains it. The address of a page is that of its first section.
 */
export const serverPages = {
  overview: ['reach', 'storage'],
  names: ['name', 'names', 'https'],
  keeping: ['keeping'],
  exchange: ['exchange'],
  notices: ['notices'],
  mail: ['mail'],
  providers: ['providers'],
  hosts: ['hosts'],
  log: ['log'],
} as const;
export type ServerPage = keyof typeof serverPages;
/** A section of the server's settings. Backups have their own page. */
export type ServerPart = (typeof serverPages)[ServerPage][number] | 'backups' | 'backup-plan';

export const serverPageNames = Object.keys(serverPages) as ServerPage[];

export const partId = (part: ServerPart): string => `server-${part}`;

/** Returns the page that contains a section; the first page for an unknown section. */
export const pageOf = (part: string | undefined): ServerPage =>
  serverPageNames.find((page) => serverPages[page].some((one) => one === part)) ?? 'overview';
