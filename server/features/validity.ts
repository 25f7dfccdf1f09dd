/** The one rule of validity, whatever has one: it ends after it has begun. */
import { badRequest } from '../../shared/contract/errors.ts';
import type { Valid } from '../../shared/contract/validity.ts';
import { definedOnly } from '../kernel/defined.ts';

/** What was sent of it; a member that was not is undefined. */
type Sent = { readonly [K in keyof Valid]?: Valid[K] | undefined };

/**
 * Returns what changes.
 * @throws ApiError 400 when it would end before it begins
 */
export const validityChange = (before: Valid, sent: Sent): { -readonly [K in keyof Valid]?: Valid[K] } => {
  const change = definedOnly({ valid_from: sent.valid_from, valid_until: sent.valid_until });
  const { valid_from, valid_until } = { ...before, ...change };
  // Minutes are text that sorts as time does.
  if (valid_from !== null && valid_until !== null && valid_until <= valid_from)
    throw badRequest('valid_until: must be after valid_from');
  return change;
};

/** Of what has none yet. */
export const ALWAYS: Valid = { valid_from: null, valid_until: null };
