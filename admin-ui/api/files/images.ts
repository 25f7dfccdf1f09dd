/**
 * Cache of pictures that need a credential. An <img> cannot send a credential, so pictures are fetched and shown as
 * object URLs. A picture is kept while it is shown, and afterwards as long as there is room.
 */
import { ApiError } from '../../../shared/contract/errors.ts';

export type ImageState = { readonly status: 'loading' | 'failed' } | { readonly status: 'ready'; readonly src: string };

type Entry = {
  state: ImageState;
  users: number;
  bytes: number;
  listeners: Set<() => void>;
  abort: AbortController;
  started: boolean;
};

export interface ImageCacheOptions {
  readonly fetch: (url: string, signal: AbortSignal) => Promise<Blob>;
  readonly makeUrl: (blob: Blob) => string;
  readonly dropUrl: (url: string) => void;
  /** Maximum total size in bytes of cached pictures that nothing shows. */
  readonly maxIdleBytes: number;
  /**
   * Maximum number of parallel fetches. A browser has six connections per server, and API requests must not wait for
   * pictures.
   */
  readonly parallel: number;
}

const LOADING: ImageState = { status: 'loading' };
const FAILED: ImageState = { status: 'failed' };

export class ImageCache {
  readonly #entries = new Map<string, Entry>();
  readonly #queue: string[] = [];
  readonly #options: ImageCacheOptions;
  #running = 0;
  #idleBytes = 0;

  constructor(options: ImageCacheOptions) {
    this.#options = options;
  }

  state(url: string): ImageState {
    return this.#entries.get(url)?.state ?? LOADING;
  }

  /**
   * Keeps the picture in the cache until the returned function is called. Calls the listener when the picture
   * changes its state.
   */
  use(url: string, listener: () => void): () => void {
    let entry = this.#entries.get(url);
    if (entry?.state.status === 'failed' && entry.users === 0) {
      this.#entries.delete(url);
      entry = undefined;
    }
    if (!entry) {
      entry = {
        state: LOADING,
        users: 0,
        bytes: 0,
        listeners: new Set(),
        abort: new AbortController(),
        started: false,
      };
      this.#entries.set(url, entry);
      // Adds the request at the front, since the user looks at pictures that have just scrolled into view.
      this.#queue.unshift(url);
      queueMicrotask(() => this.#next());
    } else if (entry.users === 0) {
      this.#idleBytes -= entry.bytes;
      // Re-inserts the entry at the end, since the map is ordered by last use.
      this.#entries.delete(url);
      this.#entries.set(url, entry);
    }
    entry.users++;
    entry.listeners.add(listener);
    const used = entry;
    return () => {
      used.listeners.delete(listener);
      if (--used.users === 0) this.#idle(url, used);
    };
  }

  /** Removes all pictures, so that the next user does not see pictures of the previous user. */
  clear(): void {
    for (const [url, entry] of this.#entries) this.#drop(url, entry);
    this.#queue.length = 0;
    this.#idleBytes = 0;
  }

  #idle(url: string, entry: Entry): void {
    if (entry.state.status === 'loading') {
      this.#drop(url, entry);
      return;
    }
    this.#idleBytes += entry.bytes;
    for (const [otherUrl, other] of this.#entries) {
      if (this.#idleBytes <= this.#options.maxIdleBytes) break;
      if (other.users > 0) continue;
      this.#idleBytes -= other.bytes;
      this.#drop(otherUrl, other);
    }
  }

  #drop(url: string, entry: Entry): void {
    entry.abort.abort();
    if (entry.state.status === 'ready') this.#options.dropUrl(entry.state.src);
    if (this.#entries.get(url) === entry) this.#entries.delete(url);
  }

  #next(): void {
    while (this.#running < this.#options.parallel) {
      const url = this.#queue.shift();
      if (url === undefined) return;
      const entry = this.#entries.get(url);
      if (!entry || entry.started) continue;
      entry.started = true;
      this.#running++;
      void this.#load(url, entry).finally(() => {
        this.#running--;
        this.#next();
      });
    }
  }

  async #load(url: string, entry: Entry): Promise<void> {
    let state: ImageState = FAILED;
    try {
      const blob = await this.#options.fetch(url, entry.abort.signal);
      if (entry.abort.signal.aborted) return;
      entry.bytes = blob.size;
      state = { status: 'ready', src: this.#options.makeUrl(blob) };
    } catch {
      if (entry.abort.signal.aborted) return;
    }
    entry.state = state;
    for (const listener of [...entry.listeners]) listener();
  }
}

export const fetchBlob = async (url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Blob> => {
  const response = await fetch(url, { headers, signal });
  if (!response.ok) throw new ApiError(response.status, `${url} answered with the status ${response.status}`);
  return response.blob();
};
