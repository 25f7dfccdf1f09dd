/** Answers that hold for a stretch of time, kept so that a clock that moves on asks the same question once. */

/** Epoch milliseconds, half-open: `[since, until)`. Either may be infinite. */
export interface Window {
  readonly since: number;
  readonly until: number;
}

/**
 * Wraps `compute`, keeping the last few windows it gave. Only a matter of speed: `compute` must give the same answer
 * for every instant in a window.
 * @param size windows kept, the oldest going first; two would do for a player (now and next), a preview jumps about
 */
export function keepWindows<W extends Window>(compute: (instant: number) => W, size = 8): (instant: number) => W {
  const kept: W[] = [];
  let oldest = 0;
  let recent: W | undefined;
  return (instant) => {
    if (recent && instant >= recent.since && instant < recent.until) return recent;
    for (const window of kept) {
      if (instant >= window.since && instant < window.until) {
        recent = window;
        return window;
      }
    }
    recent = compute(instant);
    kept[oldest] = recent;
    oldest = (oldest + 1) % size;
    return recent;
  };
}
