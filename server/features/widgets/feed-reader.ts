/**
 * Reads a feed (RSS, Atom, RDF, JSON Feed) as plain text, dates and addresses of pictures. Removes all markup of the
 * feed.
 */
import type { WidgetData } from '../../../shared/contract/content/widgets.ts';
import { decodeFeed } from './feeds/charset.ts';
import { completeItems } from './feeds/cut-feed.ts';
import { secondsOf } from './feeds/dates.ts';
import { declaredFeed, isPage } from './feeds/declared-feed.ts';
import { isLikelyMarkup, oneLine, textOfMarkup } from './feeds/markup.ts';
import { isTiny, pictureAddress, pictureInMarkup } from './feeds/pictures.ts';

export type Feed = NonNullable<WidgetData['feed']>;
type Item = Feed['items'][number];

const MAX_ITEMS = 50;
const MAX_TITLE = 300;
const MAX_SUMMARY = 600;
const MAX_AUTHOR = 120;

/** A fetched file. */
export interface FeedFile {
  readonly bytes: Uint8Array;
  /** Value of the HTTP header Content-Type; undefined when it is absent. */
  readonly contentType: string | undefined;
  /** Address of the file after redirects. Relative addresses of pictures are resolved against this address. */
  readonly url: string;
}
/** A feed, or the feed address that a web page declares. */
export type FeedReading = { readonly feed: Feed } | { readonly declared: string };

/** @throws Error when the file is neither a feed nor a page that declares one */
export const readFeedFile = async ({ bytes, contentType, url }: FeedFile): Promise<FeedReading> => {
  const source = decodeFeed(bytes, contentType);
  if (!isPage(source)) return { feed: await readFeed(source, url) };
  const declared = declaredFeed(source, url);
  if (declared === undefined) throw new Error('the address is a web page that names no feed');
  return { declared };
};

/** @param address address of the feed @throws Error when the text is not a feed */
export const readFeed = async (source: string, address?: string): Promise<Feed> => {
  const { parseFeed } = await import('feedsmith');
  const whole = completeItems(source.replace(/^[\s\ufeff]+/, ''));
  const { format, feed } = parseFeed(whole, { maxItems: MAX_ITEMS } as never) as unknown as Parsed;
  const items = ((feed['items'] ?? feed['entries'] ?? []) as Loose[])
    .slice(0, MAX_ITEMS)
    .map((entry) => toItem(entry, { format, base: baseOf(feed, address) }));
  return {
    title: plain(feed['title'], MAX_TITLE, format),
    items: items.filter((item) => item.title || item.summary || item.image),
  };
};

type Loose = Record<string, unknown>;
type Format = 'rss' | 'atom' | 'rdf' | 'json';
interface Parsed {
  readonly format: Format;
  readonly feed: Loose;
}
interface From {
  readonly format: Format;
  /** Base of relative addresses; undefined when unknown, so that relative addresses are left out. */
  readonly base: string | undefined;
}

const toItem = (entry: Loose, { format, base }: From): Item => ({
  title: plain(entry['title'], MAX_TITLE, format),
  summary: summaryOf(entry, format),
  author: plain(authorOf(entry), MAX_AUTHOR, format),
  published: dateOf(entry),
  image: pictureOf(entry, baseOf(entry, base)),
});

const summaryOf = (entry: Loose, format: Format): string => {
  const key = ['summary', 'description', 'content_text', 'content_html', 'content'].find(
    (name) => textOf(entry[name]) !== '',
  );
  if (key === undefined) return plain(nested(entry, 'content', 'encoded'), MAX_SUMMARY, format);
  return key === 'content_html'
    ? textOfMarkup(textOf(entry[key]), MAX_SUMMARY)
    : plain(entry[key], MAX_SUMMARY, format);
};

const nested = (entry: Loose, ...path: string[]): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), entry);
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** Returns the text of a string, or of `{value}` when the text has a type. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : isObject(value) && typeof value['value'] === 'string' ? value['value'] : '';

const authorOf = (entry: Loose): unknown => {
  const author =
    asList(entry['authors'])[0] ??
    entry['author'] ??
    asList(nested(entry, 'dc', 'creators'))[0] ??
    nested(entry, 'itunes', 'author');
  return isObject(author) ? (author['name'] ?? author['value']) : author;
};

const dateOf = (entry: Loose): number | null => {
  const text =
    ['pubDate', 'published', 'date_published', 'updated', 'date_modified']
      .map((key) => textOf(entry[key]))
      .find(Boolean) ?? textOf(asList(nested(entry, 'dc', 'dates'))[0]);
  return secondsOf(text);
};

/** Resolves `xml:base` of a feed, entry or text, which may itself be relative. */
const baseOf = (element: unknown, base: string | undefined): string | undefined => {
  const own = nested(isObject(element) ? element : {}, 'xml', 'base');
  return (typeof own === 'string' ? URL.parse(own, base)?.href : undefined) ?? base;
};

const pictureOf = (entry: Loose, base: string | undefined): string | null => {
  const groups = [
    entry['media'],
    ...asList(nested(entry, 'media', 'group')),
    ...asList(nested(entry, 'media', 'groups')),
  ];
  const media = groups.flatMap((group) => (isObject(group) ? asList(group['contents']) : []));
  const thumbnails = groups.flatMap((group) => (isObject(group) ? asList(group['thumbnails']) : []));
  const enclosures = [
    ...asList(entry['enclosures']),
    ...asList(entry['links']).filter((link) => isObject(link) && link['rel'] === 'enclosure'),
    ...asList(entry['attachments']),
  ];
  const named = [
    entry['image'],
    entry['banner_image'],
    ...media.filter((one) => isObject(one) && (one['medium'] === 'image' || isPicture(one))).map(addressIn),
    ...enclosures.filter((one) => isObject(one) && isPicture(one)).map(addressIn),
    ...thumbnails.map(addressIn),
    nested(entry, 'itunes', 'image'),
  ];
  for (const address of named) {
    const found = pictureAddress(address, base);
    if (found) return found;
  }
  const texts = [...['description', 'content', 'content_html', 'summary'].map((key) => entry[key])];
  for (const text of [...texts, nested(entry, 'content', 'encoded')]) {
    const found = pictureInMarkup(textOf(text), baseOf(text, base));
    if (found) return found;
  }
  return null;
};

/** Returns undefined for a picture with a stated size of 1 × 1 pixels. */
const addressIn = (one: unknown): unknown =>
  isObject(one) && !isTiny(one['width'], one['height']) ? (one['url'] ?? one['href']) : undefined;
const isPicture = (one: Loose): boolean =>
  /^image\//.test(String(one['type'] ?? one['mime_type'] ?? '')) ||
  /\.(jpe?g|png|webp|gif|avif)(\?|$)/i.test(String(one['url'] ?? one['href'] ?? ''));

/**
 * Returns text on a single line. RSS does not say whether its texts are HTML, so they are read as HTML. Atom states it
 * by `type`. Where plain text is the default (Atom without a type, JSON Feed), accidental HTML is recognized.
 */
const plain = (value: unknown, max: number, format: Format): string => {
  const text = textOf(value);
  const type = isObject(value) ? value['type'] : undefined;
  const isText = type === 'text' || type === 'text/plain';
  const isUnsure = format === 'json' || (format === 'atom' && type === undefined);
  return isText || (isUnsure && !isLikelyMarkup(text)) ? oneLine(text, max) : textOfMarkup(text, max);
};
