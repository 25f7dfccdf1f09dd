/**
 * Measures when this panel refreshes, in the server's clock, by fitting a straight line through the frames of the last
 * minute. In a wall, all panels use the refresh times of one panel as their target. Otherwise an instant between two
 * refreshes would be shown at the earlier refresh on one panel and at the later refresh on another.
 */
import type { Refresh } from '../../../shared/protocol/messages.ts';
import type { Frame } from '../frames/frame-loop.ts';
import type { ScreenHost } from '../host/host.ts';
import { instantOf } from './instant.ts';

/**
 * Minimum interval of measured frames. One frame per second is enough: a minute of frames makes the period exact to a
 * ten-thousandth of a millisecond.
 */
const EVERY_MS = 900;
const KEPT = 60;
/** Number of frames needed to compute the period. */
const ENOUGH = 8;
/** Largest distance from the fitted line, as a share of the period. Frames beyond it are ignored. */
const OFF_THE_LINE = 0.25;
/**
 * Number of ignored frames in a row after which the measurement starts again, because the display mode changed or a
 * clock was set.
 */
const STRANGERS = 3;
const NEAR_MS = 10_000;
/**
 * Largest root mean square distance from the fitted line, in milliseconds. If refreshes stray further (variable refresh
 * rate), they cannot be used as a target.
 */
const STEADY_MS = 1;
/** Shortest and longest period that the protocol allows. A throttled page may have longer periods. */
const SHORTEST_MS = 2;
const LONGEST_MS = 50;

interface Seen {
  /** Time of the frame on the server clock. */
  readonly at: number;
  /** Number of refreshes since the first stored frame. */
  readonly count: number;
}

export class RefreshWatch {
  #seen: Seen[] = [];
  #line: Refresh | null = null;
  #strangers = 0;

  /**
   * Adds a frame: `at` on the server's clock, `interval` the milliseconds between frames as far as known. Skipped
   * frames between two calls and too frequent calls are allowed.
   */
  add(at: number, interval: number): void {
    const last = this.#seen.at(-1);
    if (last && at > last.at && at - last.at < EVERY_MS) return;
    const passed = last ? (at - last.at) / (this.#line?.period_ms ?? interval) : 0;
    const steps = Math.round(passed);
    const isOnLine = last !== undefined && steps > 0 && Math.abs(passed - steps) < OFF_THE_LINE;
    const isNear = last !== undefined && steps > 0 && at - last.at < NEAR_MS;
    if (!isOnLine && isNear && this.#seen.length >= ENOUGH && ++this.#strangers < STRANGERS) return;
    this.#strangers = 0;
    if (isOnLine) this.#seen.push({ at, count: last.count + steps });
    else this.#seen = [{ at, count: 0 }];
    if (this.#seen.length > KEPT) this.#seen.shift();
    this.#line = lineThrough(this.#seen);
  }

  /** Measured refresh of this panel; null until it is known, and while it is not steady. */
  get refresh(): Refresh | null {
    return this.#seen.length >= ENOUGH ? this.#line : null;
  }
}

/** Returns the least squares fit; null if the points are not on a straight line. */
function lineThrough(seen: readonly Seen[]): Refresh | null {
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last || seen.length < 2) return null;
  const mean = (value: (one: Seen) => number): number => seen.reduce((sum, one) => sum + value(one), 0) / seen.length;
  // Times are relative to the first frame, because squares of epoch milliseconds would lose precision.
  const meanAt = mean(({ at }) => at - first.at);
  const meanCount = mean(({ count }) => count - first.count);
  let [cross, square] = [0, 0];
  for (const { at, count } of seen) {
    const steps = count - first.count - meanCount;
    cross += steps * (at - first.at - meanAt);
    square += steps * steps;
  }
  const period_ms = cross / square;
  const lineAt = (count: number): number => meanAt + period_ms * (count - first.count - meanCount);
  const strays = Math.sqrt(mean(({ at, count }) => (at - first.at - lineAt(count)) ** 2));
  const isSound = strays <= STEADY_MS && period_ms >= SHORTEST_MS && period_ms <= LONGEST_MS;
  return isSound ? { at: first.at + lineAt(last.count), period_ms } : null;
}

/**
 * Returns the refresh nearest to an instant; halfway between two refreshes, the later one. Server clock, milliseconds.
 */
export const nearestRefresh = ({ at, period_ms }: Refresh, instant: number): number =>
  at + Math.round((instant - at) / period_ms) * period_ms;

/** The refreshes at which this screen aims: its own, or the refreshes of the leading panel of its wall. */
export class Aim {
  readonly #host: Pick<ScreenHost, 'now' | 'wallRefresh'>;
  readonly #watch = new RefreshWatch();

  constructor(host: Pick<ScreenHost, 'now' | 'wallRefresh'>) {
    this.#host = host;
  }

  /** The refresh times of this panel itself; null while unknown. */
  get own(): Refresh | null {
    return this.#watch.refresh;
  }

  /** Whether the screen is part of a wall. */
  get inWall(): boolean {
    return this.#host.wallRefresh() !== null;
  }

  /** Adds a frame to the measurement. Called about once a second. */
  watch({ time, interval }: Frame): void {
    this.#watch.add(instantOf(this.#host, time), interval);
  }

  /**
   * Returns the instant up to which the changes of this frame decide what is visible. The frame is visible one refresh
   * later, and half a refresh more selects the nearest refresh instead of the next. In a wall the leading panel's
   * refresh counts. Server clock, milliseconds.
   */
  seenAt({ time, interval }: Frame): number {
    const shown = instantOf(this.#host, time) + interval;
    const wall = this.#host.wallRefresh();
    return wall ? nearestRefresh(wall, shown) + wall.period_ms / 2 : shown + interval / 2;
  }

  /**
   * Returns when content that is due at an instant should begin on this panel: at the panel's refresh that is nearest
   * to the wall's nearest refresh. Then a clip's frames fall on refreshes in the same pattern on every panel.
   */
  startOf(instant: number): number {
    const wall = this.#host.wallRefresh();
    const meant = wall ? nearestRefresh(wall, instant) : instant;
    return this.own ? nearestRefresh(this.own, meant) : meant;
  }
}
