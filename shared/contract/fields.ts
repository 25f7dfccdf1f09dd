/** The members that many endpoints share, with the rules of decisions.md (General) in one place. */
import { z } from 'zod';

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point; tab and line ends are text
const CONTROL_IN_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** 1 to `max` characters, after trimming unless `text` says otherwise. */
export const filled = (max: number, text = z.string().trim()) =>
  text.min(1, 'must not be empty').max(max, `must be at most ${max} characters`);

/** A number from `min` to `max`. */
export const between = (min: number, max: number, number: z.ZodNumber = z.number()) =>
  number.min(min, `must be ${min} to ${max}`).max(max, `must be ${min} to ${max}`);
export const whole = (min: number, max: number) => between(min, max, z.number().int('must be a whole number'));

/** A name people gave: {@link filled}, without control characters. */
export const nameOf = (max = 200) => filled(max).refine((s) => !CONTROL.test(s), 'must not contain control characters');
export const Name = nameOf();

/** A word that people give to screens, to find and group them by. */
export const Tag = nameOf(50);

/** Of a screen. */
export const MAX_TAGS = 20;

/** Each once: of those that differ only in upper and lower case the first stays. */
export const Tags = z
  .array(Tag)
  .max(MAX_TAGS, `must be at most ${MAX_TAGS} tags`)
  .transform((tags) => [...new Map(tags.toReversed().map((tag) => [tag.toLowerCase(), tag])).values()].toReversed());

/** Free text; may be empty and have several lines. */
export const textOf = (max = 2000) =>
  z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((s) => !CONTROL_IN_TEXT.test(s), 'must not contain control characters');

/** The id of a record, as it comes in: any text. What is no id of ours simply is not found, however long it is. */
export const Id = z.string().min(1, 'must not be empty');

/** An optional reference: a string, cleared by null or "". */
export const Ref = z.union([z.string(), z.null()]).transform((v) => v || null);

/** What the contract types as a 0/1 integer: returned so, accepted as 0, 1, true or false. */
export const Flag = z
  .union([z.literal(0), z.literal(1), z.boolean()], { error: 'must be 0, 1, true or false' })
  .transform((v) => (v ? 1 : 0));
export const FlagOut = z.union([z.literal(0), z.literal(1)]);

export const Int = z.number().int();
/** Integer epoch seconds. */
export const Epoch = z.number().int();

export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #3B82F6');
export const ColorAlpha = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/, 'must be a colour like #000000 or #000000FF');

/** A whole number; what is wrong is said of each end by itself. */
export const wholeFrom = (min: number, max: number, most = `${max}`, error = 'must be a whole number') =>
  z.number().int(error).min(min, `must be at least ${min}`).max(max, `must be at most ${most}`);
export const secondsFrom = (min: number, max: number, most?: string) =>
  wholeFrom(min, max, most, 'must be a whole number of seconds');
/** Whole seconds an item plays, from 1 second to a year. */
export const DurationSec = secondsFrom(1, 31_536_000, 'a year');
export const SortOrder = wholeFrom(0, 1_000_000);

// Query members arrive as text, and what an address leaves empty counts as absent. In the published document they are
// what they mean.

/** A query member that is a whole number, `fallback` when absent. */
export const queryInt = (min: number, max: number, fallback: number) =>
  z
    .string()
    .optional()
    .transform((v, ctx) => {
      if (v === undefined || v === '') return fallback;
      const n = /^-?\d{1,15}$/.test(v) ? Number(v) : Number.NaN;
      if (n >= min && n <= max) return n;
      ctx.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback });

/** A query member that is one of a few words. */
export const queryWord = <const W extends readonly [string, ...string[]], F extends W[number] | undefined = undefined>(
  words: W,
  fallback?: F,
) =>
  z
    .union([z.literal(''), z.enum(words)], { error: `must be one of ${words.join(', ')}` })
    .optional()
    .transform((v) => (v || fallback) as W[number] | F)
    .meta({ type: 'string', enum: [...words], ...(fallback !== undefined && { default: fallback }) });

/** A query member that is true or false (false when absent); 1 and 0 are taken too. */
export const queryFlag = z
  .enum(['', 'true', 'false', '1', '0'], 'must be true or false')
  .optional()
  .transform((v) => v === 'true' || v === '1')
  .meta({ type: 'boolean', default: false });

/** A query member that is text; an empty one counts as absent. */
export const queryText = (max = 200) =>
  z
    .string()
    .max(max, `must be at most ${max} characters`)
    .optional()
    .transform((v) => v || undefined);

/** A query member that is a record's id. */
export const queryId = z
  .string()
  .optional()
  .transform((v) => v || undefined);

/** limit and offset of a list, with the defaults of decisions.md. */
export const paging = (defaultLimit: number, maxLimit: number) => ({
  limit: queryInt(1, maxLimit, defaultLimit),
  offset: queryInt(0, Number.MAX_SAFE_INTEGER, 0),
});

/** A playlist item's id in a path. What is no integer is not found. */
export const ItemIdParam = z.string().transform((v) => (/^\d{1,15}$/.test(v) ? Number(v) : -1));

export const Success = z.object({ success: z.literal(true) });
export const success = { success: true } as const;

/** IANA time zone. */
export const TimeZone = z.string().refine((zone) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}, 'must be an IANA time zone like Europe/Berlin');
