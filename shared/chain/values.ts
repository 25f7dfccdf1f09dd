/**
 * Values of stores in what campaigns show: `{{price}}` stands for what headquarters says of a store under that name,
 * `{{price|9.99}}` for 9.99 where it says nothing, `{{{{` for two braces. A value is put in once and never looked into
 * again. It comes into a page as text and into an address as a part of its path or what follows: it becomes neither
 * markup nor another host. One place for the window, headquarters and stores.
 */
import { z } from 'zod';
import { contentFields, lookFields, type WidgetField, type WidgetType, widgetTypes } from '../contract/widget-types.ts';

/** Of a store. */
export const MAX_VALUES = 100;
export const MAX_VALUE_NAME = 40;
export const MAX_VALUE_CHARS = 500;
/** In all widgets of a campaign: what comes of them is bounded by it. */
export const MAX_PLACES = 2_000;
/** An address beyond this is none that widgets take (contract/config-fields.ts). */
const MAX_ADDRESS = 4_000;

const NAME = /^[\p{L}\p{M}\p{N}_]+$/u;
/** An object takes the last one for something else. */
const isOwnName = (name: string): boolean => name.length <= MAX_VALUE_NAME && NAME.test(name) && name !== '__proto__';
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point; tab and line ends are text
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Of one spelling, however it was typed. */
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

/** By name. */
export type Values = Readonly<Record<string, string>>;

/** What every store has without anybody saying it. */
export const BUILT_IN = ['store.name', 'store.region'] as const;

/** Everything that stands for something in a store. */
export const valuesOf = (store: {
  readonly name: string;
  readonly region: string;
  readonly values: Values;
}): Values => ({
  ...store.values,
  'store.name': store.name,
  ...(store.region !== '' && { 'store.region': store.region }),
});

/** Those of some names, in the order of the names. */
export const picked = (values: Values, names: Iterable<string>): Values =>
  Object.fromEntries([...names].sort().flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]!]] : [])));

/** A place for a value. */
interface Place {
  readonly name: string;
  readonly fallback: string | undefined;
  readonly put: (value: string) => string;
}
type Piece = string | Place;

/** What is wrong with a text in every store. `braces`: what stands in them is no value's name. `place`: no value may stand there. */
export type Wrong = 'braces' | 'place';
interface Template {
  readonly pieces: readonly Piece[];
  readonly wrong: Wrong | undefined;
}

type Kind = 'text' | 'html' | 'address';

const BRACES = String.raw`\{\{\{\{|\{\{(?:\s*([\p{L}\p{M}\p{N}_.]{1,60})\s*(?:\|([^{}]*))?\}\})?`;
/** Groups 1 and 2: name and fallback of a place. */
const IN_TEXT = new RegExp(BRACES, 'gu');
/** Also what begins and ends in markup: group 3 is a tag's name. */
const IN_HTML = new RegExp(String.raw`${BRACES}|<!---?>|<!--|--!?>|<(/?[a-z][^\s/>{]*)|>|"|'`, 'giu');
/** Elements whose content is no text to a browser. */
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

/** Longer than any host with what stands before it. */
const MAX_HOST = 400;
/**
 * How a value is put into an address, where what stands before it has named its host. Browsers take \ for /, and more of
 * either for one.
 */
const addressAt = (text: string, from: number, at: number): Place['put'] | Wrong =>
  /^\s*(?:https?:[\\/]+[^\\/?#]+[\\/?#]|[\\/][^\\/])/i.test(text.slice(from, Math.min(at, from + MAX_HOST)))
    ? asAddress
    : 'place';

const isName = (name: string): boolean => (BUILT_IN as readonly string[]).includes(name) || isOwnName(name);

/** Reads a text once, from its beginning to its end. */
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

/** Where in markup a place is: as the tokenizer of browsers sees it, as far as that matters here. */
class Markup {
  readonly #text: string;
  #in: 'text' | 'tag' | 'comment' = 'text';
  #tag = '';
  /** The element whose content is no text, while in it. */
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

  /** How a value is put in there. */
  at(at: number): Place['put'] | Wrong {
    if (this.#raw !== undefined) return 'place';
    if (this.#in === 'tag') return this.#quote === undefined ? 'place' : addressAt(this.#text, this.#quotedFrom, at);
    // What follows on `<` is no text.
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

/** Why a widget cannot be shown in a store. */
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

/** The config with its texts changed, where people see them on screens or something is fetched by them. */
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

/** A picture inside the config is not looked into. */
const mapAddress = (value: unknown, change: Change): unknown =>
  typeof value === 'string' && !/^data:/i.test(value) ? change(value, 'address') : value;

/** Categories, their entries, and what these are called. */
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

/** What a widget's texts ask for. */
export interface Asked {
  /** Names, each once; with true where a place of it says nothing else. */
  readonly names: ReadonlyMap<string, boolean>;
  readonly places: number;
  readonly wrong: Wrong | undefined;
  /** There is something to be put in, if only two braces. */
  readonly isTemplate: boolean;
}

export const askedBy = ({ widget_type, config }: Widget): Asked => {
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

/** The config as a store shows it; what it lacks is left out. */
export const fillWidget = (
  { widget_type, config }: Widget,
  values: Values,
): { readonly config: Record<string, unknown>; readonly troubles: readonly Trouble[] } => {
  const troubles: Trouble[] = [];
  const change: Change = (text, kind) =>
    text.includes('{{') ? filled(templateOf(text, kind), kind, values, (found) => troubles.push(found)) : text;
  return { config: mapTexts(widget_type, config, change), troubles };
};

/** Names that a campaign asks for; with true where a store must have it. Documents of the first version ask for none. */
export const askedByDoc = ({
  version,
  widgets,
}: {
  readonly version: number;
  readonly widgets: readonly Widget[];
}): ReadonlyMap<string, boolean> => {
  const names = new Map<string, boolean>();
  if (version === 1) return names;
  for (const widget of widgets)
    for (const [name, isNeeded] of askedBy(widget).names) names.set(name, (names.get(name) ?? false) || isNeeded);
  return names;
};
