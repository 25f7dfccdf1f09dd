import type { Refusal } from '../../shared/chain/wire.ts';

/** Headquarters says no to a store. The sentence is for the store's administrator. */
export class Refused extends Error {
  readonly code: Refusal['code'];
  readonly status: number;

  constructor(code: Refusal['code'], status: number, sentence: string) {
    super(sentence);
    this.code = code;
    this.status = status;
  }
}
