/**
 * The pages of the server's settings in order, each with its sections. A section has an address (`?part=`) that opens
 * its page. A page has the address of its first section.
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
/** Backups have a separate page among the settings. */
export type ServerPart = (typeof serverPages)[ServerPage][number] | 'backups' | 'backup-plan';

export const serverPageNames = Object.keys(serverPages) as ServerPage[];

export const partId = (part: ServerPart): string => `server-${part}`;

/** The page for a section in the address; the first page for an unknown one. */
export const pageOf = (part: string | undefined): ServerPage =>
  serverPageNames.find((page) => serverPages[page].some((one) => one === part)) ?? 'overview';
