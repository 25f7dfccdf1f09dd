/** Cache of results that are valid for a time range (window), so that an advancing clock computes each result once. */

/** Time range in epoch milliseconds, half-open: `[since, until)`. Either end may be infinite. */
export interface Window {
  readonly since: number;
  readonly until: number;
}

/** Number of cached results. Two would be enough for a player (now and next), but a preview jumps in time. */
const KEPT = 8;

/**
 * Wraps `compute` with a cache of the last few time ranges. Only affects speed: `compute` must return the same result
 * for every instant in a range.
 */
export function cacheWindows<W extends Window>(compute: (instant: number) => W): (instant: number) => W {
  let kept: W[] = [];
  return (instant) => {
    const known = kept.find(({ since, until }) => instant >= since && instant < until);
    if (known) return known;
    const window = compute(instant);
    kept = [window, ...kept.slice(0, KEPT - 1)];
    return window;
  };
}
