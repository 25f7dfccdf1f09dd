/** Finds the feed that a web page declares, for users who enter the address of a page. */
import { tokensOf } from './markup.ts';

const TYPES = /^\s*application\/(?:rss|atom|rdf|feed)\+(?:xml|json)\s*(?:;|$)/i;

export const isPage = (source: string): boolean =>
  /^\s{0,200}(?:<\?xml[^>]{0,200}>\s{0,200})?(?:<!--[^>]{0,2000}-->\s{0,200}){0,3}(?:<!doctype\s+html|<html|<head|<body)\b/i.test(
    source.slice(0, 10_000),
  );

/**
 * @param address address of the page @returns the absolute address of the first feed; undefined when the page declares
 * none
 */
export const declaredFeed = (page: string, address: string): string | undefined => {
  let base = address;
  for (const token of tokensOf(page)) {
    if (typeof token === 'string') continue;
    if (token.name === 'body') return undefined;
    if (token.name === 'base') base = URL.parse(token.attribute('href') ?? '', address)?.href ?? base;
    if (token.name !== 'link' || !/(?:^|\s)alternate(?:\s|$)/i.test(token.attribute('rel') ?? '')) continue;
    const href = token.attribute('href')?.trim();
    if (!href || !TYPES.test(token.attribute('type') ?? '')) continue;
    const url = URL.parse(href, base);
    if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href;
  }
  return undefined;
};
