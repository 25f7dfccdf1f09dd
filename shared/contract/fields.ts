/** Fields that many endpoints share, with the rules of decisions.md (General) in one place. */
import { z } from 'zod';

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const CONTROL = /[\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point; tab and line ends are text
const CONTROL_IN_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Field of text with 1 to `max` characters. The text is trimmed, unless another schema is given as `text`. */
export const filled = (max: number, text = z.string().trim()) =>
  text.min(1, 'must not be empty').max(max, `must be at most ${max} characters`);

/** A number from `min` to `max`. */
export const between = (min: number, max: number, number: z.ZodNumber = z.number()) =>
  number.min(min, `must be ${min} to ${max}`).max(max, `must be ${min} to ${max}`);
export const whole = (min: number, max: number) => between(min, max, z.number().int('must be a whole number'));

/** Name that people enter: {@link filled}, without control characters. */
export const nameOf = (max = 200) => filled(max).refine((s) => !CONTROL.test(s), 'must not contain control characters');
export const Name = nameOf();

/** Tag that people give to screens to find and group them. */
export const Tag = nameOf(50);

/** Maximum number of tags of a screen. */
export const MAX_TAGS = 20;

/** List of tags without duplicates. If tags differ only in case, the first tag stays. */
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

/** Id of a record in a request: any text of any length. For a text that is no id, the record is not found (404). */
export const Id = z.string().min(1, 'must not be empty');

/** Optional reference: a string. Null or an empty string removes the reference. */
export const Ref = z.union([z.string(), z.null()]).transform((v) => v || null);

/** Type of a field that is 0 or 1 in answers. Requests may also contain true or false. */
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

/** Whole number with a separate error for each end of the range. */
export const wholeFrom = (min: number, max: number, most = `${max}`, error = 'must be a whole number') =>
  z.number().int(error).min(min, `must be at least ${min}`).max(max, `must be at most ${most}`);
export const secondsFrom = (min: number, max: number, most?: string) =>
  wholeFrom(min, max, most, 'must be a whole number of seconds');
/** Whole seconds that an item plays, from 1 second to a year. */
export const DurationSec = secondsFrom(1, 31_536_000, 'a year');
export const SortOrder = wholeFrom(0, 1_000_000);

// Query parameters arrive as text. An empty parameter counts as absent. The published document shows their real types.

/** Query parameter that is a whole number; `fallback` if absent. */
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

/** Query parameter that is one of the given words. */
export const queryWord = <const W extends readonly [string, ...string[]], F extends W[number] | undefined = undefined>(
  words: W,
  fallback?: F,
) =>
  z
    .union([z.literal(''), z.enum(words)], { error: `must be one of ${words.join(', ')}` })
    .optional()
    .transform((v) => (v || fallback) as W[number] | F)
    .meta({ type: 'string', enum: [...words], ...(fallback !== undefined && { default: fallback }) });

/** Query parameter that is true or false (false if absent). 1 and 0 are accepted, too. */
export const queryFlag = z
  .enum(['', 'true', 'false', '1', '0'], 'must be true or false')
  .optional()
  .transform((v) => v === 'true' || v === '1')
  .meta({ type: 'boolean', default: false });

/** Query parameter that is text. An empty parameter counts as absent. */
export const queryText = (max = 200) =>
  z
    .string()
    .max(max, `must be at most ${max} characters`)
    .optional()
    .transform((v) => v || undefined);

/** Query parameter that is the id of a record. */
export const queryId = z
  .string()
  .optional()
  .transform((v) => v || undefined);

/** Query parameters limit and offset of a list, with the defaults of decisions.md. */
export const paging = (defaultLimit: number, maxLimit: number) => ({
  limit: queryInt(1, maxLimit, defaultLimit),
  offset: queryInt(0, Number.MAX_SAFE_INTEGER, 0),
});

/** Id of a playlist item in a path. For a text that is not an integer, the item is not found (404). */
export const ItemIdParam = z.string().transform((v) => (/^\d{1,15}$/.test(v) ? Number(v) : -1));

export const Success = z.object({ success: z.literal(true) });
export const success = { success: true } as const;

/** Name of an IANA time zone. */
export const TimeZone = z.string().refine((zone) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}, 'must be an IANA time zone like Europe/Berlin');
