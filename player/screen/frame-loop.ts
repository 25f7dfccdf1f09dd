import { median } from './sync-stats.ts';

/**
 * One animation-frame loop for the page. It sleeps while nothing is due, so that a still costs a small board nothing.
 */
export interface Frame {
  /** Start of this frame on the page's monotonic clock. */
  readonly time: number;
  /** Milliseconds between frames; what is changed in a frame is on the glass about one of these later. */
  readonly interval: number;
  readonly index: number;
  /** Nobody saw the page from then on until now: it was hidden, or the machine slept. Null: it was seen all the time. */
  readonly unseenSince: number | null;
}

/** Runs in each frame; returns the milliseconds until it has something to do again, 0 = next frame. */
export type Tick = (frame: Frame) => number;

/** The longest sleep: what was not foreseen (a stall, a clock that stepped) is noticed after a second. */
const LONGEST_SLEEP_MS = 1_000;
/** Frames run again this long before something is due: a timer may be late, an animation frame is not. */
const WAKE_EARLY_MS = 120;
const KEPT_INTERVALS = 31;
/** A page that is seen has a frame each second, if not one that is busy; none for so long, and nobody saw it. */
const UNSEEN_AFTER_MS = 5_000;

export class FrameLoop {
  #ticks = new Set<Tick>();
  #afterPaint: ((paintedAt: number) => void)[] = [];
  #intervals: number[] = [];
  #interval = 1000 / 60;
  #index = 0;
  #lastTime: number | null = null;
  /** As that, however long the loop has slept since. */
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

  /** Runs the next frame, since something changed outside of one. */
  wake(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#running && this.#request === 0) this.#request = requestAnimationFrame((time) => this.#frame(time));
  }

  /**
   * Called when what this frame changed has been painted, with the time of the following frame: the nearest thing to
   * "on the glass" that a page can know.
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

  /** What the frame before changed was still on the glass. */
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
 * The mean of the intervals without those of dropped frames. The median alone would be wrong by up to 0.1 ms, the steps
 * in which browsers tell time.
 */
function usual(intervals: readonly number[]): number {
  const middle = median(intervals) ?? 0;
  const close = intervals.filter((each) => Math.abs(each - middle) < middle / 4);
  return close.reduce((sum, each) => sum + each, 0) / close.length;
}

/** Logs what is thrown: one bad listener must not stop the picture. */
function guarded<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    console.error(error);
    return undefined;
  }
}
