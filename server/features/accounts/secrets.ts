import { hash, randomBytes } from 'node:crypto';

/** Prefix of each kind of credential, so that a leaked one is recognized and no kind can be used as another. */
export const PREFIX = { token: 'vtr_', session: 'vts_', mfa: 'vtm_', email: '', link: 'vtl_' } as const;

/** Returns the prefix and 256 random bits in base64url (43 characters). */
export const newSecret = (kind: keyof typeof PREFIX): string => PREFIX[kind] + randomBytes(32).toString('base64url');

/** Returns the stored hash of a credential, in hex. 256 random bits need no slow hash. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
