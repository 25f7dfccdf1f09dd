import type { z } from 'zod';
import { enrolmentCode } from '../../../shared/chain/enrolment-code.ts';
import { enrolStore } from '../../../shared/contract/chain.ts';

/** As the server checks it, and the code so far as it can be judged from here. */
export const Enrolment = enrolStore.body.extend({
  code: enrolStore.body.shape.code.refine((code) => enrolmentCode(code) !== undefined),
});
export type Enrolment = z.infer<typeof Enrolment>;
