import type { z } from 'zod';
import { enrolmentCode } from '../../../shared/chain/enrolment-code.ts';
import { readEnrolmentFile } from '../../../shared/chain/enrolment-file.ts';
import { enrolStore } from '../../../shared/contract/headquarters/chain.ts';

/** The server's schema of the request, with an additional check of the code's format. */
export const Enrolment = enrolStore.body.extend({
  code: enrolStore.body.shape.code.refine((code) => enrolmentCode(code) !== undefined),
});
export type Enrolment = z.infer<typeof Enrolment>;

/** Returns the form values for a typed text. The text of a QR code or enrolment file fills both fields. */
export const filledBy = (field: keyof Enrolment, text: string): Partial<Enrolment> =>
  readEnrolmentFile(text) ?? { [field]: text };
