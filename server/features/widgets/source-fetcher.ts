/** Fetches one source through the guard, and makes of it what is kept. */
import { readFile } from 'node:fs/promises';
import { recent } from '../../kernel/recent.ts';
import type { MediaProcess } from '../../media/media-process.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import type { FeedThread } from './feed-thread.ts';
import type { Source } from './sources.ts';
import { forecastAddress, type Place, placeAddress, readForecast, readPlace } from './weather.ts';

const MAX_FEED_BYTES = 2 * 1024 * 1024;
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_PLACES = 1_000;
/** Limits the whole exchange: a server that sends a byte now and then must not hold a place for ever. */
const LIMIT_MS = 30_000;
const SILENCE_MS = 10_000;

/** Null when the source is as it was when it had this tag. */
export type Brought = { readonly data: unknown; readonly etag: string | null } | null;

interface Deps {
  readonly fetch: Pick<GuardedFetch, 'getBytes'>;
  readonly pictures: Pick<MediaProcess, 'shrink'>;
  readonly feeds: Pick<FeedThread, 'read'>;
  readonly weather: { forecasts: string; places: string };
}

export class SourceFetcher {
  readonly #deps: Deps;
  /** Where places are; asked once a run. */
  readonly #places = recent<string, Place>(MAX_PLACES);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws Error whose sentence says why there is nothing */
  async bring(source: Source, etag: string | null, stop: AbortSignal): Promise<Brought> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
    switch (source.kind) {
      case 'feed': {
        const answer = await this.#deps.fetch.getBytes(source.url, {
          maxBytes: MAX_FEED_BYTES,
          silenceMs: SILENCE_MS,
          signal,
          headers: {
            Accept:
              'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
            ...(etag && { 'If-None-Match': etag }),
          },
        });
        if (answer.status === 304) return null;
        return {
          data: await this.#deps.feeds.read(textOf(answer.bytes)),
          etag: answer.headers.etag?.slice(0, 200) ?? null,
        };
      }
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

const XML_ENCODING = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;

/** Reads it in the encoding that the file says it has; feeds of old systems are often Latin-1. */
const textOf = (bytes: Buffer): string => {
  const said = XML_ENCODING.exec(
    bytes
      .subarray(0, 200)
      .toString('latin1')
      .replace(/^\u00ef\u00bb\u00bf/, ''),
  )?.[1];
  try {
    return new TextDecoder(said ?? 'utf-8').decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
};
