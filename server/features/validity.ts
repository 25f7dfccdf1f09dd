/** The rule of validity for every kind of record: the end must be after the start. */

import type { Valid } from '../../shared/contract/content/validity.ts';
import { badRequest } from '../../shared/contract/errors.ts';
import { definedOnly } from '../kernel/defined.ts';

/** Validity fields of a request. A field that was not sent is undefined. */
type Sent = { readonly [K in keyof Valid]?: Valid[K] | undefined };

/**
 * Returns the validity fields that the request changes.
 * @throws ApiError 400 when the end would not be after the start
 */
export const validityChange = (before: Valid, sent: Sent): { -readonly [K in keyof Valid]?: Valid[K] } => {
  const change = definedOnly({ valid_from: sent.valid_from, valid_until: sent.valid_until });
  const { valid_from, valid_until } = { ...before, ...change };
  // Compares the minutes as texts, because their alphabetical order is the order of time.
  if (valid_from !== null && valid_until !== null && valid_until <= valid_from)
    throw badRequest('valid_until: must be after valid_from');
  return change;
};

/** Validity of a record without limits. */
export const ALWAYS: Valid = { valid_from: null, valid_until: null };
