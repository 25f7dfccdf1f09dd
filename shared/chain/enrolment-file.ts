/** Address and code in a file, for stores to which they are sent instead of told. */
import { z } from 'zod';

const EnrolmentFile = z.object({
  vitrine: z.literal('enrolment'),
  address: z.string().min(1).max(300),
  code: z.string().min(1).max(60),
});
export type Enrolment = Omit<z.infer<typeof EnrolmentFile>, 'vitrine'>;

export const ENROLMENT_ENDING = '.vitrine-enrolment';
/** Whatever is longer is none. */
export const MAX_ENROLMENT_FILE_BYTES = 4_096;

export const enrolmentFile = ({ address, code }: Enrolment): string =>
  `${JSON.stringify({ vitrine: 'enrolment', address, code }, undefined, 2)}\n`;

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
