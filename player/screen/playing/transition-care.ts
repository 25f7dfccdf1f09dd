/** Decides whether this machine is fast enough for transitions. Pure. */

/** Counts of the frames of one transition. */
export interface FrameCount {
  readonly frames: number;
  readonly late: number;
}

/** Longest time for which a frame may be visible. Beyond that, the frame is seen as a jerk, on any panel. */
const JERK_MS = 50;
/** Number of consecutive transitions that are examined. */
const LOOKED_AT = 3;
/** Maximum share of late frames in these transitions. With more, transitions are disabled. */
const LATE_SHARE = 0.25;

/** @param passed milliseconds since the previous frame. @param interval milliseconds between frames of this panel */
export const isLate = (passed: number, interval: number): boolean => passed > Math.min(2 * interval + 1, JERK_MS);

/** Disables transitions until the next page load when this machine is too slow for them. */
export class TransitionCare {
  #last: FrameCount[] = [];
  #gaveUp = false;

  /** Whether transitions are enabled. If not, each transition is replaced by a cut. */
  get able(): boolean {
    return !this.#gaveUp;
  }

  /** Adds a finished transition. @returns true if this transition causes transitions to be disabled */
  add(count: FrameCount): boolean {
    if (this.#gaveUp) return false;
    this.#last = [...this.#last, count].slice(-LOOKED_AT);
    const [frames, late] = [sum(this.#last, 'frames'), sum(this.#last, 'late')];
    this.#gaveUp = this.#last.length === LOOKED_AT && late > frames * LATE_SHARE;
    return this.#gaveUp;
  }
}

const sum = (counts: readonly FrameCount[], what: keyof FrameCount): number =>
  counts.reduce((all, count) => all + count[what], 0);
