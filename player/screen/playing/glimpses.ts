/**
 * Records what this panel shows in the time windows that all panels of its wall share
 * (shared/protocol/wall/glimpse.ts).
 */
import {
  type Glimpse,
  glimpseOf,
  MAX_PICTURES,
  nextWindow,
  type Window,
} from '../../../shared/protocol/wall/glimpse.ts';
import type { Picture } from '../../../shared/protocol/wall/in-step.ts';

/** Longest delay between a frame and its report. */
const SETTLED_MS = 1_000;
const MOST_ZONES = 4;
/**
 * Maximum number of stored pictures per zone: enough for one time window, and for pictures that are taken before that
 * window is sent.
 */
const MOST_KEPT = 2 * MAX_PICTURES;

export class Glimpses {
  #isOn = false;
  /** The next time window for which observations are reported. */
  #window: Window | null = null;
  /** Pictures by zone, in order of `at`: the picture at the start of the time window, and later pictures. */
  readonly #zones = new Map<string, Picture[]>();

  /** Sets whether this screen is a panel of a wall. Other screens record nothing. */
  set on(isOn: boolean) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#window = null;
    this.#zones.clear();
  }

  /** Records a picture that is visible in a zone from `at` on. */
  record(zoneId: string, picture: Picture): void {
    const seen = this.#zones.get(zoneId) ?? [];
    if (!this.#isOn || (seen.length === 0 && this.#zones.size >= MOST_ZONES) || seen.length >= MOST_KEPT) return;
    const { from } = (this.#window ??= nextWindow(picture.at));
    seen.push(picture);
    while ((seen[1]?.at ?? Infinity) <= from) seen.shift();
    this.#zones.set(zoneId, seen);
  }

  /** Records that the zone shows nothing any more. */
  gone(zoneId: string): void {
    this.#zones.delete(zoneId);
  }

  /** Returns the pictures of a time window, once the window is over. @param now server clock, epoch milliseconds */
  collect(now: number): Glimpse[] {
    const window = this.#window;
    // After the clock was set back, this time window may be far in the future. In this case it is dropped.
    if (!window || (now < window.until + SETTLED_MS && nextWindow(now).number + 1 >= window.number)) return [];
    this.#window = nextWindow(now);
    const isOver = now >= window.until + SETTLED_MS;
    const glimpses: Glimpse[] = [];
    for (const [zoneId, seen] of this.#zones) {
      const within = isOver ? seen.filter(({ at }) => at < window.until) : [];
      // The server needs the picture before the time window only to know that the picture was visible.
      const pictures = within.map((picture) => ({ ...picture, at: Math.max(picture.at, window.from - 1) }));
      if (pictures.length > 0) glimpses.push(glimpseOf(zoneId, window, pictures));
      this.#zones.set(zoneId, seen.slice(-1));
    }
    return glimpses;
  }
}
