/**
 * The code that headquarters makes for a store, read off its window and typed into the store's: eight random bytes,
 * which are good once and for a time, and seven of headquarters' fingerprint, so that nobody else can take the store in.
 */
import { bytesOfHex, hexOf } from './bytes.ts';

/** Crockford's: without what is taken for something else when read aloud. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const SECRET_BYTES = 8;
const FINGERPRINT_BYTES = 7;
const LENGTH = ((SECRET_BYTES + FINGERPRINT_BYTES) * 8) / 5;
/** How long a code is good. */
export const ENROLMENT_CODE_DAYS = 14;

export interface EnrolmentCode {
  /** 16 hexadecimal digits. */
  readonly secret: string;
  /** How headquarters' fingerprint begins: 14 hexadecimal digits. */
  readonly fingerprint: string;
}

/** In groups of four letters. @param code.fingerprint all of headquarters' or its beginning, hex */
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

/** As people type it: case, spaces, dashes, and O for 0, I or L for 1 don't matter. Undefined: it is no such code. */
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
