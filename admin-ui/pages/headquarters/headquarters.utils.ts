import type { z } from 'zod';
import { enrolmentCode } from '../../../shared/chain/enrolment-code.ts';
import { readEnrolmentFile } from '../../../shared/chain/enrolment-file.ts';
import { enrolStore } from '../../../shared/contract/headquarters/chain.ts';

/** The server's schema, with a format check of the code. */
export const Enrolment = enrolStore.body.extend({
  code: enrolStore.body.shape.code.refine((code) => enrolmentCode(code) !== undefined),
});
export type Enrolment = z.infer<typeof Enrolment>;

/** Form values for a typed text. The text of a QR code or file fills both fields, wherever it is pasted. */
export const filledBy = (field: keyof Enrolment, text: string): Partial<Enrolment> =>
  readEnrolmentFile(text) ?? { [field]: text };
