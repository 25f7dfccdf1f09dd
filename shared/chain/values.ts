/**
 * Placeholders for values of stores in campaigns: `{{price}}` is replaced by the value that headquarters set for a
 * store, `{{price|9.99}}` has a default, `{{{{` stands for two braces. A value is inserted once and not scanned again.
 * In a page a value becomes text. In an address a value becomes a part of the path or query. A value can become neither
 * markup nor another host. Shared by the admin window, headquarters and stores.
 */
import { z } from 'zod';
import {
  contentFields,
  lookFields,
  type WidgetField,
  type WidgetType,
  widgetTypes,
} from '../contract/content/widget-types.ts';

/** Maximum number of values per store. */
export const MAX_VALUES = 100;
export const MAX_VALUE_NAME = 40;
export const MAX_VALUE_CHARS = 500;
/** Maximum number of placeholders in all widgets of a campaign. This also limits the size of the result. */
export const MAX_PLACES = 2_000;
/** Longest URL that a widget accepts (contract/config-fields.ts). */
const MAX_ADDRESS = 4_000;

const NAME = /^[\p{L}\p{M}\p{N}_]+$/u;
/** Returns whether the name is valid. `__proto__` is refused because it has a special meaning in objects. */
const isOwnName = (name: string): boolean => name.length <= MAX_VALUE_NAME && NAME.test(name) && name !== '__proto__';
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point; tab and line ends are text
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Name of a value, normalized, so that equal names have one spelling. */
export const ValueName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .transform((name) => name.normalize('NFC'))
  .refine(isOwnName, `must be at most ${MAX_VALUE_NAME} letters, digits and _`);
export const ValueText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_VALUE_CHARS, `must be at most ${MAX_VALUE_CHARS} characters`)
  .refine((text) => !CONTROL.test(text), 'must not contain control characters')
  .transform((text) => text.toWellFormed());
export const StoreValues = z
  .record(ValueName, ValueText)
  .refine((values) => Object.keys(values).length <= MAX_VALUES, `must be at most ${MAX_VALUES} values`);

/** The values of a store by name. */
export type Values = Readonly<Record<string, string>>;

/** Values that every store has automatically. */
export const BUILT_IN = ['store.name', 'store.region'] as const;

/** Returns all values of a store: the values set for it, and the built-in values (name and region). */
export const valuesOf = (store: {
  readonly name: string;
  readonly region: string;
  readonly values: Values;
}): Values => ({
  ...store.values,
  'store.name': store.name,
  ...(store.region !== '' && { 'store.region': store.region }),
});

/** Returns the values with these names, in the order of the names. */
export const picked = (values: Values, names: Iterable<string>): Values =>
  Object.fromEntries([...names].sort().flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]!]] : [])));

/** A placeholder in a text. */
interface Place {
  readonly name: string;
  readonly fallback: string | undefined;
  readonly put: (value: string) => string;
}
type Piece = string | Place;

/**
 * Fault in a widget's text, independent of the store. `braces`: invalid name in braces. `place`: a placeholder where no
 * value is allowed.
 */
export type Wrong = 'braces' | 'place';
interface Template {
  readonly pieces: readonly Piece[];
  readonly wrong: Wrong | undefined;
}

type Kind = 'text' | 'html' | 'address';

const BRACES = String.raw`\{\{\{\{|\{\{(?:\s*([\p{L}\p{M}\p{N}_.]{1,60})\s*(?:\|([^{}]*))?\}\})?`;
/** Pattern of a placeholder. Groups 1 and 2: its name and its default. */
const IN_TEXT = new RegExp(BRACES, 'gu');
/** Pattern of a placeholder or of a delimiter of markup. Group 3 is the name of a tag. */
const IN_HTML = new RegExp(String.raw`${BRACES}|<!---?>|<!--|--!?>|<(/?[a-z][^\s/>{]*)|>|"|'`, 'giu');
/** Elements whose content a browser does not read as normal text. No value may be inserted there. */
const RAW = new Set([
  'style',
  'script',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'textarea',
  'title',
]);

