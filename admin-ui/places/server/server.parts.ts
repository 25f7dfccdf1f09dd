/**
 * The pages of the server's settings in their order, each with its parts. A part has an address (`?part=`), which leads
 * to its page; a page has that of its first part.
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
/** Backups have a page of their own among the settings. */
export type ServerPart = (typeof serverPages)[ServerPage][number] | 'backups' | 'backup-plan';

export const serverPageNames = Object.keys(serverPages) as ServerPage[];

export const partId = (part: ServerPart): string => `server-${part}`;

/** The page of what stands in an address; the first one for what means nothing. */
export const pageOf = (part: string | undefined): ServerPage =>
  serverPageNames.find((page) => serverPages[page].some((one) => one === part)) ?? 'overview';
