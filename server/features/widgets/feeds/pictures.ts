/**
 * Finds the picture of a feed's item: the picture that the feed names, else the first picture in the text of the item.
 */
import { type Tag, tokensOf } from './markup.ts';

const MAX_ADDRESS = 2000;
/**
 * Width in pixels of the largest picture on a card (sources.ts). A larger version of the same picture would not look
 * better.
 */
const WANTED_PIXELS = 640;
/** Matches addresses of tracking pixels and placeholders without a stated size. */
const NO_PICTURE =
  /(?:^|[/_.-])(?:1x1|pixel|spacer|blank|transparent|clear|shim|tracker|tracking|beacon|counter)\.(?:gif|png|webp)(?:\?|$)/i;
/** Attributes with the address of a lazily loaded picture, whose `src` is a placeholder. */
const LAZY = ['data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-orig-src', 'data-orig-file'];
const SETS = ['srcset', 'data-srcset', 'data-lazy-srcset'];

/** Returns the absolute web address of a picture; undefined for another scheme or a tracking pixel. */
export const pictureAddress = (address: unknown, base: string | undefined): string | undefined => {
  if (typeof address !== 'string' || address.length > MAX_ADDRESS) return undefined;
  const url = URL.parse(address.trim(), base);
  const isWeb = url && (url.protocol === 'http:' || url.protocol === 'https:') && url.href.length <= MAX_ADDRESS;
  return isWeb && !NO_PICTURE.test(url.pathname) ? url.href : undefined;
};

/**
 * Returns whether a stated size is 0 or 1 pixel, which marks a tracking pixel.
 * @param sizes values of the size attributes
 */
export const isTiny = (...sizes: readonly unknown[]): boolean =>
  sizes.some((size) => /^\s*[01](?:\.\d+)?\s*(?:px)?\s*$/i.test(String(size ?? '')));

/** Returns the address of the first usable picture in HTML; undefined when there is none. */
export const pictureInMarkup = (markup: string, base: string | undefined): string | undefined => {
  for (const token of tokensOf(markup)) {
    if (typeof token === 'string') continue;
    const addresses = addressesOf(token);
    for (const address of addresses) {
      const found = pictureAddress(address, base);
      if (found) return found;
    }
  }
  return undefined;
};

const addressesOf = (tag: Tag): (string | undefined)[] => {
  if (tag.name === 'video') return [tag.attribute('poster')];
  if (tag.name === 'source' && !tag.attribute('type')?.match(/^(?:audio|video)\//))
    return SETS.map((name) => bestOf(tag.attribute(name)));
  if (tag.name !== 'img' && tag.name !== 'amp-img') return [];
  if (isTiny(tag.attribute('width'), tag.attribute('height')) || isHidden(tag.attribute('style'))) return [];
  return [
    ...LAZY.map((name) => tag.attribute(name)),
    ...SETS.slice(1).map((name) => bestOf(tag.attribute(name))),
    tag.attribute('src'),
    bestOf(tag.attribute('srcset')),
  ];
};

const isHidden = (style = ''): boolean =>
  /(?:^|;)\s*(?:(?:max-)?(?:width|height)\s*:\s*[01](?:px)?|display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!|;|$)/i.test(
    style.slice(0, 500),
  );

/** Returns the smallest picture of a `srcset` that is large enough, else the widest picture. */
const bestOf = (set: string | undefined): string | undefined => {
  if (set === undefined) return undefined;
  let best: { readonly address: string; readonly pixels: number } | undefined;
  for (const [, address, size, unit] of set.slice(0, 10 * MAX_ADDRESS).matchAll(CANDIDATE)) {
    // Converts a pixel density to a width, assuming half the wanted width at density 1.
    const pixels = size === undefined ? WANTED_PIXELS / 2 : Number(size) * (unit === 'x' ? WANTED_PIXELS / 2 : 1);
    const isBetter =
      !best || (best.pixels < WANTED_PIXELS ? pixels > best.pixels : pixels >= WANTED_PIXELS && pixels < best.pixels);
    if (isBetter) best = { address: address!.replace(/,+$/, ''), pixels };
  }
  return best?.address;
};
/** An address may contain commas; a comma at its end is a separator. */
const CANDIDATE = /([^\s,]\S*)(?:\s+(\d{1,5}(?:\.\d{1,3})?)([wx]))?/g;
