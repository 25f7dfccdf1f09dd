/** Fetches a source through the SSRF guard (server/net/guarded-fetch.ts), and converts it to the stored form. */
import { readFile } from 'node:fs/promises';
import { recent } from '../../kernel/time/recent.ts';
import type { MediaProcess } from '../../media/media-process.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import type { FeedFile } from './feed-reader.ts';
import type { FeedThread } from './feed-thread.ts';
import type { Source } from './sources.ts';
import { forecastAddress, type Place, placeAddress, readForecast, readPlace } from './weather.ts';

/** Maximum size of a feed in bytes. Only the complete items at the beginning of a larger feed are read. */
const MAX_FEED_BYTES = 2 * 1024 * 1024;
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_PLACES = 1_000;
/** Time limit for a whole request, so that a server that sends very slowly does not hold a connection for ever. */
const LIMIT_MS = 30_000;
const SILENCE_MS = 10_000;

/** Result of a fetch: new data with its ETag; null when the source has not changed since the given ETag. */
export type Brought = { readonly data: unknown; readonly etag: string | null } | null;

interface Deps {
  readonly fetch: Pick<GuardedFetch, 'getBytes'>;
  readonly pictures: Pick<MediaProcess, 'shrink'>;
  readonly feeds: Pick<FeedThread, 'read'>;
  readonly weather: { forecasts: string; places: string };
}

export class SourceFetcher {
  readonly #deps: Deps;
  /** Coordinates of places, requested once per run of the server. */
  readonly #places = recent<string, Place>(MAX_PLACES);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws Error with a sentence why there is no data */
  async bring(source: Source, etag: string | null, stop: AbortSignal): Promise<Brought> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
    switch (source.kind) {
      case 'feed':
        return this.#feed(source.url, etag, signal);
      case 'weather': {
        const place = source.at ? { name: source.location, ...source.at } : await this.#place(source.location, signal);
        const answer = await this.#json(forecastAddress(this.#deps.weather.forecasts, place, source.units), signal);
        return { data: readForecast(answer, place.name, source.units), etag: null };
      }
      case 'picture': {
        const { bytes } = await this.#deps.fetch.getBytes(source.url, {
          maxBytes: MAX_PICTURE_BYTES,
          silenceMs: SILENCE_MS,
          signal,
          headers: { Accept: 'image/*' },
        });
        return { data: await this.#picture(bytes, source.pixels), etag: null };
      }
      case 'file': {
        const bytes = await readFile(source.path, { signal });
        if (bytes.length > MAX_FILE_BYTES) throw new Error('The image is too large');
        return { data: await this.#picture(bytes, source.pixels), etag: null };
      }
      default:
        return source satisfies never;
    }
  }

  /**
   * Reads a feed. If the address belongs to a web page that declares a feed, this feed is fetched, also through the
   * SSRF guard.
   */
  async #feed(address: string, etag: string | null, signal: AbortSignal): Promise<Brought> {
    const first = await this.#feedFile(address, signal, etag);
    if (!first) return null;
    const reading = await this.#deps.feeds.read(first.file);
    if ('feed' in reading) return { data: reading.feed, etag: first.etag };
    const second = await this.#feedFile(reading.declared, signal);
    const declared = second && (await this.#deps.feeds.read(second.file));
    if (!declared || 'declared' in declared)
      throw new Error(
        `The address is a web page, and the feed address on that page (${reading.declared.slice(0, 200)}) does not return a feed`,
      );
    // Stores no ETag, because the ETag of the web page does not describe its feed.
    return { data: declared.feed, etag: null };
  }

  /** Returns undefined when the file has not changed since the given ETag. */
  async #feedFile(
    address: string,
    signal: AbortSignal,
    etag: string | null = null,
  ): Promise<{ readonly file: FeedFile; readonly etag: string | null } | undefined> {
    const { url, status, headers, bytes } = await this.#deps.fetch.getBytes(address, {
      maxBytes: MAX_FEED_BYTES,
      beyond: 'cut',
      silenceMs: SILENCE_MS,
      signal,
      headers: {
        Accept:
          'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/html;q=0.6, */*;q=0.5',
        ...(etag && { 'If-None-Match': etag }),
      },
    });
    if (status === 304) return undefined;
    return {
      file: { bytes, contentType: headers['content-type'], url: url.href },
      etag: headers.etag?.slice(0, 200) ?? null,
    };
  }

  async #place(location: string, signal: AbortSignal): Promise<Place> {
    const known = this.#places.get(location);
    if (known) return known;
    const place = readPlace(await this.#json(placeAddress(this.#deps.weather.places, location), signal), location);
    this.#places.set(location, place);
    return place;
  }

  async #json(url: string, signal: AbortSignal): Promise<unknown> {
    const { bytes } = await this.#deps.fetch.getBytes(url, {
      maxBytes: MAX_ANSWER_BYTES,
      silenceMs: SILENCE_MS,
      signal,
      headers: { Accept: 'application/json' },
    });
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      throw new Error('The weather service did not send a forecast');
    }
  }

  async #picture(bytes: Buffer, pixels: number): Promise<string> {
    const small = await this.#deps.pictures.shrink(bytes, pixels);
    if (!small) throw new Error('This image type cannot be shown');
    return `data:image/webp;base64,${Buffer.from(small).toString('base64')}`;
  }
}
