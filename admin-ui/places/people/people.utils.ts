import type { WorkspaceRole } from '../../../shared/contract/users.ts';

export type Role = (typeof WorkspaceRole)['options'][number];
export const roles = ['workspace_viewer', 'workspace_editor', 'workspace_admin'] as const satisfies readonly Role[];

/** Where the mail with the invite leads, too (server/accounts-parts.ts). */
export const inviteLink = (origin: string, id: string): string => `${origin}/#/invite/${id}`;

/** The token stands behind the #: no server and no proxy writes it into its log. */
export const passwordLink = (origin: string, token: string): string => `${origin}/#/new-password/${token}`;

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * Something to tell on the telephone: three groups of four, without letters that look or sound alike. 59 bits, and good
 * for one sign-in.
 */
export const passwordToTell = (random: Uint8Array): string =>
  Array.from(random.slice(0, 12), (byte) => LETTERS[byte % LETTERS.length]!)
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');
