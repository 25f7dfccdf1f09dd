/**
 * Reads HTML in titles and summaries of feeds as a list of texts and tags, in one pass, by the rules of the HTML
 * tokenizer. `1 < 2` is text. Builds no document.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities';

export interface Tag {
  /** Name of the tag in lower case. Begins with `/` for an end tag. */
  readonly name: string;
  /** Returns the decoded value of an attribute; '' when it has no value, undefined when it is absent. */
  attribute(name: string): string | undefined;
}
export type Token = string | Tag;

/** Maximum number of characters that are read: 10,000 words, or a page with an embedded photo. */
const MAX_MARKUP = 200_000;
const MAX_NAME = 40;
const MAX_ATTRIBUTES = 50;
/**
 * Maximum length of an attribute's value, enough for a long `srcset`. Longer data addresses of pictures are not needed.
 */
const MAX_VALUE = 20_000;
/** Elements whose contents are not text. */
const HIDDEN = new Set(['script', 'style', 'template']);

/** Yields texts (not decoded) and tags. Comments and the contents of scripts and styles are left out. */
export function* tokensOf(source: string): Generator<Token> {
  const markup = source.slice(0, MAX_MARKUP);
  let at = 0;
  while (at < markup.length) {
    const open = nextTag(markup, at);
    if (open > at) yield markup.slice(at, open);
    if (open === markup.length) return;
    if (markup[open + 1] === '!' || markup[open + 1] === '?') {
      at = endOfComment(markup, open);
      continue;
    }
    const end = endOfTag(markup, open);
    if (end === undefined) {
      // The tag has no end. Text with a `=` is a truncated tag and is dropped; any other `<` was meant as text.
      const rest = markup.slice(open);
      if (!rest.includes('=')) yield rest;
      return;
    }
    const tag = markup.slice(open + 1, end - 1);
    const [written] = /^\/?[^\s/>]{0,40}/.exec(tag)!;
    const name = written.toLowerCase();
    let attributes: ReadonlyMap<string, string> | undefined;
    yield {
      name,
      attribute: (wanted) => (attributes ??= attributesOf(tag.slice(written.length))).get(wanted),
    };
    at = HIDDEN.has(name) && !tag.endsWith('/') ? endOfHidden(markup, end, name) : end;
  }
}

/** Returns the index of the next `<` that begins a tag or comment; the length of the markup when none follows. */
const nextTag = (markup: string, from: number): number => {
  for (let at = markup.indexOf('<', from); at >= 0; at = markup.indexOf('<', at + 1))
    if (/[a-z!?]/i.test(markup[at + 1] ?? '') || (markup[at + 1] === '/' && /[a-z]/i.test(markup[at + 2] ?? '')))
      return at;
  return markup.length;
};

/** Returns the index after an end marker; the length of the markup when the marker is missing. */
const after = (markup: string, marker: string, from: number): number => {
  const found = markup.indexOf(marker, from);
  return found < 0 ? markup.length : found + marker.length;
};
const endOfComment = (markup: string, open: number): number => {
  if (markup.startsWith('<!--', open)) return after(markup, '-->', open + 4);
  return markup.startsWith('<![CDATA[', open) ? after(markup, ']]>', open) : after(markup, '>', open);
};
const endOfHidden = (markup: string, from: number, name: string): number => {
  const pattern = new RegExp(`</${name}\\b`, 'gi');
  pattern.lastIndex = from;
  return pattern.test(markup) ? pattern.lastIndex - name.length - 2 : markup.length;
};

/** Returns the index after a tag; undefined if its end is missing. A `>` within quotes does not end a tag. */
const endOfTag = (markup: string, open: number): number | undefined => {
  let quote = '';
  for (let at = open + 1; at < markup.length; at++) {
    const letter = markup[at]!;
    if (quote) {
      if (letter === quote) quote = '';
    } else if (letter === '>') return at + 1;
    else if ((letter === '"' || letter === "'") && /[=\s]/.test(markup[at - 1]!)) quote = letter;
  }
  return undefined;
};

/**
 * Matches an attribute. Every quantifier stops at a character that cannot begin the next part, so the time is linear.
 */
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const attributesOf = (source: string): Map<string, string> => {
  const found = new Map<string, string>();
  for (const [, name, double, single, bare] of source.matchAll(ATTRIBUTE)) {
    if (found.size === MAX_ATTRIBUTES) break;
    const key = name!.slice(0, MAX_NAME).toLowerCase();
    if (!found.has(key)) found.set(key, decodeHTMLAttribute((double ?? single ?? bare ?? '').slice(0, MAX_VALUE)));
  }
  return found;
};

/**
 * Returns the text of HTML: without tags, with decoded entities, on a single line, cut at a word after `max`
 * characters.
 */
export const textOfMarkup = (markup: string, max: number): string => {
  let text = '';
  for (const token of tokensOf(markup)) {
    if (typeof token === 'string') text += token;
    // `wbr` marks a possible line break within a word, not a space.
    else if (token.name !== 'wbr') text += ' ';
    if (text.length > max * LONGEST_LETTER) break;
  }
  return oneLine(decodeHTML(text.slice(0, max * LONGEST_LETTER)), max);
};
/**
 * Maximum number of source characters per character of text. The longest entity, `&CounterClockwiseContourIntegral;`,
 * has 33; the rest is for spaces.
 */
const LONGEST_LETTER = 40;

/** Returns text on a single line, without control characters and soft hyphens, cut at a word after `max` characters. */
export const oneLine = (text: string, max: number): string => {
  const words = text
    .slice(0, max * LONGEST_LETTER)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replaceAll('\u00ad', '')
    .replace(/\s+/g, ' ')
    .trim();
  if (words.length <= max) return words;
  return `${words
    .slice(0, max)
    .replace(/ [^ ]*$/, '')
    .replace(/[\ud800-\udbff]$/, '')}…`;
};

/** Returns whether text that should be plain contains tags or entities, because its author wrote HTML. */
export const isLikelyMarkup = (text: string): boolean =>
  /<\/?[a-z][^<>]*>/i.test(text) || /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i.test(text);
