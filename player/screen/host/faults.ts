import { withoutBrowserWords } from '../../../shared/sentences/browser-words.ts';
import { backoff } from './backoff.ts';

/** Delays before a failed item is tried again: 10, 20, 40 … 300 s. */
const RETRY_BASE_MS = 10_000;
const RETRY_CEILING_MS = 300_000;

/** Name of errors whose message is our own sentence. All other errors come from the browser or a library. */
const OWN = 'Error';
const FOREIGN = 'the browser of this screen cannot show this content';

/**
 * Returns the fault as a sentence for the operator. Messages of the browser or a library are technical, so they only go
 * to the console of the page.
 */
export const messageOf = (error: unknown): string => {
  if (error instanceof Error && error.name === OWN) return withoutBrowserWords(error.message);
  console.warn('technical detail of an error:', error);
  return FOREIGN;
};

/** Returns the reason why a clip cannot be played, by the code of its error. */
export const mediaMessage = (kind: 'video' | 'sound', error: MediaError | null): string => {
  if (error) console.warn(`technical detail of a media error (code ${error.code}):`, error.message);
  return MEDIA_FAULTS[kind][error?.code ?? 0] ?? MEDIA_FAULTS[kind][0];
};

const MEDIA_FAULTS: Readonly<Record<'video' | 'sound', Readonly<Record<number, string>> & { readonly 0: string }>> = {
  video: {
    0: 'the video cannot be played',
    2: 'the video file cannot be read',
    3: 'the video is damaged: this screen cannot decode it',
    4: 'this screen cannot play the format of the video, or the video is damaged',
  },
  sound: {
    0: 'the audio cannot be played',
    2: 'the audio file cannot be read',
    3: 'the audio is damaged: this screen cannot decode it',
    4: 'this screen cannot play the format of the audio, or the audio is damaged',
  },
};

interface Failing {
  readonly attempts: number;
  /** Time on the page's monotonic clock. */
  readonly retryAt: number;
}

/** Remembers items that failed, and decides when each item may be tried again. */
export class Faults {
  #failing = new Map<string, Failing>();
  #version = 0;

  /**
   * Version number of the answers. It changes whenever `usable` may return another answer, except when a retry becomes
   * due.
   */
  get version(): number {
    return this.#version;
  }

  /** The earliest time at which a failed item may be retried; Infinity when no item has failed. */
  get nextRetry(): number {
    return Math.min(Infinity, ...[...this.#failing.values()].map(({ retryAt }) => retryAt));
  }

  /** Records a failure. Returns true for the first failure since the item last worked. */
  failed(key: string, now: number): boolean {
    const before = this.#failing.get(key)?.attempts ?? 0;
    this.#failing.set(key, { attempts: before + 1, retryAt: now + backoff(before, RETRY_BASE_MS, RETRY_CEILING_MS) });
    this.#version++;
    return before === 0;
  }

  /** Records a success. Returns true if the item had failed before. */
  worked(key: string): boolean {
    const hadFailed = this.#failing.delete(key);
    if (hadFailed) this.#version++;
    return hadFailed;
  }

  usable(key: string, now: number): boolean {
    const failing = this.#failing.get(key);
    return failing === undefined || now >= failing.retryAt;
  }

  /** Removes all failures, so that all items are tried again. Called when their cause has been repaired. */
  clear(): void {
    this.#failing.clear();
    this.#version++;
  }

  /** Removes failures of items that the new program does not contain, so that the list stays bounded. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#failing.keys()) if (!keys.has(key)) this.#failing.delete(key);
    this.#version++;
  }
}
