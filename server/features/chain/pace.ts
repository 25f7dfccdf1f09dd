/** How fast bytes may come. */

/** What was not used may be caught up with for so long. */
const SLACK_MS = 500;
/** So much is asked for at once where a rate is kept, in time and at least in bytes. */
const PIECE_MS = 500;
const LEAST_PIECE = 8_000;

export class Pace {
  readonly #mono: () => number;
  #next = Number.NEGATIVE_INFINITY;

  constructor(mono: () => number) {
    this.#mono = mono;
  }

  /** So many came. @param rate bytes a second; null: as fast as it goes @returns for how long to wait, milliseconds */
  took(bytes: number, rate: number | null): number {
    if (rate === null) return 0;
    const now = this.#mono();
    this.#next = Math.max(this.#next, now - SLACK_MS) + (bytes * 1000) / rate;
    return Math.max(0, this.#next - now);
  }
}

/**
 * Bytes to ask for at once: what the network holds ready between here and there has come already, whoever reads slowly.
 * Undefined: all of it.
 */
export const pieceOf = (rate: number | null): number | undefined =>
  rate === null ? undefined : Math.max(LEAST_PIECE, Math.floor((rate * PIECE_MS) / 1000));

/** Bytes a second over the last minute. */
export class Meter {
  readonly #mono: () => number;
  readonly #since: number;
  /** By second. */
  readonly #seconds = new Map<number, number>();

  constructor(mono: () => number) {
    this.#mono = mono;
    this.#since = mono();
  }

  took(bytes: number): void {
    const second = this.#second;
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + bytes);
    this.#forget();
  }

  /** Null: nothing came. */
  get rate(): number | null {
    this.#forget();
    if (this.#seconds.size === 0) return null;
    const bytes = [...this.#seconds.values()].reduce((sum, one) => sum + one, 0);
    // Of a server that has just begun the minute is shorter.
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
