/** Address and code in a file, for stores to which they are sent instead of told. */
import { z } from 'zod';
import { hex } from '../protocol/hex.ts';
import { StickNumbers } from './wire.ts';

/** For a store that does not reach headquarters: what it would be told there. */
export const Offline = z.object({
  /** Its id at headquarters, what it is called there, and headquarters itself. */
  store: z.string().min(1).max(64),
  name: z.string().min(1).max(500),
  headquarters: z.string().min(1).max(500),
  /** Headquarters' keys, by which it signs (Ed25519) and for which is sealed (X25519): raw. */
  key: hex(64),
  seal_key: hex(64),
  sticks: StickNumbers,
});

export type Offline = z.infer<typeof Offline>;

const EnrolmentFile = z.object({
  vitrine: z.literal('enrolment'),
  address: z.string().min(1).max(300),
  code: z.string().min(1).max(60),
  /** A file of an older headquarters has none. */
  offline: Offline.optional(),
});
export type Enrolment = Omit<z.infer<typeof EnrolmentFile>, 'vitrine'>;

export const ENROLMENT_ENDING = '.vitrine-enrolment';
/** Whatever is longer is none. */
export const MAX_ENROLMENT_FILE_BYTES = 4_096;

export const enrolmentFile = ({ address, code, offline }: Enrolment): string =>
  `${JSON.stringify({ vitrine: 'enrolment', address, code, offline }, undefined, 2)}\n`;

/** The same in one line, for a QR code: no address, so that a phone shows it as text, which can be copied. */
export const enrolmentLine = ({ address, code }: Enrolment): string =>
  JSON.stringify({ vitrine: 'enrolment', address, code });

/** Undefined: it is no such file. */
export const readEnrolmentFile = (text: string): Enrolment | undefined => {
  try {
    const { vitrine: _, ...enrolment } = EnrolmentFile.parse(JSON.parse(text));
    return enrolment;
  } catch {
    return undefined;
  }
};
