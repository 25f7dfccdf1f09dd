/**
 * A feed (RSS, Atom, RDF, JSON Feed) as plain text, dates and addresses of pictures. No markup of other people goes on
 * from here.
 */
import type { WidgetData } from '../../../shared/contract/widgets.ts';

export type Feed = NonNullable<WidgetData['feed']>;
type Item = Feed['items'][number];

const MAX_ITEMS = 50;
const MAX_TITLE = 300;
const MAX_SUMMARY = 600;
/** Of what markup is taken out of. */
const MAX_MARKUP = 20_000;

/** @throws Error when it is no feed */
export const readFeed = async (source: string): Promise<Feed> => {
  const { parseFeed } = await import('feedsmith');
  const parsed = parseFeed(source, { maxItems: MAX_ITEMS } as never) as unknown as { feed: Loose };
  const { feed } = parsed;
  const items = ((feed['items'] ?? feed['entries'] ?? []) as Loose[]).slice(0, MAX_ITEMS).map(toItem);
  return {
    title: plain(feed['title'], MAX_TITLE),
    items: items.filter((item) => item.title || item.summary || item.image),
  };
};

type Loose = Record<string, unknown>;

const toItem = (entry: Loose): Item => {
  const markup =
    first(entry, ['summary', 'description', 'content_text', 'content_html', 'content']) ??
    nested(entry, 'content', 'encoded');
  return {
    title: plain(entry['title'], MAX_TITLE),
    summary: plain(markup, MAX_SUMMARY),
    author: plain(authorOf(entry), 120),
    published: dateOf(entry),
    image: pictureOf(entry),
  };
};

const first = (entry: Loose, keys: readonly string[]): unknown =>
  keys.map((key) => entry[key]).find((value) => textOf(value) !== '');
const nested = (entry: Loose, ...path: string[]): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), entry);
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** Text is a string, or `{value}` where a type goes with it. */
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
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
};

const pictureOf = (entry: Loose): string | null => {
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
  const candidates = [
    entry['image'],
    entry['banner_image'],
    ...media.filter((one) => isObject(one) && (one['medium'] === 'image' || isPicture(one))).map(addressIn),
    ...enclosures.filter((one) => isObject(one) && isPicture(one)).map(addressIn),
    ...thumbnails.map(addressIn),
    nested(entry, 'itunes', 'image'),
    ...['description', 'content', 'content_html', 'summary'].map((key) => pictureInMarkup(textOf(entry[key]))),
    pictureInMarkup(textOf(nested(entry, 'content', 'encoded'))),
  ];
  const found = candidates.find(
    (url): url is string => typeof url === 'string' && /^https?:\/\/\S+$/i.test(url) && url.length <= 2000,
  );
  return found ?? null;
};

const addressIn = (one: unknown): unknown => (isObject(one) ? (one['url'] ?? one['href']) : undefined);
const isPicture = (one: Loose): boolean =>
  /^image\//.test(String(one['type'] ?? one['mime_type'] ?? '')) ||
  /\.(jpe?g|png|webp|gif|avif)(\?|$)/i.test(String(addressIn(one) ?? ''));
const pictureInMarkup = (markup: string): string | undefined => {
  const found = /<img\b[^<>]*?\ssrc\s*=\s*["']?([^"'\s>]+)/i.exec(markup.slice(0, MAX_MARKUP))?.[1];
  return found && decode(found);
};

/** Returns the text without tags, entities and doubled spaces, cut at a word. */
const plain = (value: unknown, max: number): string => {
  const markup = textOf(value).slice(0, MAX_MARKUP);
  const without = markup.replace(/<(script|style)\b[^<]*(<(?!\/\1)[^<]*)*<\/\1\s*>/gi, ' ').replace(/<[^<>]*>/g, ' ');
  const words = decode(without)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (words.length <= max) return words;
  return `${words.slice(0, max).replace(/\s+\S*$/, '')}…`;
};

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
};

const decode = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
  });
