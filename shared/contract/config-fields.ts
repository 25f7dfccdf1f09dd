/**
 * Fields in the `config` of widgets and kiosk pages: valid values, defaults, and the control that edits them. Null
 * counts as absent. Defaults are not stored, so that better defaults apply to existing widgets.
 */
import { z } from 'zod';

const MAX_ADDRESS = 4000;
/** Maximum number of characters of a picture inside the config. */
const MAX_DATA_ADDRESS = 300_000;

const withDefault = <T extends z.ZodType, D>(type: T, fallback: D) =>
  type.nullish().transform((value) => value ?? fallback);
const string = (fallback = '') => withDefault(z.string('must be text'), fallback);
/** Field of text that must pass `isValid`; null if the text is absent or empty. */
const stringOrNull = (isValid: (value: string) => unknown, error: string) =>
  withDefault(z.string('must be text'), '')
    .refine((value) => value === '' || accepts(() => isValid(value)), error)
    .transform((value) => value || null);

const accepts = (make: () => unknown): boolean => {
  try {
    make();
    return true;
  } catch {
    return false;
  }
};

const field = <const K extends string, S extends z.ZodType>(kind: K, schema: S) => ({ kind, schema });

/** Config field with a single line of text. */
export const text = (fallback = '') => field('text', string(fallback));
export const longText = () => field('long', string());
export const code = () => field('code', string());
/** Config field with any CSS colour or gradient. The page treats an invalid value as absent. */
export const color = () => field('color', string());
/** `light`, `dark`, or the preference of the browser. */
export const theme = () => field('theme', string());
export const zone = () =>
  field(
    'zone',
    stringOrNull(
      (timeZone) => new Intl.DateTimeFormat('en', { timeZone }),
      'must be an IANA time zone like Europe/Berlin',
    ),
  );
export const locale = () =>
  field(
    'locale',
    stringOrNull((tag) => new Intl.DateTimeFormat(tag), 'must be a language tag like en-GB'),
  );
export const flag = (fallback: boolean) =>
  ({ kind: 'switch', fallback, schema: withDefault(z.boolean('must be true or false'), fallback) }) as const;

interface NumberFacts<D extends number | null> {
  readonly fallback?: D;
  /** Unit that is shown after the number. */
  readonly unit?: 'px' | 's' | '%' | '°';
  /** Number of digits after the decimal point in the editor. @default 0 */
  readonly digits?: number;
  /** Whether the reader of the config rounds the number to a whole number. */
  readonly whole?: boolean;
}
/**
 * Number field. A value outside the range counts as the nearest end of the range, because clients that were made for
 * other servers send such values.
 */
export const number = <D extends number | null = null>(
  min: number,
  max: number,
  { fallback, unit, digits = 0, whole }: NumberFacts<D> = {},
) => {
  const within = (n: number) => Math.min(max, Math.max(min, n));
  const schema = withDefault(
    z.number('must be a number').transform((n) => (whole ? Math.round(within(n)) : within(n))),
    (fallback ?? null) as D,
  );
  return { kind: 'number', min, max, digits, unit, fallback, schema } as const;
};

/**
 * Choice from a list; an empty text counts as absent. Without a default, an absent choice is null and the page decides.
 */
export const choice = <const O extends readonly [string, ...string[]], D extends O[number] | null = null>(
  options: O,
  fallback: D = null as D,
) => {
  const error = `must be ${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
  const schema = z
    .union([z.enum(options), z.literal('')], { error })
    .nullish()
    .transform((value) => (value || fallback) as O[number] | D);
  return { kind: 'choice', options, fallback, schema } as const;
};

const isAddress = (url: string): boolean =>
  url.length <= MAX_ADDRESS && /^(https?:\/\/[^\s]+|\/(?!\/)[^\s]*)$/i.test(url);
export const isDataPicture = (url: string): boolean =>
  /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml);base64,[A-Za-z0-9+/=]*$/.test(url);

const addressText = () =>
  string().refine((url) => !url || isAddress(url), 'must be an address that begins with http:// or https://');
const pictureText = () =>
  string().refine(
    (url) => !url || isAddress(url) || (url.length <= MAX_DATA_ADDRESS && isDataPicture(url)),
    'must be an address that begins with http:// or https://, or an image as data:image/…;base64,',
  );

/**
 * Address that a browser opens or the server fetches. Scripts and files are not allowed. A path is an address on this
 * server.
 */
export const address = () => field('address', addressText());
/** Address of a web page. The form suggests the kiosk pages of the server. */
export const pageAddress = () => field('page', addressText());
/** Picture: an address, or the data of the picture inside the config. */
export const picture = () => field('address', pictureText());
export const pictures = (max: number) =>
  field(
    'pictures',
    list(pictureText(), max).transform((urls) => urls.filter((url) => url !== '')),
  );

export const list = <T extends z.ZodType>(item: T, max: number) =>
  withDefault(z.array(item, 'must be a list').max(max, `must have at most ${max} entries`), [] as z.output<T>[]);

export type Fields = Readonly<Record<string, { readonly schema: z.ZodType }>>;
type Schemas<F extends Fields> = { [K in keyof F]: F[K]['schema'] };
/** Object with all of these fields; other fields are left out. */
export const objectOf = <F extends Fields>(fields: F) =>
  z.object(
    Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema])) as Schemas<F>,
    'must be an object',
  );

const Entry = objectOf({
  identifier: text(),
  name: text(),
  subtitle: text(),
  /** Whether the entry is available. Undefined: not set. */
  available: { schema: withDefault(z.boolean('must be true or false'), undefined) },
});
const Category = objectOf({ name: text(), entries: { schema: list(Entry, 5000) } });
export const categories = () => field('categories', list(Category, 500));
/** Id of a directory widget whose entries are shown instead of the widget's own entries. */
export const sourceWidget = () =>
  field(
    'source_widget',
    string().transform((id) => id || null),
  );
