import { hash, randomBytes } from 'node:crypto';

/**
 * What a credential is for, told by its first characters: so a leak is recognized, and one kind never passes for
 * another.
 */
export const PREFIX = { token: 'vtr_', session: 'vts_', mfa: 'vtm_', email: '' } as const;

/** 256 random bits behind the prefix, base64url: 43 characters. */
export const newSecret = (kind: keyof typeof PREFIX): string => PREFIX[kind] + randomBytes(32).toString('base64url');

/** Hex. All that is stored of a credential: 256 random bits need no slow hash. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
