/** Limits and measures the download rate. */

/** Time in milliseconds. A download that was slower than its limit may catch up with the bytes of at most this time. */
const SLACK_MS = 500;
/**
 * With a rate limit, each request asks for the bytes that the rate allows in this time (milliseconds), but at least for
 * this number of bytes.
 */
const PIECE_MS = 500;
const LEAST_PIECE = 8_000;

export class Pace {
  readonly #mono: () => number;
  #next = Number.NEGATIVE_INFINITY;

  constructor(mono: () => number) {
    this.#mono = mono;
  }

  /** Counts received bytes. @param rate bytes per second; null: no limit @returns the pause in milliseconds */
  count(bytes: number, rate: number | null): number {
    if (rate === null) return 0;
    const now = this.#mono();
    this.#next = Math.max(this.#next, now - SLACK_MS) + (bytes * 1000) / rate;
    return Math.max(0, this.#next - now);
  }
}

/**
 * Returns the bytes per request; undefined: the whole file. The requests are small, because the network buffers the
 * rest of an answer even when the reader is slow.
 */
export const pieceOf = (rate: number | null): number | undefined =>
  rate === null ? undefined : Math.max(LEAST_PIECE, Math.floor((rate * PIECE_MS) / 1000));

/** Measures bytes per second over the last minute. */
export class Meter {
  readonly #mono: () => number;
  readonly #since: number;
  /** Number of bytes received in each second, by second of the monotonic clock. */
  readonly #seconds = new Map<number, number>();

  constructor(mono: () => number) {
    this.#mono = mono;
    this.#since = mono();
  }

  count(bytes: number): void {
    const second = this.#second;
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + bytes);
    this.#forget();
  }

  /** Returns bytes per second; null: nothing was received. */
  get rate(): number | null {
    this.#forget();
    if (this.#seconds.size === 0) return null;
    const bytes = [...this.#seconds.values()].reduce((sum, one) => sum + one, 0);
    // Divides by the time since the start when less than a minute has been measured.
    const span = Math.min(60, Math.max(1, (this.#mono() - this.#since) / 1000));
    return Math.round(bytes / span);
  }

  get #second(): number {
    return Math.floor(this.#mono() / 1000);
  }

  #forget(): void {
    for (const second of this.#seconds.keys()) if (second <= this.#second - 60) this.#seconds.delete(second);
  }
}
