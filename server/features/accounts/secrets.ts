import { hash, randomBytes } from 'node:crypto';

/**
 * Tells by its first characters what a credential is for, so that a leak is recognized and one kind never passes for
 * another.
 */
export const PREFIX = { token: 'vtr_', session: 'vts_', mfa: 'vtm_', email: '', link: 'vtl_' } as const;

/** Returns 256 random bits in base64url (43 characters) behind the prefix. */
export const newSecret = (kind: keyof typeof PREFIX): string => PREFIX[kind] + randomBytes(32).toString('base64url');

/** Returns all that is stored of a credential, in hex: 256 random bits need no slow hash. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
