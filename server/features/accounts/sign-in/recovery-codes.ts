import { randomBytes } from 'node:crypto';
import { sha256 } from '../secrets.ts';

/** Crockford's base 32, without I, L, O and U, which people misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODES = 10;
/** 20 characters of 5 bits: 100 bits. */
const LENGTH = 20;

/** Returns ten codes, each as `xxxxx-xxxxx-xxxxx-xxxxx`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

const newCode = (): string => {
  const text = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]).join('');
  return text.replace(/(.{5})(?=.)/g, '$1-');
};

/** Returns the stored hash of a code: bound to the user, independent of case, blanks, dashes and look-alikes. */
export const recoveryHash = (userId: string, typed: string): string => {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return sha256(`${userId}:${code}`);
};
