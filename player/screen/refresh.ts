/**
 * When this panel puts new pictures on the glass, told in the server's clock: a straight line through the frames of the
 * last minute. The panels of a wall aim at the refreshes of one of them, since an instant that lies just between two
 * refreshes would otherwise be the earlier one here and the later one there.
 */
import type { Refresh } from '../../shared/protocol/messages.ts';
import type { Frame } from './frame-loop.ts';
import type { ScreenHost } from './host.ts';
import { instantOf } from './instant.ts';

/** A frame a second is enough; a minute of them makes the period exact to a ten-thousandth of a millisecond. */
const EVERY_MS = 900;
const KEPT = 60;
/** Frames that are needed to know the period. */
const ENOUGH = 8;
/** A frame further than this share of a period from the line is left out. */
const OFF_THE_LINE = 0.25;
/** From so many of them in a row on a new line begins: the display mode has changed, or a clock was set. */
const STRANGERS = 3;
const NEAR_MS = 10_000;
/** Refreshes that stray more from the line (variable refresh rate) cannot be aimed at. */
const STEADY_MS = 1;
/** The protocol knows no shorter or longer periods; a page that is throttled has some. */
const SHORTEST_MS = 2;
const LONGEST_MS = 50;

interface Seen {
  /** Server clock. */
  readonly at: number;
  /** Refreshes since the first one kept. */
  readonly count: number;
}

export class RefreshWatch {
  #seen: Seen[] = [];
  #line: Refresh | null = null;
  #strangers = 0;

  /**
   * A frame began: `at` on the server's clock, `interval` the milliseconds between frames as far as they are known.
   * Frames that were left out between two calls do no harm, nor do calls that come more often than needed.
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

  /** Null until it is known, and while it is not steady. */
  get refresh(): Refresh | null {
    return this.#seen.length >= ENOUGH ? this.#line : null;
  }
}

/** Least squares; null where the points are no line. */
function lineThrough(seen: readonly Seen[]): Refresh | null {
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last || seen.length < 2) return null;
  const mean = (value: (one: Seen) => number): number => seen.reduce((sum, one) => sum + value(one), 0) / seen.length;
  // From the first one on: instants since 1970 leave too few digits for squares.
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

/** The refresh nearest to an instant. Between two the later one. Server clock, milliseconds. */
export const nearestRefresh = ({ at, period_ms }: Refresh, instant: number): number =>
  at + Math.round((instant - at) / period_ms) * period_ms;

/** At which refreshes this screen aims: its own, or those of the panel that leads its wall. */
export class Aim {
  readonly #host: Pick<ScreenHost, 'now' | 'wallRefresh'>;
  readonly #watch = new RefreshWatch();

  constructor(host: Pick<ScreenHost, 'now' | 'wallRefresh'>) {
    this.#host = host;
  }

  /** This panel's own refreshes; null while they are not known. */
  get own(): Refresh | null {
    return this.#watch.refresh;
  }

  /** Whether there are panels to be in step with. */
  get inWall(): boolean {
    return this.#host.wallRefresh() !== null;
  }

  /** Called about once a second. */
  watch({ time, interval }: Frame): void {
    this.#watch.add(instantOf(this.#host, time), interval);
  }

  /**
   * The end of the time for which what this frame changes stands on the glass: until then its instants are this
   * frame's. It is seen one refresh later, and half a refresh more makes it the nearest one instead of the next. In a
   * wall that nearest one is the leading panel's. Server clock, milliseconds.
   */
  seenAt({ time, interval }: Frame): number {
    const shown = instantOf(this.#host, time) + interval;
    const wall = this.#host.wallRefresh();
    return wall ? nearestRefresh(wall, shown) + wall.period_ms / 2 : shown + interval / 2;
  }

  /**
   * When what is due at an instant should begin here: at the refresh of this panel that is nearest to the wall's
   * nearest one. Then a clip's frames fall on refreshes in the same pattern on every panel.
   */
  startOf(instant: number): number {
    const wall = this.#host.wallRefresh();
    const meant = wall ? nearestRefresh(wall, instant) : instant;
    return this.own ? nearestRefresh(this.own, meant) : meant;
  }
}
