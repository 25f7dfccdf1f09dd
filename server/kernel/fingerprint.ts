import { createHash } from 'node:crypto';

/**
 * SHA-256 of a key or certificate, as hex for people to compare. @param der its bytes (for a key: SubjectPublicKeyInfo)
 */
export const fingerprintOf = (der: Buffer): string => createHash('sha256').update(der).digest('hex');