const asText = (value: string): string => value;
const asMarkup = (value: string): string => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const asAddress = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Maximum number of characters in which the host of an address is searched. Longer than any host with its prefix. */
const MAX_HOST = 400;
/**
 * Returns how a value is escaped in an address, or `place` if no value is allowed there. A value is allowed only after
 * the host. Browsers treat \ like /, and several slashes like one slash.
 */
const addressAt = (text: string, from: number, at: number): Place['put'] | Wrong =>
  /^\s*(?:https?:[\\/]+[^\\/?#]+[\\/?#]|[\\/][^\\/])/i.test(text.slice(from, Math.min(at, from + MAX_HOST)))
    ? asAddress
    : 'place';

const isName = (name: string): boolean => (BUILT_IN as readonly string[]).includes(name) || isOwnName(name);

/** Parses a text once, from start to end. */
const templateOf = (text: string, kind: Kind): Template => {
  const pieces: Piece[] = [];
  let wrong: Wrong | undefined;
  let from = 0;
  const markup = kind === 'html' ? new Markup(text) : undefined;
  for (const match of text.matchAll(markup ? IN_HTML : IN_TEXT)) {
    const [found, rawName, fallback] = match;
    const at = match.index;
    if (!found.startsWith('{{')) {
      markup?.pass(found, match[3], at);
      continue;
    }
    if (at > from) pieces.push(text.slice(from, at));
    from = at + found.length;
    const name = rawName?.normalize('NFC');
    if (found === '{{{{') pieces.push('{{');
    else if (name === undefined || !isName(name)) {
      wrong ??= 'braces';
      pieces.push(found);
    } else {
      const where = markup ? markup.at(at) : kind === 'address' ? addressAt(text, 0, at) : asText;
      if (typeof where === 'string') wrong ??= where;
      else pieces.push({ name, fallback, put: where });
    }
  }
  if (from < text.length) pieces.push(text.slice(from));
  return { pieces, wrong };
};

/** Tracks the position of a placeholder in markup, following the tokenizer of browsers as far as needed. */
class Markup {
  readonly #text: string;
  #in: 'text' | 'tag' | 'comment' = 'text';
  #tag = '';
  /** Name of the current element if it is one of {@link RAW}; otherwise undefined. */
  #raw: string | undefined;
  #quote: string | undefined;
  #quotedFrom = 0;

  constructor(text: string) {
    this.#text = text;
  }

  pass(found: string, tag: string | undefined, at: number): void {
    if (this.#in === 'comment') {
      if (found.startsWith('--')) this.#in = 'text';
    } else if (this.#in === 'text') {
      if (tag !== undefined) this.#open(tag.toLowerCase());
      else if (found === '<!--' && this.#raw === undefined) this.#in = 'comment';
    } else if (this.#quote !== undefined) {
      if (found === this.#quote) this.#quote = undefined;
    } else if (found === '"' || found === "'") {
      this.#quote = found;
      this.#quotedFrom = at + 1;
    } else if (found.endsWith('>')) this.#close();
  }

  /** Returns how a value is escaped at this position, or `place` if no value is allowed there. */
  at(at: number): Place['put'] | Wrong {
    if (this.#raw !== undefined) return 'place';
    if (this.#in === 'tag') return this.#quote === undefined ? 'place' : addressAt(this.#text, this.#quotedFrom, at);
    // A placeholder directly after `<` would be the name of a tag, not text.
    return /<[/!?]?$/.test(this.#text.slice(Math.max(0, at - 2), at)) ? 'place' : asMarkup;
  }

  #open(tag: string): void {
    if (this.#raw !== undefined && tag !== `/${this.#raw}`) return;
    this.#in = 'tag';
    this.#tag = tag;
  }

  #close(): void {
    this.#in = 'text';
    this.#raw = RAW.has(this.#tag) ? this.#tag : undefined;
  }
}

/** Reason why a widget cannot be shown in a store. */
export type Trouble = { readonly kind: 'lacks'; readonly name: string } | { readonly kind: 'too_long' };

const filled = ({ pieces }: Template, kind: Kind, values: Values, trouble: (found: Trouble) => void): string => {
  const text = pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const value = Object.hasOwn(values, piece.name) ? values[piece.name] : piece.fallback;
      if (value === undefined) trouble({ kind: 'lacks', name: piece.name });
      return value === undefined ? '' : piece.put(value);
    })
    .join('');
  if (kind === 'address' && text.length > MAX_ADDRESS) trouble({ kind: 'too_long' });
  return text;
};

const isKnown = (type: string): type is WidgetType => Object.hasOwn(widgetTypes, type);

type Config = Readonly<Record<string, unknown>>;
type Change = (text: string, kind: Kind) => string;

/** Changes the texts of a config that are visible on screens or used as addresses. */
const mapTexts = (type: string, config: Config, change: Change): Record<string, unknown> => {
  const changed: Record<string, unknown> = { ...config };
  if (!isKnown(type)) return changed;
  for (const [key, field] of [...contentFields(type), ...lookFields(type)])
    if (Object.hasOwn(config, key)) changed[key] = mapField(field, config[key], change);
  return changed;
};

const mapField = ({ kind }: WidgetField, value: unknown, change: Change): unknown => {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? change(value, 'text') : value;
    case 'long':
      return typeof value === 'string' ? change(value, 'html') : value;
    case 'address':
    case 'page':
      return mapAddress(value, change);
    case 'pictures':
      return Array.isArray(value) ? value.map((one) => mapAddress(one, change)) : value;
    case 'categories':
      return mapNames(value, change);
    default:
      return value;
  }
};

/** A picture inside the config (data URL) stays as it is, because it contains no text. */
const mapAddress = (value: unknown, change: Change): unknown =>
  typeof value === 'string' && !/^data:/i.test(value) ? change(value, 'address') : value;

/** Changes the names of categories and of their entries. */
const mapNames = (value: unknown, change: Change): unknown => {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => {
    if (typeof one !== 'object' || one === null) return one;
    const named: Record<string, unknown> = { ...one };
    for (const key of ['name', 'identifier', 'subtitle'])
      if (typeof named[key] === 'string') named[key] = change(named[key], 'text');
    if (named['entries'] !== undefined) named['entries'] = mapNames(named['entries'], change);
    return named;
  });
};

interface Widget {
  readonly widget_type: string;
  readonly config: Config;
}

/** Placeholders in a widget's texts. */
export interface Asked {
  /** Distinct names of placeholders. The value is true if some placeholder of this name has no default. */
  readonly names: ReadonlyMap<string, boolean>;
  readonly places: number;
  readonly wrong: Wrong | undefined;
  /** Whether the text contains placeholders or doubled braces. */
  readonly isTemplate: boolean;
}

export const namesUsedBy = ({ widget_type, config }: Widget): Asked => {
  const names = new Map<string, boolean>();
  let [places, wrong, isTemplate]: [number, Wrong | undefined, boolean] = [0, undefined, false];
  mapTexts(widget_type, config, (text, kind) => {
    if (!text.includes('{{')) return text;
    isTemplate = true;
    const template = templateOf(text, kind);
    wrong ??= template.wrong;
    for (const piece of template.pieces) {
      if (typeof piece === 'string') continue;
      places++;
      names.set(piece.name, (names.get(piece.name) ?? false) || piece.fallback === undefined);
    }
    return text;
  });
  return { names, places, wrong, isTemplate };
};

/** Returns the config with the store's values. Placeholders without a value are removed and reported. */
export const fillWidget = (
  { widget_type, config }: Widget,
  values: Values,
): { readonly config: Record<string, unknown>; readonly troubles: readonly Trouble[] } => {
  const troubles: Trouble[] = [];
  const change: Change = (text, kind) =>
    text.includes('{{') ? filled(templateOf(text, kind), kind, values, (found) => troubles.push(found)) : text;
  return { config: mapTexts(widget_type, config, change), troubles };
};

/**
 * Returns the names that a campaign uses. The value is true if a store must have a value of this name. Documents of
 * version 1 use no names.
 */
export const namesUsedByDoc = ({
  version,
  widgets,
}: {
  readonly version: number;
  readonly widgets: readonly Widget[];
}): ReadonlyMap<string, boolean> => {
  const names = new Map<string, boolean>();
  if (version === 1) return names;
  for (const widget of widgets)
    for (const [name, isNeeded] of namesUsedBy(widget).names) names.set(name, (names.get(name) ?? false) || isNeeded);
  return names;
};
