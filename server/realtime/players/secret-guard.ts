/** Verifies that a player is the device it claims to be. */
import { createHash, timingSafeEqual } from 'node:crypto';

const NOBODY = Buffer.alloc(32);

const hashOfSecret = (secretHex: string): Buffer => createHash('sha256').update(Buffer.from(secretHex, 'hex')).digest();

/**
 * Compares a secret with the stored hash in constant time, whether the device exists or not.
 * @param expected SHA-256 in hex;
 * undefined: no such device
 */
export const provesIdentity = (secretHex: string, expected: string | undefined): boolean => {
  const same = timingSafeEqual(hashOfSecret(secretHex), expected === undefined ? NOBODY : Buffer.from(expected, 'hex'));
  return same && expected !== undefined;
};
