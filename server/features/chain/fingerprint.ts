import { createHash } from 'node:crypto';

/** SHA-256 of a key as people compare it. @param key SubjectPublicKeyInfo, hex */
export const fingerprintOf = (key: string): string =>
  createHash('sha256').update(Buffer.from(key, 'hex')).digest('hex');
