import { median } from '../playing/sync-stats.ts';

/**
 * One animation-frame loop for the page. The loop sleeps while nothing is due, so that a still picture costs a small
 * board no work.
 */
export interface Frame {
  /** Start of this frame on the page's monotonic clock. */
  readonly time: number;
  /** Milliseconds between frames. A change in a frame is visible about one interval later. */
  readonly interval: number;
  readonly index: number;
  /**
   * Start of the time in which the page was invisible (hidden, or the machine slept); null: visible since the last
   * frame.
   */
  readonly unseenSince: number | null;
}

/** Runs in each frame. Returns the milliseconds until the next work is due; 0 = next frame. */
export type Tick = (frame: Frame) => number;

/** The longest sleep. Unexpected events (a stall, a clock jump) are noticed within this time. */
const LONGEST_SLEEP_MS = 1_000;
/**
 * Milliseconds before work is due at which frames run again. A timer may be late, but an animation frame is on time.
 */
const WAKE_EARLY_MS = 120;
const KEPT_INTERVALS = 31;
/** A visible page has at least one frame per second. After this time without a frame the page was invisible. */
const UNSEEN_AFTER_MS = 5_000;

export class FrameLoop {
  #ticks = new Set<Tick>();
  #afterPaint: ((paintedAt: number) => void)[] = [];
  #intervals: number[] = [];
  #interval = 1000 / 60;
  #index = 0;
  #lastTime: number | null = null;
  /** Time of the last frame, like `#lastTime`, but not deleted while the loop sleeps. */
  #framedAt: number | null = null;
  #request = 0;
  #timer = 0;
  #running = false;

  get frames(): number {
    return this.#index;
  }

  start(): void {
    this.#running = true;
    this.wake();
  }

  stop(): void {
    this.#running = false;
    cancelAnimationFrame(this.#request);
    clearTimeout(this.#timer);
    this.#request = this.#timer = 0;
    this.#framedAt = null;
    this.#afterPaint = [];
  }

  onFrame(tick: Tick): () => void {
    this.#ticks.add(tick);
    this.wake();
    return () => this.#ticks.delete(tick);
  }

  /** Runs the next frame soon. Called after a change outside of a frame. */
  wake(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#running && this.#request === 0) this.#request = requestAnimationFrame((time) => this.#frame(time));
  }

  /**
   * Calls `callback` when the changes of this frame have been painted, with the time of the following frame. This is
   * the closest to "on the glass" that a page can measure.
   */
  afterPaint(callback: (paintedAt: number) => void): void {
    this.#afterPaint.push(callback);
    this.wake();
  }

  #frame(time: number): void {
    this.#request = 0;
    this.#measure(time);
    const unseenSince = this.#unseenSince(time);
    const painted = this.#afterPaint;
    this.#afterPaint = [];
    for (const callback of painted) guarded(() => callback(unseenSince ?? time));

    const frame = { time, interval: this.#interval, index: this.#index++, unseenSince };
    let idle = LONGEST_SLEEP_MS;
    for (const tick of this.#ticks) idle = Math.min(idle, guarded(() => tick(frame)) ?? 0);

    if (this.#request !== 0 || !this.#running) return;
    if (idle <= WAKE_EARLY_MS || this.#afterPaint.length > 0) {
      this.wake();
    } else {
      this.#lastTime = null;
      this.#timer = window.setTimeout(() => this.wake(), idle - WAKE_EARLY_MS);
    }
  }

  /** The changes of the last frame stayed visible for one more interval. */
  #unseenSince(time: number): number | null {
    const before = this.#framedAt;
    this.#framedAt = time;
    return before !== null && time - before > UNSEEN_AFTER_MS ? before + this.#interval : null;
  }

  #measure(time: number): void {
    const passed = this.#lastTime === null ? 0 : time - this.#lastTime;
    this.#lastTime = time;
    if (passed < 3 || passed > 60) return;
    this.#intervals.push(passed);
    if (this.#intervals.length > KEPT_INTERVALS) this.#intervals.shift();
    this.#interval = usual(this.#intervals);
  }
}

/**
 * Mean of the intervals without dropped frames. The median alone would be wrong by up to 0.1 ms, the clock resolution
 * of browsers.
 */
function usual(intervals: readonly number[]): number {
  const middle = median(intervals) ?? 0;
  const close = intervals.filter((each) => Math.abs(each - middle) < middle / 4);
  return close.reduce((sum, each) => sum + each, 0) / close.length;
}

/** Logs errors, because a faulty listener must not stop the picture. */
function guarded<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    console.error(error);
    return undefined;
  }
}
