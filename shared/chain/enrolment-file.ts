/** Address and enrolment code in a file, for stores that receive them by mail. */
import { z } from 'zod';
import { hex } from '../protocol/hex.ts';
import { TransferNumbers } from './wire.ts';

/**
 * Data for a store that cannot reach headquarters. A store with a connection receives the same data over the
 * connection.
 */
export const Offline = z.object({
  /** The store's id and name at headquarters, and headquarters' name. */
  store: z.string().min(1).max(64),
  name: z.string().min(1).max(500),
  headquarters: z.string().min(1).max(500),
  /** Headquarters' raw keys for signatures (Ed25519) and for sealing (X25519). */
  key: hex(64),
  seal_key: hex(64),
  sticks: TransferNumbers,
});

export type Offline = z.infer<typeof Offline>;

const EnrolmentFile = z.object({
  vitrine: z.literal('enrolment'),
  address: z.string().min(1).max(300),
  code: z.string().min(1).max(60),
  /** Data for a store without a connection. Absent in a file of an older headquarters. */
  offline: Offline.optional(),
});
export type Enrolment = Omit<z.infer<typeof EnrolmentFile>, 'vitrine'>;

export const ENROLMENT_ENDING = '.vitrine-enrolment';
/** Maximum size of an enrolment file. A longer file is refused. */
export const MAX_ENROLMENT_FILE_BYTES = 4_096;

export const enrolmentFile = ({ address, code, offline }: Enrolment): string =>
  `${JSON.stringify({ vitrine: 'enrolment', address, code, offline }, undefined, 2)}\n`;

/**
 * Returns the content of the enrolment file in one line, for a QR code. The text is not a URL, so that a phone shows it
 * as text that can be copied.
 */
export const enrolmentLine = ({ address, code }: Enrolment): string =>
  JSON.stringify({ vitrine: 'enrolment', address, code });

/** Parses an enrolment file. Returns undefined for any other text. */
export const readEnrolmentFile = (text: string): Enrolment | undefined => {
  try {
    const { vitrine: _, ...enrolment } = EnrolmentFile.parse(JSON.parse(text));
    return enrolment;
  } catch {
    return undefined;
  }
};
