import type { z } from 'zod';
import { enrolmentCode } from '../../../shared/chain/enrolment-code.ts';
import { readEnrolmentFile } from '../../../shared/chain/enrolment-file.ts';
import { enrolStore } from '../../../shared/contract/chain.ts';

/** As the server checks it, and the code so far as it can be judged from here. */
export const Enrolment = enrolStore.body.extend({
  code: enrolStore.body.shape.code.refine((code) => enrolmentCode(code) !== undefined),
});
export type Enrolment = z.infer<typeof Enrolment>;

/** What a text does to the form: both fields are filled by that of a QR code or of a file, wherever it is pasted. */
export const filledBy = (field: keyof Enrolment, text: string): Partial<Enrolment> =>
  readEnrolmentFile(text) ?? { [field]: text };
