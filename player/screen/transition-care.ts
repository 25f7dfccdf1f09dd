/** Whether this machine draws transitions as they are meant. Pure. */

/** Of one transition. */
export interface FrameCount {
  readonly frames: number;
  readonly late: number;
}

/** A frame that stood for longer than this is seen as a jerk, however slow the panel is. */
const JERK_MS = 50;
/** So many transitions in a row are looked at … */
const LOOKED_AT = 3;
/** … and more than this share of their frames may not be late. */
const LATE_SHARE = 0.25;

/** @param passed milliseconds since the frame before. @param interval milliseconds between frames of this panel */
export const isLate = (passed: number, interval: number): boolean => passed > Math.min(2 * interval + 1, JERK_MS);

/** Gives transitions up, until the page starts anew, when this machine is too weak for them. */
export class TransitionCare {
  #last: FrameCount[] = [];
  #gaveUp = false;

  /** False: what is to fade or move is cut. */
  get able(): boolean {
    return !this.#gaveUp;
  }

  /** A transition is over. @returns true when it was the one too many */
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
