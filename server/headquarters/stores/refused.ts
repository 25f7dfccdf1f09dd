import type { Refusal } from '../../../shared/chain/wire.ts';

/** Thrown when headquarters refuses a request of a store. The message is for the administrator of the store. */
export class Refused extends Error {
  readonly code: Refusal['code'];
  readonly status: number;

  constructor(code: Refusal['code'], status: number, sentence: string) {
    super(sentence);
    this.code = code;
    this.status = status;
  }
}
