/** Answers that hold for a stretch of time, kept so that a clock that moves on asks the same question once. */

/** Epoch milliseconds, half-open: `[since, until)`. Either may be infinite. */
export interface Window {
  readonly since: number;
  readonly until: number;
}

/** Two would do for a player (now and next), but a preview jumps about. */
const KEPT = 8;

/**
 * Wraps `compute`, keeping the last few windows it gave. Only a matter of speed: `compute` must give the same answer
 * for every instant in a window.
 */
export function keepWindows<W extends Window>(compute: (instant: number) => W): (instant: number) => W {
  let kept: W[] = [];
  return (instant) => {
    const known = kept.find(({ since, until }) => instant >= since && instant < until);
    if (known) return known;
    const window = compute(instant);
    kept = [window, ...kept.slice(0, KEPT - 1)];
    return window;
  };
}
