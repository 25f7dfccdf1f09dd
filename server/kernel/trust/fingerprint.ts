import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of a key or certificate, as hex for people to compare.
 * @param der bytes of the certificate or key
 * (SubjectPublicKeyInfo)
 */
export const fingerprintOf = (der: Buffer): string => createHash('sha256').update(der).digest('hex');
