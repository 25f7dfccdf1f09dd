/** Statistics for the operator: how far pictures of the recent past differed from their planned time. */

/** Number of stored errors: about 20 s of video at 50 frames a second, or hours of stills. */
const WINDOW = 1000;

export class SyncStats {
  #errors: number[] = [];
  #fresh = 0;

  /** Adds the difference between a picture and the shared clock, in signed milliseconds. */
  add(errorMs: number): void {
    this.#errors.push(Math.abs(errorMs));
    if (this.#errors.length > WINDOW) this.#errors.shift();
    this.#fresh++;
  }

  /** Returns the statistics, or null if nothing was measured since the last call. */
  collect(): { p50: number; p99: number } | null {
    if (this.#fresh === 0) return null;
    this.#fresh = 0;
    const sorted = this.#errors.toSorted((a, b) => a - b);
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
  }
}

/** Returns the nearest-rank percentile of an ascending list that is not empty. */
export const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? 0;

/** Returns undefined if there are no values. */
export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[values.length >> 1];
