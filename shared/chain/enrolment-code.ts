/**
 * Enrolment code that headquarters makes for a store. People read the code in headquarters' admin window and enter it
 * in the store's admin window. It contains eight random bytes, valid once and for a limited time, and seven bytes of
 * headquarters' fingerprint, so that no other server can enrol the store.
 */
import { bytesOfHex, hexOf } from './bytes.ts';

/** Crockford's alphabet, without letters that are easily confused when read aloud. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const SECRET_BYTES = 8;
const FINGERPRINT_BYTES = 7;
const LENGTH = ((SECRET_BYTES + FINGERPRINT_BYTES) * 8) / 5;
/** Lifetime of a code in days. */
export const ENROLMENT_CODE_DAYS = 14;

export interface EnrolmentCode {
  /** Secret of 16 hexadecimal digits. */
  readonly secret: string;
  /** Start of headquarters' fingerprint: 14 hexadecimal digits. */
  readonly fingerprint: string;
}

/**
 * Returns the code in groups of four letters.
 * @param code.fingerprint headquarters' full fingerprint or its beginning,
 * hex
 */
export const enrolmentText = ({ secret, fingerprint }: EnrolmentCode): string => {
  const bytes = bytesOfHex(secret + fingerprint.slice(0, FINGERPRINT_BYTES * 2));
  let bits = [...bytes].reduce((all, byte) => (all << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let i = 0; i < LENGTH; i++) {
    text = LETTERS[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text.match(/.{4}/g)!.join('-');
};

/** Parses a code. Ignores case, spaces and dashes, and reads O as 0, I and L as 1. Undefined: invalid. */
export const enrolmentCode = (typed: string): EnrolmentCode | undefined => {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  if (plain.length !== LENGTH) return undefined;
  let bits = 0n;
  for (const letter of plain) {
    const value = LETTERS.indexOf(letter);
    if (value < 0) return undefined;
    bits = (bits << 5n) | BigInt(value);
  }
  const bytes = Uint8Array.from({ length: SECRET_BYTES + FINGERPRINT_BYTES }, (_, i) =>
    Number((bits >> BigInt(8 * (SECRET_BYTES + FINGERPRINT_BYTES - 1 - i))) & 0xffn),
  );
  return { secret: hexOf(bytes.subarray(0, SECRET_BYTES)), fingerprint: hexOf(bytes.subarray(SECRET_BYTES)) };
};
