import { createHash } from 'node:crypto';

/** SHA-256 of a key or a certificate as people compare it, hex. @param der its bytes (a key's: SubjectPublicKeyInfo) */
export const fingerprintOf = (der: Buffer): string => createHash('sha256').update(der).digest('hex');
