/** Validity: the period in which a content, widget or item may be shown. An addition to the contract. */
import { z } from 'zod';

const exists = (minute: string): boolean => {
  const date = new Date(`${minute}:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(minute);
};
const Minute = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'must be a minute like 2026-12-24T18:00')
  .refine(exists, 'must be a minute that exists');
/** Start or end of the period. Null or "" removes it. */
const Bound = z.union([z.literal(''), z.null(), Minute]).transform((minute) => minute || null);

/** Fields of the validity in a request body. */
export const validityIn = { valid_from: Bound.optional(), valid_until: Bound.optional() };

/**
 * Fields of the validity in a record: local `YYYY-MM-DDTHH:MM` by the clock of the screen, from inclusive, until
 * exclusive; null: no limit.
 */
export const validityOut = { valid_from: z.string().nullable(), valid_until: z.string().nullable() };

export interface Valid {
  readonly valid_from: string | null;
  readonly valid_until: string | null;
}

export const VALIDITY_RULE =
  'valid_from and valid_until (a local minute like 2026-12-24T18:00, by the clock of each screen; null or "": no bound): outside of them no screen shows it, with and without a server.';
